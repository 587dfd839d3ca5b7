/** Figures of applications would be wrong, above all after a reorg. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { APP_TABLES, appOf, STACKS_TABLES } from '#explorer/index.ts'
import { stxTokenPrices } from '#warehouse/tables/stacksDex.ts'
import { ask } from '../ask.ts'
import {
  decideStacks,
  type MadeStacksBlock,
  moved,
  type Printable,
  printOf,
  writeMadeStacks,
} from '../madeStacks.testing.ts'
import { writeMadeFigures } from '../market/testing.ts'
import { openEmptyMetrics } from '../testing.ts'
import { cdpMetrics } from './cdp.ts'
import { dollarCoinMetrics } from './dollarCoins.ts'
import { lendingMetrics } from './lending.ts'
import { liquidStakingMetrics } from './liquidStaking.ts'

const ALICE = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
const BOB = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE'
const DAY_S = 86_400
const START = Date.UTC(2026, 7, 12) / 1000
const GRANITE = 'SP35E2BBMDT2Y1HB0NTK139YBGYV3PAPK3WA8BRNA'
const ZEST_VAULT = 'SP1A27KFY4XERQCCRCARCYD1CC5N7M6688BSYADJ7.v0-vault-stx'
const VAULTS = 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.arkadiko-vaults-data-v1-1'
const WSTX = 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.wstx-token'
const USDA = 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token::usda'
const LISA = 'SM26NBC8SFHNW4P1Y4DFH27974P56WN86C92HPEHH.token-lqstx'
const CORE = 'SP4SZE494VC2YC5JYG7AYFQ44F5Q4PYV7DVMDPBG.stacking-dao-core-v6'

const vault = (owner: string, collateral: bigint, debt: bigint, status: bigint) =>
  printOf(VAULTS, {
    action: 'vaults-set',
    owner: `'${owner}`,
    token: `'${WSTX}`,
    status,
    collateral,
    debt,
    'last-block': 1n,
    nicr: 1n,
  })
const stacked = (action: string, data: Printable) =>
  printOf(CORE, {
    action,
    data: { ...(data as object), stacker: `'${ALICE}`, 'block-height': 1n },
  })

/** A block at each end of a day, so that the days between are whole. */
const BLOCKS: readonly MadeStacksBlock[] = [
  { height: 1, timeS: START, burnHeight: 962_000, contracts: [VAULTS, USDA.split('::')[0]!] },
  {
    height: 2,
    timeS: START + DAY_S + 60,
    burnHeight: 962_144,
    txs: [
      {
        name: 'day one',
        events: [
          printOf(`${GRANITE}.state-v1`, {
            action: 'deposit',
            recipient: `'${ALICE}`,
            user: `'${ALICE}`,
            assets: 5_000_000n,
            shares: 4_900_000n,
          }),
          printOf(`${GRANITE}.borrower-v1`, {
            action: 'borrow',
            user: `'${BOB}`,
            assets: 2_000_000n,
            'total-user-debt-shares': 2n,
            'new-debt-shares': 2n,
          }),
          printOf(ZEST_VAULT, {
            action: 'deposit',
            caller: `'${ALICE}`,
            data: {
              depositor: `'${ALICE}`,
              recipient: `'${ALICE}`,
              amount: 10_000_000n,
              'shares-minted': 9_000_000n,
              assets: 10_000_000n,
            },
          }),
          vault(ALICE, 3_000_000n, 1_000_000n, 101n),
          vault(BOB, 9_000_000n, 4_000_000n, 101n),
          moved({ asset: USDA, to: ALICE, amount: 5_000_000n }),
          printOf(LISA, { notification: 'rebase', payload: { reserve: 110n, 'total-shares': 100n } }),
          stacked('deposit', {
            'stx-amount': 7_000_000n,
            'ststx-amount': 6_000_000n,
            referrer: null,
            pool: null,
          }),
        ],
      },
    ],
  },
  {
    height: 3,
    timeS: START + 2 * DAY_S + 60,
    burnHeight: 962_288,
    txs: [
      {
        name: 'day two',
        events: [
          vault(BOB, 0n, 0n, 201n),
          vault(ALICE, 2_500_000n, 1_000_000n, 101n),
          moved({ asset: USDA, from: ALICE, amount: 2_000_000n }),
          printOf(`${GRANITE}.liquidator-v1`, {
            action: 'socialized-bad-debt',
            user: `'${BOB}`,
            amount: 300_000n,
            'lp-part': 0n,
            'staked-part': 0n,
            'protocol-part': 0n,
            'updated-total-borrowed-amount': 0n,
            'burned-staking-lp-tokens': 0n,
          }),
        ],
      },
    ],
  },
  { height: 4, timeS: START + 3 * DAY_S + 60, burnHeight: 962_432 },
]
/** Blocks that another branch takes back: what they print must leave no trace. */
const ORPHANS: readonly MadeStacksBlock[] = [
  {
    height: 3,
    timeS: START + 2 * DAY_S + 30,
    burnHeight: 962_288,
    txs: [
      {
        name: 'orphan',
        events: [vault(ALICE, 1n, 9_000_000n, 201n), moved({ asset: USDA, to: BOB, amount: 77_000_000n })],
      },
    ],
  },
]

