/** A lending page would show wrong risk, rates or oracle age. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { encodeAddress } from '#chains/stacks/index.ts'
import { printOf, writeMadeStacks } from '#metrics/madeStacks.testing.ts'
import { writeMadeFigures } from '#metrics/market/testing.ts'
import { stxCalls } from '#warehouse/tables/stacks.ts'
import { stxPoolValues } from '#warehouse/tables/stacksDex.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { APP_TABLES, appOf, readAppTable } from './index.ts'

const VAULTS = 'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.arkadiko-vaults-data-v1-1'
const BORROWER = 'SP35E2BBMDT2Y1HB0NTK139YBGYV3PAPK3WA8BRNA.borrower-v1'
const LIQUIDATOR = 'SP35E2BBMDT2Y1HB0NTK139YBGYV3PAPK3WA8BRNA.liquidator-v1'
const SBTC = "'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token"
const who = (n: number): string => `'${encodeAddress(22, Buffer.alloc(20, n))}`
const DAY = '2026-08-13'
const COIN = 100_000_000n
const catalog = await testCatalog()
/** A pool of a day, as the values of pools keep it. */
const VALUE = {
  run: 1n,
  isHeld: true,
  day: DAY,
  curve: 'product',
  tokenX: 'STX',
  tokenY: 'Y',
  swapCount: 1,
  unreadCount: 0,
  traderCount: 1,
  volumeUsd: 10,
  routedUsd: 10,
  lpFeeUsd: 0,
  protocolFeeUsd: 0,
  reserveX: 1,
  reserveY: 1,
  valueX: 500,
  valueY: 500,
  tvlUsd: 1000,
  price: 1,
  shares: null,
  amplification: null,
} as const

const vault = (n: number, stx: bigint, usda: bigint, status = 101n) =>
  printOf(VAULTS, {
    action: 'vaults-set',
    owner: who(n),
    token: "'SP2C2YFP12AJZB4MABJBAJ55XECVS7E4PMMZ89YZR.wstx-token",
    status,
    collateral: stx * 1_000_000n,
    debt: usda * 1_000_000n,
    'last-block': 1n,
    nicr: 1n,
  })
const pledge = (n: number, sats: bigint) =>
  printOf(BORROWER, {
    action: 'add-collateral',
    collateral: SBTC,
    'amount-deposited': sats,
    'user-balance': sats,
    user: who(n),
  })
const loan = (n: number, shares: bigint) =>
  printOf(BORROWER, {
    action: 'borrow',
    assets: shares,
    'total-user-debt-shares': shares,
    'new-debt-shares': shares,
    user: who(n),
  })

let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
before(async () => {
  warehouse = await openTestWarehouse()
  const read = { source: 'stacks.reads', day: DAY } as const
  const points = [0, 0.8, 1].flatMap((at, i) => [
    { ...read, metric: 'lend.curve_at', entity: 'zest', key: `v2 STX ${i}`, value: at },
    { ...read, metric: 'lend.curve', entity: 'zest', key: `v2 STX ${i}`, value: [0, 0.06, 0.9][i] ?? 0 },
  ])
  await writeMadeFigures(
    warehouse,
    [
      { ...read, metric: 'cdp.liquidation_ratio', entity: 'arkadiko', key: 'STX', value: 1.4 },
      { ...read, metric: 'lend.liquidation_ltv', entity: 'granite', key: 'aeUSDC sBTC', value: 0.5 },
      { ...read, metric: 'lend.debt_share_price', entity: 'granite', key: 'aeUSDC', value: 2 },
      { ...read, metric: 'lend.supplied', entity: 'granite', key: 'aeUSDC', amount: 5_000_000n },
      {
        metric: 'lend.supplied',
        entity: 'granite',
        key: 'aeUSDC',
        day: DAY,
        amount: 4_000_000n,
        source: 'granite.api',
      },
      { metric: 'dex.liquidity', entity: 'alex', day: DAY, value: 1200, source: 'alex.pools' },
      { metric: 'dex.bins_liquidity', entity: 'bitflow', day: DAY, value: 330, source: 'bitflow.pools' },
      { metric: 'dex.liquidity', entity: 'bitflow', day: '2026-08-30', value: 9, source: 'bitflow.ticker' },
      ...points,
    ],
    [
      { asset: 'STX', day: DAY, close: 0.5, source: 'coingecko.chart' },
      { asset: 'BTC', day: DAY, close: 100_000, source: 'coingecko.chart' },
    ],
  )
  await writeMadeStacks(warehouse, [
    {
      height: 1,
      timeS: Date.parse(`${DAY}T01:00:00Z`) / 1000,
      burnHeight: 962_000,
      txs: [
        {
          name: 'positions',
          events: [
            vault(1, 4000n, 1000n),
            vault(2, 9999n, 1n),
            vault(2, 0n, 0n, 201n),
            vault(3, 2800n, 1000n),
            // $100,000 of collateral against $20,000 of debt, and as much against $60,000, of which some was liquidated.
            pledge(4, COIN),
            loan(4, 10_000_000_000n),
            pledge(5, COIN),
            loan(5, 30_000_000_000n),
            printOf(LIQUIDATOR, {
              action: 'liquidate-collateral',
              collateral: SBTC,
              liquidator: who(9),
              user: who(5),
              'liquidated-collateral-amount': COIN / 5n,
              'repaid-amount': 20_000_000_000n,
              'repaid-shares': 10_000_000_000n,
            }),
          ],
        },
      ],
    },
  ])
})
after(() => warehouse[Symbol.asyncDispose]())

