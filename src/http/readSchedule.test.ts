/** Status would guess about sources instead of saying what happened to each. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import type { SourceJobState } from '#ingest/sources/index.ts'
import { testSource } from '#ingest/sources/testing.ts'
import { AssayError } from '#kernel/errors.ts'
import { readSchedule, type ScheduleDeps } from './readSchedule.ts'
import { schedule as Schedule } from './schemas/status.ts'

const source = testSource('http://publisher.example')
const keyed = testSource('http://keyed.example', {
  id: 'test.keyed',
  key: { variable: 'KEYED_API_KEY', header: 'x-key', isDemanded: true },
})
const job: SourceJobState = {
  source: source.id,
  about: 'rootstock',
  nextRun: new Date('2026-03-10T13:00:00Z'),
  lastAttempt: new Date('2026-03-10T12:00:00Z'),
  lastSuccess: new Date('2026-03-09T12:00:00Z'),
  outcome: 'refused',
  reason: 'days: a field is missing.',
  failures: 3,
  refusals: 2,
  refusedValues: 3,
  refusedNamed: ['TVL of rootstock: 1.tvl: below zero'],
  runs: 24,
  failedRuns: 3,
}

const read = async (more: Partial<ScheduleDeps>) =>
  Schedule.parse(
    await readSchedule({
      declared: [source, keyed],
      asked: [source],
      keys: {},
      catalog: await testCatalog(),
      states: async () => ({ leaderUntil: new Date(), jobs: [job] }),
      ...more,
    }),
  )

test('each request is told with what came of it, and one without its key with what to set', async () => {
  const { state, requests } = await read({})
  assert.equal(state, 'led')
  assert.deepEqual(
    requests.map(({ source: id, about, state: of, needs, lastSuccess }) => [
      id,
      about,
      of,
      needs,
      lastSuccess,
    ]),
    [
      ['test.tvl', 'rootstock', 'refused', '', '2026-03-09T12:00:00.000Z'],
      ['test.tvl', 'bob', 'new', '', null],
      ['test.keyed', 'rootstock', 'not_asked', 'Set KEYED_API_KEY.', null],
      ['test.keyed', 'bob', 'not_asked', 'Set KEYED_API_KEY.', null],
    ],
  )
  assert.deepEqual(
    [requests[0]?.reason, requests[0]?.failures, requests[0]?.refusals, requests[0]?.nextRun],
    ['days: a field is missing.', 3, 2, '2026-03-10T13:00:00.000Z'],
  )
})

test('where nobody leads, nobody is asked, or the store is away, that is said in place of a guess', async () => {
  assert.equal((await read({ states: async () => ({ leaderUntil: null, jobs: [] }) })).state, 'unled')
  const off = await read({
    asked: [],
    states: () => Promise.reject(new Error('the store is opened for nothing')),
  })
  assert.equal(off.state, 'off')
  assert.match(off.requests[0]?.needs ?? '', /SOURCES/)
  const away = await read({
    states: () => Promise.reject(new AssayError('store.down', 'The store at db:5432 does not answer.')),
  })
  assert.equal(away.state, 'unknown')
  assert.match(away.sentence, /The store at db:5432 does not answer/)
  assert.equal(away.requests.length, 4)
})
