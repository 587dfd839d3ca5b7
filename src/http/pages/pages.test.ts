/** Pages would be rendered for each request, run foreign scripts, or share a private answer. */
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { assertGuarded } from '../security.testing.ts'
import { scriptHash } from '../security.ts'
import { openTestSite, type TestSite } from '../testing.ts'
import { readAssets } from './assets.ts'
import { PAGE_DRAWS } from './drawLimit.ts'
import {
  closeGate,
  drawn,
  gate,
  isRead,
  judgeQuery,
  problemPages,
  server,
  THEME_SCRIPT,
} from './madePages.testing.ts'

/** The one proxy that the test's site trusts. */
const PROXY = '192.0.2.250'

let site: TestSite
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-pages-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(
    join(folder, 'assets', 'root-abc.js'),
    `export const a = ${JSON.stringify('x'.repeat(2000))}`,
  )
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  site = await openTestSite({
    publicUrl: 'https://assay.example',
    trustProxy: [PROXY],
    pages: {
      server,
      assets: await readAssets(folder),
      inlineScripts: [THEME_SCRIPT],
      release: 'test',
      mapOf: () => [],
      sqlPages: ['/assay/run'],
      judgeQuery,
      kindOfName: name => (name === 'q' ? 'text' : name === 'b' ? 'navigation' : 'choice'),
    },
  })
})

after(async () => {
  await site[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const ask = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  site.app.inject({ url, headers, method })

test('a page is drawn once for a data version, whatever cookies come with the question', async () => {
  const before = drawn
  const first = await ask('/bitcoin?b=2&a=1')
  const second = await ask('/bitcoin?a=1&b=2', { cookie: 'theme=dark' })
  assert.equal(first.statusCode, 200)
  assert.match(first.body, /1\.2\.3 100000 \?a=1&b=2/)
  assert.equal(second.body, first.body)
  assert.equal(drawn, before + 1)
  assert.equal(
    (await ask('/bitcoin?a=1&b=2', { 'if-none-match': String(first.headers.etag) })).statusCode,
    304,
  )
  assert.equal((await ask('/bitcoin', { 'accept-encoding': 'br' })).headers['content-encoding'], 'br')
})

test('a page runs its own scripts and those with the nonce of its drawing', async () => {
  const { headers, body } = await ask('/bitcoin')
  const policy = String(headers['content-security-policy'])
  const nonce = /nonce="([^"]+)"/.exec(body)?.[1] ?? 'none'
  assert.ok(policy.includes(`script-src 'self' 'nonce-${nonce}' ${scriptHash(THEME_SCRIPT)};`), policy)
  assert.match(policy, /frame-ancestors 'none'/)
  const other = /nonce="([^"]+)"/.exec((await ask('/bitcoin?nonce=1')).body)?.[1]
  assert.notEqual(other, nonce)
  assert.match(String((await ask('/embed/chart')).headers['content-security-policy']), /frame-ancestors \*/)
})

test('pages, files and answers of the API say to browsers what each must', async () => {
  for (const url of [
    '/bitcoin',
    '/Query',
    '/no/such/page',
    '/BITCOIN',
    '/assets/root-abc.js',
    '/favicon.svg',
    '/robots.txt',
    '/healthz',
    '/api/openapi.json',
    '/api/v1/bitcoin/blocks',
    '/api/no/such',
  ])
    assertGuarded(url, await ask(url), { frames: "'none'" })
  assertGuarded('embed', await ask('/embed/chart'), { frames: '*' })
  const { etag } = (await ask('/bitcoin')).headers
  assertGuarded('held', await ask('/bitcoin', { 'if-none-match': String(etag) }), { frames: "'none'" })
})

test('a page reads through the API, its errors included', async () => {
  const found = await ask('/bitcoin/block/170')
  assert.match(found.body, /00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee/)
  const missing = await ask('/bitcoin/block/172')
  assert.equal(missing.statusCode, 404)
  assert.match(missing.body, /Block 172 is not indexed/)
  assert.equal(missing.headers['cache-control'], 'no-store')
})

