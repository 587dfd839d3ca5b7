/** Bids, luck and profit of Stacks miners would be wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { btcLayerOps } from '#warehouse/tables/bitcoin.ts'
import { evmBatches, evmBlocks } from '#warehouse/tables/evm.ts'
import { prices, sources } from '#warehouse/tables/observations.ts'
import { ask } from '../ask.ts'
import { COIN, DAY_S, type MadeTx, writeMadeChain } from '../madeChain.testing.ts'
import {
  hashOfName,
  type MadeStacksBlock,
  moved,
  stacksBlockId,
  writeMadeBurnBlocks,
  writeMadeStacks,
} from '../madeStacks.testing.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'

/** Ten Bitcoin blocks after Nakamoto, six hours apart; two miners bid, one steadily, one high once. */
const FROM = 900_000
const START = Date.UTC(2025, 5, 1) / 1000
const BIDS: readonly (readonly [alice: bigint, bob: bigint])[] = [
  [1000n, 500n],
  [1000n, 500n],
  [1000n, 0n],
  [1000n, 500n],
  [1000n, 500n],
  [1000n, 9000n],
  [1000n, 500n],
  [100n, 0n],
  [1000n, 500n],
  [1000n, 500n],
]
const FEE = 70n
const timeOf = (n: number): number => START + n * (DAY_S / 4)
const bytes = (name: string): Buffer => Buffer.from(hashOfName(name).slice(2), 'hex')

const blocks = Array.from({ length: 110 }, (_, n) => {
  const bids = BIDS[n] ?? [0n, 0n]
  const txs: MadeTx[] = [{ name: `coinbase ${n}`, outputs: [{ to: `m ${n}`, sat: COIN }] }]
  for (const [i, miner] of (['alice', 'bob'] as const).entries())
    if (bids[i]! > 0n)
      txs.push({
        name: `${miner} ${n}`,
        spends: [[n === 0 && i === 1 ? 'coinbase 0' : `coinbase ${n}`, 0]],
        outputs: [{ to: 'stacker', sat: COIN - FEE }],
      })
  return { timeS: timeOf(n), txs }
})
const opOf = (
  name: string,
  n: number,
  txIndex: number,
  op: 'stacks.block_commit' | 'stacks.leader_key' | 'stacks.transfer_stx' | 'rootstock.merge_mining',
  valueSat: bigint,
  details: object,
) => ({
  batch: 1,
  height: FROM + n,
  blockTime: timeOf(n),
  txIndex,
  txid: bytes(name),
  vout: 0,
  op,
  valueSat,
  detailsJson: JSON.stringify(details),
  rule: 'made',
})
const commits = BIDS.flatMap((bids, n) =>
  (['alice', 'bob'] as const)
    .filter((_, i) => bids[i]! > 0n)
    .map((miner, i) =>
      opOf(`${miner} ${n}`, n, i + 1, 'stacks.block_commit', bids[miner === 'alice' ? 0 : 1], {
        blockHeaderHash: 'ab'.repeat(32),
        parentBlock: FROM + n - 1,
        parentTxIndex: 1,
        keyBlock: FROM,
        keyTxIndex: 0,
        modulusMatches: true,
        outputCount: 2,
        isBurn: false,
        sender: miner,
      }),
    ),
)

/** Alice wins all but 5, which is Bob's, and 7, which nobody wins; tenure n is Stacks block n + 1, without 7. */
const stacks: MadeStacksBlock[] = [
  ...BIDS.flatMap((_, n) =>
    n === 7
      ? []
      : [
          {
            height: n < 7 ? n + 1 : n,
            timeS: timeOf(n) + 60,
            burnHeight: FROM + n,
            winner: n === 5 ? 'bob 5' : `alice ${n}`,
            isTenure: true,
          },
        ],
  ),
]

