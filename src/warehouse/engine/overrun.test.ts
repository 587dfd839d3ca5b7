/** A query that cannot be interrupted would keep the engine busy, or a freeze would end it for nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Connection } from './native.ts'
import { overrunMs, watchOverrun } from './overrun.ts'

const RESULT = { bytes: Buffer.alloc(0), rowsRead: 0, bytesRead: 0 }

function connectionWith(more: Partial<Connection>): Connection {
  const none = () => Promise.reject(new Error('not called'))
  return {
    run: none,
    insert: none,
    async *stream() {},
    classify: none,
    close() {},
    ...more,
  }
}

test('a user query is given up long after the engine should have ended it', () => {
  assert.deepEqual([10, 60].map(overrunMs), [40_000, 140_000])
})

test('a call that does not come back is reported, by ticks and not by the clock', t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let overruns = 0
  const stuck = connectionWith({ run: () => new Promise(() => {}) })
  void watchOverrun(stuck, 40_000, () => overruns++).run('SELECT 1', 'TSV')
  t.mock.timers.tick(39_900)
  assert.equal(overruns, 0)
  t.mock.timers.tick(100)
  assert.equal(overruns, 1)
})

test('a call that comes back is reported no more', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let overruns = 0
  const watched = watchOverrun(connectionWith({ run: async () => RESULT }), 1_000, () => overruns++)
  assert.deepEqual(await watched.run('SELECT 1', 'TSV'), RESULT)
  t.mock.timers.tick(60_000)
  assert.equal(overruns, 0)
})