test('SQL in an address runs from our own pages alone, by their token, and no answer is shared', async () => {
  const own = { 'sec-fetch-site': 'same-origin' }
  const ofPages = /<i>([^<]+)<\/i>/.exec((await ask('/bitcoin')).body)?.[1] ?? ''
  const run = (token: string, headers: Record<string, string>, path = '/assay/run', from = '192.0.2.7') =>
    site.app.inject({ url: `${path}?sql=SELECT+41%2B1&token=${token}`, headers, remoteAddress: from })
  const allowed = await run(ofPages, own)
  assert.deepEqual([allowed.statusCode, /\[\[42\]\]/.test(allowed.body)], [200, true])
  assert.match(String(allowed.headers['cache-control']), /no-store/)
  for (const value of ['cross-site', 'same-site', 'none'])
    for (const method of ['GET', 'HEAD'] as const) {
      const url = `/assay/run?sql=SELECT+41%2B1&token=${ofPages}`
      const answer = await ask(url, { 'sec-fetch-site': value }, method)
      assert.deepEqual([answer.statusCode, /42/.test(answer.body)], [403, false], value)
    }
  for (const path of ['/assay/run', '/assay/run.data'])
    assert.doesNotMatch((await run('made-up', own, path)).body, /\[\[42\]\]/)
  // All at once, and each by its own right.
  const answers = await Promise.all([
    run(ofPages, {}),
    run(ofPages, own),
    run(ofPages, {}, '/assay/run', '192.0.2.8'),
  ])
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [403, 200, 403],
  )
  const [first, , other] = answers.map(({ body }) => /data-token="([^"]+)"/.exec(body)?.[1] ?? '')
  assert.notEqual(first, other)
  assert.equal((await run(first ?? '', {})).statusCode, 200)
  assert.equal((await run(other ?? '', {})).statusCode, 403)
})

test('names that a page does not read are taken out of the address, so they neither draw nor cache a page', async () => {
  await ask('/bitcoin?a=1')
  const before = drawn
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string({ minLength: 1 }), fc.string(), {
        minKeys: 1,
        maxKeys: 5,
        noNullPrototype: true,
      }),
      async names => {
        fc.pre(!Object.keys(names).some(name => isRead(name)))
        const query = new URLSearchParams({ ...names, a: '1' })
        const { statusCode, headers } = await ask(`/bitcoin?${query}`)
        assert.deepEqual(
          [statusCode, headers.location, headers['cache-control']],
          [302, '/bitcoin?a=1', 'no-store'],
        )
        const bare = await ask(`/bitcoin?${new URLSearchParams(names)}`)
        assert.deepEqual([bare.statusCode, bare.headers.location], [302, '/bitcoin'])
      },
    ),
    { numRuns: 100 },
  )
  assert.equal(drawn, before)
})

test('a name of a card is read where the page shows that card', async () => {
  assert.equal((await ask('/bitcoin?a=1&fees.scale=log')).statusCode, 200)
  const before = drawn
  for (const name of ['other.scale', 'fees.other', 'fees.scale.log']) {
    const { statusCode, headers } = await ask(`/bitcoin?a=1&${name}=log&fees.scale=log`)
    assert.deepEqual([statusCode, headers.location], [302, '/bitcoin?a=1&fees.scale=log'], name)
  }
  assert.equal(drawn, before)
})

test('a name that comes again and a value that is not read cost no draw; their address says what is read', async () => {
  await ask('/bitcoin?a=1')
  await ask('/bitcoin?a=1&each=1&each=2')
  const before = drawn
  for (let at = 0; at < 20; at++) {
    const again = `${'a=1&'.repeat(at)}a=2`
    const { headers } = await ask(`/bitcoin?a=1&${again}&b=unknown`)
    assert.equal(headers.location, '/bitcoin?a=1')
  }
  // The first alone is read, so a later one does not come in its place.
  assert.equal((await ask('/bitcoin?b=unknown&a=1&b=2')).headers.location, '/bitcoin?a=1')
  assert.equal((await ask('/bitcoin?each=1&a=1&each=2')).statusCode, 200)
  assert.equal((await ask('/bitcoin?known=2999-01-01&a=1')).headers.location, '/bitcoin?a=1')
  assert.equal(drawn, before)
})

test('no spelling of a path leads to another site', async () => {
  for (const path of ['/%5Cevil.example', '/\\evil.example', '//evil.example', '/\\evil.example/'])
    for (const search of ['', '?x=1', '?utm_source=1']) {
      const { location = '/' } = (await ask(path + search)).headers
      assert.equal(new URL(String(location), 'https://assay.example').host, 'assay.example', path + search)
    }
})