let site: TestMetrics
before(async () => {
  site = await openEmptyMetrics()
  const { warehouse, metrics } = site
  await writeMadeChain(warehouse, blocks, 1, FROM)
  await warehouse.insertRows(btcLayerOps, [
    ...commits,
    opOf('coinbase 0', 0, 0, 'stacks.leader_key', 0n, {
      vrfPublicKey: 'cd'.repeat(32),
      signingKeyHash: 'ef'.repeat(20),
      consensusHash: '',
      memo: '',
    }),
    opOf('op', 1, 0, 'stacks.transfer_stx', 0n, {
      amountUstx: String(2n ** 70n),
      recipient: '1abc',
      preStxTxid: null,
    }),
    opOf('coinbase 3', 3, 0, 'rootstock.merge_mining', 0n, {
      hashForMergedMining: '11'.repeat(32),
      blockNumber: 50,
    }),
    opOf('coinbase 4', 4, 0, 'rootstock.merge_mining', 0n, {
      hashForMergedMining: '22'.repeat(32),
      blockNumber: 50,
    }),
    opOf('coinbase 5', 5, 0, 'rootstock.merge_mining', 0n, {
      hashForMergedMining: '33'.repeat(32),
      blockNumber: 99,
    }),
  ])
  await writeMadeStacks(warehouse, stacks)
  await writeMadeBurnBlocks(
    warehouse,
    BIDS.map((bids, n) => ({
      height: FROM + n,
      hash: hashOfName(`burn ${n}`),
      parentHash: null,
      consensusHash: null,
      burnSat: 0n,
      payouts: [],
      slotHolders: [],
      // The node did not take Alice's commit of block 3.
      commits: (['alice', 'bob'] as const)
        .filter((miner, i) => bids[i]! > 0n && !(miner === 'alice' && n === 3))
        .map(miner => ({
          txid: hashOfName(`${miner} ${n}`),
          apparentSender: null,
          outputs: [{ vout: 1, recipient: 'x', valueSat: 1n }],
        })),
      unknown: [],
    })),
  )
  await metrics.refreshRollups()
})
after(() => site[Symbol.asyncDispose]())
const read = <Row>(sql: string) => ask<Row>(site.warehouse.guest, sql)

test('a commit is joined to its fee, its key, what the node says of it, and the tenure that it won', async () => {
  const rows = await read<Record<string, unknown>>(
    `SELECT height - ${FROM} AS n, sender, toString(bid_sat) AS bid, toString(fee_sat) AS fee, is_accepted, is_winner, stacks_height,
  startsWith(vrf_public_key, 'cdcd') AS has_key FROM stx_block_commits WHERE height >= ${FROM + 3} AND height < ${FROM + 9} ORDER BY height, sender`,
  )
  const row = (
    n: number,
    sender: string,
    bid: string,
    isWinner: number,
    stacksHeight: number | null,
    isAccepted = 1,
  ) => ({
    n: String(n),
    sender,
    bid,
    fee: '70',
    is_accepted: isAccepted,
    is_winner: isWinner === 1,
    stacks_height: stacksHeight,
    has_key: 1,
  })
  assert.deepEqual(
    rows.map(found => ({ ...found, n: String(found.n), is_winner: Boolean(found.is_winner) })),
    [
      row(3, 'alice', '1000', 1, 4, 0),
      row(3, 'bob', '500', 0, null),
      row(4, 'alice', '1000', 1, 5),
      row(4, 'bob', '500', 0, null),
      row(5, 'alice', '1000', 0, null),
      row(5, 'bob', '9000', 1, 6),
      row(6, 'alice', '1000', 1, 7),
      row(6, 'bob', '500', 0, null),
      row(7, 'alice', '100', 0, null),
      row(8, 'alice', '1000', 1, 8),
      row(8, 'bob', '500', 0, null),
    ],
  )
})

