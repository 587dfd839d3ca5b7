/** Loans at risk would look healthy. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { encodeAddress } from '#chains/stacks/index.ts'
import { stxReads } from '#warehouse/tables/stacksReads.ts'
import { ask } from '../ask.ts'
import { type Printable, printOf, writeMadeStacks } from '../madeStacks.testing.ts'
import { writeMadeFigures } from '../market/testing.ts'
import { openEmptyMetrics } from '../testing.ts'
import { healthMetrics } from './health.ts'

const ZEST = 'SP1A27KFY4XERQCCRCARCYD1CC5N7M6688BSYADJ7'
const VAULT = `${ZEST}.v0-market-vault`
const BORROWER = 'SP35E2BBMDT2Y1HB0NTK139YBGYV3PAPK3WA8BRNA.borrower-v1'
const SBTC = "'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token"
const who = (n: number): string => `'${encodeAddress(22, Buffer.alloc(20, n))}`
const START = Date.UTC(2026, 7, 12) / 1000
const DAY_S = 86_400
const DAY = '2026-08-13'
const METRICS = healthMetrics(await testCatalog())

const held = (action: string, data: Printable) =>
  printOf(VAULT, {
    action,
    caller: who(1),
    data: { ...(data as object), 'mask-before': 0n, 'mask-after': 0n },
  })
/** Numbers of assets as `v0-assets` gave them: STX 0, zSTX 1, zsBTC 3, sBTC 2, USDC 6, zUSDC 7. */
const pledged = (n: number, id: number, amount: bigint, updated = amount) =>
  held('collateral-add', {
    account: who(n),
    'asset-id': BigInt(id),
    amount,
    'updated-collateral-amount': updated,
  })
const owes = (n: number, id: number, scaled: bigint, action = 'debt-add-scaled') =>
  held(action, {
    account: who(n),
    'asset-id': BigInt(id),
    'scaled-amount': 1n,
    'updated-scaled-debt': scaled,
  })

/** Groups 3, 7, 8 and 10 as v0-init of Zest made them: a mask of collateral and debt, the ratio of a first liquidation. */
const GROUPS = [
  ['3', 2n ** 3n + 2n ** 70n + 2n ** 72n, '7000'],
  ['7', 2n ** 3n + 2n ** 64n + 2n ** 66n + 2n ** 68n + 2n ** 70n + 2n ** 72n, '5500'],
  ['8', 2n ** 1n + 2n ** 64n + 2n ** 66n + 2n ** 68n + 2n ** 70n + 2n ** 72n, '5500'],
  ['10', 2n ** 1n + 2n ** 64n + 2n ** 68n, '8500'],
].map(([id, mask, ltv]) => ({ id, mask: String(mask), 'ltv-liq-partial': ltv }))

