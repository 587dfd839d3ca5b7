/** A link would lose its state, or made-up addresses would fill the cache. */
import assert from 'node:assert/strict'
import { after, before, describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { matchRoutes } from 'react-router'
import { testCatalog } from '#catalog/testing.ts'
import type { Body } from '#http/cache/answerCache.ts'
import { loadPages, type Pages } from '#http/pages/loadPages.ts'
import { createQueryFilter, type JudgeQuery, type KindOfName } from '#http/pages/queryNames.ts'
import { routesOf } from '#http/pages/readPage.ts'
import { siteOf } from '#http/siteOf.ts'
import { openTestSite, type TestSite } from '#http/testing.ts'
import { seedOf } from '#kernel/seed.testing.ts'

const BUILD = fileURLToPath(new URL('../build', import.meta.url))
const TXID = 'f4184fc596403b9d638783cf57adfe4c75c605f6356fbc91338530e9831e9e16'

/** One address of each page whose path has an id in it. That of one treasury takes longest and has the controls of their list. */
const OF_PATTERNS: Readonly<Record<string, string>> = {
  '/bitcoin/block/:block': '/bitcoin/block/170',
  '/bitcoin/tx/:txid': `/bitcoin/tx/${TXID}`,
  '/bitcoin/l2s/:name': '/bitcoin/l2s/stacks',
  '/documentation/metrics/:id': '/documentation/metrics/fees.total',
  '/documentation/tables/:table': '/documentation/tables/btc_blocks',
  '/documentation/sources/:source': '/documentation/sources/stacks.chain',
  '/documentation/:name': '/documentation/self-hosting',
  '/reports/:reportKey': '/reports/what-layers-pay-bitcoin',
  '/stacks/block/:block': '/stacks/block/51451',
  '/stacks/tx/:txid': '/stacks/tx/337a91dedda069ca5f4fc78a1761d27bd0159e6209ada1be920cd67bc79a2406',
  '/stacks/contract/:contract': '/stacks/contract/SP000000000000000000002Q6VF78.pox',
  '/stacks/address/:address': '/stacks/address/SPNAZ17582EC8MMZQJMPMSJJH5QXZFQS2ZKPN1TC',
  '/stacks/sbtc/:deposit': `/stacks/sbtc/${TXID}`,
  '/:layer': '/rootstock',
  '/:layer/block/:block': '/rootstock/block/4481139',
  '/errors/:code': '/errors/sql.unknown_column',
}

/** Values that are read, where a word will not do. */
const VALUES: Readonly<Record<string, string>> = {
  range: '30d',
  unit: 'usd',
  from: '2025-01-01',
  to: '2025-02-01',
  known: '2025-01-01',
  scale: 'log',
  mode: 'indexed',
  grain: 'week',
  form: 'table',
  x: 'log',
  y: 'log',
  at: '2025-01-01',
  measure: 'each',
  page: '2',
}
const valueFor = (name: string): string => VALUES[name] ?? VALUES[name.split('.').at(-1) ?? ''] ?? 'word'

/** Addresses that the product writes and that no page links to, or only by script. */
const WRITTEN = [
  '/callback?code=abc&state=def',
  '/callback?error=access_denied&error_description=no&state=def',
  '/subscription-success?session_id=cs_test_1',
  '/error?code=sql.unknown_column',
  '/search?q=fees',
  '/editor?text=reports/fees',
  '/bitcoin?chart=fees&fees.scale=log&tab=fees',
  '/bitcoin?known=2025-01-01&range=max&unit=usd&tab=fees&fees.scale=log',
  '/bitcoin?from=2025-01-01&to=2025-06-30',
  '/bitcoin?assay=fees.total@bitcoin&assay.day=2025-01-01&sql=SELECT+1&p.from=2025-01-01&run=1',
  '/?layers.sort=-tvl&main.by=user&main.look=stacked&metric=tvl.total&picks=core,stacks',
  '/?metric=tvl.total&against=stables.cap&main.look=scatter&range=max&set=usage&more=on&layers.columns=a,b',
  '/bitcoin/l2s?family=rollup&layers.sort=name&layers.filter=a+b&map.by=finality',
  '/analyze/alpha21?signal=price-200d&composite=show',
  '/analyze/bitcoin-defi-indices?b.cap=20&b.token=stx&b.token=alex&b.from=2025-01-01&tab=builder',
  '/analyze/bitcoin-yield?asset=sBTC&floor=1m&w1=a&net.amount=2&net.days=30',
  '/embed/chart?chart=fees&fees.scale=log&page=/bitcoin&tab=fees&theme=dark',
  '/embed/chart?chart=main&main.look=stacked&metric=tvl.total&page=/&picks=core',
  '/documentation/console?op=readMetric&p.id=fees.total&p.range=30d&p.from=2025-01-01&find=fees',
  '/stacks/mining?before=100&profit.btc=1',
  '/stacks/sbtc?of=SP1&origin=user&status=accepted',
  '/addressbalance?address=SP1',
  '/stacks/yield?address=SP1',
  '/rootstock?tab=money',
  '/granite?tab=risk&fall=30',
]

/** Asked, but not of the address: the pictures of reports have a query of their own. */
const ASKED_ELSEWHERE = ['/reports range', '/reports from', '/reports to', '/reports unit']
/** Fields of forms that only a script sends, as the body of a request. */
const OF_SCRIPTS = ['body', 'addresses']

/** Further addresses whose controls are not those of the page’s first view. */
const FURTHER = [
  '/bitcoin?tab=fees',
  '/bitcoin?tab=layers',
  '/granite?tab=risk',
  '/analyze/alpha21?signal=price-200d',
  '/analyze/bitcoin-defi-indices?tab=builder',
  '/documentation/console?op=runSql',
  '/embed/chart?page=/bitcoin&chart=fees&tab=fees',
]

let site: TestSite
let pages: Pages
let judge: JudgeQuery
let kindOfName: KindOfName
let filter: ReturnType<typeof createQueryFilter>
const drawn = new Map<string, Promise<Body>>()
before(async () => {
  pages = await loadPages(BUILD)
  assert.ok(pages.judgeQuery && pages.kindOfName)
  judge = pages.judgeQuery
  kindOfName = pages.kindOfName
  site = await openTestSite({ pages, named: pages.mapOf(siteOf(await testCatalog())) })
  filter = createQueryFilter({ routes: pages.server.routes, judge, kindOfName, pageAt })
})
after(() => site[Symbol.asyncDispose]())

function pageAt(address: string): Promise<Body> {
  const known = drawn.get(address)
  if (known) return known
  const made = site.app.inject({ url: address }).then(({ statusCode, rawPayload }) => ({
    status: statusCode,
    bytes: rawPayload,
    contentType: 'text/html',
  }))
  drawn.set(address, made)
  return made
}

/** One address of each page module: those that share one read the same names. */
function onePerModule(): string[] {
  const seen = new Set<unknown>()
  return Object.values(pages.server.routes).flatMap(route => {
    if (
      route === undefined ||
      (route.path === undefined && !route.index) ||
      ['*', 'assay/run'].includes(route.path ?? '')
    )
      return []
    const of = (route.module as { default?: unknown }).default
    if (seen.has(of)) return []
    seen.add(of)
    const pattern = route.index ? '/' : `/${route.path}`
    const address = OF_PATTERNS[pattern] ?? pattern
    return address.includes(':') ? [] : [address]
  })
}

const unescaped = (text: string): string =>
  text.replaceAll('&quot;', '"').replaceAll('&#x27;', "'").replaceAll('&amp;', '&')

/** Every address of our own with a query that a page leads to, by links and by forms with all their fields. */
function addressesIn(html: string, from: string): string[] {
  const links = [...html.matchAll(/\shref="([^"]*)"/g)].map(([, href = '']) => unescaped(href))
  const forms = [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].flatMap(
    ([, attributes = '', inner = '']) => {
      if (/method="post"/i.test(attributes)) return []
      const action = unescaped(/\saction="([^"]*)"/.exec(attributes)?.[1] ?? from.split('?')[0] ?? '')
      const fields = [
        ...inner.matchAll(/<(?:input|select|textarea|button)\b[^>]*?\sname="([^"]*)"[^>]*/g),
      ].flatMap(([tag, quoted = '']): [string, string][] => {
        const name = unescaped(quoted)
        const value = unescaped(/\svalue="([^"]*)"/.exec(tag)?.[1] ?? '')
        return OF_SCRIPTS.includes(name) ? [] : [[name, value || valueFor(name)]]
      })
      return fields.length === 0 ? [] : [`${action}?${new URLSearchParams(fields)}`]
    },
  )
  const base = new URL(from, 'http://here')
  return [...links, ...forms].flatMap(href => {
    const url = new URL(href, base)
    return url.host !== base.host || url.search === '' ? [] : [url.pathname + url.search]
  })
}

