/** Calls passed to a Stacks node would be altered, repeated or fail without a reason. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { openStacksClient, type StacksClient } from '#chains/stacks/node/index.ts'
import { type NodeCalls, openNodeCalls } from '#tests/stacks/openNodeCalls.ts'
import { toApiError } from './apiError.ts'
import { createAnswerCache } from './cache/answerCache.ts'
import { createPastDays } from './pastDays.ts'
import { addRoute } from './route.ts'
import { stacksNamesRoute } from './routes/stacksNames.ts'
import { stacksNodeRoutes } from './routes/stacksNode.ts'
import { createNodeDesk, type NodeDesk } from './stacksNode.ts'

const AT = '/api/v1/stacks/node'
const ADDRESS = 'SP000000000000000000002Q6VF78'
const NAMED = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'

let node: NodeCalls
let client: StacksClient
let app: FastifyInstance
let clock = 0
before(async () => {
  node = await openNodeCalls()
  client = openStacksClient({ url: node.url })
  app = serve(createNodeDesk(client, () => clock))
})
after(async () => {
  await app.close()
  client[Symbol.dispose]()
  await node[Symbol.asyncDispose]()
})

/** The routes alone, as the server hangs them in. */
function serve(desk: NodeDesk): FastifyInstance {
  const server = Fastify()
  server.setErrorHandler((error, _request, reply) => {
    const { status, problem } = toApiError(error)
    void reply.status(status).send(problem)
  })
  const version = { current: 'test', onChange: () => () => undefined, refresh: async () => undefined }
  const cache = createAnswerCache(version as never, 1024)
  // Of the blocks held one address alone has a name.
  const api = { stacks: { namesOf: async (address: string) => (address === NAMED ? ['held.btc'] : []) } }
  const names = stacksNamesRoute(() => api as never, desk)
  for (const spec of [...stacksNodeRoutes(desk), names])
    addRoute(server, spec, { cache, accounts: undefined, pastDays: createPastDays() })
  return server
}

const get = (path: string) => app.inject({ url: `${AT}${path}` })
const post = (path: string, payload: object) => app.inject({ method: 'POST', url: `${AT}${path}`, payload })

test('every call is passed on, and what comes back is the node’s', async () => {
  const contract = `${ADDRESS}.pox-4`
  for (const path of [
    '/info',
    '/block-times',
    '/pox',
    '/fees/transfer',
    `/accounts/${ADDRESS}`,
    `/accounts/${contract}/balances`,
    `/accounts/${ADDRESS}/names`,
    `/contracts/${contract}/interface`,
    `/contracts/${contract}/variables/owner`,
    '/names/a.btc',
    '/names/a.btc/zonefile',
    '/rewards/bc1q530dz4h80kwlzywlhx2qn0k6vdtftd93c499yq?limit=5&offset=10',
    '/rewards/bc1q530dz4h80kwlzywlhx2qn0k6vdtftd93c499yq/total',
    '/reward-slots/bc1q530dz4h80kwlzywlhx2qn0k6vdtftd93c499yq?limit=5&offset=10',
  ])
    assert.equal((await get(path)).statusCode, 200, path)
  const called = await post(`/contracts/${contract}/call`, { functionName: 'get', arguments: ['09'] })
  assert.deepEqual(called.json(), { okay: true, result: '0x03' })
  const { body } = node.asked.at(-1) ?? assert.fail()
  assert.deepEqual(JSON.parse(body.toString()), { sender: ADDRESS, arguments: ['0x09'] })
  assert.equal((await post(`/contracts/${contract}/maps/stakes`, { key: '0x0c' })).statusCode, 200)
  assert.equal((await post('/fees', { payload: '00', bytes: 180 })).statusCode, 200)
  assert.deepEqual((await post('/transactions', { transaction: '00' })).json(), { txid: 'ab'.repeat(32) })
})

test('names of an address are those of the blocks held, else the node’s, and without a node it is said that none is asked', async () => {
  const namesOf = async (server: FastifyInstance, address: string) =>
    (await server.inject({ url: `/api/v1/stacks/addresses/${address}/names` })).json()
  assert.deepEqual(await namesOf(app, NAMED), { names: ['held.btc'], from: 'blocks' })
  assert.deepEqual(await namesOf(app, ADDRESS), { names: ['a.btc'], from: 'node' })
  const alone = serve(createNodeDesk(undefined))
  assert.deepEqual(await namesOf(alone, ADDRESS), { names: [], from: 'nowhere' })
  await alone.close()
})

test('the same is asked once in five seconds, a failure and a sending each time', async () => {
  const count = (path: string) => node.asked.filter(asked => asked.path === path).length
  clock = 100_000
  const before = count('/v2/pox')
  await Promise.all([get('/pox'), get('/pox')])
  clock += 4_999
  await get('/pox')
  assert.equal(count('/v2/pox'), before + 1)
  clock += 2
  await get('/pox')
  assert.equal(count('/v2/pox'), before + 2)
  node.instead.set('GET /v1/names/no.btc', { status: 404, body: {} })
  for (let i = 0; i < 2; i++) {
    const { statusCode, json } = await get('/names/no.btc')
    assert.deepEqual([statusCode, json().detail], [404, 'Name not found'])
  }
  assert.equal(count('/v1/names/no.btc'), 2)
})

test('a rejection says the node’s word and what to do; a node in trouble names no host', async () => {
  node.instead.set('POST /v2/transactions', { status: 400, body: { error: 'no', reason: 'FeeTooLow' } })
  const rejected = await post('/transactions', { transaction: '00' })
  assert.equal(rejected.statusCode, 422)
  assert.match(rejected.json().detail, /^The fee is too low\./)
  assert.deepEqual(rejected.json().errors, [{ parameter: 'transaction', message: 'FeeTooLow' }])
  assert.match(rejected.json().hint, /Raise the fee/)
  node.instead.set('GET /v1/names/odd.btc', { status: 200, body: 'odd' })
  node.instead.set('GET /v1/names/down.btc', { status: 500, body: 'down' })
  for (const name of ['odd.btc', 'down.btc']) {
    const { statusCode, body } = await get(`/names/${name}`)
    assert.equal(statusCode, 503)
    assert.doesNotMatch(body, /127\.0\.0\.1/)
  }
})

test('what is no name, address or hex does not reach the node', async () => {
  const asked = node.asked.length
  for (const path of [
    '/accounts/bc1q',
    '/contracts/SP1/interface',
    '/names/x',
    '/rewards/bc1q..%2F..?limit=1',
  ])
    assert.equal((await get(path)).statusCode, 400, path)
  assert.equal((await post('/transactions', { transaction: 'zz' })).statusCode, 400)
  assert.equal((await post('/transactions', {})).statusCode, 400)
  assert.equal(node.asked.length, asked)
})

test('one asker gets 120 answers a minute, and without a node there is none', async () => {
  const desk = createNodeDesk(client)
  for (let i = 0; i < 120; i++) await desk.act('one', async () => i)
  await assert.rejects(
    desk.act('one', async () => 0),
    { code: 'http.stacks_node_often', status: 429 },
  )
  await desk.act('another', async () => 0)
  await assert.rejects(
    createNodeDesk(undefined).act('one', async () => 0),
    { code: 'http.stacks_node_off', status: 503 },
  )
})
