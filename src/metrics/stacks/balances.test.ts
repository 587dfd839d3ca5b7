/** STX supply and balances would be wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { createStacksChain } from '#ingest/stacks/stacksChain.ts'
import { silentLog } from '#kernel/log.ts'
import { recordedMessages } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import prints from '../../../catalog/stacks/prints.json' with { type: 'json' }
import { ask } from '../ask.ts'
import { DAY_S } from '../madeChain.testing.ts'
import {
  decideStacks,
  type MadeStacksBlock,
  moved,
  stacksBlockId,
  writeMadeStacks,
} from '../madeStacks.testing.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'

const read = <Row>(site: TestMetrics, sql: string) => ask<Row>(site.warehouse.guest, sql)
const valuesOf = async (site: TestMetrics, id: string) =>
  (await site.metrics.series({ id, entity: 'stacks' })).points
    .filter(({ value }) => value !== null)
    .map(({ day, key, value }) => [day, key, value])

test(
  'balances of a recorded chain equal what the contract of PoX says of stackers, at each of its operations',
  skipWithoutShared,
  async () => {
    await using site = await openEmptyMetrics()
    const { warehouse } = site
    const chain = createStacksChain({
      warehouse,
      codec: openStacksCodec(),
      prints: parsePrintCatalogue(prints),
      log: silentLog,
      now: () => 1_700_000_000_000,
    })
    await chain.recover()
    await chain.apply(
      [...recordedMessages('regtest-epoch-3-transition.tsv.gz')].map(([path, json]) => ({
        path,
        json: JSON.stringify(json),
        receivedAtMs: null,
      })),
      'archive',
    )
    // The node says what is free and what is locked after the fee of the operation's own transaction.
    const rows = await read<{ operation: string; stated: string; ours: string }>(
      site,
      `SELECT o.operation AS operation, toString(any(o.balance_ustx) + any(o.locked_ustx)) AS stated, toString(sum(c.change)) AS ours
FROM stx_pox_ops AS o
INNER JOIN stx_txs AS t ON t.txid = o.txid
INNER JOIN stx_balance_changes AS c ON c.asset = '' AND c.holder = o.stacker
WHERE c.height < o.height OR (c.height = o.height AND c.reason = 'fee' AND c.position <= t.tx_index)
GROUP BY o.operation, o.height, o.event_index`,
    )
    assert.equal(rows.length, 9)
    for (const { operation, stated, ours } of rows) assert.equal(ours, stated, operation)
    const negative = await read(site, "SELECT holder FROM stx_balances WHERE asset = '' AND balance < 0")
    assert.deepEqual(negative, [], 'everything since genesis is held')
    const [locked] = await read<{ stackers: string; ustx: string }>(
      site,
      'SELECT toString(count()) AS stackers, toString(sum(locked_ustx)) AS ustx FROM stx_locked',
    )
    assert.deepEqual(locked, { stackers: '3', ustx: '1372502700000000000' })
  },
)

const START = Date.UTC(2026, 8, 1) / 1000
const ALICE = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
const BOB = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE'
const COIN = `${ALICE}.coin::tst`
const ART = `${ALICE}.art::piece`
const MOST = 2n ** 128n - 1n
const lock = (address: string, amountUstx: bigint, unlockHeight: number) =>
  ({ kind: 'lock', address, amountUstx, unlockHeight, contract: null }) as const
const reward = (recipient: string, coinbaseUstx: bigint) => ({
  recipient,
  miner: null,
  coinbaseUstx,
  txFeesUstx: 0n,
  streamedConfirmedUstx: 0n,
  streamedProducedUstx: 0n,
  fromHeaderHash: stacksBlockId(1),
  fromId: stacksBlockId(1),
})
const B = 962_000
const MADE: MadeStacksBlock[] = [
  {
    height: 0,
    timeS: START,
    burnHeight: B,
    txs: [
      { name: 'genesis', events: [moved({ to: ALICE, amount: 1_000n }), moved({ to: BOB, amount: 500n })] },
    ],
  },
  {
    height: 1,
    timeS: START + DAY_S,
    burnHeight: B + 10,
    txs: [
      {
        name: 'first',
        events: [
          moved({ asset: COIN, to: ALICE, amount: MOST }),
          moved({ asset: COIN, from: ALICE, to: BOB, amount: 7n }),
          moved({ asset: ART, to: ALICE, token: 1n }),
          moved({ asset: ART, to: ALICE, token: 2n }),
          lock(ALICE, 300n, B + 40),
          lock(BOB, 50n, B + 25),
          moved({ from: BOB, amount: 20n }),
        ],
      },
    ],
    rewards: [reward(BOB, 1_000n)],
  },
  {
    height: 2,
    timeS: START + 2 * DAY_S,
    burnHeight: B + 20,
    txs: [
      {
        name: 'second',
        events: [
          moved({ asset: ART, from: ALICE, to: BOB, token: 1n }),
          moved({ asset: ART, from: ALICE, token: 2n }),
          lock(ALICE, 400n, B + 60),
        ],
      },
    ],
  },
  { height: 3, timeS: START + 3 * DAY_S, burnHeight: B + 30 },
  { height: 4, timeS: START + 4 * DAY_S, burnHeight: B + 70 },
]

let site: TestMetrics
before(async () => {
  site = await openEmptyMetrics()
  await writeMadeStacks(site.warehouse, MADE)
  await site.metrics.refreshRollups()
})
after(() => site[Symbol.asyncDispose]())

test('supply is what was made less what was destroyed, and what is locked ends by height or by the next lock', async () => {
  const day = (n: number) => `2026-09-0${n}`
  assert.deepEqual(await valuesOf(site, 'supply.liquid'), [
    [day(1), '', 1_500],
    [day(2), '', 2_480],
    [day(3), '', 2_480],
    [day(4), '', 2_480],
    [day(5), '', 2_480],
  ])
  assert.deepEqual((await valuesOf(site, 'supply.total'))[0], [day(1), '', 1_500 + 100 * 1e9])
  assert.deepEqual(await valuesOf(site, 'supply.locked'), [
    [day(1), '', 0],
    [day(2), '', 350],
    [day(3), '', 450],
    [day(4), '', 400],
    [day(5), '', 0],
  ])
})

test('tokens are counted by what they did, and amounts of 128 bits are whole in balances', async () => {
  const transfers = (await valuesOf(site, 'tokens.transfers')).filter(([, , value]) => value !== 0)
  assert.deepEqual(transfers, [
    ['2026-09-02', 'ft', 1],
    ['2026-09-03', 'nft', 1],
  ])
  assert.deepEqual(await valuesOf(site, 'nft.mints'), [['2026-09-02', '', 2]])
  assert.deepEqual(
    await read(
      site,
      `SELECT holder, toString(balance) AS balance FROM stx_balances WHERE asset = '${COIN}' ORDER BY holder`,
    ),
    [
      { holder: ALICE, balance: String(MOST - 7n) },
      { holder: BOB, balance: '7' },
    ],
  )
  assert.deepEqual(await read(site, 'SELECT asset, token_repr, owner, height FROM stx_nft_owners'), [
    { asset: ART, token_repr: 'u1', owner: BOB, height: 2 },
  ])
  assert.deepEqual(await valuesOf(site, 'nft.holders'), [
    ['2026-09-05', ART, 1],
    ['2026-09-05', 'all', 1],
  ])
})

test('a genesis that was cut gives no supply, and what is missing shows as a negative balance', async () => {
  await decideStacks(site.warehouse, 1, false, MADE)
  // One mint of genesis, told with the place that it had among many.
  const [genesis, ...rest] = MADE
  const cut = {
    ...genesis!,
    txs: [{ name: 'genesis', events: [moved({ to: ALICE, amount: 1_000n })] }],
    firstEvent: 117,
  }
  await writeMadeStacks(site.warehouse, [cut, ...rest], 2)
  await site.metrics.refreshRollups()
  assert.deepEqual(await valuesOf(site, 'supply.liquid'), [])
  const { absent } = await site.metrics.figure({ id: 'supply.liquid', entity: 'stacks', changeRange: '30d' })
  assert.match(absent ?? '', /full genesis allocation/)
  assert.equal((await valuesOf(site, 'supply.locked')).length, 5, 'locks need no genesis')
  await decideStacks(site.warehouse, 2, false, MADE)
  await writeMadeStacks(
    site.warehouse,
    [
      {
        height: 9,
        timeS: START,
        burnHeight: B,
        txs: [{ name: 'late', events: [moved({ asset: COIN, from: ALICE, to: BOB, amount: 3n })] }],
      },
    ],
    4,
  )
  assert.deepEqual(
    await read(site, 'SELECT holder, toString(balance) AS left FROM stx_balances WHERE balance < 0'),
    [{ holder: ALICE, left: '-3' }],
  )
})

test('a block whose source tells no events ends what is known, and its day is incomplete', async () => {
  await decideStacks(site.warehouse, 4, false, MADE)
  await writeMadeStacks(
    site.warehouse,
    MADE.map(block => (block.height === 3 ? { ...block, lacks: ['events'] as const } : block)),
    5,
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(
    (await valuesOf(site, 'supply.liquid')).map(([day]) => day),
    ['2026-09-01', '2026-09-02', '2026-09-03'],
  )
  const { points } = await site.metrics.series({ id: 'sbtc.deposits', entity: 'stacks' })
  assert.equal(points.find(({ day }) => day === '2026-09-04')?.state, 'incomplete')
  const [untold] = await read<{ day: string; part: string }>(site, 'SELECT day, part FROM stx_untold_days')
  assert.deepEqual(untold, { day: '2026-09-04', part: 'events' })
})

test('a day of which a block lacks receipts or rewards has no share of failures and no rewards', async () => {
  const stateOf = async (id: string) => {
    const entry = (await site.metrics.list()).find(one => one.id === id && one.entities.includes('stacks'))!
    const range = { from: '2026-09-02', to: '2026-09-02', entity: 'stacks', grain: 'day' }
    return (await ask<{ state: string }>(site.warehouse.reader, entry.sql, range)).map(({ state }) => state)
  }
  const statesOf = async () => [...(await stateOf('tx.failed_share')), ...(await stateOf('supply.emitted'))]
  await decideStacks(site.warehouse, 5, false, MADE)
  await writeMadeStacks(site.warehouse, MADE, 6)
  await site.metrics.refreshRollups()
  const before = await statesOf()
  await decideStacks(site.warehouse, 6, false, MADE)
  const unread = MADE.map(block =>
    block.height === 1 ? { ...block, lacks: ['receipts', 'miner_rewards'] as const } : block,
  )
  await writeMadeStacks(site.warehouse, unread, 7)
  await site.metrics.refreshRollups()
  assert.deepEqual(
    [before, await statesOf()],
    [
      ['whole', 'whole'],
      ['incomplete', 'incomplete'],
    ],
  )
})
