/** sBTC deposits, withdrawals and reserves would be wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { openStacksCodec, parseMessage } from '#chains/stacks/index.ts'
import { openStacksRows } from '#ingest/rows/stacks/stacksRows.ts'
import { SBTC_DEPLOYERS } from '#kernel/stacks.ts'
import { recordedMessages } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { btcLayerOps } from '#warehouse/tables/bitcoin.ts'
import { ask } from '../ask.ts'
import { COIN, DAY_S, writeMadeChain } from '../madeChain.testing.ts'
import { decideStacks, hashOfName, writeMadeStacks } from '../madeStacks.testing.ts'
import { loadYields } from '../snapshot/loadYields.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'
import { ALICE, BITCOIN, FEE, FROM_HEIGHT, POX5, STACKS } from './sbtcDays.testing.ts'

let site: TestMetrics

before(async () => {
  site = await openEmptyMetrics()
  const { warehouse, metrics } = site
  await writeMadeChain(warehouse, BITCOIN, 1, FROM_HEIGHT)
  const peg = (name: string, block: number, txIndex: number) => ({
    batch: 1,
    height: FROM_HEIGHT + block,
    blockTime: BITCOIN[block]!.timeS,
    txIndex,
    txid: Buffer.from(hashOfName(name).slice(2), 'hex'),
    vout: 1,
    op: 'stacks.peg' as const,
    valueSat: 0n,
    detailsJson: '{}',
    rule: 'made',
  })
  await warehouse.insertRows(btcLayerOps, [peg('sweep 1', 4, 1), peg('sweep 2', 8, 1), peg('forged', 8, 2)])
  await writeMadeStacks(warehouse, STACKS)
  await metrics.refreshRollups()
})

after(() => site[Symbol.asyncDispose]())

const read = <Row>(sql: string) => ask<Row>(site.warehouse.guest, sql)

test('a deposit is joined to its output and its sweep', async () => {
  const rows = await read<Record<string, unknown>>(
    `SELECT origin, recipient, toString(amount_sat) AS amount, toString(fee_sat) AS fee, deposit_height, sweep_height,
  blocks_to_sweep, blocks_to_mint, seconds_to_mint, lower(hex(sweep_txid)) = '${hashOfName('sweep 1').slice(2)}' AS is_sweep
FROM stx_sbtc_deposits ORDER BY event_index`,
  )
  const at = {
    deposit_height: FROM_HEIGHT + 3,
    sweep_height: FROM_HEIGHT + 4,
    blocks_to_sweep: '1',
    blocks_to_mint: '2',
    seconds_to_mint: String(DAY_S / 2 + 600),
    fee: '1000',
    is_sweep: 1,
  }
  assert.deepEqual(rows, [
    { origin: 'user', recipient: ALICE, amount: String(7n * COIN - FEE), ...at },
    { origin: 'miner', recipient: POX5, amount: String(2n * COIN - FEE), ...at },
  ])
})

test('a withdrawal is one row from request to payment, and what is not settled is pending', async () => {
  const rows = await read<Record<string, unknown>>(
    `SELECT toString(request_id) AS id, status, toString(signer_bitmap) AS bitmap, toString(paid_sat) AS paid, is_paid_as_asked,
  request_height, settled_height, sweep_height, blocks_to_payment, seconds_to_payment
FROM stx_sbtc_withdrawals ORDER BY request_id`,
  )
  const nothing = {
    sweep_height: null,
    paid: null,
    is_paid_as_asked: null,
    blocks_to_payment: null,
    seconds_to_payment: null,
  }
  assert.deepEqual(rows, [
    {
      id: '1',
      status: 'accepted',
      bitmap: '5',
      paid: String(COIN),
      is_paid_as_asked: 1,
      request_height: 4,
      settled_height: 5,
      sweep_height: FROM_HEIGHT + 8,
      blocks_to_payment: '2',
      seconds_to_payment: String(DAY_S / 2 - 600),
    },
    {
      id: '2',
      status: 'rejected',
      bitmap: String(2n ** 128n - 1n),
      request_height: 4,
      settled_height: 5,
      ...nothing,
    },
    { id: '3', status: 'pending', bitmap: null, request_height: 4, settled_height: null, ...nothing },
  ])
})

test('the way out of what is in sBTC is as long and as dear as withdrawals were', async () => {
  await loadYields(site.warehouse, await testCatalog())
  const range = { entity: 'zest-v2-sbtc', from: '2026-08-12', to: '2026-08-14' }
  const told = async (id: string) =>
    (await site.metrics.series({ id, ...range })).points.map(({ key, value, state, source }) => [
      key,
      value,
      state,
      source,
    ])
  assert.deepEqual(await told('yield.exit'), [
    ['measured', (DAY_S / 2 - 600) / DAY_S, 'whole', 'stacks.chain'],
  ])
  assert.deepEqual(await told('yield.exit_cost'), [['', Number(FEE), 'whole', 'stacks.chain']])
})

test('the signers’ outputs are those of sweeps that the registry vouches for, never a forged one', async () => {
  assert.deepEqual(
    await read(
      `SELECT height, toString(value_sat) AS sat, spent_height FROM stx_sbtc_reserve_outputs ORDER BY height`,
    ),
    [
      { height: FROM_HEIGHT + 4, sat: String(10_000n + 9n * COIN - 2n * FEE), spent_height: FROM_HEIGHT + 8 },
      { height: FROM_HEIGHT + 8, sat: String(10_000n + 8n * COIN - 3n * FEE), spent_height: null },
    ],
  )
})

const pointsOf = async (id: string, entity: string) =>
  (await site.metrics.series({ id, entity })).points.map(({ day, key, value }) => [day, key, value])

test('deposits by origin and withdrawals by step count on the day of their block', async () => {
  const [first, second, third] = ['2026-08-12', '2026-08-13', '2026-08-14']
  assert.deepEqual(await pointsOf('sbtc.deposits', 'stacks'), [
    [first, 'miner', 0],
    [first, 'user', 0],
    [second, 'miner', Number(2n * COIN - FEE)],
    [second, 'user', Number(7n * COIN - FEE)],
    [third, 'miner', 0],
    [third, 'user', 0],
  ])
  const steps = (await pointsOf('sbtc.withdrawals', 'stacks')).filter(([, , value]) => value !== 0)
  assert.deepEqual(steps, [
    [second, 'requested', Number(COIN + 5n * FEE) + 11],
    [third, 'accepted', Number(COIN)],
    [third, 'rejected', Number(5n * FEE)],
  ])
  assert.deepEqual(await pointsOf('sbtc.pending', 'stacks'), [
    [first, '', 0],
    [second, '', Number(COIN + 5n * FEE) + 11],
    [third, '', 11],
  ])
  assert.deepEqual(await pointsOf('sbtc.time_to_mint', 'stacks'), [[second, '', DAY_S / 2 + 600]])
  assert.deepEqual(await pointsOf('exit.time', 'stacks'), [[third, '', DAY_S / 2 - 600]])
  assert.deepEqual(await pointsOf('exit.cost', 'stacks'), [[third, '', Number(FEE)]])
})

test('supply and reserve of a day are equal but for what the signers were given, before and after each step', async () => {
  const supply = [0, Number(9n * COIN - 2n * FEE), Number(8n * COIN - 3n * FEE)]
  assert.deepEqual(
    (await pointsOf('peg.supply', 'sbtc')).map(([, , value]) => value),
    supply,
  )
  const gaps = await site.metrics.series({ id: 'peg.gap', entity: 'sbtc' })
  assert.deepEqual(
    gaps.points.map(({ value }) => value),
    [0, 10_000, 10_000],
  )
  const [, row] = await ask<{ bitcoin_height: number; stacks_height: number }>(
    site.warehouse.guest,
    gaps.sql,
    gaps.parameters,
  )
  assert.deepEqual([row?.bitcoin_height, row?.stacks_height], [FROM_HEIGHT + 7, 4])
  const ratios = (await pointsOf('peg.ratio', 'sbtc')).map(([, , value]) => value)
  assert.deepEqual(ratios, [null, (supply[1]! + 10_000) / supply[1]!, (supply[2]! + 10_000) / supply[2]!])
})

test('a reorg that takes the mint back leaves bitcoin that was swept and not minted', async () => {
  await decideStacks(site.warehouse, 1, false, STACKS)
  await writeMadeStacks(
    site.warehouse,
    STACKS.map(({ txs: _, ...block }) => block),
    2,
  )
  await site.metrics.refreshRollups()
  assert.deepEqual(await read('SELECT count() AS n FROM stx_sbtc_deposits'), [{ n: '0' }])
  assert.deepEqual(
    (await pointsOf('sbtc.deposits', 'stacks')).filter(([, , value]) => value !== 0),
    [],
  )
  assert.deepEqual(
    (await pointsOf('peg.supply', 'sbtc')).map(([, , value]) => value),
    [0, 0, 0],
  )
  await decideStacks(site.warehouse, 2, false, STACKS)
  await decideStacks(site.warehouse, 1, true, STACKS)
})

test('without the blocks since the token was made there is no supply, and the answer says what it needs', async () => {
  await decideStacks(site.warehouse, 1, false, STACKS)
  await writeMadeStacks(site.warehouse, STACKS.slice(2), 3)
  await site.metrics.refreshRollups()
  const { points } = await site.metrics.series({ id: 'peg.supply', entity: 'sbtc' })
  assert.deepEqual(points, [])
  const { absent } = await site.metrics.figure({ id: 'peg.ratio', entity: 'sbtc', changeRange: '30d' })
  assert.match(absent ?? '', /every Stacks block since the token was made/)
})

test('what a signers’ test network recorded is read as its prints say', skipWithoutShared, async () => {
  const rows = openStacksRows(openStacksCodec(), new Map())
  const blocks = [...recordedMessages('regtest-sbtc-new_block.jsonl')].map(([path, json]) => {
    const message = parseMessage(path, JSON.stringify(json))
    assert.ok(message.kind === 'block')
    return message.block
  })
  for (const block of blocks) rows.add(9, block)
  for (const { table, columns } of rows.take()) await site.warehouse.insertColumns(table, columns)
  await decideStacks(site.warehouse, 9, true, blocks)
  const of = `contract = '${SBTC_DEPLOYERS.regtest}.sbtc-registry'`
  assert.deepEqual(
    await read(`SELECT toString(amount_sat) AS amount, toString(bitcoin_vout) AS vout, sweep_burn_height, deposit_sat, recipient,
  lower(hex(sweep_txid)) AS sweep FROM stx_sbtc_deposits WHERE ${of}`),
    [
      {
        amount: '123654789',
        vout: '4294967295',
        sweep_burn_height: '42',
        deposit_sat: null,
        recipient: null,
        sweep: '02'.repeat(32),
      },
    ],
  )
  assert.deepEqual(
    await read(`SELECT toString(amount_sat) AS amount, toString(max_fee_sat) AS most, toString(fee_sat) AS fee, recipient_version,
  lower(hex(recipient_script)) AS script, request_burn_height FROM stx_sbtc_withdrawals WHERE ${of}`),
    [
      {
        amount: '22500',
        most: '3000',
        fee: '2500',
        recipient_version: 0,
        script: `76a914${'00'.repeat(20)}88ac`,
        request_burn_height: '137',
      },
    ],
  )
  const keys = await read<{ threshold: string; bytes: string }>(
    `SELECT DISTINCT toString(signature_threshold) AS threshold, toString(length(aggregate_key)) AS bytes FROM stx_sbtc_keys WHERE ${of}`,
  )
  assert.equal(keys.length, 1)
  assert.equal(keys[0]?.bytes, '33')
})
