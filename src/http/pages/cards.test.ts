/** Links shared elsewhere would show no card, or card requests could overload the server. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { data, type LoaderFunctionArgs, type ServerBuild } from 'react-router'
import { apiContext } from '../context.ts'
import { openTestSite, type TestSite } from '../testing.ts'
import { readAssets } from './assets.ts'
import { CARD_DRAWS, type CardMaker } from './cards.ts'

/** Pages wait here until the test lets them go on. */
let gate = Promise.withResolvers<void>()
let drawings = 0
let readings = 0

const LOADERS: Record<string, (args: LoaderFunctionArgs) => unknown> = {
  bitcoin: async ({ context }) => {
    readings += 1
    const { items } = await context.get(apiContext).blocks({ limit: 1 })
    return { says: `height ${items[0]?.height}` }
  },
  slow: () => gate.promise.then(() => ({ says: 'late' })),
  broken: () => {
    throw new Error('a path of this machine')
  },
  gone: () => new Response(null, { status: 302, headers: { location: '/bitcoin' } }),
  '*': () => {
    throw data({ title: 'no such page' }, { status: 404 })
  },
}

const server = {
  entry: { module: { default: () => new Response('') } },
  routes: {
    shell: { id: 'shell', path: undefined, module: { default: () => null } },
    ...Object.fromEntries(
      Object.entries(LOADERS).map(([path, loader]) => [
        path,
        { id: path, parentId: 'shell', path, caseSensitive: true, module: { loader } },
      ]),
    ),
  },
  assets: { version: 'test', entry: { imports: [], module: '' }, routes: {}, url: '' },
  publicPath: '/',
  assetsBuildDirectory: '',
  future: {},
  ssr: true,
  isSpaMode: false,
  prerender: [],
  routeDiscovery: { mode: 'initial', manifestPath: '' },
} as unknown as ServerBuild

/** Cards that show in a text what the page’s loader gave. */
const cards: CardMaker = {
  targetOf: query => {
    const { page, ...state } = Object.fromEntries(query)
    return page === undefined ? undefined : `${page}?${new URLSearchParams(state)}`.replace(/\?$/, '')
  },
  read: ({ found }) => found.loaderData[found.matches.at(-1)?.route.id ?? ''],
  draw: async card => {
    drawings += 1
    return `<svg xmlns="http://www.w3.org/2000/svg" width="12" height="6"><desc>${JSON.stringify(card).length}</desc><rect width="5" height="6" fill="#123"/></svg>`
  },
}

let site: TestSite
let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-cards-'))
  site = await openTestSite({
    pages: {
      server,
      assets: await readAssets(folder),
      inlineScripts: [],
      cards,
      judgeQuery: () => name => name === 'n' && 'own',
      mapOf: () => [],
      release: 'test',
    },
  })
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

/** Asked at once, also where nobody waits for it yet. */
const ask = async (url: string, headers: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
  site.app.inject({ url, headers, remoteAddress })

test('a card is drawn once from what its page asks for, kept, and told apart by its tag', async () => {
  const first = await ask('/card.png?page=/bitcoin')
  assert.deepEqual([first.statusCode, first.headers['content-type']], [200, 'image/png'])
  assert.equal(first.rawPayload.subarray(1, 4).toString(), 'PNG')
  assert.match(String(first.headers['cache-control']), /max-age=\d+/)
  const again = await ask('/card.png?page=/bitcoin', { 'if-none-match': String(first.headers.etag) })
  assert.equal(again.statusCode, 304)
  assert.equal(drawings, 1)
  // Another question with the same answer shares its pixels.
  assert.equal((await ask('/card.png?page=/bitcoin&n=2')).statusCode, 200)
  assert.equal(drawings, 1)
})

test('names that the page does not read are no other card', async () => {
  await ask('/card.png?page=/bitcoin')
  const before = readings
  for (let at = 0; at < 20; at++)
    assert.equal((await ask(`/card.png?page=/bitcoin&fees.x${at}=${at}`)).statusCode, 200)
  assert.equal(readings, before)
  assert.equal((await ask('/card.png?page=/bitcoin&n=3&fees.x=1')).statusCode, 200)
  assert.equal(readings, before + 1)
})

test('what is no page is a plain problem, and a fault says nothing of this machine', async () => {
  for (const url of ['/card.png', '/card.png?page=/none', '/card.png?page=/gone']) {
    const { statusCode, headers, body } = await ask(url)
    assert.deepEqual([url, statusCode, JSON.parse(body).code], [url, 404, 'http.card'])
    assert.match(String(headers['content-type']), /problem\+json/)
  }
  const broken = await ask('/card.png?page=/broken')
  assert.deepEqual([broken.statusCode, JSON.parse(broken.body).code], [503, 'http.card_unread'])
  assert.equal(broken.headers['retry-after'], '5')
  assert.doesNotMatch(broken.body, /path of this machine/)
})

test('beyond those that wait, askers are sent away with the time to come back, and those who waited are served', async () => {
  gate = Promise.withResolvers()
  const asked = Array.from({ length: 30 }, (_, index) =>
    ask(`/card.png?page=/slow&n=${index}`, {}, `192.0.2.${10 + index}`),
  )
  const refused = await Promise.all(asked.slice(26))
  for (const { statusCode, headers, body } of refused) {
    assert.deepEqual([statusCode, JSON.parse(body).code], [503, 'http.cards_busy'])
    assert.ok(Number(headers['retry-after']) > 0)
  }
  gate.resolve()
  const served = await Promise.all(asked.slice(0, 26))
  assert.deepEqual([...new Set(served.map(({ statusCode }) => statusCode))], [200])
  assert.equal((await ask('/card.png?page=/slow&n=29')).statusCode, 200)
})

test('one caller cannot take all places of cards, nor have new ones drawn without end', async () => {
  gate = Promise.withResolvers()
  const own = Array.from({ length: 20 }, (_, index) =>
    ask(`/card.png?page=/slow&n=own${index}`, {}, '198.51.100.1'),
  )
  const refused = await Promise.all(own.slice(CARD_DRAWS.perCaller))
  for (const { statusCode, headers, body } of refused) {
    assert.deepEqual([statusCode, JSON.parse(body).code], [429, 'http.cards_often'])
    assert.ok(Number(headers['retry-after']) > 0)
  }
  const other = ask('/card.png?page=/slow&n=other', {}, '198.51.100.2')
  gate.resolve()
  for (const { statusCode } of [...(await Promise.all(own.slice(0, CARD_DRAWS.perCaller))), await other])
    assert.equal(statusCode, 200)

  const before = readings
  const statuses = new Set<number>()
  for (let n = 0; n < CARD_DRAWS.burst * 2; n++)
    statuses.add((await ask(`/card.png?page=/bitcoin&n=one${n}`, {}, '198.51.100.3')).statusCode)
  assert.deepEqual([...statuses], [200, 429])
  // Time passes while they are drawn, so some places come back.
  assert.ok(readings - before < CARD_DRAWS.burst * 1.5, `${readings - before} were read`)
  // What is cached stays free.
  assert.equal((await ask('/card.png?page=/bitcoin&n=one0', {}, '198.51.100.3')).statusCode, 200)
})
