/** Market depth of exchanges on Stacks would be wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { prices } from '#warehouse/tables/observations.ts'
import { stxCallArgs } from '#warehouse/tables/stacks.ts'
import { ask } from '../ask.ts'
import { decideStacks, hashOfName, type MadeStacksBlock, writeMadeStacks } from '../madeStacks.testing.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'
import { depthOf } from './curves/curve.ts'
import { ONE_8, powerCurve } from './curves/power.ts'
import { productCurve } from './curves/product.ts'
import { stableCurve } from './curves/stable.ts'
import { alexCreated, BINS_POOL, binsPool, STABLE_POOL, stablePool } from './madeCurves.testing.ts'
import { ALEX_POOLS, alexPool } from './madeDex.testing.ts'

const ALICE = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
const START = Date.parse('2026-05-01T00:00:00Z') / 1000
const DAY_S = 86_400
const DAYS = 33
const dayOf = (n: number): string => new Date((START + n * DAY_S) * 1000).toISOString().slice(0, 10)
const STX = 1_000_000n
/** Factor of ALEX’s second pool: powers are summed. */
const HALF = ONE_8 / 2n

/** 100,000 USDCx for an sBTC: base units of 10⁻⁶ for one of 10⁻⁸, in 10⁻⁸. */
const PRICE = 10n ** 8n * 10n ** 3n

const [whole, powers, called, stable, bins] = [
  alexPool(),
  alexPool(undefined, 6, 8n),
  alexPool(undefined, 6, 9n),
  stablePool(),
  binsPool(PRICE),
]
/** Day 0: all pools are made; day 1: terms change, a bin is passed empty and another is moved; day 31: the newest prints. */
function txsOf(day: number): MadeStacksBlock['txs'] {
  const tx = (events: ReturnType<typeof alexCreated>, at: number) => ({ name: `day ${day} tx ${at}`, events })
  if (day === 0)
    return [
      alexCreated(7n, ONE_8),
      alexCreated(8n, HALF),
      whole.add(ALICE, 10n ** 14n, 10n ** 14n),
      powers.add(ALICE, 10n ** 14n, 10n ** 14n),
      called.add(ALICE, 10n ** 14n, 10n ** 14n),
      stable.create(ALICE, 1_000_000n * STX, 1_000_000n * STX, 100n),
      bins.create(ALICE, 100_000_000n, 100_000_000_000n),
      bins.add(ALICE, 499n, (PRICE * 999n) / 1000n, 0n, 50_000_000_000n, 0),
      bins.add(ALICE, 501n, (PRICE * 1001n) / 1000n, 30_000_000n, 0n, 0),
      bins.add(ALICE, 485n, (PRICE * 985n) / 1000n, 0n, 70_000_000_000n, 0),
    ].map(tx)
  if (day === 1)
    return [
      stable.amplify(ALICE, 400n),
      stable.midpoint(ALICE, 11n, 10n),
      // The active bin is emptied of USDCx; the one below, of nothing, is passed by.
      bins.swap(ALICE, {
        bin: 500n,
        price: PRICE,
        dx: 100_000_000n,
        dy: 100_000_000_000n,
        left: [200_000_000n, 0n],
        active: [0, -1],
      }),
      bins.move(ALICE, 499n, 490n, (PRICE * 990n) / 1000n, 50_000_000_000n, -1),
      bins.swap(ALICE, {
        bin: 499n,
        price: (PRICE * 999n) / 1000n,
        dx: 0n,
        dy: 0n,
        left: [0n, 0n],
        active: [-1, -2],
      }),
    ].map(tx)
  if (day === 2) return [tx(stable.withdraw(ALICE, 200_000n * STX, 100_000n * STX, 100_000n * STX), 0)]
  if (day === 31)
    return [tx(whole.swap(ALICE, 'x', 4n * 10n ** 13n), 0), tx(powers.swap(ALICE, 'x', 10n ** 10n), 1)]
  return []
}

const BLOCKS: MadeStacksBlock[] = Array.from({ length: DAYS }, (_, day) => ({
  height: 1000 + day,
  timeS: START + day * DAY_S + 3600,
  burnHeight: 900_000 + day,
  txs: txsOf(day) ?? [],
}))

let made: TestMetrics
before(async () => {
  made = await openEmptyMetrics()
  const closes = (asset: string, close: number) =>
    Array.from({ length: DAYS }, (_, n) => ({
      asset,
      quote: 'USD',
      day: dayOf(n),
      open: close,
      high: close,
      low: close,
      close,
      source: 'bybit.daily',
      observedAt: START + (n + 1) * DAY_S,
    }))
  await made.warehouse.insertRows(prices, [...closes('STX', 0.5), ...closes('BTC', 100_000)])
  await writeMadeStacks(made.warehouse, BLOCKS)
  // Nothing held tells of the third pool's creation: the call that added to it names its factor.
  await made.warehouse.insertRows(stxCallArgs, [
    {
      batch: 1,
      height: 1000,
      blockTime: START + 3600,
      txIndex: 4,
      txid: Buffer.from(hashOfName('day 0 tx 4').slice(2), 'hex'),
      contract: ALEX_POOLS,
      functionName: 'add-to-position',
      argIndex: 2,
      leafIndex: 0,
      path: '',
      type: 'uint',
      uintValue: HALF,
      textValue: '',
      repr: `u${HALF}`,
    },
  ])
  await made.metrics.refreshRollups()
})
after(() => made[Symbol.asyncDispose]())