/** Records the names that queries are asked for. */
function recordAsked(t: TestContext): Set<string> {
  const asked = new Set<string>()
  for (const method of ['get', 'getAll', 'has'] as const) {
    const real = URLSearchParams.prototype[method] as (this: URLSearchParams, name: string) => never
    t.mock.method(URLSearchParams.prototype, method, function (this: URLSearchParams, name: string) {
      asked.add(name)
      return real.call(this, name)
    })
  }
  return asked
}

const filtered = async (address: string): Promise<string> => {
  const [path = '', search = ''] = address.split(/\?(.*)/s)
  return (await filter(path, search, 'test')).search
}

describe('names of a query', () => {
  test('each page reads every name that it asks its query for, and all that its links and forms write', async t => {
    const asked = recordAsked(t)
    const addresses = [...onePerModule(), ...FURTHER]
    assert.ok(addresses.length > 40, `${addresses.length} pages`)
    const tree = routesOf(pages.server.routes)
    const faults: string[] = []
    const written = new Map<string, string>()
    for (const address of addresses) {
      asked.clear()
      const { bytes } = await pageAt(address)
      const names = [...asked]
      const url = new URL(address, 'http://here')
      const pattern = `/${matchRoutes(tree, url.pathname)?.at(-1)?.route.path ?? ''}`
      const reads = judge(pattern, url.searchParams)
      for (const name of names) {
        if (name === '_routes' || name === 'index' || name.startsWith('assay')) continue
        if (ASKED_ELSEWHERE.includes(`${address} ${name}`)) continue
        if (reads(name, valueFor(name)) === false) faults.push(`${address} asks for ${name}`)
      }
      for (const link of addressesIn(bytes.toString(), address)) {
        const to = new URL(link, 'http://here')
        if (/^\/(?:api|assay\/run|card\.png|assets)\b/.test(to.pathname)) continue
        const kind = `${to.pathname} ${[...to.searchParams.keys()].sort()}`
        if (!written.has(kind)) written.set(kind, `${link} of ${address}`)
      }
    }
    assert.ok(written.size > 300, `${written.size} kinds of links`)
    for (const link of written.values()) {
      const address = link.split(' of ')[0] ?? ''
      const kept = await filtered(address)
      if (kept !== address.split(/\?(.*)/s)[1]) faults.push(`${link} comes to ${kept}`)
    }
    assert.deepEqual(faults, [])
  })

  for (const address of WRITTEN)
    test(`${address} stays as it is, and so does the data of it`, async () => {
      const [path = '', search = ''] = address.split(/\?(.*)/s)
      assert.equal(await filtered(address), search)
      assert.equal((await filter(path === '/' ? '/_.data' : `${path}.data`, search, 'test')).search, search)
    })

  test('no other name and no value that cannot be read is part of an address, and finding that out draws nothing', async t => {
    const addresses = [
      ...WRITTEN,
      '/',
      '/bitcoin',
      '/stacks',
      '/rootstock',
      '/alex',
      '/tokens',
      '/About',
      '/pricing',
    ]
    for (const address of [...addresses, '/About', '/pricing', '/tokens', '/alex'])
      await filtered(`${address}${address.includes('?') ? '&' : '?'}none.scale=log`)
    const before = drawn.size
    const seed = seedOf(t)
    // Random text rarely looks like a field of a form, which is looked for in the page's HTML.
    const anyName = fc.oneof(fc.string({ minLength: 1 }), fc.stringMatching(/^[a-z]{1,3}\.[a-z]{1,3}$/))
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...addresses),
        fc.array(fc.tuple(anyName, fc.string()), { minLength: 1, maxLength: 4 }),
        async (address, further) => {
          const [path = '', search = ''] = address.split(/\?(.*)/s)
          const own = [...new URLSearchParams(search)]
          // Words that no page has, cards that no page has, cards with a value that they cannot read, names that come again.
          const others = further.map(([name, value], at): [string, string] =>
            at === 0
              ? [`no-${name}`, value]
              : at === 1
                ? ['none.scale', 'log']
                : at === 2
                  ? ['fees.scale', `no-${value}`]
                  : own[0] === undefined || own[0][0].startsWith('b.token')
                    ? ['utm_source', value]
                    : [own[0][0], value],
          )
          const { search: kept } = await filter(
            path,
            new URLSearchParams([...own, ...others]).toString(),
            'test',
          )
          assert.equal(kept, new URLSearchParams(own).toString())
        },
      ),
      { numRuns: 200, seed },
    )
    assert.deepEqual([...drawn.keys()].slice(before), [])
  })

  test('controls, the parts of a list and typed text count for limits of their own', async () => {
    for (const [address, kind] of [
      ['/bitcoin', undefined],
      ['/', undefined],
      ['/bitcoin?known=2026-01-01', undefined],
      ['/bitcoin?range=1y&unit=usd&known=2026-01-01', 'choice'],
      ['/bitcoin?fees.scale=log', 'choice'],
      ['/bitcoin?range=1y&tab=fees', 'navigation'],
      ['/bitcoin?from=2024-01-01&to=2024-02-01', 'navigation'],
      ['/bitcoin/block/170?after=100', 'navigation'],
      ['/search?q=sbtc', 'text'],
      ['/addressbalance?address=bc1q', 'text'],
      ['/bitcoin/l2s?layers.filter=a&map.by=finality', 'text'],
      ['/bitcoin/block/170', 'path'],
      ['/rootstock?known=2026-01-01', 'path'],
      ['/no/such/page', 'path'],
      ['/no/such/page?q=1', 'path'],
    ] as const) {
      const [path = '', search = ''] = address.split(/\?(.*)/s)
      assert.equal((await filter(path, search, 'test')).kind, kind, address)
    }
    for (const name of [
      'layers.page',
      'layers.sort',
      'layers.columns',
      'fees.at',
      'map.by',
      'main.look',
      'w1',
    ])
      assert.equal(kindOfName(name), 'navigation', name)
    for (const name of ['layers.filter', 'profit.btc', 'p.from', 'sql', 'b.cap', 'b.token', 'code'])
      assert.equal(kindOfName(name), 'text', name)
    for (const name of ['fees.mode', 'fees.grain', 'fees.range'])
      assert.equal(kindOfName(name), 'choice', name)
  })

  test('thousands of names of cards draw a page once', async () => {
    const names = Array.from({ length: 3_000 }, (_, at) => [`c${at}.hide`, ''])
    let draws = 0
    const alone = createQueryFilter({
      routes: pages.server.routes,
      judge,
      kindOfName,
      pageAt: address => {
        draws += 1
        return pageAt(address)
      },
    })
    assert.deepEqual(await alone('/pricing', new URLSearchParams(names).toString(), 'test'), {
      search: '',
      kind: undefined,
    })
    assert.equal(draws, 1)
  })
})
