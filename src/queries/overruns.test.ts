/** One caller could fill the engine with queries that it cannot interrupt. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { silentLog } from '#kernel/log.ts'
import { createQueries } from './createQueries.ts'
import { createExecutor, type ExecutorDeps } from './execute.ts'
import { createOverruns } from './overruns.ts'

const LIMITS = { pollMs: 1, stubbornMs: 15_000, pauseMs: 600_000 }

test('a caller whose query could not be interrupted pauses, others do not', async () => {
  let clock = 0
  const running = [true, true, false]
  const kill = async () => {
    clock += 10_000
    return running.shift() ?? false
  }
  const overruns = createOverruns({ kill, now: () => clock }, LIMITS)
  await overruns.whenOver('people-1', 'caller')
  assert.deepEqual(running, [])
  assert.throws(() => overruns.check('caller'), { code: 'sql.paused', facts: { retryAfterSeconds: 600 } })
  overruns.check('another')
  clock += LIMITS.pauseMs
  overruns.check('caller')
})

test('a query that ends soon after it was stopped does not pause its caller', async () => {
  const overruns = createOverruns({ kill: async () => false }, LIMITS)
  await overruns.whenOver('people-1', 'caller')
  overruns.check('caller')
})

test('the slot of a canceled query stays taken until the engine has ended it', async () => {
  let isRunning = true
  const kills = Promise.withResolvers<void>()
  const exec = ({ abort_signal }: { abort_signal: AbortSignal }) =>
    new Promise((_, reject) => abort_signal.addEventListener('abort', () => reject(abort_signal.reason)))
  const warehouse = {
    guest: { exec },
    kill: async () => {
      kills.resolve()
      return isRunning
    },
  } as unknown as ExecutorDeps['warehouse']
  const turns = { perAsker: 1, inAll: 4, ofMembers: 1, sharedFrom: 2, waitMs: 1_000 }
  const queries = createQueries(
    createExecutor({ warehouse, knownSql: () => [], log: silentLog, turns, overruns: LIMITS }),
  )
  const ask = (signal?: AbortSignal) => queries.rows({ sql: 'SELECT 1' }, 'caller', signal)
  const quit = new AbortController()
  const first = ask(quit.signal)
  await new Promise(setImmediate)
  quit.abort()
  await assert.rejects(first, { code: 'sql.cancelled' })
  await kills.promise
  await assert.rejects(ask(), { code: 'sql.too_many_at_once' })
  isRunning = false
  const later = new AbortController()
  for (let isFree = false; !isFree; ) {
    const refused = ask(later.signal).catch(({ code }: { code: string }) => code)
    isFree = (await Promise.race([refused, delay(5, 'runs')])) === 'runs'
    await delay(1)
  }
  later.abort()
})