type Depth = { x: string; y: string; x2: string; loss: number | null; kept: number | null }
async function depthOn(day: number, pool: string): Promise<Depth | undefined> {
  const [row] = await ask<Depth>(
    made.warehouse.reader,
    `SELECT toString(in1_x) AS x, toString(in1_y) AS y, toString(in2_x) AS x2, loss30 AS loss, against30 AS kept
FROM stx_pool_depths WHERE day = {day:Date} AND pool = {pool:String}`,
    { day: dayOf(day), pool },
  )
  return row
}
const close = (found: unknown, expected: number, most = 1e-6): void =>
  assert.ok(Math.abs(Number(found) / expected - 1) < most, `${found} is not ${expected}`)

test('ALEX: a pool has the depth of the factor with which the registry made it, or that a call names', async () => {
  // Balances of 1,000,000 each in 10⁻⁸: in base units both tokens have six decimals.
  const balances = { x: 10n ** 14n, y: 10n ** 14n }
  const [one, half] = [await depthOn(0, `${ALEX_POOLS}#7`), await depthOn(0, `${ALEX_POOLS}#8`)]
  close(one?.x, Number(depthOf(productCurve(balances), 100).x) / 100)
  close(half?.x, Number(depthOf(powerCurve(balances, HALF), 100).x) / 100)
  assert.equal((await depthOn(0, `${ALEX_POOLS}#9`))?.x, half?.x)
  // (2 ÷ 1.99)² − 1 of a million, and more than the constant product.
  close(half?.x, 10_075_503_143.86)
  assert.ok(BigInt(half?.x ?? 0) > BigInt(one?.x ?? 0))
})

test('a stable pool follows its amplification and midpoint; what is withdrawn in the words of version 1.4 leaves it', async () => {
  const reserves = { x: 1_000_000n * STX, y: 1_000_000n * STX }
  close(
    (await depthOn(0, STABLE_POOL))?.x,
    Number(depthOf(stableCurve(reserves, { amplification: 200n }), 100).x),
  )
  const midpoint = { numerator: 11n, denominator: 10n }
  close(
    (await depthOn(1, STABLE_POOL))?.x,
    Number(depthOf(stableCurve(reserves, { amplification: 800n, midpoint }), 100).x),
  )
  const left = { x: 900_000n * STX, y: 900_000n * STX }
  close(
    (await depthOn(2, STABLE_POOL))?.x,
    Number(depthOf(stableCurve(left, { amplification: 800n, midpoint }), 100).x),
  )
  const [shares] = await ask<{ shares: string }>(
    made.warehouse.reader,
    `SELECT toString(argMax(shares, day)) AS shares FROM stx_pool_reserves WHERE pool = '${STABLE_POOL}'`,
  )
  assert.equal(shares?.shares, String(1_800_000n * STX))
})

test('bins: depth is the sum over those that the band passes, as the last print leaves each', async () => {
  // Within 1 % below: 100,000 USDCx at 100,000 and 50,000 at 99,900; within 2 % also 70,000 at 98,500.
  const first = await depthOn(0, BINS_POOL)
  const of = (usdcx: bigint, perMille: bigint): bigint =>
    (usdcx * 10n ** 8n + (PRICE * perMille) / 1000n - 1n) / ((PRICE * perMille) / 1000n)
  assert.equal(first?.x, String(of(100_000_000_000n, 1000n) + of(50_000_000_000n, 999n)))
  assert.equal(first?.x2, String(BigInt(first?.x ?? 0) + of(70_000_000_000n, 985n)))
  // Above: 1 sBTC at 100,000 and 0.3 at 100,100.
  assert.equal(first?.y, String(100_000_000_000n + 30_030_000_000n))
  // Two bins further down: bin 498 is active at two steps of 0.1 %; 499 went to 490, and the emptied one is all sBTC.
  const next = await depthOn(1, BINS_POOL)
  assert.equal(next?.x, String(of(50_000_000_000n, 990n)))
  const [last] = await ask<{ unread: string; x: string; y: string }>(
    made.warehouse.reader,
    `SELECT toString(sum(d.unread_count)) AS unread, toString(argMax(r.reserve_x, r.day)) AS x, toString(argMax(r.reserve_y, r.day)) AS y
FROM stx_dex_pool_days AS d INNER JOIN stx_pool_reserves AS r ON r.pool = d.pool AND r.day = d.bucket WHERE d.pool = '${BINS_POOL}'`,
  )
  assert.deepEqual(last, { unread: '0', x: '230000000', y: '120000000000' })
})

test('the move of a price costs each curve what its arithmetic says, and figures are told by the registry’s metrics', async () => {
  const { points } = await made.metrics.series({
    id: 'pool.depth_1pct',
    entity: 'bitflow',
    from: dayOf(1),
    to: dayOf(1),
  })
  const keys = points.map(({ key }) => key)
  assert.ok(keys.some(key => key.includes('bins')) && keys.some(key => key.includes('stable')), keys.join())
  const alex = await made.metrics.series({ id: 'lp.il', entity: 'alex', from: dayOf(31), to: dayOf(31) })
  assert.equal(alex.points.length, 3)
  for (const { value } of alex.points) assert.ok(Number(value) < 0 && Number(value) > -0.2, String(value))
  // Nothing moved between sBTC and USDCx: the pool of bins has lost and made nothing.
  const kept = await depthOn(32, BINS_POOL)
  close(1 + Number(kept?.loss), 1, 1e-9)
  close(1 + Number(kept?.kept), 1, 1e-2)
})

test('a reorg and what came again give the same depths as a clean run', async () => {
  const all = () => ask(made.warehouse.reader, 'SELECT * FROM stx_pool_depths ORDER BY ALL')
  const clean = await all()
  assert.ok(clean.length > 100)
  await decideStacks(made.warehouse, 1, false, BLOCKS)
  await made.metrics.refreshRollups()
  assert.deepEqual(await all(), [])
  await decideStacks(made.warehouse, 1, true, BLOCKS)
  await made.metrics.refreshRollups()
  assert.deepEqual(await all(), clean)
})
