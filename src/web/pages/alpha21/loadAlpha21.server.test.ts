/** One request for a signal would end the web server while the data engine is away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RouterContextProvider } from 'react-router'
import { ApiError, problemOf } from '#http/apiError.ts'
import { apiContext } from '#http/context.ts'
import { loadAlpha21 } from './loadAlpha21.server.ts'

// If this fails, one request for a signal ends the web process while the data engine is away.
test('where nothing can be read the page says so, and no failure is left without a listener', async () => {
  const away = async () => {
    throw new ApiError(problemOf('warehouse.engine_gone', 'The data engine is away.'))
  }
  const context = new RouterContextProvider()
  const signals = { list: away, records: away, signal: away, table: away, composite: away }
  context.set(apiContext, { signals } as never)
  const unheard: unknown[] = []
  const hear = (cause: unknown) => unheard.push(cause)
  process.on('unhandledRejection', hear)
  try {
    const url = new URL('http://localhost/analyze/alpha21?signal=any&composite=show')
    await assert.rejects(loadAlpha21(url, context))
    // Node tells of a rejection nobody listens to once the queue of promises is empty.
    await new Promise(resolve => setImmediate(resolve))
    assert.deepEqual(unheard, [])
  } finally {
    process.off('unhandledRejection', hear)
  }
})
