/** Exit times and costs of an opportunity would be wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Catalog, readCatalog } from '#catalog/index.ts'
import { ask } from '#metrics/ask.ts'
import { writeMadeFigures } from '#metrics/market/testing.ts'
import { loadYields } from '#metrics/snapshot/loadYields.ts'
import { openEmptyMetrics, type TestMetrics } from '#metrics/testing.ts'
import { bitcoinsTable, opportunitiesTable } from './opportunities.ts'

const ORIGIN = { note: 'made for a test' }
const evidence = (page: string) => ({ url: `https://example.org/${page}`, date: '2025-03-01' })
const stated = (page: string, told: { waitDays?: number; feeBps?: number }) => ({
  how: 'as somebody says',
  ...told,
  evidence: evidence(page),
})
const way = (id: string, project: string, coins: readonly string[]) => ({
  id,
  name: id,
  project,
  layer: 'ethereum',
  coins: [...coins],
  origin: ORIGIN,
})
const bitcoin = (symbol: string) => ({
  id: symbol.toLowerCase(),
  symbol,
  name: symbol,
  custodyKind: 'one party' as const,
  origin: ORIGIN,
})
const project = (id: string) => ({
  id,
  name: id,
  strategy: 'lp' as const,
  audits: [],
  incidents: [],
  origin: ORIGIN,
})

const real = await readCatalog('catalog')
const catalog: Catalog = {
  ...real,
  bitcoins: [
    ...real.bitcoins,
    { ...bitcoin('SLOWBTC'), redeem: stated('slow', { waitDays: 9, feeBps: 20 }) },
    { ...bitcoin('FASTBTC'), redeem: stated('fast', { waitDays: 0.5, feeBps: 5 }) },
    bitcoin('MUTEBTC'),
  ],
  yieldProjects: [
    ...real.yieldProjects,
    { ...project('leaving'), exit: stated('leaving', { waitDays: 2, feeBps: 10 }) },
    project('mute'),
  ],
  opportunities: [
    way('whole', 'leaving', ['SLOWBTC', 'FASTBTC']),
    way('to-coins', 'leaving', ['SLOWBTC', 'MUTEBTC']),
    way('from-coins', 'mute', ['FASTBTC']),
    way('nothing', 'mute', ['MUTEBTC']),
    way('dollars', 'leaving', ['SLOWBTC', 'USDC']),
    { ...way('ended', 'mute', ['MUTEBTC']), rewardsEnd: { day: '2025-02-01', evidence: evidence('ended') } },
    {
      ...way('ending', 'mute', ['MUTEBTC']),
      rewardsEnd: { day: '2100-01-01', evidence: evidence('ending') },
    },
    way('open', 'mute', ['MUTEBTC']),
    way('stopped', 'mute', ['MUTEBTC']),
    way('unpaid', 'mute', ['MUTEBTC']),
    ...real.opportunities.filter(({ id }) => id === 'zest-v2-sbtc'),
  ],
}

let site: TestMetrics
before(async () => {
  site = await openEmptyMetrics()
  await loadYields(site.warehouse, catalog)
  const days = Array.from({ length: 60 }, (_, i) =>
    new Date(Date.parse('2025-01-01') + i * 86_400_000).toISOString().slice(0, 10),
  )
  const told = (entity: string, reward: (i: number) => number) =>
    days.flatMap((day, i) =>
      [
        { metric: 'yield.tvl', value: 3_650_000 },
        { metric: 'yield.apy_base', value: 0.01 },
        { metric: 'yield.apy_reward', value: reward(i) },
      ].map(figure => ({ ...figure, entity, day, source: 'defillama.yield_charts' })),
    )
  await writeMadeFigures(site.warehouse, [
    ...told('open', () => 0.1),
    ...told('stopped', i => (i < 20 ? 0.1 : 0)),
    ...told('unpaid', () => 0),
  ])
})
after(() => site[Symbol.asyncDispose]())

type Cell = string | number | null
const rowsOf = async (sql: string, columns: readonly string[]) =>
  (await ask<Record<string, Cell>>(site.warehouse.guest, sql)).map(row =>
    Object.fromEntries(columns.map(column => [column, row[column]])),
  )

test('days and fees of the way out are those stated for all its parts, and a part of the way is named as one', async () => {
  const rows = await rowsOf(opportunitiesTable.sql(), ['entity', 'exit_days', 'exit_told', 'fee_stated'])
  const of = (entity: string) => rows.find(row => row.entity === entity)
  const way = (entity: string, exit_days: number | null, exit_told: string, fee_stated: number | null) =>
    assert.deepEqual(of(entity), { entity, exit_days, exit_told, fee_stated })
  // Two days out of the application, nine for the slower coin; ten and twenty hundredths of a per cent.
  way('whole', 11, 'stated', 0.003)
  way('to-coins', null, 'stated, to its coins only: 2 days', 0.001)
  way('from-coins', null, 'stated, from its coins only: 0.5 days', 0.0005)
  way('nothing', null, 'not stated', null)
  // Dollars have no way to bitcoin that anybody states.
  way('dollars', null, 'stated, to its coins only: 2 days', 0.001)
  // Of sBTC it would be measured: no block of its withdrawals is held here.
  way('zest-v2-sbtc', null, 'no indexed withdrawals', null)
})

test('how a coin becomes bitcoin is told with its evidence, its day and its days', async () => {
  const columns = ['name', 'redeem', 'evidence_href', 'read_day', 'wait', 'wait_told', 'fee']
  const rows = await rowsOf(bitcoinsTable.sql(), columns)
  const of = (name: string) => Object.values(rows.find(row => row.name === name)!).slice(1)
  assert.deepEqual(of('SLOWBTC'), [
    'as somebody says',
    'https://example.org/slow',
    '2025-03-01',
    9,
    'stated',
    0.002,
  ])
  assert.deepEqual(of('MUTEBTC'), ['not recorded', '', null, null, 'not stated', null])
  const told = real.bitcoins.filter(({ redeem }) => redeem !== undefined)
  for (const { name, redeem } of told) assert.equal(of(name)[0], redeem?.how)
  assert.ok(told.length > 0)
})

test('rewards run to their stated end; without one the table says that it is not covered, what they cost a day or since when none are seen', async () => {
  const rows = await rowsOf(opportunitiesTable.sql(), ['entity', 'ends', 'ends_href', 'subsidy_usd'])
  const of = (entity: string) => Object.values(rows.find(row => row.entity === entity)!).slice(1)
  assert.deepEqual(of('ended'), ['ended on 2025-02-01', 'https://example.org/ended', null])
  const [ends, href] = of('ending')
  assert.match(String(ends), /^2100-01-01, in \d+ days$/)
  assert.equal(href, 'https://example.org/ending')
  // A tenth of 3.65 million dollars a year.
  assert.deepEqual(of('open'), ['not covered: no end and no budget is recorded', '', 1000])
  assert.deepEqual(of('stopped'), ['none seen since 2025-01-20', '', null])
  assert.deepEqual(of('unpaid'), ['none seen', '', null])
  assert.deepEqual(of('nothing'), ['', '', null])
})