test('the loaders of data have one order, each once', async () => {
  const before = drawn
  for (const list of ['bitcoin', 'bitcoin,bitcoin', 'bitcoin,other', 'other,bitcoin,half'])
    assert.equal((await ask(`/bitcoin.data?_routes=${list}&a=1`)).statusCode, 200)
  assert.ok(drawn <= before + 1, `${drawn - before}`)
})

test('data of a page is read without names that it does not read, and no address of the API loses one', async () => {
  const at = (query: string) => ask(`/bitcoin.data?_routes=bitcoin&a=1${query}`)
  const first = await at('')
  const before = drawn
  for (const query of ['&x=1', '&utm_source=x', '&other.scale=log']) {
    const answer = await at(query)
    assert.deepEqual([answer.statusCode, answer.headers.etag], [200, first.headers.etag], query)
  }
  assert.equal(drawn, before)
  const { headers } = await ask('/bitcoin?_routes=bitcoin')
  assert.equal(headers.location, '/bitcoin')
  assert.equal((await ask('/api/v1/bitcoin/blocks?x=1')).statusCode, 400)
  assert.equal((await ask('/bitcoin?x=1', {}, 'POST')).statusCode, 405)
  // An address of no page stays as it was written.
  assert.equal((await ask('/no/such/page?x=1')).statusCode, 404)
})

test('one caller cannot hold the drawing of past days: the rest is told when to come back, by a page', async () => {
  // Asked at once, also where nobody waits for it yet.
  const at = async (day: number, from = '192.0.2.9') =>
    site.app.inject({ url: `/slow?known=2026-01-1${day}`, remoteAddress: from })
  const first = [at(1), at(2)]
  const refused = await Promise.all([at(3), at(4)])
  for (const { statusCode, headers, body } of refused) {
    assert.deepEqual([statusCode, headers['retry-after'], headers['cache-control']], [429, '15', 'no-store'])
    assert.match(body, /page of http\.past_often/)
  }
  // The same page is drawn once for all who ask for it.
  const shared = at(1, '192.0.2.10')
  gate.resolve()
  for (const { statusCode } of await Promise.all([...first, shared])) assert.equal(statusCode, 200)
  assert.equal((await at(3)).statusCode, 200)
})

test('one caller cannot hold the drawing of searches: the rest is told when to come back, and others are served', async () => {
  closeGate()
  // Asked at once, also where nobody waits for it yet.
  const at = async (text: string, from = '192.0.2.19') =>
    site.app.inject({ url: `/slow?q=${text}`, remoteAddress: from })
  const own = Array.from({ length: 20 }, (_, n) => at(`text ${n}`))
  const refused = await Promise.all(own.slice(12))
  for (const { statusCode, headers, body } of refused) {
    assert.deepEqual([statusCode, headers['retry-after'], headers['cache-control']], [429, '5', 'no-store'])
    assert.match(body, /page of http\.draws_often/)
  }
  // A caller who asks for what is being drawn already takes no place, and values on a list are not counted.
  const shared = [at('text 1'), at('text 2', '192.0.2.20')]
  assert.equal((await site.app.inject({ url: '/bitcoin?a=77', remoteAddress: '192.0.2.19' })).statusCode, 200)
  const data = await site.app.inject({ url: '/slow.data?q=more', remoteAddress: '192.0.2.19' })
  assert.deepEqual([data.statusCode, data.json().code], [429, 'http.draws_often'])
  const other = at('of another', '192.0.2.21')
  gate.resolve()
  for (const { statusCode } of await Promise.all([...own.slice(0, 12), ...shared, other]))
    assert.equal(statusCode, 200)
  // A reader who types, one text after the other.
  for (let n = 0; n < 30; n++) assert.equal((await at(`typed ${n}`)).statusCode, 200)
})

