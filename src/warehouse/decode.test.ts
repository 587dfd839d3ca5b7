/** A broken answer of the engine would pass for a whole one. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { readBlocks } from './decode.ts'
import { openTestWarehouse } from './testing.ts'

const schema = { tables: [], baseViews: [], fills: [], views: [] }

describe('rows read as blocks', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  before(async () => {
    warehouse = await openTestWarehouse({ schema })
  })
  after(() => warehouse[Symbol.asyncDispose]())

  test('give every value of many blocks, the largest of each type among them', async () => {
    const types = { a: 'UInt8', b: 'Bool', c: 'UInt16', d: 'Date', e: 'UInt32', f: 'UInt64' } as const
    const sql = `SELECT
  toUInt8(255 - number % 256) AS a, toBool(number % 2 = 1) AS b, toUInt16(65535 - number % 65536) AS c,
  toDate(toUInt16(number % 60000)) AS d, toUInt32(4294967295 - number) AS e, toUInt64(18446744073709551615 - number) AS f
FROM numbers(300000)`
    let [rows, blocks, wrong] = [0, 0, 0]
    for await (const { rowCount, columns } of readBlocks(warehouse.reader, sql, types)) {
      blocks += 1
      for (let row = 0; row < rowCount; row += 1) {
        const number = 0xffff_ffff - columns.e[row]!
        const isRight =
          columns.a[row] === 255 - (number % 256) &&
          columns.b[row] === number % 2 &&
          columns.c[row] === 65_535 - (number % 65_536) &&
          columns.d[row] === number % 60_000 &&
          columns.f[row] === 2n ** 64n - 1n - BigInt(number)
        if (!isRight) wrong += 1
        rows += 1
      }
    }
    assert.deepEqual([rows, wrong], [300_000, 0])
    assert.ok(blocks > 1, `${blocks} blocks`)
  })

  test('of no rows are none', async () => {
    const blocks = readBlocks(warehouse.reader, 'SELECT toUInt8(1) AS a WHERE 0', { a: 'UInt8' })
    assert.equal((await blocks.next()).done, true)
  })

  for (const [what, sql] of [
    ['another type', 'SELECT toUInt16(1) AS a'],
    ['another name', 'SELECT toUInt8(1) AS b'],
    ['a further column', 'SELECT toUInt8(1) AS a, toUInt8(1) AS b'],
  ] as const)
    test(`with ${what} are refused`, async () => {
      await assert.rejects(readBlocks(warehouse.reader, sql, { a: 'UInt8' }).next(), {
        code: 'warehouse.answer',
      })
    })

  test('that break off are no whole answer', async () => {
    const sql =
      'SELECT toUInt8(throwIf(number = 1000000)) AS a FROM numbers(1000001) SETTINGS max_threads = 1'
    await assert.rejects(async () => {
      for await (const _ of readBlocks(warehouse.reader, sql, { a: 'UInt8' })) {
        // The first blocks are right.
      }
    })
  })
})
