/** A query would fail, or be answered twice, because the engine restarted under it. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
import { createExecutor, type ExecutorDeps } from './execute.ts'

/** An engine whose answers break off the first `losses` times. */
function engine(losses: number) {
  const seen = { runs: 0 }
  const exec = async () => {
    const isLost = seen.runs++ < losses
    const stream = Readable.from(
      (async function* () {
        yield Buffer.from('rows')
        if (isLost) throw Object.assign(new Error('aborted'), { code: 'ECONNRESET' })
      })(),
    )
    return { stream, response_headers: {} }
  }
  const warehouse = { guest: { exec }, kill: async () => false } as unknown as ExecutorDeps['warehouse']
  const executor = createExecutor({ warehouse, knownSql: () => [], log: silentLog })
  const run = (mayRepeat?: () => boolean) =>
    executor.run(
      { sql: 'SELECT 1' },
      {
        caller: 'a',
        role: 'guest',
        settings: {},
        maxRows: 10,
        overflow: 'throw',
        take: async stream => ({ rows: await text(stream) }),
        ...(mayRepeat && { mayRepeat }),
      },
    )
  return { seen, run }
}

test('a query whose answer breaks off runs once more', async () => {
  const { seen, run } = engine(1)
  assert.equal((await run()).rows, 'rows')
  assert.equal(seen.runs, 2)
})

test('a query that breaks off twice fails with its code, and its slot is free', async () => {
  const { seen, run } = engine(2)
  await assert.rejects(run(), { code: 'sql.engine_restarted' })
  assert.equal(seen.runs, 2)
  assert.equal((await run()).rows, 'rows')
})

test('a query of which rows were sent does not run again', async () => {
  const { seen, run } = engine(1)
  await assert.rejects(
    run(() => false),
    { code: 'sql.engine_restarted' },
  )
  assert.equal(seen.runs, 1)
})