const catalog = await testCatalog()
const METRICS = [lendingMetrics, cdpMetrics, liquidStakingMetrics, dollarCoinMetrics].flatMap(of =>
  of(catalog),
)
let site: Awaited<ReturnType<typeof openEmptyMetrics>>
let reorged: Awaited<ReturnType<typeof openEmptyMetrics>>
const read = { source: 'stacks.reads', entity: 'stacking-dao' } as const
const FIGURES = [
  {
    ...read,
    metric: 'lend.supplied',
    entity: 'zest',
    key: 'v2 STX',
    day: '2026-08-13',
    amount: 8_000_000_000_000n,
  },
  {
    ...read,
    metric: 'lend.supplied',
    entity: 'zest',
    key: 'v2 sBTC',
    day: '2026-08-13',
    amount: 200_000_000n,
  },
  {
    ...read,
    metric: 'lend.supplied',
    entity: 'zest',
    key: 'v2 stSTX',
    day: '2026-08-13',
    amount: 1_000_000n,
  },
  { ...read, metric: 'lend.supplied', entity: 'zest', key: 'v1 DIKO', day: '2026-08-13', amount: 5n },
  {
    ...read,
    metric: 'lend.borrowed',
    entity: 'granite',
    key: 'aeUSDC',
    day: '2026-08-11',
    amount: 15_000_000n,
  },
  {
    metric: 'lend.borrowed',
    entity: 'granite',
    key: 'aeUSDC',
    day: '2026-08-11',
    amount: 14_000_000n,
    source: 'granite.api',
  },
  {
    ...read,
    metric: 'lend.borrowed',
    entity: 'zest',
    key: 'v2 STX',
    day: '2026-08-13',
    amount: 4_000_000_000_000n,
  },
  { ...read, metric: 'lend.borrow_apr', entity: 'zest', key: 'v2 STX', day: '2026-08-13', value: 0.05 },
  // Half is lent out, and a tenth of the interest is the application's.
  {
    ...read,
    metric: 'lend.supply_apr',
    entity: 'zest',
    key: 'v2 STX',
    day: '2026-08-13',
    value: 0.05 * 0.5 * 0.9,
  },
  { ...read, metric: 'lst.exchange_rate', key: 'stSTX', day: '2026-07-14', value: 1.2 },
  { ...read, metric: 'lst.exchange_rate', key: 'stSTX', day: '2026-08-11', value: 1.212 },
  { ...read, metric: 'lst.staked', day: '2026-08-11', amount: 75_000_000n },
  { ...read, metric: 'lst.staked', entity: 'lisa', day: '2026-08-11', amount: 25_000_000n },
  { ...read, metric: 'lst.staked', entity: 'lisa', day: '2026-08-09', amount: 25_000_000n },
  { ...read, metric: 'stable.supply', entity: 'usdh', day: '2026-08-11', amount: 1_500_000_000n },
  { metric: 'token.price', entity: 'usdh', day: '2026-08-11', value: 0.994, source: 'defillama.coins' },
]
const CLOSES = [
  { asset: 'STX', day: '2026-08-12', close: 0.5, source: 'coingecko.chart' },
  { asset: 'BTC', day: '2026-08-13', close: 60_000, source: 'coingecko.chart' },
]
/** What pools of a day say, as their rollup keeps it. */
const PRICES = (
  [
    ['STX', 0.5, 0],
    ['SP4SZE494VC2YC5JYG7AYFQ44F5Q4PYV7DVMDPBG.ststx-token', 0.6, 1],
    ['SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.usda-token', 0.98, 1],
  ] as const
).map(([token, usd, steps]) => ({
  run: 1n,
  isHeld: true,
  day: '2026-08-13',
  token,
  usd: usd / 1e6,
  decimals: 6,
  liquidityUsd: 1e6,
  pool: '',
  steps,
}))
before(async () => {
  site = await openEmptyMetrics()
  reorged = await openEmptyMetrics()
  for (const { warehouse } of [site, reorged])
    await writeMadeFigures(warehouse, FIGURES, CLOSES, { 'stacks.reads': 2 })
  await writeMadeStacks(site.warehouse, BLOCKS)
  await writeMadeStacks(reorged.warehouse, BLOCKS.slice(0, 2), 1)
  await writeMadeStacks(reorged.warehouse, ORPHANS, 2)
  await decideStacks(reorged.warehouse, 2, false, ORPHANS)
  await writeMadeStacks(reorged.warehouse, BLOCKS.slice(2), 3)
  for (const { metrics, warehouse } of [site, reorged]) {
    await metrics.refreshRollups()
    await warehouse.insertRows(stxTokenPrices, PRICES)
  }
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await reorged[Symbol.asyncDispose]()
})

