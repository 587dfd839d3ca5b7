/** Shared links would show a wrong card or run injected markup. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cardAddress, targetOf } from './cardAddress.ts'
import { shareHead, withHead } from './head.ts'
import type { Told } from './told.ts'

const told = (more: Partial<Told> = {}): Told => ({
  path: '/bitcoin',
  query: new URLSearchParams(),
  title: 'Bitcoin',
  description: 'What does block space cost?',
  canonical: 'https://assay.example/bitcoin',
  page: {},
  shell: { named: { layers: [], applications: [] } },
  publicUrl: 'https://assay.example',
  ...more,
})

const contentOf = (head: string, name: string): string | undefined =>
  new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"/>`).exec(head)?.[1]
const dataOf = (head: string): Record<string, unknown>[] => {
  const text = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(head)?.[1]
  return text === undefined ? [] : [JSON.parse(text) as Record<string, unknown>].flat()
}

const CHARTED = {
  csvHref: '/api/v1/series?figures=fees.total@bitcoin&range=1y&format=csv',
  specs: [{ id: 'fees', title: 'Fees paid', kind: 'line' }],
  charts: [
    {
      id: 'fees',
      state: 'drawn',
      plot: { start: '2026-01-01', grain: 'day', count: 31, lines: [] },
    },
  ],
  sources: [
    { name: 'A', url: 'https://a.example/x', licence: 'MIT' },
    { name: 'B', url: 'mailto:b@example.org', licence: 'MIT' },
  ],
}

test('an address of a card leads back to the page that it is of, whatever else the link held', () => {
  const query = new URLSearchParams(
    'utm_source=x&to=2026-01-31&tab=fees&from=2026-01-01&fees.scale=log&sql=SELECT',
  )
  assert.equal(
    cardAddress('/bitcoin', query),
    '/card.png?page=/bitcoin&tab=fees&from=2026-01-01&to=2026-01-31',
  )
  const ofChart = cardAddress('/bitcoin', query, 'fees')
  assert.equal(
    ofChart,
    '/card.png?page=/bitcoin&chart=fees&tab=fees&from=2026-01-01&to=2026-01-31&fees.scale=log',
  )
  assert.equal(
    targetOf(new URLSearchParams(ofChart.split('?')[1])),
    '/embed/chart?page=/bitcoin&chart=fees&tab=fees&from=2026-01-01&to=2026-01-31&fees.scale=log',
  )
  assert.equal(targetOf(new URLSearchParams('page=/bitcoin&x=1')), '/bitcoin')
})

test('what names no page of this site has no card', () => {
  for (const page of ['', 'bitcoin', '//other.example/x', 'https://other.example', '/a?b=1', '/a\\b', '/a b'])
    assert.equal(targetOf(new URLSearchParams({ page })), undefined, page)
  assert.equal(targetOf(new URLSearchParams({ page: '/bitcoin', chart: 'a/b' })), undefined)
})

test('names in a head end neither an attribute nor a script', () => {
  const evil = '"><script>alert(1)</script>'
  const head = shareHead(
    told({
      path: '/documentation/metrics/x',
      canonical: 'https://assay.example/documentation/metrics/x',
      title: evil,
      description: `</script><script>alert(1)</script>\u2028`,
      page: {
        kinds: [{ id: 'x', name: evil, definition: evil, unit: 'sat', entities: ['bitcoin'], sources: [] }],
      },
    }),
  )
  assert.equal(head.match(/<script/g)?.length, 1)
  assert.equal(head.match(/<\/script>/g)?.length, 1)
  assert.equal(contentOf(head, 'og:title'), '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
  assert.equal(dataOf(head)[0]?.name, evil)
})

test('a page of charts is a dataset: its days, files, sources, and a licence where all state one', () => {
  const [data, ...more] = dataOf(shareHead(told({ page: CHARTED })))
  assert.deepEqual(more, [])
  assert.equal(data?.['@type'], 'Dataset')
  assert.equal(data?.temporalCoverage, '2026-01-01/2026-01-31')
  assert.equal(data?.license, 'MIT')
  assert.deepEqual(data?.isBasedOn, ['https://a.example/x'])
  assert.deepEqual(
    ((data?.distribution ?? []) as { contentUrl: string }[]).map(({ contentUrl }) => contentUrl),
    ['csv', 'json'].map(
      format => `https://assay.example/api/v1/series?figures=fees.total@bitcoin&range=1y&format=${format}`,
    ),
  )
  const [first, second] = CHARTED.sources
  const mixed = { ...CHARTED, sources: [first, { ...second, licence: 'CC BY 4.0' }] }
  assert.ok(!('license' in (dataOf(shareHead(told({ page: mixed })))[0] ?? {})))
  assert.deepEqual(dataOf(shareHead(told())), [])
})

test('a link that names a chart shows that chart; one that names none of the page shows the page', () => {
  const linked = (search: string) => shareHead(told({ page: CHARTED, query: new URLSearchParams(search) }))
  const head = linked('chart=fees&from=2026-01-01&to=2026-01-31')
  assert.equal(contentOf(head, 'og:title'), 'Bitcoin: Fees paid')
  assert.equal(
    contentOf(head, 'og:image'),
    'https://assay.example/card.png?page=/bitcoin&amp;chart=fees&amp;from=2026-01-01&amp;to=2026-01-31',
  )
  assert.equal(
    contentOf(head, 'og:url'),
    'https://assay.example/bitcoin?chart=fees&amp;from=2026-01-01&amp;to=2026-01-31',
  )
  assert.equal(contentOf(linked('chart=none'), 'og:image'), 'https://assay.example/card.png?page=/bitcoin')
  assert.equal(contentOf(linked('utm_source=x'), 'og:url'), 'https://assay.example/bitcoin')
})

test('a page below others says where it stands', () => {
  const [crumbs] = dataOf(
    shareHead(
      told({
        path: '/stacks/defi',
        title: 'DeFi on Stacks',
        canonical: 'https://assay.example/stacks/defi',
      }),
    ),
  )
  assert.deepEqual(
    ((crumbs?.itemListElement ?? []) as { position: number; item: string }[]).map(each => [
      each.position,
      each.item,
    ]),
    [
      [1, 'https://assay.example/stacks'],
      [2, 'https://assay.example/stacks/defi'],
    ],
  )
})

test('a head is put before the end of the head, once', () => {
  assert.equal(withHead('<head>a</head><p></head>', 'b'), '<head>ab</head><p></head>')
  assert.equal(withHead('<p>', 'b'), '<p>')
})
