/** A result would land in another tab, an error in another line, or a cancelled query would go on. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { QueryRun, QueryRunEvent } from '#http/contract.ts'
import { until } from '#kernel/until.testing.ts'
import { ApiRefusal } from '../../api.ts'
import { runOf } from './queryClient.ts'
import { createRuns, type JobRequest } from './runs.ts'

const runWith = (sql: string, more: Partial<QueryRun>): QueryRun => ({
  id: `run of ${sql}`,
  state: 'running',
  sql,
  parameters: {},
  createdAt: '2026-01-31T00:00:00Z',
  startedAt: null,
  endedAt: null,
  queue: null,
  progress: null,
  result: null,
  isReused: false,
  problem: null,
  ...more,
})

const request = (sql: string, from = 0): JobRequest => ({
  sql,
  parameters: {},
  statement: { text: sql, from, to: from + sql.length },
  source: `${' '.repeat(from)}${sql}`,
  toSource: offset => from + offset,
})

/** An API whose runs end when the test says so. */
function openFakeApi() {
  const ends = new Map<string, (state: QueryRun['state']) => void>()
  const events = new Map<string, (event: QueryRunEvent) => void>()
  const cancelled: string[] = []
  const started: string[] = []
  const runs = createRuns({
    async run({ sql }) {
      started.push(sql)
      if (sql.startsWith('REFUSED'))
        throw new ApiRefusal({
          type: '/errors/sql.syntax',
          title: 'Syntax error',
          status: 400,
          detail: 'Syntax error.',
          code: 'sql.syntax',
          line: 1,
          column: 3,
        })
      return runWith(sql, {})
    },
    read: async id => runWith(id, { id, state: 'succeeded' }),
    async cancel(id) {
      cancelled.push(id)
      return runWith('', { id, state: 'cancelled' })
    },
    follow: (id, onRun, signal) =>
      new Promise((resolve, reject) => {
        events.set(id, onRun)
        ends.set(id, state => {
          onRun(runWith('', { id, state }))
          resolve()
        })
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  })
  const states = (tab: string) => runs.read(tab).jobs.map(({ state }) => state)
  const end = async (sql: string, state: QueryRun['state']) => {
    await until(`${sql} is followed`, () => ends.has(`run of ${sql}`))
    ends.get(`run of ${sql}`)?.(state)
  }
  const sendRows = async (sql: string, rows: number[][]) => {
    const firstRows = { columns: [{ name: 'n', type: 'UInt8', shownAs: 'value' as const }], rows }
    await until(`${sql} is followed`, () => events.has(`run of ${sql}`))
    events.get(`run of ${sql}`)?.({ ...runWith(sql, {}), firstRows })
    events.get(`run of ${sql}`)?.(runWith(sql, {}))
  }
  return { runs, states, end, cancelled, started, sendRows }
}

describe('runs of tabs', () => {
  test('runs of two tabs go on side by side, each with its own result', async () => {
    const { runs, states, end } = openFakeApi()
    const first = runs.start('a', [request('ONE')])
    const second = runs.start('b', [request('TWO')])
    await end('TWO', 'succeeded')
    await second
    assert.deepEqual([states('a'), states('b')], [['running'], ['succeeded']])
    await end('ONE', 'failed')
    await first
    assert.deepEqual(states('a'), ['failed'])
  })

  test('statements run in order, and none after one that failed', async () => {
    const { runs, states, end, started } = openFakeApi()
    const all = runs.start('a', [request('ONE'), request('TWO'), request('THREE')])
    await end('ONE', 'succeeded')
    await end('TWO', 'failed')
    await all
    assert.deepEqual(states('a'), ['succeeded', 'failed', 'cancelled'])
    assert.deepEqual(started, ['ONE', 'TWO'])
  })

  test('cancel ends what runs and what waits, here and on the server', async () => {
    const { runs, states, cancelled } = openFakeApi()
    const all = runs.start('a', [request('ONE'), request('TWO')])
    await until('the first runs', () => states('a')[0] === 'running')
    await runs.cancel('a')
    await all
    assert.deepEqual(states('a'), ['cancelled', 'cancelled'])
    assert.deepEqual(cancelled, ['run of ONE'])
  })

  test('first rows stay when the query fails or is canceled, and a new run starts without them', async () => {
    const { runs, end, sendRows } = openFakeApi()
    const rows = (tab: string) => runs.read(tab).jobs[0]?.firstRows?.rows
    const failing = runs.start('a', [request('ONE')])
    await sendRows('ONE', [[1], [2]])
    await end('ONE', 'failed')
    await failing
    assert.deepEqual(rows('a'), [[1], [2]])
    const canceled = runs.start('b', [request('TWO')])
    await sendRows('TWO', [[3]])
    await runs.cancel('b')
    await canceled
    assert.deepEqual(rows('b'), [[3]])
    void runs.start('b', [request('THREE')])
    await until('the new run is shown', () => runs.read('b').jobs[0]?.statement.text === 'THREE')
    assert.equal(rows('b'), undefined)
  })

  test('the place of an error is that in the whole text', async () => {
    const { runs } = openFakeApi()
    await runs.start('a', [request('REFUSED', 4)])
    assert.deepEqual(runs.read('a').jobs[0]?.problem?.place, { offset: 6, line: 1, column: 7 })
  })
})

test('events of a stream are read, and what keeps it open is not', () => {
  const run = runWith('SELECT 1', {})
  assert.deepEqual(runOf(`event: run\ndata: ${JSON.stringify(run)}`), run)
  assert.equal(runOf(': still here'), undefined)
  assert.equal(runOf('event: other\ndata: {}'), undefined)
})
