/** Clients that ask for compressed blocks would refuse every answer as corrupt. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { cityHash128 } from './cityHash128.ts'
import { compressedBlock } from './compressedBlocks.ts'

test('the empty text has the hash of CityHash 1.0.2', () => {
  assert.equal(cityHash128(Buffer.alloc(0)).toString('hex'), '2b9ac064fc9df03d291ee592c340b53c')
})

test('checksums are those that the engine writes to its own files, at every length', async () => {
  await using warehouse = await openTestWarehouse()
  await warehouse.writer.command({
    query: 'CREATE TABLE base.lengths (t String) ENGINE = MergeTree ORDER BY tuple()',
  })
  for (const length of [1, 4, 9, 40, 90, 119, 120, 130, 250, 300, 1000, 70_000])
    await warehouse.writer.command({
      query: `INSERT INTO base.lengths SELECT randomString(${length}) FROM numbers(3)`,
    })
  let count = 0
  const lengths = new Set<number>()
  for (const path of globSync(join(warehouse.home, 'warehouse/**/*.bin'))) {
    const file = readFileSync(path)
    for (let at = 0; at + 25 <= file.length; ) {
      const end = at + 16 + file.readUInt32LE(at + 17)
      const block = file.subarray(at + 16, end)
      assert.deepEqual(cityHash128(block), file.subarray(at, at + 16), `${path} at ${at}`)
      lengths.add(block.length)
      count++
      at = end
    }
  }
  assert.ok(count >= 12 && lengths.size >= 8, `${count} blocks of ${lengths.size} lengths`)
})

test('a compressed block has its checksum, the method, both sizes and its content', () => {
  const block = compressedBlock(Buffer.from('abc'))
  assert.deepEqual(block.subarray(0, 16), cityHash128(block.subarray(16)))
  assert.equal(block.subarray(16).toString('hex'), '820d0000000300000030616263')
})