test('combinations of listed values are drawn within a budget of their caller, and refusals draw nothing', async () => {
  const at = (n: number, from: string, headers: Record<string, string> = {}) =>
    site.app.inject({ url: `/bitcoin?a=choice${n}`, remoteAddress: from, headers })
  const before = drawn
  let refused: Awaited<ReturnType<typeof at>> | undefined
  let n = 0
  for (; refused === undefined && n < PAGE_DRAWS.choice.burst * 3; n++) {
    const answer = await at(n, '192.0.2.30')
    if (answer.statusCode !== 200) refused = answer
  }
  assert.ok(drawn - before >= PAGE_DRAWS.choice.burst, `${drawn - before} were drawn`)
  assert.equal(refused?.statusCode, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.deepEqual([refused.headers['cache-control'], refused.headers.etag], ['no-store', undefined])
  assert.match(refused.body, /page of http\.draws_often/)
  // A header that no proxy of ours has set makes no other caller. Some places come back meanwhile.
  const pagesBefore = problemPages
  const more = await Promise.all(
    Array.from({ length: 60 }, (_, m) => at(n + m, '192.0.2.30', { 'x-forwarded-for': `198.51.100.${m}` })),
  )
  assert.ok(more.filter(({ statusCode }) => statusCode === 429).length > 20)
  assert.equal(problemPages, pagesBefore)
  // Cached pages, pages without a query and other callers, also those behind a trusted proxy, are served.
  for (const answer of [
    await at(0, '192.0.2.30'),
    await site.app.inject({ url: '/bitcoin', remoteAddress: '192.0.2.30' }),
    await at(1_001, '192.0.2.31'),
    await at(1_002, PROXY, { 'x-forwarded-for': '198.51.100.1' }),
  ])
    assert.equal(answer.statusCode, 200)
  const behind = await Promise.all(
    Array.from({ length: 10 }, (_, m) => at(2_000 + m, PROXY, { 'x-forwarded-for': '192.0.2.30' })),
  )
  assert.ok(behind.some(({ statusCode }) => statusCode === 429))
})

test('paths that have no end and answers of queries are drawn within a budget too', async () => {
  for (const [kind, url] of [
    ['path', (n: number) => `/none/${n}`],
    ['query', (n: number) => `/assay/run?sql=SELECT+${n}`],
  ] as const) {
    const remoteAddress = kind === 'path' ? '192.0.2.60' : '192.0.2.61'
    const statuses = new Set<number>()
    for (let n = 0; n < PAGE_DRAWS[kind].burst * 3 && !statuses.has(429); n++)
      statuses.add((await site.app.inject({ url: url(n), remoteAddress })).statusCode)
    assert.ok(statuses.has(429), url(0))
  }
})

test('a page of one reader is drawn anew for the next', async () => {
  const before = drawn
  assert.equal((await ask('/Query')).headers['cache-control'], 'private, no-store')
  await ask('/Query')
  assert.equal(drawn, before + 2)
})

test('a page that lacks a part for a passing reason is drawn anew', async () => {
  const before = drawn
  assert.equal((await ask('/half')).statusCode, 200)
  await ask('/half')
  assert.equal(drawn, before + 2)
})

test('another letter case and a closing slash redirect for good, the query stays', async () => {
  for (const [from, to] of [
    ['/BITCOIN', '/bitcoin'],
    ['/query?q=1', '/Query?q=1'],
    ['/bitcoin/', '/bitcoin'],
    ['/Bitcoin/BLOCK/170', '/bitcoin/block/170'],
    ['/bitcoin//block/170', '/bitcoin/block/170'],
    ['/%5Cevil.example/', '/%5Cevil.example'],
    ['/%2F%2Fevil.example/', '/%2F%2Fevil.example'],
  ] as const) {
    const answer = await ask(from)
    assert.deepEqual([answer.statusCode, answer.headers.location], [308, to], from)
  }
})

test('an unknown address is a page, but a problem under /api', async () => {
  const page = await ask('/no/such/page')
  assert.equal(page.statusCode, 404)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  const problem = await ask('/api/no/such')
  assert.match(String(problem.headers['content-type']), /^application\/problem\+json/)
  assert.equal((await ask('/bitcoin', {}, 'POST')).statusCode, 405)
})

test('redirects of pages pass through', async () => {
  const answer = await ask('/gone')
  assert.deepEqual([answer.statusCode, answer.headers.location], [302, '/bitcoin'])
})

test('files of the build are kept for good, others for an hour, packed', async () => {
  const script = await ask('/assets/root-abc.js', { 'accept-encoding': 'br' })
  assert.equal(script.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.equal(script.headers['content-encoding'], 'br')
  assert.match(String(script.headers['content-type']), /^text\/javascript/)
  assert.equal((await ask('/favicon.svg')).headers['cache-control'], 'public, max-age=3600')
  assert.equal((await ask('/assets/../assets/none.js')).statusCode, 404)
  const head = await ask('/favicon.svg', {}, 'HEAD')
  assert.deepEqual([head.statusCode, head.body], [200, ''])
})
