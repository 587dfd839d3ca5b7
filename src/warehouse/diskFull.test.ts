/** A full disk would lose data or give no clear error. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blob, table, u32 } from '#kernel/table.ts'
import { openTestWarehouse, smallDisk } from './testing.ts'

const heaps = table('heaps', {
  doc: 'One row per heap of bytes that do not compress.',
  columns: { n: u32('its number'), bytes: blob('the bytes') },
  orderBy: ['n'],
})
const schema = { tables: [heaps], baseViews: [], fills: [], views: [] }

test('a full disk is a clear sentence; what was acknowledged stays, and reading goes on', async t => {
  using disk = smallDisk(40)
  if (disk === undefined) return t.skip('this user may not mount a small file system')
  await using warehouse = await openTestWarehouse({ home: disk.path, schema })
  const heap = () => crypto.getRandomValues(new Uint8Array(60_000))
  let acknowledged = 0
  const fill = async () => {
    for (; acknowledged < 20; acknowledged++)
      await warehouse.insertRows(
        heaps,
        Array.from({ length: 60 }, () => ({ n: acknowledged, bytes: heap() })),
      )
  }
  await assert.rejects(fill(), { code: 'warehouse.disk_full', hint: /Free space/ })
  assert.ok(acknowledged > 0)
  const result = await warehouse.reader.query({
    query: 'SELECT toUInt32(count()) AS n FROM base.heaps',
    format: 'JSONEachRow',
  })
  assert.deepEqual(await result.json(), [{ n: acknowledged * 60 }])
})
