/** A load balancer would send readers to a server that cannot answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { until } from '#kernel/until.testing.ts'
import { createPastDays } from '../pastDays.ts'
import { addRoute } from '../route.ts'
import { healthRoutes } from './routes.ts'
import { readiness } from './schema.ts'
import { openHealthWatch } from './watch.ts'

const NEVER = () => new Promise<undefined>(() => {})
const SOON = { engine: 1, store: 1, data: 1 }

/** A server with these two routes alone. */
async function serve(watch: Parameters<typeof healthRoutes>[0]) {
  const app = Fastify()
  for (const spec of healthRoutes(watch, '1.2.3'))
    addRoute(app, spec, { cache: undefined as never, accounts: undefined, pastDays: createPastDays() })
  const ask = async (url: string) => {
    const { statusCode, body } = await app.inject({ url })
    return { status: statusCode, body: JSON.parse(body) }
  }
  return { ask, [Symbol.asyncDispose]: () => app.close() }
}

type Watch = ReturnType<typeof openHealthWatch>
const allChecked = (watch: Watch) =>
  until(
    'every part is checked',
    () => watch.current().every(({ checkedAtMs }) => checkedAtMs !== undefined),
    {
      betweenMs: 1,
    },
  )

test('during the start health answers from memory while the engine and the store never answer', async () => {
  using watch = openHealthWatch({ engine: NEVER, store: NEVER, data: () => undefined }, { timeoutMs: 2 })
  await using server = await serve(watch.current)
  await allChecked(watch)
  const health = await server.ask('/healthz')
  assert.equal(health.status, 503)
  assert.match(health.body.detail, /No answer for 0\.002 s/)
  const { status, body } = await server.ask('/readyz')
  assert.equal(status, 503)
  assert.deepEqual(
    readiness.parse(body).parts.map(({ name, isReady }) => [name, isReady]),
    [
      ['engine', false],
      ['store', false],
      ['data', true],
    ],
  )
})

test('every part that is not ready gives its reason, and none is forgotten once it is back', async () => {
  let fault: string | undefined = 'The warehouse engine ended.'
  const checks = {
    engine: () => fault,
    store: async () => {
      throw new Error('The store does not answer.')
    },
    data: () => 'The bundled snapshot is being loaded.',
  }
  using watch = openHealthWatch(checks, { everyMs: SOON })
  await using server = await serve(watch.current)
  await allChecked(watch)
  assert.deepEqual(
    readiness.parse((await server.ask('/readyz')).body).parts.map(({ detail }) => detail),
    ['The warehouse engine ended.', 'The store does not answer.', 'The bundled snapshot is being loaded.'],
  )
  assert.equal((await server.ask('/healthz')).body.detail, 'The warehouse engine ended.')
  fault = undefined
  await until('the engine is ready', () => watch.current()[0]?.isReady === true, { betweenMs: 1 })
  assert.equal((await server.ask('/healthz')).body.detail, 'The bundled snapshot is being loaded.')
})

test('health stays 200 while the engine is away, and readiness does not', async () => {
  let fault: string | undefined
  const checks = { engine: () => fault, store: () => undefined, data: () => undefined }
  using watch = openHealthWatch(checks, { everyMs: SOON })
  await using server = await serve(watch.current)
  await until('every part is ready', () => watch.current().every(({ isReady }) => isReady))
  assert.equal((await server.ask('/healthz')).body.detail, 'Pages are served.')
  fault = 'The warehouse engine ended.'
  await until('the engine’s state is false', () => watch.current()[0]?.isReady === false)
  const health = await server.ask('/healthz')
  assert.deepEqual([health.status, health.body.isHealthy], [200, true])
  assert.equal(health.body.detail, 'Cached pages are served. The warehouse engine ended.')
  const ready = await server.ask('/readyz')
  assert.equal(ready.status, 503)
  assert.deepEqual(
    readiness.parse(ready.body).parts.map(({ name, isReady }) => [name, isReady]),
    [
      ['engine', false],
      ['store', true],
      ['data', true],
    ],
  )
  fault = undefined
  await until('the engine’s state is true', () => watch.current()[0]?.isReady === true)
  assert.equal((await server.ask('/readyz')).status, 200)
})

test('health stays 200 while the engine gives no answer', async () => {
  let answers = true
  const engine = () => (answers ? undefined : NEVER())
  using watch = openHealthWatch(
    { engine, store: () => undefined, data: () => undefined },
    { everyMs: SOON, timeoutMs: 2 },
  )
  await using server = await serve(watch.current)
  await until('every part is ready', () => watch.current().every(({ isReady }) => isReady))
  answers = false
  await until('the engine’s state is false', () => watch.current()[0]?.isReady === false)
  assert.equal((await server.ask('/healthz')).status, 200)
  assert.equal((await server.ask('/readyz')).status, 503)
})

test('pages are served without the store, but the server is not ready', async () => {
  using watch = openHealthWatch({ engine: () => undefined, store: () => 'down', data: () => undefined })
  await using server = await serve(watch.current)
  await allChecked(watch)
  assert.equal((await server.ask('/healthz')).status, 200)
  assert.equal((await server.ask('/readyz')).status, 503)
})

test('before the first check has ended nothing is called ready', async () => {
  using watch = openHealthWatch({ engine: NEVER, store: NEVER, data: NEVER })
  await using server = await serve(watch.current)
  const { status, body } = await server.ask('/readyz')
  assert.equal(status, 503)
  assert.ok(readiness.parse(body).parts.every(({ checkedAt }) => checkedAt === null))
  assert.equal((await server.ask('/healthz')).status, 503)
})
