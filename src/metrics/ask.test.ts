/** Pages would fail when many metrics are read at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '#kernel/until.testing.ts'
import { isEngineFull } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { ask } from './ask.ts'

test('reads that find no memory because of each other are all answered, one after the other', async () => {
  await using warehouse = await openTestWarehouse({ memoryBytes: 330 * 2 ** 20 })
  const { reader } = warehouse
  // Each keeps what it has gathered for half a second, so that all are under way together.
  const sql = `SELECT length(all) AS n
FROM (SELECT groupArray(number) AS all FROM numbers(8000000))
WHERE sleep(0.5) = 0`
  // A busy machine may run them one after the other: then they are asked once more.
  const refused = await until('reads find no memory because of each other', async () => {
    const together = await Promise.allSettled(
      [1, 2, 3, 4].map(async () => (await reader.query({ query: sql, format: 'JSONEachRow' })).text()),
    )
    const each = together.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[]
    return each.length > 0 && each
  })
  assert.ok(refused.every(({ reason }) => isEngineFull(reason)))
  const answers = await Promise.all([1, 2, 3, 4].map(() => ask<{ n: string }>(reader, sql)))
  assert.deepEqual(
    answers.map(rows => Number(rows[0]?.n)),
    [8_000_000, 8_000_000, 8_000_000, 8_000_000],
  )
})