test('a chance follows the smaller of bid and median, and the null miner gains where bids fall behind', async () => {
  const odds = await read<{
    n: number
    sender: string
    eff: string
    seen: number
    none: number
    p: number | null
  }>(
    `SELECT height - ${FROM} AS n, sender, toString(effective_bid_sat) AS eff, commits_in_window AS seen, null_probability AS none, probability AS p
FROM stx_commit_odds ORDER BY height, sender`,
  )
  const at = (n: number, sender: string) => odds.find(one => Number(one.n) === n && one.sender === sender)!
  assert.equal(at(4, 'alice').p, null, 'the window begins below what is held')
  // Bob bids 9,000 once: his median over six blocks is 500, one of them without a bid.
  assert.deepEqual([at(5, 'bob').eff, at(5, 'bob').seen, at(5, 'bob').none], ['500', 5, 0])
  assert.ok(Math.abs(at(5, 'bob').p! - 1 / 3) < 1e-12)
  // Block 7 has 100 satoshis where the median of six blocks is 1,500.
  const carried = 100 / 1500
  const z = Math.log(0.8 / 0.75 - 1) / Math.log(0.8 / 0.01 - 1)
  const x0 = (0.2 - z * 0.8) / (1 - z)
  const k = Math.log(0.8 / 0.75 - 1) / (0.2 - x0)
  const none = 1 - carried + (carried * 0.8) / (1 + Math.exp(-k * (x0 - carried)))
  assert.ok(Math.abs(at(7, 'alice').none - none) < 1e-12, `${at(7, 'alice').none} is not ${none}`)
  assert.ok(Math.abs(at(7, 'alice').p! - (1 - none)) < 1e-12)
  assert.equal(at(7, 'alice').eff, '100')
})

test('the curve of the null miner is the node’s table', async () => {
  // The first two entries of `ATC_LOOKUP`, 64-bit fractions.
  const curve = (x: number): number => {
    const z = Math.log(0.8 / 0.75 - 1) / Math.log(0.8 / 0.01 - 1)
    const x0 = (0.2 - z * 0.8) / (1 - z)
    return 0.8 / (1 + Math.exp((Math.log(0.8 / 0.75 - 1) / (0.2 - x0)) * -(x0 - x)))
  }
  for (const [entry, published] of [
    [0, 14665006693661589504n],
    [1, 14663943061084833792n],
  ] as const)
    assert.ok(
      Math.abs(curve(entry / 1024) / (Number(published) / 2 ** 64) - 1) < 1e-9,
      `${curve(entry / 1024)}`,
    )
})

test('luck is wins to what bids let expect; bids that did not count are those that the node does not name', async () => {
  const series = async (id: string) => (await site.metrics.series({ id, entity: 'stacks' })).points
  const missed = await series('miners.bid_missed')
  assert.deepEqual(
    missed.filter(({ value }) => value !== null && value !== 0).map(({ day, value }) => [day, value]),
    [['2025-06-01', 1000]],
  )
  const luck = await series('miners.luck')
  const [all] = luck.filter(({ key, day }) => key === 'all' && day === '2025-06-02')
  // Blocks 5, 6 and 7: two tenures won, chances of 1, 1 and next to none.
  assert.ok(Math.abs(Number(all?.value) - 2 / (2 + 0.0000001)) < 0.02, `${all?.value}`)
  const fees = await series('miners.l1_fees')
  assert.equal(fees.find(({ day }) => day === '2025-06-01')?.value, Number(FEE) * 7)
})

