/** A stacker’s yield would be wrong or credited to somebody else. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addressOf } from '#chains/bitcoin/index.ts'
import { COIN, DAY_S, writeMadeChain } from '#metrics/madeChain.testing.ts'
import {
  hashOfName,
  type MadeStacksBlock,
  type Printable,
  printOf,
  writeMadeBurnBlocks,
  writeMadeStacks,
} from '#metrics/madeStacks.testing.ts'
import { openEmptyMetrics, type TestMetrics } from '#metrics/testing.ts'
import { prices, sources } from '#warehouse/tables/observations.ts'
import { readYield } from './index.ts'

const SOLO = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
const OTHER = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'
const SIGNER = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE.signer'
const POX4 = 'SP000000000000000000002Q6VF78.pox-4'
const POX5 = 'SP000000000000000000002Q6VF78.pox-5'
const HASH = '11'.repeat(20)
const PAID_TO = addressOf(Buffer.from(`0014${HASH}`, 'hex'), 'mainnet')!
/** Cycles in which the made chain stacks: one of PoX-4, one of PoX-5. */
const [CYCLE, CYCLE5] = [138, 141]
const heightOf = (cycle: number) => 666_050 + 2100 * cycle
const START_S = Date.UTC(2026, 5, 1) / 1000
const START5_S = Date.UTC(2026, 7, 1) / 1000

const locked = (stacker: string, amount: bigint): Printable => ({
  'burnchain-unlock-height': 0n,
  name: 'stack-stx',
  stacker: `'${stacker}`,
  locked: 0n,
  balance: amount,
  data: {
    'lock-amount': amount,
    'lock-period': 1n,
    'pox-addr': { version: '0x04', hashbytes: `0x${HASH}` },
    'signer-key': `0x02${'aa'.repeat(32)}`,
    'start-burn-height': BigInt(heightOf(CYCLE - 1) + 50),
    'start-cycle-id': BigInt(CYCLE),
    'end-cycle-id': BigInt(CYCLE + 1),
    'unlock-burn-height': BigInt(heightOf(CYCLE + 1)),
  },
})
const claim = (bond: bigint | null, sat: bigint): Printable => ({
  topic: 'claim-staker-rewards-for-signer',
  'signer-manager': `'${SIGNER}`,
  staker: `'${SOLO}`,
  'reward-cycle': BigInt(CYCLE5),
  'bond-index': bond,
  'rewards-claimed': sat,
})
const block = (height: number, timeS: number, burnHeight: number, contract: string, values: Printable[]) =>
  ({
    height,
    timeS,
    burnHeight,
    txs: [{ name: `tx ${height}`, events: values.map(value => printOf(contract, value)) }],
  }) satisfies MadeStacksBlock

const STACKS: MadeStacksBlock[] = [
  block(20_000_001, START_S - DAY_S, heightOf(CYCLE) - 100, POX4, [
    locked(SOLO, 600_000_000_000n),
    locked(OTHER, 200_000_000_000n),
  ]),
  block(20_000_002, START5_S - DAY_S, heightOf(CYCLE5) - 100, POX5, [
    {
      topic: 'stake',
      signer: `'${SIGNER}`,
      staker: `'${SOLO}`,
      'amount-ustx': 500_000_000_000n,
      'num-cycles': 2n,
      'first-reward-cycle': BigInt(CYCLE5),
      'unlock-burn-height': BigInt(heightOf(CYCLE5 + 2)),
      'unlock-cycle': BigInt(CYCLE5 + 2),
    },
    {
      topic: 'setup-bond',
      'bond-index': 0n,
      'target-rate': 300n,
      'stx-value-ratio': 150_000n,
      'min-ustx-ratio': 500n,
      'early-unlock-bytes': '0x51',
      'first-reward-cycle': BigInt(CYCLE5),
      'bond-start-height': BigInt(heightOf(CYCLE5)),
      'unlock-cycle': 153n,
      'unlock-burn-height': BigInt(heightOf(153)),
    },
    {
      topic: 'register-for-bond',
      signer: `'${SIGNER}`,
      staker: `'${SOLO}`,
      'amount-ustx': 1n,
      'sats-total': COIN,
      'bond-index': 0n,
      'first-reward-cycle': BigInt(CYCLE5),
      'unlock-burn-height': BigInt(heightOf(153)),
      'unlock-cycle': 153n,
      'is-l1-lock': false,
      'btc-lockup': { type: 'l2', txs: null },
    },
  ]),
  block(20_000_003, START5_S + 14 * DAY_S, heightOf(CYCLE5 + 1), POX5, [
    claim(null, 9000n),
    claim(0n, 120_000n),
  ]),
]

