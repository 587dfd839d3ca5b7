/** Tests would start two servers on one port, and fail at random. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { freePort } from './freePort.testing.ts'

test('processes that ask at once get different ports, each free to listen on', async () => {
  const others = Array.from({ length: 3 }, async () => {
    const worker = new Worker(
      `const { parentPort } = require('node:worker_threads')
      import(${JSON.stringify(new URL('freePort.testing.ts', import.meta.url).href)}).then(async ({ freePort }) => {
        parentPort.postMessage([await freePort(), await freePort()])
        parentPort.once('message', () => process.exit())
      })`,
      { eval: true },
    )
    const [ports] = (await once(worker, 'message')) as [number[]]
    return { worker, ports }
  })
  const own = [await freePort(), await freePort()]
  const found = await Promise.all(others)
  try {
    const all = [...own, ...found.flatMap(({ ports }) => ports)]
    assert.equal(new Set(all).size, all.length, all.join(', '))
    for (const port of all) {
      const server = createServer().listen(port, '127.0.0.1')
      await once(server, 'listening')
      server.close()
      await once(server, 'close')
    }
  } finally {
    await Promise.all(found.map(({ worker }) => worker.terminate()))
  }
})
