/** The bundled Stacks data would be wrong or incomplete. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask } from '../ask.ts'
import { openSnapshotMetrics, type TestMetrics } from '../testing.ts'

let site: TestMetrics
before(async () => {
  site = await openSnapshotMetrics()
})
after(() => site[Symbol.asyncDispose]())

const read = <Row>(sql: string) => ask<Row>(site.warehouse.reader, sql)

test('the recorded Stacks blocks are there once, with the competitors that lost set aside', async () => {
  assert.deepEqual(await read('SELECT from_height, to_height FROM stx_coverage ORDER BY from_height'), [
    { from_height: 1, to_height: 47 },
    ...[120, 1352, 1379, 6910, 51_451, 51_655].map(height => ({ from_height: height, to_height: height })),
  ])
  const [counts] = await read<Record<string, string>>(
    `SELECT count() AS blocks, uniqExact(height) AS heights, sum(tx_count) AS txs, (SELECT count() FROM stx_txs) AS rows
FROM stx_blocks`,
  )
  assert.equal(counts?.blocks, '53')
  assert.equal(counts?.heights, '53')
  assert.equal(counts?.txs, counts?.rows)
  const [unread] = await read<{ count: string }>(
    "SELECT count() AS count FROM stx_kept_messages WHERE reason != ''",
  )
  assert.equal(unread?.count, '0')
})

test('genesis has the contracts that another recording of it holds, under the height of its chain', async () => {
  const contracts = await read<{ contract: string }>(
    'SELECT contract FROM stx_contracts WHERE height = 1 ORDER BY contract',
  )
  assert.ok(contracts.some(({ contract }) => contract === 'SP000000000000000000002Q6VF78.pox'))
  assert.ok(contracts.some(({ contract }) => contract === 'SP000000000000000000002Q6VF78.bns'))
})

test('an operation made on Bitcoin is told in its block: 3,892,859,330,416 µSTX locked in 51,451', async () => {
  const locks = await read<{ amount: string }>(
    'SELECT toString(amount_ustx) AS amount FROM stx_locks WHERE height = 51451',
  )
  assert.ok(locks.some(({ amount }) => amount === '3892859330416'))
})

test('recorded series of Stacks keep what their source says, under its name', async () => {
  const known = await read<{ metric: string; entity: string; figures: string; newest: string }>(
    `SELECT metric, entity, toString(count()) AS figures, toString(argMax(amount, day)) AS newest
FROM observations WHERE entity IN ('stacks', 'fast-pool') GROUP BY metric, entity`,
  )
  const of = (metric: string, entity = 'stacks') =>
    known.find(row => row.metric === metric && row.entity === entity)
  assert.equal(of('pox.stacked')?.newest, '442251057311186')
  assert.equal(of('pox.stackers')?.newest, '4119')
  assert.equal(of('pox.stacked', 'fast-pool')?.figures, '125')
  assert.equal(of('contracts.known')?.newest, '109482')
  const [price] = await read<{ days: string; close: number }>(
    "SELECT toString(count()) AS days, argMax(close, day) AS close FROM prices WHERE source = 'stxusdt.bybit'",
  )
  assert.deepEqual(price, { days: '1442', close: 0.4038 })
})
