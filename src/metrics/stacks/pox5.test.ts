/** Bond and stacking yields of PoX-5 would be wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { STACKS_TABLES } from '#explorer/index.ts'
import { prices, sources } from '#warehouse/tables/observations.ts'
import { ask } from '../ask.ts'
import { COIN, DAY_S, writeMadeChain } from '../madeChain.testing.ts'
import { hashOfName, writeMadeBurnBlocks, writeMadeStacks } from '../madeStacks.testing.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'
import { ALICE, BLOCKS, BOB } from './pox5Days.testing.ts'

let site: TestMetrics

before(async () => {
  site = await openEmptyMetrics()
  await writeMadeStacks(site.warehouse, BLOCKS)
  await site.metrics.refreshRollups()
})

after(() => site[Symbol.asyncDispose]())

const read = <Row>(sql: string) => ask<Row>(site.warehouse.guest, sql)

const pointsOf = async (id: string) =>
  (await site.metrics.series({ id, entity: 'stacks' })).points
    .filter(({ value }) => value !== null)
    .map(({ day, key, value }) => [day.slice(8), key, value])

test('every print of the contract is a typed row, and amounts of 128 bits are whole', async () => {
  const count = async (table: string) =>
    Number((await read<{ n: string }>(`SELECT count() AS n FROM ${table}`))[0]?.n)
  const counts = Object.fromEntries(
    await Promise.all(
      [
        'stx_bonds',
        'stx_bond_allowances',
        'stx_bond_registrations',
        'stx_bond_exits',
        'stx_stakes',
        'stx_reward_calculations',
        'stx_bond_distributions',
        'stx_reward_claims',
        'stx_signer_keys',
        'stx_pox_admin',
      ].map(async table => [table, await count(table)] as const),
    ),
  )
  assert.deepEqual(Object.values(counts), [1, 1, 2, 2, 1, 2, 2, 2, 2, 2])
  assert.deepEqual(
    await read(
      `SELECT staker, toString(registered_sat) AS sat, is_l1_lock, lockup_kind, lockup_outputs FROM stx_bond_registrations ORDER BY event_index`,
    ),
    [
      {
        staker: ALICE,
        sat: '800000000',
        is_l1_lock: true,
        lockup_kind: 'l1',
        lockup_outputs: `(list (tuple (output-index u1) (txid ${hashOfName('lock')})))`,
      },
      { staker: BOB, sat: '200000000', is_l1_lock: false, lockup_kind: 'l2', lockup_outputs: 'none' },
    ],
  )
  assert.deepEqual(
    await read(`SELECT toString(auth_id) AS auth, toString(max(cumulative_per_ustx)) AS cumulative
FROM stx_signer_keys, stx_reward_calculations WHERE stx_signer_keys.event = 'grant-signer-key' GROUP BY auth`),
    [{ auth: String(2n ** 127n), cumulative: String(2n ** 101n) }],
  )
})

test('bonds are open by their heights, and hold what was put in and not taken out', async () => {
  assert.deepEqual(await pointsOf('bonds.open'), [
    ['11', '', 0],
    ['12', '', 1],
    ['13', '', 1],
    ['14', '', 1],
    ['15', '', 0],
    ['25', '', 0],
  ])
  const held = (await pointsOf('bonds.locked')).map(([day, key, value]) => `${day} ${key} ${value}`)
  assert.deepEqual(held.slice(0, 10), [
    '11 bitcoin 800000000',
    '11 sbtc 200000000',
    '12 bitcoin 800000000',
    '12 sbtc 200000000',
    '13 bitcoin 800000000',
    '13 sbtc 100000000',
    '14 bitcoin 500000000',
    '14 sbtc 100000000',
    '15 bitcoin 0',
    '15 sbtc 0',
  ])
})

test('a bond’s yield is its share of a distribution fifty times a year, beside its target', async () => {
  const yields = await pointsOf('bonds.yield')
  assert.deepEqual(yields.slice(0, 3), [
    ['12', 'all', (6000 * 50) / 1e9],
    ['12', 'bond 0', (6000 * 50) / 1e9],
    ['12', 'target of bond 0', 0.03],
  ])
  assert.deepEqual(await pointsOf('pox.reserve_deposit'), [
    ['12', '', 900],
    ['13', '', 100],
  ])
  assert.deepEqual(await pointsOf('pox.reward'), [['25', '', 12_000]])
})

test('yield of a cycle before PoX-5 is payouts of its 2,100 blocks to the reward set, at mean closes', async () => {
  const cycle = 100
  const first = 666_050 + 2100 * cycle
  const startS = Date.UTC(2024, 11, 1) / 1000
  const coinbase = (name: string) => [{ name, outputs: [{ to: 'miner', sat: COIN }] }]
  await writeMadeChain(site.warehouse, [{ timeS: startS, txs: coinbase('first') }], 1, first)
  await writeMadeChain(
    site.warehouse,
    [{ timeS: startS + 14 * DAY_S, txs: coinbase('last') }],
    2,
    first + 2100,
  )
  const burn = (height: number) => ({
    height,
    hash: hashOfName(`burn ${height}`),
    parentHash: null,
    consensusHash: null,
    burnSat: 0n,
    payouts: [{ recipient: 'bc1q', valueSat: 1000n }],
    slotHolders: [],
    commits: null,
    unknown: [],
  })
  await writeMadeBurnBlocks(
    site.warehouse,
    Array.from({ length: 2100 }, (_, i) => burn(first + 1 + i)),
  )
  const set = {
    addresses: ['a', 'a', 'b'],
    signers: [
      { signingKey: `0x02${'aa'.repeat(32)}` as const, weight: 3, stackedUstx: 600_000_000_000n },
      { signingKey: `0x02${'bb'.repeat(32)}` as const, weight: 1, stackedUstx: 400_000_000_000n },
    ],
    thresholdUstx: 90_000_000_000n,
    startCycleState: '{}',
    unknown: [],
  }
  await writeMadeStacks(
    site.warehouse,
    [
      { height: 1000, timeS: startS - DAY_S, burnHeight: first - 50, cycle: { number: cycle, set } },
      { height: 1001, timeS: startS + 14 * DAY_S, burnHeight: first + 2100 },
    ],
    2,
  )
  const days = Array.from({ length: 15 }, (_, i) =>
    new Date((startS + i * DAY_S) * 1000).toISOString().slice(0, 10),
  )
  const close = (asset: string, quote: string, value: (i: number) => number) =>
    days.map((day, i) => ({
      asset,
      quote,
      day,
      open: null,
      high: null,
      low: null,
      close: value(i),
      source: 'test',
      observedAt: startS,
    }))
  await site.warehouse.insertRows(sources, [
    {
      id: 'test',
      name: 'test',
      url: '',
      licence: '',
      rank: 1n,
      cadenceSeconds: null,
      recordedAt: startS,
      about: '',
    },
  ])
  await site.warehouse.insertRows(prices, [
    ...close('BTC', 'USD', i => 90_000 + 1000 * i),
    ...close('STX', 'USDT', () => 2),
  ])
  await site.metrics.refreshRollups()
  const reward = await site.metrics.series({ id: 'pox.reward', entity: 'stacks' })
  assert.equal(reward.points.find(({ day }) => day === '2024-12-15')?.value, 2_100_000)
  const { points } = await site.metrics.series({ id: 'pox.yield', entity: 'stacks' })
  const perCycle = ((2_100_000 / 1e8) * 97_000) / (1_000_000 * 2)
  assert.deepEqual(
    points.map(({ day, key }) => [day, key]),
    [
      ['2024-12-15', 'cycle'],
      ['2024-12-15', 'year'],
    ],
  )
  for (const [i, expected] of [perCycle, (perCycle * 365) / 14].entries())
    assert.ok(
      Math.abs(Number(points[i]?.value) / expected - 1) < 1e-12,
      `${points[i]?.value} is not ${expected}`,
    )
  assert.deepEqual(await pointsOf('pox.signer_weight'), [
    ['30', `02${'aa'.repeat(32)}`, 0.75],
    ['30', `02${'bb'.repeat(32)}`, 0.25],
    ['30', 'largest', 0.75],
  ])
  assert.deepEqual(await pointsOf('pox.min_threshold'), [['30', '', 90_000_000_000]])
  assert.deepEqual(await pointsOf('pox.slots_used'), [['30', '', 3]])
  const cycles = await site.metrics.series({ id: 'pox.cycle', entity: 'stacks' })
  assert.deepEqual(
    cycles.points.filter(({ value }) => value !== null).map(({ day, value }) => [day, value]),
    [
      ['2024-11-30', 99],
      ['2024-12-15', 101],
      ['2026-08-11', 140],
      ['2026-08-12', 141],
      ['2026-08-13', 141],
      ['2026-08-14', 141],
      ['2026-08-15', 141],
      ['2026-08-25', 142],
    ],
  )
})

test('tables of distributions and cycles say the same as the figures', async () => {
  const rowsOf = (id: string) => read<Record<string, unknown>>(STACKS_TABLES[id]!.sql)
  const distributions = await rowsOf('distributions')
  assert.deepEqual(
    distributions.map(({ gross_sat, bonds_sat, stakers_sat, reserve_deposit_sat }) => [
      gross_sat,
      bonds_sat,
      stakers_sat,
      reserve_deposit_sat,
    ]),
    [
      ['17100', '10000', '7000', '100'],
      ['15900', '10000', '5000', '900'],
    ],
  )
  const [next, now] = await rowsOf('cycles')
  assert.deepEqual([next?.cycle, next?.state], ['143', 'next'])
  assert.deepEqual([now?.cycle, now?.state, now?.blocks_left], ['142', 'under way', '2100'])
  // The clock stands beside the table and tells the same cycle.
  const [clock] = await rowsOf('cycle-clock')
  assert.deepEqual([clock?.cycle, clock?.blocks_to_next], [now?.cycle, now?.blocks_left])
})
