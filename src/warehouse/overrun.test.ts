/** A user query that cannot be interrupted would run without end. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestWarehouse } from './testing.ts'

/** One call that takes seconds, which the engine cannot interrupt: it compares each place of a text with a long needle. */
const STUCK = "SELECT position(repeat('a', 900000), concat(repeat('a', 450000), 'b'))"

test('a user query that cannot be interrupted ends the engine, and the next one serves', async () => {
  await using warehouse = await openTestWarehouse({ mostBusyMs: 500 })
  const folder = join(warehouse.home, 'warehouse')
  const pidOf = async (): Promise<number> =>
    JSON.parse(await readFile(join(folder, 'endpoint.json'), 'utf8')).pid
  const pid = await pidOf()
  await assert.rejects(warehouse.guest.exec({ query: STUCK }))
  while ((await pidOf().catch(() => pid)) === pid) await new Promise(setImmediate)
  const result = await warehouse.guest.query({ query: 'SELECT 1 AS one', format: 'JSONEachRow' })
  assert.deepEqual(await result.json(), [{ one: 1 }])
  const log = await readFile(join(folder, 'engine.log'), 'utf8')
  assert.match(log, /far beyond its time limit, so the engine ends itself: SELECT position\(repeat/)
})

test('our own reads may keep the engine busy', async () => {
  await using warehouse = await openTestWarehouse({ mostBusyMs: 500 })
  const result = await warehouse.reader.query({ query: `${STUCK} AS place`, format: 'JSONEachRow' })
  assert.deepEqual(await result.json(), [{ place: 0 }])
})
