/** One failed page would end the web server for all readers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Api } from '#http/contract.ts'
import { readPageView } from '../view.ts'
import { createFigureReader } from './figureReader.server.ts'

// A page that fails while the engine is away must not end the web server for all readers.

test('a catalog that fails before anybody asks for an entry is no unhandled failure, and whoever asks gets it', async () => {
  const failure = new Error('The data engine is unreachable.')
  const api = { metrics: () => Promise.reject(failure) } as unknown as Api
  // An unhandled rejection in this turn fails the test.
  const reader = createFigureReader(api, readPageView(new URLSearchParams()))
  await nextTurn()
  await assert.rejects(reader.entry({ metric: 'tvl.total', entity: 'core' }), failure)
  await assert.rejects(reader.figure({ metric: 'tvl.total', entity: 'core' }), failure)
})