async function rowsOf(table: string, slug: string) {
  const protocol = catalog.protocols.find(known => known.slug === slug)
  const found = APP_TABLES[table]
  assert.ok(protocol && found)
  return await readAppTable(warehouse.guest, found.sql(appOf(protocol, catalog)))
}

test('the ladder tells at each fall which positions no longer have the collateral that they need', async () => {
  // $2,000 against $1,000 at 140 % holds to a fall of 30 %; $1,400 against $1,000 holds to none at all.
  const vaults = await rowsOf('ladder', 'arkadiko')
  assert.equal(vaults.length, 61)
  const at = (rows: typeof vaults, fall: number) => rows[fall]
  assert.deepEqual(
    [0, 1, 29, 31, 60].map(fall => [at(vaults, fall)?.positions, at(vaults, fall)?.debt]),
    [
      ['0', 0],
      ['1', 1000],
      ['1', 1000],
      ['2', 2000],
      ['2', 2000],
    ],
  )
  assert.equal(Math.round(Number(at(vaults, 60)?.short)), 200 + 440)
  // Of the second loan $40,000 are left on $80,000, just at its limit of half.
  const loans = await rowsOf('ladder', 'granite')
  assert.deepEqual(
    [0, 1, 59, 60].map(fall => [at(loans, fall)?.positions, at(loans, fall)?.debt]),
    [
      ['0', 0],
      ['1', 40_000],
      ['1', 40_000],
      ['1', 40_000],
    ],
  )
  assert.deepEqual(
    (await rowsOf('health', 'arkadiko')).map(({ positions, collateral }) => [positions, collateral]),
    [
      ['1', 1400],
      ['1', 2000],
    ],
  )
})

test('a curve is what the contract answers, and what a market was opened with where it did not answer', async () => {
  const rows = await rowsOf('curves', 'zest')
  const of = (market: string) =>
    rows.filter(row => row.market === market).map(({ utilisation, rate, told }) => [utilisation, rate, told])
  assert.deepEqual(of('v2 STX'), [
    [0, 0, 'contract'],
    [0.8, 0.06, 'contract'],
    [1, 0.9, 'contract'],
  ])
  // Points and rates of v0-init: at 85 % the rate is 5 %, lenders get 5 % × 85 % × 90 %.
  assert.deepEqual(of('v2 USDCx')[5], [0.85, 0.05, 'opening'])
  const kink = rows.find(({ market, utilisation }) => market === 'v2 USDCx' && utilisation === 0.85)
  assert.ok(Math.abs(Number(kink?.supply) - 0.03825) < 1e-9)
})

test('what an application says of itself stands beside what its contracts tell, with the difference and its reason', async () => {
  const [lent, ...others] = await rowsOf('compared_lender', 'granite')
  assert.deepEqual(others, [])
  assert.deepEqual(
    [lent?.what, lent?.ours, lent?.ours_symbol, lent?.said],
    ['Supplied', '5000000', 'aeUSDC', '4000000'],
  )
  assert.equal(Math.round(Number(lent?.difference) * 100), -20)
  assert.match(String(lent?.why), /older block/)
  await warehouse.insertRows(
    stxPoolValues,
    ['alex', 'bitflow'].map(protocol => ({ ...VALUE, protocol, pool: `${protocol} pool` })),
  )
  await warehouse.insertRows(stxPoolValues, [
    { ...VALUE, protocol: 'bitflow', pool: 'bitflow bins', curve: 'bins', tvlUsd: 300 },
  ])
  const [pools, ...more] = await rowsOf('compared_exchange', 'alex')
  assert.deepEqual(more, [])
  assert.deepEqual([pools?.ours, pools?.said, pools?.by, pools?.day], [1000, 1200, 'alex.pools', DAY])
  assert.equal(Math.round(Number(pools?.difference) * 100), 20)
  assert.match(String(pools?.why), /its own prices/)
  // A figure that is weeks newer is compared with nothing, and one of pools of bins with pools of bins alone.
  const ofBitflow = await rowsOf('compared_exchange', 'bitflow')
  assert.deepEqual(
    ofBitflow.map(({ what, ours, said }) => [what, ours, said]),
    [['In its pools of bins', 300, 330]],
  )
})

