/** Volume, fees and traders of exchanges on Stacks would be wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { openStacksCodec, parseMessage, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { openStacksRows } from '#ingest/rows/stacks/stacksRows.ts'
import { recordedMessages } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import prints from '../../../catalog/stacks/prints.json' with { type: 'json' }
import { betweenMetrics } from '../apps/between.ts'
import { stacksWideMetrics } from '../apps/stacksWide.ts'
import { userMetrics } from '../apps/users.ts'
import { ask } from '../ask.ts'
import { decideStacks, type MadeStacksBlock, printOf, writeMadeStacks } from '../madeStacks.testing.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'
import {
  ALEX_POOLS,
  alexPool,
  BITFLOW_POOL,
  bitflowPool,
  CORE,
  SBTC,
  VELAR_POOL,
  velarPool,
  WELSH,
} from './madeDex.testing.ts'

const ALICE = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
const BOB = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE'
const START = Date.UTC(2026, 4, 1) / 1000

let test_: TestMetrics
before(async () => {
  test_ = await openEmptyMetrics()
})
after(() => test_[Symbol.asyncDispose]())

const rows = <T>(sql: string): Promise<T[]> => ask<T>(test_.warehouse.reader, sql)

const blockAt = (height: number, hours: number, txs: MadeStacksBlock['txs'] = []): MadeStacksBlock => ({
  height,
  timeS: START + hours * 3600,
  burnHeight: 900_000 + height,
  txs,
})

type Row = {
  protocol: string
  pool: string
  kind: string
  side: string
  is_read: boolean
  token_x: string
  token_y: string
  amount_x: string | null
  amount_y: string | null
  lp_fee: string | null
  protocol_fee: string | null
  reserve_x: string | null
  reserve_y: string | null
  trader: string
  hop: number
  is_route_start: boolean
}
const EVENTS = `SELECT protocol, pool, kind, side, is_read, token_x, token_y, toString(amount_x) AS amount_x,
  toString(amount_y) AS amount_y, toString(lp_fee) AS lp_fee, toString(protocol_fee) AS protocol_fee,
  toString(reserve_x) AS reserve_x, toString(reserve_y) AS reserve_y, trader, hop, is_route_start
FROM stx_dex_events
ORDER BY height, event_index`

test('swaps and liquidity of three exchanges read as their contracts counted, with fees, reserves and routes', async () => {
  const [bitflow, alex, velar] = [bitflowPool(), alexPool(), velarPool()]
  const made = [
    bitflow.create(ALICE, 10n ** 9n, 2n * 10n ** 12n),
    alex.add(ALICE, 10n ** 14n, 5n * 10n ** 17n),
    velar.mint(ALICE, 10n ** 12n, 5n * 10n ** 15n),
  ]
  // One transaction: sBTC for STX on Bitflow, that STX for WELSH on ALEX, and some WELSH for STX on Velar.
  const first = bitflow.swap(BOB, 'x', 1_000_000n)
  const got = 2_000_000_000n
  const second = alex.swap(BOB, 'x', got * 100n)
  const third = velar.swap(BOB, 1, 7_000_000n)
  await writeMadeStacks(test_.warehouse, [
    blockAt(
      100,
      1,
      made.map((events, index) => ({ name: `made ${index}`, events })),
    ),
    blockAt(101, 2, [{ name: 'route', events: [...first, ...second, ...third] }]),
    blockAt(102, 3, [{ name: 'back', events: alex.swap(ALICE, 'y', 10n ** 12n) }]),
  ])
  await test_.metrics.refreshRollups()
  const events = await rows<Row>(EVENTS)
  assert.deepEqual(
    events.map(({ protocol, kind, side, is_read }) => [protocol, kind, side, is_read]),
    [
      ['bitflow', 'create', '', true],
      ['alex', 'add', '', true],
      ['velar', 'add', '', true],
      ['bitflow', 'swap', 'x', true],
      ['alex', 'swap', 'x', true],
      ['velar', 'swap', 'y', true],
      ['alex', 'swap', 'y', true],
    ],
  )
  const [, added, minted, sBtcForStx, stxForWelsh, welshForStx, back] = events
  assert.deepEqual(
    [added?.token_x, added?.token_y, added?.amount_x, added?.amount_y],
    ['STX', WELSH, String(10n ** 12n), String(5n * 10n ** 15n)],
  )
  assert.deepEqual([minted?.reserve_x, minted?.reserve_y], [String(10n ** 12n), String(5n * 10n ** 15n)])
  assert.deepEqual(
    [
      sBtcForStx?.pool,
      sBtcForStx?.token_x,
      sBtcForStx?.token_y,
      sBtcForStx?.amount_x,
      sBtcForStx?.lp_fee,
      sBtcForStx?.protocol_fee,
      sBtcForStx?.trader,
    ],
    [BITFLOW_POOL, SBTC, 'STX', '1000000', '2000', '1000', BOB],
  )
  // ALEX takes half a percent, half of which stays in the pool; it counts in 10⁻⁸, the transfers in base units.
  assert.deepEqual(
    [stxForWelsh?.pool, stxForWelsh?.amount_x, stxForWelsh?.lp_fee, stxForWelsh?.protocol_fee],
    [`${ALEX_POOLS}#7`, String(got), '5000000', '5000000'],
  )
  assert.deepEqual([back?.reserve_x, back?.reserve_y], alex.reserves().map(String))
  // The print of a Velar pool tells the state before the swap and no direction: both follow from what moved.
  assert.deepEqual(
    [welshForStx?.pool, welshForStx?.amount_y, welshForStx?.lp_fee, welshForStx?.protocol_fee],
    [VELAR_POOL, '7000000', '15750', '5250'],
  )
  assert.deepEqual([welshForStx?.reserve_x, welshForStx?.reserve_y], velar.reserves().map(String))
  assert.deepEqual(events.map(({ hop, is_route_start }) => [hop, is_route_start]).slice(3), [
    [1, true],
    [2, false],
    [3, false],
    [1, true],
  ])
})

test('a print of another shape, an unknown swap and amounts that did not move are counted and read into no figure', async () => {
  const velar = velarPool()
  velar.mint(ALICE, 10n ** 12n, 5n * 10n ** 15n)
  const [came, , , swapped] = velar.swap(BOB, 0, 1_000_000n)
  await writeMadeStacks(
    test_.warehouse,
    [
      blockAt(103, 4, [
        // The field is called otherwise than it was.
        {
          name: 'renamed',
          events: [
            printOf(CORE, {
              action: 'swap-x-for-y',
              caller: `'${BOB}`,
              data: {
                'pool-contract': `'${BITFLOW_POOL}`,
                'x-token': `'${SBTC}`,
                'y-token': `'${WELSH}`,
                'x-in': 5n,
                dy: 7n,
              },
            }),
          ],
        },
        {
          name: 'unknown',
          events: [printOf(CORE, { action: 'swap-many', caller: `'${BOB}`, data: { amount: 5n } })],
        },
        // What came in did, and nothing went out.
        { name: 'half', events: [came!, swapped!] },
      ]),
    ],
    2,
  )
  await test_.metrics.refreshRollups()
  assert.deepEqual(
    (await rows<Row>(EVENTS))
      .slice(-3)
      .map(({ protocol, kind, is_read, reserve_x }) => [protocol, kind, is_read, reserve_x]),
    [
      ['bitflow', 'swap', false, null],
      ['bitflow', 'unread', false, null],
      ['velar', 'swap', false, null],
    ],
  )
})

test('a reorg leaves no swap of the blocks that lost, and what came again stands once', async () => {
  const clean = await rows<Row>(EVENTS)
  await decideStacks(test_.warehouse, 2, false, [{ height: 103 }])
  await test_.metrics.refreshRollups()
  assert.equal((await rows<Row>(EVENTS)).length, clean.length - 3)
  await decideStacks(test_.warehouse, 2, true, [{ height: 103 }])
  await test_.metrics.refreshRollups()
  assert.deepEqual(await rows<Row>(EVENTS), clean)
})

test(
  'swaps on ALEX in a block of 2022 are those that its transfers and the pools’ balances tell',
  skipWithoutShared,
  async () => {
    await using recorded = await openEmptyMetrics()
    const ingest = openStacksRows(openStacksCodec(), parsePrintCatalogue(prints))
    const [first] = recordedMessages('mainnet-poison-microblock-760063.tsv.gz')
    const message = parseMessage(first![0], JSON.stringify(first![1]))
    assert.ok(message.kind === 'block')
    ingest.add(1, message.block)
    for (const { table, columns } of ingest.take()) await recorded.warehouse.insertColumns(table, columns)
    await decideStacks(recorded.warehouse, 1, true, [{ height: message.block.height }])
    await recorded.metrics.refreshRollups()
    const swaps = await ask<Row>(recorded.warehouse.reader, EVENTS)
    const ALEX = 'SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9.age000-governance-token'
    assert.deepEqual(
      swaps.map(row => [
        row.token_x === 'STX' ? 'STX' : row.token_x.split('.')[1],
        row.token_y === ALEX ? 'ALEX' : row.token_y.split('.')[1],
        row.side,
        row.amount_x,
        row.amount_y,
        row.is_read,
        row.hop,
        row.is_route_start,
      ]),
      [
        ['age000-governance-token', 'auto-alex', 'y', '20466585391', '14945671030', true, 1, true],
        ['STX', 'ALEX', 'y', '12798177', '20466585391', true, 2, false],
        ['STX', 'ALEX', 'y', '117109070', '185006350075', true, 1, true],
        ['STX', 'ALEX', 'y', '20501376', '32562101257', true, 1, true],
      ],
    )
    // Reserves after the second and third swap of the pool differ by what moved: less what the exchange takes on the one
    // side, and by less than one micro-STX in 10⁻⁸ on the other.
    const [, before_, after_] = swaps
    const taken = BigInt(after_!.reserve_y!) - BigInt(before_!.reserve_y!)
    assert.equal(BigInt(after_!.amount_y!) - taken, BigInt(after_!.protocol_fee!))
    const given = BigInt(before_!.reserve_x!) - BigInt(after_!.reserve_x!)
    assert.equal(given / 100n, BigInt(after_!.amount_x!))

    // Who called ALEX in that block, what, and what they paid; no day is whole.
    const [calls, users, fees] = await Promise.all(
      ['calls.by_function', 'users.active', 'fees.total'].map(id =>
        recorded.metrics.series({ id, entity: 'alex', from: '2022-10-24', to: '2022-10-24' }),
      ),
    )
    const expected = await ask<{ name: string; calls: string; fees: string; users: string }>(
      recorded.warehouse.reader,
      `SELECT c.function_name AS name, count() AS calls, sum(t.fee_ustx) AS fees, uniqExact(c.sender) AS users
FROM stx_calls AS c INNER JOIN stx_txs AS t ON t.txid = c.txid
WHERE c.contract IN ('SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9.alex-vault',
  'SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9.amm-swap-pool-v1-1', 'SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9.fixed-weight-pool-v1-01',
  'SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9.simple-weight-pool-alex', 'SP3K8BC0PPEVCV7NZ6QSRWPQ2JE9E5B6N3PA0KBR9.alex-reserve-pool')
GROUP BY name ORDER BY name`,
    )
    assert.ok(expected.length > 0)
    assert.deepEqual(
      calls?.points.map(({ key, value, state }) => [key, Number(value), state]).sort(),
      expected.map(row => [row.name, Number(row.calls), 'incomplete']),
    )
    assert.equal(Number(users?.points[0]?.value) > 0, true)
    assert.equal(
      Number(fees?.points[0]?.value),
      expected.reduce((sum, row) => sum + Number(row.fees), 0),
    )
  },
)

test('figures of users, of what moves between applications, and of exchanges by week run without a block', async () => {
  await using empty = await openEmptyMetrics()
  const catalog = await testCatalog()
  const entries = [...userMetrics(catalog), ...betweenMetrics(catalog), ...stacksWideMetrics(catalog)]
  // Those of users have a statement for each application: one is like the other.
  const asked = entries.filter(({ entities }) => ['alex', 'stacks'].some(entity => entities.includes(entity)))
  assert.equal(asked.length, 13)
  for (const { id, entities } of asked) {
    const entity = entities.includes('alex') ? 'alex' : 'stacks'
    const { points } = await empty.metrics.series({
      id,
      entity,
      from: '2026-01-01',
      to: '2026-02-01',
      grain: 'week',
    })
    assert.deepEqual(
      points.filter(({ value }) => value !== null),
      [],
    )
  }
})