type DayRow = { readonly day: string; readonly key: string; readonly value: number | string | null }
const rowsOf = (of: typeof site, sql: string, entity: string) =>
  ask<DayRow>(of.warehouse.guest, sql, { entity, from: '2026-07-01', to: '2026-09-01', grain: 'day' })
async function figures(id: string, entity: string): Promise<(string | number | null)[][]> {
  const found = METRICS.find(metric => metric.id === id && metric.entities.includes(entity))
  assert.ok(found, id)
  const rows = await rowsOf(site, found.sql, entity)
  return rows.map(({ day, key, value }) => [day, key, value === null ? null : Number(value)])
}
const near = (value: unknown, expected: number) =>
  assert.ok(Math.abs(Number(value) - expected) < 1e-9 * Math.abs(expected), `${value} is not ${expected}`)

test('every figure of applications can be asked for, and a reorg leaves what a clean run has', async () => {
  for (const { id, sql, besideSql, entities } of METRICS)
    for (const entity of entities)
      for (const statement of [sql, besideSql]) {
        if (statement === undefined || (statement === besideSql && entity !== entities[0])) continue
        const clean = await rowsOf(site, statement, entity).catch(cause => {
          throw new Error(`${id} ${entity}\n${statement}`, { cause })
        })
        if (statement.includes('stx_'))
          assert.deepEqual(await rowsOf(reorged, statement, entity), clean, `${id} ${entity}`)
      }
})

test('tables of pages are those of a clean run after a reorg', async () => {
  const catalog = await testCatalog()
  // Each table once, of an application whose contracts print what it tells.
  const bestOf: Readonly<Record<string, string>> = { vaults: 'arkadiko', staking_events: 'stacking-dao' }
  const ofApps = Object.entries(APP_TABLES).map(([name, { sql }]) => {
    const app = catalog.protocols.find(({ slug }) => slug === (bestOf[name] ?? 'granite'))
    assert.ok(app, name)
    return [name, sql(appOf(app, catalog))] as const
  })
  const ofStacks = Object.entries(STACKS_TABLES).map(([name, { sql }]) => [name, sql] as const)
  const filled: string[] = []
  for (const [name, sql] of [...ofApps, ...ofStacks]) {
    const clean = await ask(site.warehouse.guest, sql)
    assert.deepEqual(await ask(reorged.warehouse.guest, sql), clean, name)
    if (clean.length > 0) filled.push(name)
  }
  for (const name of ['markets', 'vaults', 'staking_events', 'cycle-clock'])
    assert.ok(filled.includes(name), `${name} has rows: ${filled.join(', ')}`)
})

test('amounts of markets are dollars of their day; a coin without a price has none', async () => {
  const rows = await figures('lend.supplied', 'zest')
  assert.deepEqual(
    rows.map(([day, key]) => [day, key]),
    [
      ['2026-08-13', 'v2 STX'],
      ['2026-08-13', 'v2 sBTC'],
      ['2026-08-13', 'v2 stSTX'],
    ],
  )
  near(rows[0]?.[2], 8_000_000 * 0.5)
  near(rows[1]?.[2], 2 * 60_000)
  // stSTX has the exchange rate of the newest day that STX had a price of.
  assert.equal(rows[2]?.[2], null)
})