test('the oracle’s newest price stands beside the close, with how old and how sure it was', async () => {
  const update = (price: number, published: number) =>
    printOf('SP1CGXWEAMG6P6FT04W66NVGJ7PQWMDAC19R7PJ0Y.pyth-storage-v4', {
      type: 'price-feed',
      action: 'updated',
      data: {
        'price-identifier': '0xec7a775f46379b5e943c3526b1c8d54cd49749176b0b98e02dde68d1bd335c17',
        price,
        conf: 500_000n,
        expo: -8,
        'ema-price': price,
        'ema-conf': 500_000n,
        'publish-time': BigInt(published),
        'prev-publish-time': BigInt(published - 1),
      },
    })
  const start = Date.parse(`${DAY}T02:00:00Z`) / 1000
  await writeMadeStacks(
    warehouse,
    [0, 1, 2].map(step => ({
      height: 2 + step,
      timeS: start + step * 600,
      burnHeight: 962_001 + step,
      txs: [
        { name: `oracle ${step}`, events: [update(50_000_000 + step * 1_000_000, start + step * 600 - 5)] },
      ],
    })),
    1,
  )
  const [stx, ...others] = await rowsOf('oracles', 'granite')
  assert.deepEqual(others, [])
  assert.deepEqual(
    [stx?.asset, stx?.price, stx?.close_usd, stx?.delay, stx?.gap, stx?.writes],
    ['STX', 0.52, 0.5, 5, 600, '3'],
  )
  assert.ok(Math.abs(Number(stx?.difference) - 0.04) < 1e-9)
  assert.ok(Math.abs(Number(stx?.confidence) - 5 / 520) < 1e-9)
})

test('what was called of the contracts that rule an application stands with its outcome, what users call does not', async () => {
  const call = (n: number, contract: string, functionName: string, isSuccess: boolean | null) => ({
    batch: 1,
    height: 1,
    blockTime: Date.parse(`${DAY}T01:00:00Z`) / 1000,
    txIndex: n,
    txid: Buffer.alloc(32, n),
    sender: 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7',
    contract,
    functionName,
    isSuccess,
    argCount: 0,
    resultRepr: '',
  })
  const dao = 'SP1A27KFY4XERQCCRCARCYD1CC5N7M6688BSYADJ7.dao-multisig'
  await warehouse.insertRows(stxCalls, [
    call(1, dao, 'propose', true),
    call(2, 'SP1A27KFY4XERQCCRCARCYD1CC5N7M6688BSYADJ7.v0-3-market', 'borrow', true),
    call(3, dao, 'execute-impl-update', false),
    call(4, 'SP1Y5YSTAHZ88XYK1VPDH24GY0HPX5J4JECTMY4A1.velar-token', 'transfer', true),
  ])
  const rows = await rowsOf('governance', 'zest')
  assert.deepEqual(
    rows.map(row => [row.function_name, row.outcome, row.contract]),
    [
      ['execute impl update', 'failed: nothing changed', dao],
      ['propose', 'done', dao],
    ],
  )
  // A token that governs is no contract that rules.
  assert.deepEqual(await rowsOf('governance', 'velar'), [])
})

test('every table of every application can be asked for', async () => {
  for (const table of Object.keys(APP_TABLES))
    for (const slug of ['zest', 'arkadiko', 'hermetica'])
      await assert.doesNotReject(() => rowsOf(table, slug), `${table} ${slug}`)
  const [liquidation] = await rowsOf('liquidations', 'granite')
  assert.deepEqual(
    [liquidation?.kind, liquidation?.amount, liquidation?.amount_symbol, liquidation?.collateral_symbol],
    ['liquidation', '20000000000', 'aeUSDC', 'sBTC'],
  )
})
