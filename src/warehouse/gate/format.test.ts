/** A query could choose its result format and send arbitrary bytes to the program that reads it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestWarehouse } from '../testing.ts'

let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
before(async () => {
  warehouse = await openTestWarehouse()
})
after(() => warehouse[Symbol.asyncDispose]())

/** A Native block that looks like a column `a` with the value 42. */
const FORGED = "SELECT unhex('0101016105' || hex('UInt8') || '2a')"

test('FORMAT is refused, however it is written', async () => {
  for (const clause of [
    'FORMAT `RawBLOB`',
    'FORMAT "RawBLOB"',
    'FORMAT RawBLOB',
    'format RawBLOB',
    'FORMAT /* */ RawBLOB',
    'FORMAT/**/`RawBLOB`',
    'FORMAT `RawBLOB` -- FORMAT JSON',
    'FORMAT `JSON`',
    'FORMAT CSV',
    'FORMAT\n-- FORMAT JSON\nRawBLOB',
  ])
    await assert.rejects(warehouse.guest.exec({ query: `${FORGED} ${clause}` }), { code: '497' }, clause)
})

test('FORMAT in a comment, string or name is allowed', async () => {
  for (const query of [
    'SELECT 1 AS one -- FORMAT RawBLOB',
    'SELECT 1 AS one /* FORMAT */ -- FORMAT Native',
    "SELECT ' FORMAT RawBLOB' AS one",
    'SELECT 1 AS `FORMAT RawBLOB`',
    "SELECT format('{}', 'x') AS format",
  ]) {
    const { stream } = await warehouse.guest.exec({
      query,
      clickhouse_settings: { default_format: 'JSONCompactEachRow' as never },
    })
    let text = ''
    for await (const chunk of stream) text += chunk
    assert.equal(JSON.parse(text).length, 1, query)
  }
})