test('profit is what matured less what was bid and paid 100 Bitcoin blocks before', async () => {
  const { warehouse, metrics } = site
  const reward = {
    recipient: 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B',
    miner: null,
    coinbaseUstx: 3_000_000n,
    txFeesUstx: 500_000n,
    streamedConfirmedUstx: 0n,
    streamedProducedUstx: 0n,
    fromHeaderHash: stacksBlockId(1),
    fromId: stacksBlockId(1),
  }
  await writeMadeStacks(
    warehouse,
    [
      { height: 500, timeS: timeOf(100) - DAY_S, burnHeight: FROM + 102 },
      { height: 501, timeS: timeOf(100), burnHeight: FROM + 104, rewards: [reward] },
      {
        height: 502,
        timeS: timeOf(101),
        burnHeight: FROM + 106,
        txs: [{ name: 't', events: [moved({ to: 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B' })] }],
      },
    ],
    2,
  )
  const day = new Date(timeOf(100) * 1000).toISOString().slice(0, 10)
  await warehouse.insertRows(sources, [
    {
      id: 'test',
      name: 'test',
      url: '',
      licence: '',
      rank: 1n,
      cadenceSeconds: null,
      recordedAt: START,
      about: '',
    },
  ])
  const close = (asset: string, quote: string, value: number) => ({
    asset,
    quote,
    day,
    open: null,
    high: null,
    low: null,
    close: value,
    source: 'test',
    observedAt: START,
  })
  await warehouse.insertRows(prices, [close('BTC', 'USD', 100_000), close('STX', 'USDT', 2)])
  await metrics.refreshRollups()
  const { points } = await metrics.series({ id: 'miners.profit', entity: 'stacks', from: day, to: day })
  // Bitcoin blocks 3 to 6: bids of 1,500, 1,500, 10,000 and 1,500 satoshis in eight commits.
  const [bids, fees, rewardUsd] = [(14_500 / 1e8) * 1e5, ((8 * 70) / 1e8) * 1e5, 3.5 * 2]
  const of = (key: string) => Number(points.find(point => point.key === key)?.value)
  for (const [key, expected] of [
    ['reward', rewardUsd],
    ['bids', -bids],
    ['fees', -fees],
    ['profit', rewardUsd - bids - fees],
  ] as const)
    assert.ok(Math.abs(of(key) - expected) < 1e-9, `${key}: ${of(key)} is not ${expected}`)
  const ratio = await metrics.series({ id: 'miners.price_ratio', entity: 'stacks', from: day, to: day })
  assert.ok(Math.abs(Number(ratio.points[0]?.value) - rewardUsd / bids) < 1e-9)
})

test('operations made on Bitcoin are joined to Stacks, and merge-mining tags to the Rootstock block that took the header', async () => {
  assert.deepEqual(
    await read('SELECT op, toString(amount_ustx) AS amount, recipient, stacks_height FROM stx_bitcoin_ops'),
    [{ op: 'stacks.transfer_stx', amount: String(2n ** 70n), recipient: '1abc', stacks_height: null }],
  )
  const { warehouse } = site
  const [header] = await read<{ hash: string }>(
    `SELECT lower(hex(hash)) AS hash FROM btc_blocks WHERE height = ${FROM + 3}`,
  )
  await warehouse.writer.command({
    query: `INSERT INTO base.${evmBlocks.name} (batch, chain, height, hash, bitcoin_hash, is_bitcoin_tagged)
VALUES (1, 'rootstock', 50, unhex('${'44'.repeat(32)}'), unhex('${header?.hash}'), true)`,
  })
  await warehouse.insertRows(evmBatches, [
    {
      chain: 'rootstock',
      batch: 1,
      seq: 1n,
      isLive: true,
      isIsland: false,
      fromHeight: 50,
      toHeight: 50,
      firstPrevHash: Buffer.alloc(32),
      lastHash: Buffer.alloc(32),
      blockCount: 1,
      origin: 'rpc',
      reason: '',
      decidedAt: START,
    },
  ])
  assert.deepEqual(
    await read(
      `SELECT height - ${FROM} AS n, tagged_height, rootstock_height, is_proved, is_in_chain FROM rootstock_merge_mining ORDER BY height`,
    ),
    [
      { n: 3, tagged_height: 50, rootstock_height: 50, is_proved: true, is_in_chain: true },
      { n: 4, tagged_height: 50, rootstock_height: null, is_proved: null, is_in_chain: false },
      { n: 5, tagged_height: 99, rootstock_height: null, is_proved: null, is_in_chain: null },
    ].map(row => ({ ...row, n: String(row.n) })),
  )
})
