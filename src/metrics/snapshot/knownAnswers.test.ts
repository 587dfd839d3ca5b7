import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parseCsv } from '#sources/csv.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { observations, sources } from '#warehouse/tables/observations.ts'
import { ask } from '../ask.ts'
import { openSnapshotMetrics, type TestMetrics } from '../testing.ts'

type Answer = { metric: string; entity: string; at: string; value: number | string | (number | string)[] }

/** Answers that blocks of Bitcoin do not give: they wait for Stacks' own rows and treasuries. */
const OF_OTHERS = /^(pox|sip031)\./

/** A Coin Metrics series that never leaves the tests: what the Z-score and NUPL were worked out from. */
async function observeCaps({ warehouse }: TestMetrics): Promise<void> {
  const at = Date.UTC(2026, 7, 22) / 1000
  await warehouse.insertRows(sources, [
    {
      id: 'test.caps',
      name: 'test.caps',
      url: '',
      licence: '',
      rank: 90n,
      cadenceSeconds: null,
      recordedAt: at,
      about: '',
    },
  ])
  const rows = parseCsv(
    readFileSync(shared('data/bitcoin/series/valuation-daily.csv'), 'utf8'),
    ['date', 'market_cap_usd', 'mvrv'],
    'valuation',
  )
  const observed = (metric: string, day: string, value: number) => ({
    metric,
    entity: 'bitcoin',
    breakdown: '',
    day,
    amount: null,
    value,
    source: 'test.caps',
    observedAt: at,
  })
  await warehouse.insertRows(
    observations,
    rows.flatMap(row => {
      const market = Number(row.market_cap_usd)
      return [
        observed('cap.market', row.date, market),
        observed('cap.realised', row.date, market / Number(row.mvrv)),
      ]
    }),
  )
}

test('every known answer about Bitcoin comes out', skipWithoutShared, async () => {
  await using site = await openSnapshotMetrics()
  const answers: Answer[] = JSON.parse(readFileSync(shared('data/known-answers.json'), 'utf8'))
  const figure = async (id: string, day: string, more: { entity?: string; key?: string } = {}) => {
    const { points } = await site.metrics.series({
      id,
      entity: more.entity ?? 'bitcoin',
      from: day,
      to: day,
    })
    return Number(points.find(({ key }) => key === (more.key ?? ''))?.value)
  }
  const rows = (sql: string) => ask<Record<string, number>>(site.warehouse.reader, sql)
  const dayOf = async (height: string) =>
    String((await rows(`SELECT toDate(block_time) AS day FROM btc_blocks WHERE height = ${height}`))[0]!.day)
  await observeCaps(site)

  const found: Readonly<Record<string, (at: string) => Promise<number[]>>> = {
    'tx.count': async day => [await figure('tx.count', day)],
    'fees.total': async day => [await figure('fees.total', day)],
    'miners.hashrate (1 day)': async day => [await figure('miners.hashrate', day, { key: '1d' })],
    'coin.days_destroyed': async height => {
      const [row] = await rows(
        `SELECT sum(toFloat64(prev_value_sat) * (toInt64(block_time) - toInt64(prev_time))) / 8640000000000 AS days
FROM btc_inputs WHERE height = ${height} AND NOT is_coinbase`,
      )
      return [row!.days!]
    },
    'utxo.count, supply.spendable': async height => [await figure('utxo.count', await dayOf(height))],
    'addresses.active': async day => [await figure('addresses.active', day)],
    'miners.bid, miners.hhi': async at => {
      const [row] = await rows(
        `SELECT toUInt32(sum(value_sat)) AS bid, sum(pow(value_sat, 2)) / pow(sum(value_sat), 2) AS hhi
FROM btc_layer_ops WHERE op = 'stacks.block_commit' AND height = ${at.replace('Bitcoin ', '')}`,
      )
      return [row!.bid!, row!.hhi!]
    },
    'l1.tx, l1.vbytes, l1.fees': async at => {
      const day = await dayOf(at.replace('Bitcoin ', ''))
      const ofStacks = { entity: 'stacks' }
      return [
        await figure('l1.tx', day, ofStacks),
        await figure('l1.vbytes', day, ofStacks),
        await figure('l1.fees', day, ofStacks),
      ]
    },
    'cap.mvrv_z, cap.nupl': async day => [await figure('cap.mvrv_z', day), await figure('cap.nupl', day)],
  }

  const ofBitcoin = answers.filter(({ metric }) => !OF_OTHERS.test(metric))
  assert.ok(ofBitcoin.length >= 9)
  for (const { metric, at, value } of ofBitcoin) {
    const compute = found[metric]
    assert.ok(compute, `no figure is compared with the known answer of ${metric}`)
    const expected = [value].flat().map(Number)
    const got = await compute(at)
    for (const [i, each] of expected.entries()) {
      assert.ok(Math.abs(got[i]! / each - 1) <= 1e-12, `${metric} at ${at} is ${got[i]}, known is ${each}`)
    }
  }
})
