/** Quick edits would use up the slots of a user, or leave the estimate out without a word. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { QueryEstimate } from '#http/contract.ts'
import { ApiRefusal } from '../../api.ts'
import { createEstimates, type EstimateState } from './estimates.ts'

const answer = (rows: number): QueryEstimate => ({
  rows,
  limits: { seconds: 10, memoryBytes: 1, rows: 10_000, running: 2 },
})
const refusal = (status: number, retryAfterSeconds?: number) =>
  new ApiRefusal(
    { type: 'about:blank', title: 'No', status, detail: 'No.', code: 'sql.too_many_at_once' },
    retryAfterSeconds,
  )

/** Estimates whose requests the test answers. */
function open(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let clock = 0
  t.mock.method(performance, 'now', () => clock)
  const sent: { sql: string; signal: AbortSignal; answer(found: QueryEstimate | Error): void }[] = []
  const states: EstimateState[] = []
  const estimates = createEstimates(
    ({ sql }, signal) =>
      new Promise((resolve, reject) => {
        sent.push({
          sql,
          signal,
          answer: found => (found instanceof Error ? reject(found) : resolve(found)),
        })
      }),
    state => states.push(state),
  )
  return {
    sent,
    estimates,
    type: (sql: string) => estimates.want(JSON.stringify({ sql, parameters: {} })),
    state: () => states.at(-1),
    count: () => states.length,
    async pass(ms: number) {
      clock += ms
      t.mock.timers.tick(ms)
      for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    },
  }
}

test('quick edits send one request at a time, and the last text wins', async t => {
  const { type, pass, sent, state } = open(t)
  for (const text of ['SELECT 1', 'SELECT 12', 'SELECT 123']) {
    type(text)
    await pass(300)
  }
  await pass(700)
  assert.deepEqual(
    sent.map(({ sql }) => sql),
    ['SELECT 123'],
  )
  for (const text of ['SELECT 4', 'SELECT 5']) {
    type(text)
    await pass(1000)
  }
  assert.equal(sent.length, 1, 'nothing is sent while one is on its way')
  sent[0]?.answer(answer(7))
  await pass(0)
  assert.equal(state()?.estimate?.rows, null, 'rows of an earlier text are not shown')
  assert.equal(state()?.estimate?.limits.rows, 10_000)
  await pass(0)
  assert.deepEqual(
    sent.map(({ sql }) => sql),
    ['SELECT 123', 'SELECT 5'],
  )
  sent[1]?.answer(answer(8))
  await pass(0)
  assert.equal(state()?.estimate?.rows, 8)
})

test('a refusal for too many requests is told, and the text at that time is sent after Retry-After', async t => {
  const { type, pass, sent, state } = open(t)
  type('SELECT 1')
  await pass(700)
  sent[0]?.answer(refusal(429, 3))
  await pass(0)
  assert.equal(state()?.retrySeconds, 3)
  await pass(1000)
  type('SELECT 2')
  await pass(1999)
  assert.equal(sent.length, 1)
  await pass(1)
  assert.equal(sent[1]?.sql, 'SELECT 2')
  assert.equal(state()?.retrySeconds, 3, 'it stands until it is known better')
  sent[1]?.answer(refusal(429))
  await pass(0)
  assert.equal(state()?.retrySeconds, 5)
  await pass(5000)
  sent[2]?.answer(answer(2))
  await pass(0)
  assert.deepEqual(state(), { estimate: answer(2), retrySeconds: undefined })
})

test('another failure is no news, and is not repeated for the same text', async t => {
  const { type, pass, sent, state } = open(t)
  type('SELECT 1')
  await pass(700)
  sent[0]?.answer(refusal(400))
  await pass(60_000)
  assert.deepEqual([state()?.retrySeconds, state()?.estimate, sent.length], [undefined, undefined, 1])
})

test('a page that is left ends its request and tells nothing more', async t => {
  const { type, pass, sent, estimates, count } = open(t)
  type('SELECT 1')
  await pass(700)
  const before = count()
  estimates.end()
  assert.equal(sent[0]?.signal.aborted, true)
  sent[0]?.answer(refusal(429, 1))
  await pass(60_000)
  assert.deepEqual([count(), sent.length], [before, 1])
})