let site: Awaited<ReturnType<typeof openEmptyMetrics>>
before(async () => {
  site = await openEmptyMetrics()
  const read = { source: 'stacks.reads', entity: 'zest', day: DAY } as const
  await writeMadeFigures(
    site.warehouse,
    [
      { ...read, metric: 'lend.share_price', key: 'v2 sBTC', value: 1.02 },
      { ...read, metric: 'lend.share_price', key: 'v2 STX', value: 1.01 },
      { ...read, metric: 'lend.share_price', key: 'v2 USDCx', value: 1 },
      { ...read, metric: 'lend.debt_share_price', key: 'v2 USDCx', value: 1.05 },
      { ...read, metric: 'lend.debt_share_price', key: 'v2 STX', value: 1 },
      { ...read, metric: 'lend.debt_share_price', key: 'v2 sBTC', value: 1 },
      { ...read, entity: 'granite', metric: 'lend.liquidation_ltv', key: 'aeUSDC sBTC', value: 0.5 },
      { ...read, entity: 'granite', metric: 'lend.debt_share_price', key: 'aeUSDC', value: 2 },
    ],
    [
      { asset: 'STX', day: DAY, close: 0.5, source: 'coingecko.chart' },
      { asset: 'BTC', day: DAY, close: 60_000, source: 'coingecko.chart' },
    ],
    { 'stacks.reads': 2 },
  )
  const answered = (egroups: readonly unknown[], askedAt: number) => ({
    contract: `${ZEST}.v0-1-data`,
    functionName: 'get-all-egroups',
    args: '[]',
    height: 2,
    blockHash: new Uint8Array(32),
    answer: JSON.stringify({ count: String(egroups.length), egroups }),
    askedAt,
  })
  await site.warehouse.insertRows(stxReads, [answered(GROUPS, START + DAY_S), answered([], START)])
  await writeMadeStacks(site.warehouse, [
    { height: 1, timeS: START, burnHeight: 962_000, contracts: [VAULT] },
    {
      height: 2,
      timeS: START + DAY_S + 60,
      burnHeight: 962_144,
      txs: [
        {
          name: 'positions',
          events: [
            // 1.02 BTC against 42,000 dollars, of which group 3 asks 60,000.
            pledged(1, 3, 60_000_000n),
            pledged(1, 3, 40_000_000n, 100_000_000n),
            owes(1, 6, 40_000_000_000n),
            // STX against STX: no fall of prices changes how they stand.
            pledged(2, 1, 1_000_000_000n),
            owes(2, 0, 800_000_000n),
            // No group has dollars that back bitcoin; a debt that was paid back is none.
            pledged(3, 7, 1_000_000_000n),
            owes(3, 2, 1_000n),
            pledged(4, 3, 1_000_000n),
            owes(4, 6, 5_000_000_000n),
            owes(4, 6, 0n, 'debt-remove-scaled'),
            // Of another lender: 60,000 dollars of collateral against 20,000 at half.
            printOf(BORROWER, {
              action: 'add-collateral',
              collateral: SBTC,
              'amount-deposited': 100_000_000n,
              'user-balance': 100_000_000n,
              user: who(5),
            }),
            printOf(BORROWER, {
              action: 'borrow',
              assets: 1n,
              'total-user-debt-shares': 10_000_000_000n,
              'new-debt-shares': 1n,
              user: who(5),
            }),
          ],
        },
      ],
    },
    { height: 3, timeS: START + 2 * DAY_S + 60, burnHeight: 962_288 },
  ])
  await site.metrics.refreshRollups()
})
after(() => site[Symbol.asyncDispose]())

async function figures(id: string, entity: string) {
  const found = METRICS.find(metric => metric.id === id && metric.entities.includes(entity))
  assert.ok(found, `${id} ${entity}`)
  const rows = await ask<Record<'day' | 'key' | 'state' | 'as_of', string> & { value: number }>(
    site.warehouse.guest,
    found.sql,
    { entity, from: '2026-07-01', to: '2026-09-01', grain: 'day' },
  )
  return rows.map(row => ({ ...row, value: Math.round(row.value * 100) / 100 }))
}
const told = (rows: Awaited<ReturnType<typeof figures>>) =>
  Object.fromEntries(rows.filter(({ value }) => value !== 0).map(({ key, value }) => [key, value]))

test('a mix of assets needs what the smallest group that has all of it asks', async () => {
  assert.deepEqual(told(await figures('lend.health', 'zest')), { '1 to 1.1': 42_400 })
  const ladder = await figures('lend.ladder', 'zest')
  assert.equal(ladder.length, 13)
  assert.deepEqual(
    [0, 5, 20].map(fall => ladder.find(({ key }) => key === `${fall} %`)?.value),
    [0, 58_140, 48_960],
  )
  assert.deepEqual(told(await figures('shock.minus20', 'zest')), { '': 42_000 })
})

test('shares of a debt are worth their price, and a fall that reaches the limit is told', async () => {
  assert.deepEqual(told(await figures('lend.health', 'granite')), { '1.5 to 2': 20_000 })
  assert.deepEqual(told(await figures('shock.minus20', 'granite')), {})
  assert.equal(told(await figures('lend.ladder', 'granite'))['40 %'], 36_000)
})

test('positions of blocks since the contract was made are whole, those of fewer are not', async () => {
  const [zest] = await figures('shock.minus20', 'zest')
  const [granite] = await figures('shock.minus20', 'granite')
  assert.deepEqual([zest?.day, zest?.state, granite?.state], ['2026-08-14', 'partial', 'incomplete'])
  // The terms were asked before the newest block: the figure is as old as they are.
  assert.match(zest?.as_of ?? '', /^2026-08-14[T ]00:00:00/)
})

test('without any position there is no figure, rather than a nought', async () => {
  assert.deepEqual(await figures('shock.minus20', 'arkadiko'), [])
})