let site: TestMetrics
before(async () => {
  site = await openEmptyMetrics()
  const { warehouse } = site
  const coinbase = (name: string) => [{ name, outputs: [{ to: 'miner', sat: COIN }] }]
  const header = (batch: number, height: number, timeS: number) =>
    writeMadeChain(warehouse, [{ timeS, txs: coinbase(`at ${height}`) }], batch, height)
  await header(900_001, heightOf(CYCLE), START_S)
  await header(900_002, heightOf(CYCLE) + 2, START_S + DAY_S)
  await header(900_003, heightOf(CYCLE + 1), START_S + 14 * DAY_S)
  await header(900_004, heightOf(CYCLE5), START5_S)
  await writeMadeStacks(warehouse, STACKS, 900_001)
  const burn = (height: number, payouts: { recipient: string; valueSat: bigint }[]) => ({
    height,
    hash: hashOfName(`burn ${height}`),
    parentHash: null,
    consensusHash: null,
    burnSat: 0n,
    payouts,
    slotHolders: [],
    commits: null,
    unknown: [],
  })
  await writeMadeBurnBlocks(
    warehouse,
    [
      burn(heightOf(CYCLE) + 1, []),
      burn(heightOf(CYCLE) + 2, [
        { recipient: PAID_TO, valueSat: 30_001n },
        { recipient: 'bc1qother', valueSat: 7n },
      ]),
    ],
    900_001,
  )
  const days = Array.from({ length: 90 }, (_, i) =>
    new Date((START_S + i * DAY_S) * 1000).toISOString().slice(0, 10),
  )
  const closes = (asset: string, quote: string, value: (i: number) => number) =>
    days.map((day, i) => ({
      asset,
      quote,
      day,
      open: null,
      high: null,
      low: null,
      close: value(i),
      source: 'test',
      observedAt: START_S,
    }))
  await warehouse.insertRows(sources, [
    {
      id: 'test',
      name: 'test',
      url: '',
      licence: '',
      rank: 1n,
      cadenceSeconds: null,
      recordedAt: START_S,
      about: '',
    },
  ])
  await warehouse.insertRows(prices, [
    ...closes('BTC', 'USD', i => 100_000 + i),
    ...closes('STX', 'USDT', () => 0.5),
  ])
  await site.metrics.refreshRollups()
})
after(() => site[Symbol.asyncDispose]())

test('who stacks alone got what its Bitcoin address was paid, by share, at the close of each payout', async () => {
  const { rows } = await readYield(site.warehouse.reader, SOLO)
  const row = rows.find(({ cycle }) => cycle === CYCLE)
  assert.ok(row)
  assert.deepEqual(
    [row.way, row.via, row.basis, row.stackedUstx, row.paidSat],
    ['direct', PAID_TO, 'shared_payouts', '600000000000', '22500'],
  )
  // Three quarters of 30,001 sat at the close of the second day; 600,000 STX at 0.5.
  const usd = ((30_001 / 1e8) * 100_001 * 3) / 4
  assert.ok(Math.abs((row.paidUsd ?? 0) / usd - 1) < 1e-12)
  assert.equal(row.stackedUsd, 300_000)
  assert.ok(Math.abs((row.yieldYear ?? 0) / (((usd / 300_000) * 365) / 14) - 1) < 1e-12)
})

test('from PoX-5 on claims count: of STX in dollars, of a bond bitcoin on bitcoin beside its target', async () => {
  const { rows, totals } = await readYield(site.warehouse.reader, SOLO)
  const of = (way: string) => rows.filter(row => row.cycle === CYCLE5 && row.way === way)
  const [stake] = of('stake')
  assert.deepEqual(
    [stake?.stackedUstx, stake?.paidSat, stake?.basis, stake?.via],
    ['500000000000', '9000', 'claims', SIGNER],
  )
  const [bond] = of('bond')
  assert.deepEqual([bond?.stackedSat, bond?.paidSat, bond?.promisedYear], [String(COIN), '120000', 0.03])
  assert.equal(bond?.yieldCycle, 0.0012)
  assert.ok(Math.abs((bond?.yieldYear ?? 0) - (0.0012 * 365) / 14) < 1e-12)
  // The next cycle has begun: it is staked for, and nothing is claimed.
  assert.deepEqual(
    rows.filter(({ cycle }) => cycle === CYCLE5 + 1).map(({ way, basis, paidSat }) => [way, basis, paidSat]),
    [
      ['stake', 'unclaimed', null],
      ['bond', 'unclaimed', null],
    ],
  )
  assert.equal(rows.length, 5)
  assert.equal(totals.paidSat, String(22_500 + 9000 + 120_000))
})

test('what is no address is refused; one of whom nothing is known has no rows', async () => {
  for (const asked of ['', "' OR 1=1 --", 'SP000', `${SOLO}.1`, `${SOLO}.a b`, SOLO.slice(0, -1)])
    await assert.rejects(readYield(site.warehouse.reader, asked), { code: 'explorer.address' })
  const { rows, totals } = await readYield(site.warehouse.reader, `${OTHER}.nothing`)
  assert.deepEqual([rows, totals.cycles], [[], 0])
})