test('interest that a lender keeps is debt at its rate by the share that lenders do not get', async () => {
  const rows = await figures('revenue.apps', 'zest')
  // A market of which one of the four answers is missing has none.
  assert.deepEqual(
    rows.map(([day, key]) => [day, key]),
    [['2026-08-13', 'v2 STX']],
  )
  near(rows[0]?.[2], ((4_000_000 * 0.05 * 0.1) / 365) * 0.5)
})

test('what the contract answers goes before what the application says, and the difference is told', async () => {
  const { points, differences } = await site.metrics.series({
    id: 'lend.borrowed',
    entity: 'granite',
    from: '2026-08-11',
    to: '2026-08-11',
  })
  assert.deepEqual(
    points.map(({ key, value, source }) => [key, value, source]),
    [['aeUSDC', 15, 'stacks.reads']],
  )
  assert.deepEqual(
    differences.map(({ source, value, chosen }) => [source, value, chosen]),
    [['granite.api', 14, 15]],
  )
})

test('yield is the growth of the rate over two cycles, by the year', async () => {
  const [row, ...others] = await figures('lst.apy', 'stacking-dao')
  assert.deepEqual(others, [])
  near(row?.[2], (1.212 / 1.2) ** (365 / 28) - 1)
  const [share, ...alone] = await figures('lst.share', 'lisa')
  near(share?.[2], 0.25)
  assert.deepEqual(alone, [], 'no share on a day on which the other was not asked')
  assert.deepEqual(await figures('lst.exchange_rate', 'lisa'), [['2026-08-13', 'LiSTX', 1.1]])
})

test('what is printed becomes sums of the day', async () => {
  const one = (rows: (string | number | null)[][]) => rows.filter(([, , value]) => value !== 0)
  assert.deepEqual(one(await figures('lend.flows', 'granite')), [
    ['2026-08-13', 'borrow', 2],
    ['2026-08-13', 'supply', 5],
  ])
  assert.deepEqual(one(await figures('lend.flows', 'zest')), [['2026-08-13', 'supply', 5]])
  assert.deepEqual(one(await figures('lend.bad_debt', 'granite')), [['2026-08-14', '', 0.3]])
  assert.deepEqual(one(await figures('cdp.liquidations', 'arkadiko')), [['2026-08-14', '', 1]])
  assert.deepEqual(await figures('cdp.collateral', 'arkadiko'), [
    ['2026-08-12', 'STX', 0],
    ['2026-08-13', 'STX', 12_000_000],
    ['2026-08-14', 'STX', 2_500_000],
    ['2026-08-15', 'STX', 2_500_000],
  ])
  assert.deepEqual(one(await figures('stable.minted', 'usda')), [['2026-08-13', '', 5]])
  assert.deepEqual(await figures('stable.holders', 'usda'), [['2026-08-15', '', 1]])
  assert.deepEqual(await figures('stable.top10', 'usda'), [['2026-08-15', '', 1]])
  // Of a token whose making is not held nobody knows all holders.
  assert.deepEqual(await figures('stable.holders', 'usdh'), [])
  assert.deepEqual(one(await figures('stable.burned', 'usda')), [['2026-08-14', '', 2]])
  assert.deepEqual(one(await figures('lst.flows', 'stacking-dao')), [['2026-08-13', 'deposit', 7_000_000]])
  assert.deepEqual(await figures('stable.supply', 'usdh'), [['2026-08-11', '', 15]])
  near((await figures('stable.peg_deviation', 'usdh'))[0]?.[2], -0.006)
  near((await figures('stable.peg_deviation', 'usda'))[0]?.[2], -0.02)
  near((await figures('lst.discount', 'stacking-dao'))[0]?.[2], 0.6 / (0.5 * 1.212) - 1)
})

test('an application whose contracts answer no more keeps its last figure, and its age is told', async () => {
  const figure = await site.metrics.figure({ id: 'lst.staked', entity: 'lisa', changeRange: '30d' })
  assert.equal(figure.point?.value, 25_000_000)
  assert.equal(figure.point?.day, '2026-08-11')
  assert.equal(figure.asOf.state, 'overdue')
})
