/** The comparison of layers would differ from the metrics behind it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { writeMadeFigures } from '#metrics/market/testing.ts'
import type { Comparison, Problem } from './contract.ts'
import { comparison } from './schemas/compare.ts'
import { openTestSite, type TestSite } from './testing.ts'

const LAYERS = ['bitcoin', 'stacks', 'rootstock', 'bob', 'merlin', 'bitlayer', 'b2-network', 'core']

let site: TestSite
before(async () => {
  site = await openTestSite()
  const days = (entity: string, from: number, value: (day: number) => number) =>
    Array.from({ length: 40 }, (_, index) => ({
      metric: 'tvl.total',
      entity,
      day: new Date(Date.UTC(2026, 5, 1) + index * 86_400_000).toISOString().slice(0, 10),
      value: value(from + index),
      source: 'defillama.tvl',
    }))
  await writeMadeFigures(
    site.warehouse,
    [
      ...days('stacks', 100, day => day),
      ...days('bob', 1000, day => 2 * day),
      // Two weeks from Monday, 29 June.
      ...Array.from({ length: 14 }, (_, index) => ({
        metric: 'dex.volume',
        entity: 'bob',
        day: new Date(Date.UTC(2026, 5, 29) + index * 86_400_000).toISOString().slice(0, 10),
        value: index + 1,
        source: 'defillama.dexs',
      })),
      {
        metric: 'tvl.total',
        entity: 'bob',
        day: '2026-07-10',
        value: 2000,
        source: 'defillama.tvl.recorded',
      },
      {
        metric: 'btc.bridged',
        entity: 'stacks',
        day: '2026-07-01',
        amount: 9_007_199_254_740_993n,
        source: 'bitcoinlayers.supplies',
      },
      { metric: 'token.mcap', entity: 'stx', day: '2026-07-02', value: 5, source: 'coingecko.markets' },
      {
        metric: 'risk.custody',
        entity: 'citrea',
        day: '2025-09-02',
        value: 3,
        source: 'bitcoinlayers.assessments',
      },
    ],
    [],
  )
  await site.version.refresh()
})
after(() => site[Symbol.asyncDispose]())

async function compare(query: string): Promise<Comparison> {
  const answer = await site.app.inject({ url: `/api/v1/compare?${query}` })
  assert.equal(answer.statusCode, 200, answer.body)
  return comparison.parse(answer.json())
}
async function refusal(query: string): Promise<Problem & { status: number }> {
  const answer = await site.app.inject({ url: `/api/v1/compare?${query}` })
  assert.ok(answer.statusCode === 400 || answer.statusCode === 404, `${answer.statusCode} ${answer.body}`)
  return answer.json()
}
const cell = ({ figures }: Comparison, metric: string, entity: string) =>
  figures.find(figure => figure.metric === metric && figure.entity === entity)

describe('layers side by side', () => {
  test('a cell is what the figure of the metric says, with its change and its course over the same range', async () => {
    const found = await compare(`metrics=tvl.total,btc.bridged&entities=${LAYERS.join(',')}&range=30d`)
    assert.equal(found.figures.length, 2 * LAYERS.length)
    const stacks = cell(found, 'tvl.total', 'stacks')
    assert.deepEqual([stacks?.value, stacks?.day, stacks?.unit], [139, '2026-07-10', 'USD'])
    assert.equal(stacks?.change, 139 / 109 - 1)
    assert.deepEqual(
      stacks?.spark,
      Array.from({ length: 31 }, (_, index) => 109 + index),
    )
    const figure = await site
      .apiFor({ address: 'test' })
      .figure({ id: 'tvl.total', entity: 'stacks', changeRange: '30d' })
    assert.deepEqual(
      [figure.point?.value, figure.point?.day, figure.change, figure.asOf],
      [stacks?.value, stacks?.day, stacks?.change, stacks?.asOf],
    )
  })

  test('no digit of an amount is lost', async () => {
    const found = await compare('metrics=btc.bridged&entities=stacks')
    assert.equal(cell(found, 'btc.bridged', 'stacks')?.value, '9007199254740993')
  })

  test('what another source says of the same day stands beside the figure', async () => {
    const found = await compare('metrics=tvl.total&entities=bob,stacks')
    const bob = cell(found, 'tvl.total', 'bob')
    assert.equal(bob?.value, 2078)
    assert.deepEqual(bob?.differs, { source: 'defillama.tvl.recorded', value: 2000 })
    assert.equal(cell(found, 'tvl.total', 'stacks')?.differs, null)
  })

  test('a metric of tokens answers for the layer that has the token', async () => {
    const found = await compare('metrics=token.mcap&entities=stacks,bitlayer')
    assert.deepEqual(
      found.figures.map(({ entity, of, value }) => [entity, of, value]),
      [
        ['stacks', 'stx', 5],
        ['bitlayer', null, null],
      ],
    )
  })

  test('what is not known is no zero and says why; further layers with figures are named', async () => {
    const found = await compare('metrics=tvl.total,risk.custody&entities=core,bitcoin')
    for (const { value, absent } of found.figures) {
      assert.equal(value, null)
      assert.ok(absent && absent.length > 10, absent ?? 'no reason')
    }
    const others = found.others.map(({ entity }) => entity)
    for (const entity of ['stacks', 'bob', 'citrea']) assert.ok(others.includes(entity), others.join())
    assert.ok(!others.includes('core'))
  })

  test('a flow is told by whole weeks, and its change against the week before', async () => {
    const found = await compare('metrics=dex.volume:week,dex.volume&entities=bob&range=7d')
    const [week, day] = found.figures
    assert.deepEqual(
      [week?.grain, week?.day, week?.value, week?.change],
      ['week', '2026-07-06', 77, 77 / 28 - 1],
    )
    assert.deepEqual([day?.grain, day?.day, day?.value, day?.change], ['day', '2026-07-12', 14, 1])
    assert.deepEqual(week?.spark, [28, 77])
  })

  test('a question that cannot be answered is refused with the place of its fault', async () => {
    const many = (count: number, of: string) =>
      Array.from({ length: count }, (_, i) => `${of}-${i}`).join(',')
    const unknown = await refusal('metrics=tvl.totl&entities=stacks')
    assert.deepEqual([unknown.status, unknown.code], [404, 'metrics.unknown_metric'])
    assert.match(unknown.hint ?? '', /tvl\.total/)
    const nobody = await refusal('metrics=tvl.total&entities=stacks,no-such-layer')
    assert.deepEqual([nobody.status, nobody.code], [404, 'metrics.unknown_entity'])
    for (const [query, said] of [
      ['metrics=tvl.total&entities=stacks,stacks', /the same twice/],
      ['metrics=tvl.total,tvl.total&entities=stacks', /the same twice/],
      [`metrics=tvl.total&entities=${many(81, 'layer')}`, /entities/],
      [`metrics=${many(41, 'm').replaceAll('-', '.')}&entities=stacks`, /metrics/],
      [`metrics=${'x'.repeat(70)}&entities=stacks`, /metric:grain/],
      ['metrics=tvl.total:year&entities=stacks', /metric:grain/],
      ["metrics=tvl.total&entities=st'acks", /as the catalog names it/],
      ['metrics=tvl.total', /entities/],
      ['metrics=&entities=', /metrics/],
      ['metrics=tvl.total&entities=stacks&range=2y', /range/],
      ['metrics=tvl.total&entities=stacks&unit=eur', /unit/],
      ['metrics=tvl.total&entities=stacks&sort=tvl', /sort/],
    ] as const) {
      const { status, detail } = await refusal(query)
      assert.equal(status, 400, query)
      assert.match(detail, said, query)
    }
  })

  test('a new figure of one metric is in the next answer', async () => {
    const query = 'metrics=stables.cap&entities=stacks'
    assert.equal(cell(await compare(query), 'stables.cap', 'stacks')?.value, null)
    await writeMadeFigures(site.warehouse, [
      { metric: 'stables.cap', entity: 'stacks', day: '2026-07-05', value: 7, source: 'defillama.stables' },
    ])
    await site.version.refresh()
    assert.equal(cell(await compare(query), 'stables.cap', 'stacks')?.value, 7)
  })
})
