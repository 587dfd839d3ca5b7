/** Returns of pools would differ from what their history pays. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { zstdDecompressSync } from 'node:zlib'
import { testCatalog } from '#catalog/testing.ts'
import { ask } from '../ask.ts'
import { loadYields } from '../snapshot/loadYields.ts'
import { insertRecordings, openEmptyMetrics, SNAPSHOT_DIR } from '../testing.ts'
import { yieldMetrics } from './index.ts'

/** One of fees with days of which nothing is told, one of rewards with days missing, one of fees told whole. */
const WAYS = [
  'fluid-dex-ethereum-wbtc-cbbtc',
  'aerodrome-slipstream-base-cbbtc-lbtc',
  'fluid-dex-ethereum-wbtc-lbtc',
]
const LAST = '2025-10-06'
const SPAN = 90

type ChartDay = { day: string; base: number; reward: number }

/** Days of a pool straight from the recorded chart, its per cents as ratios: no reader of the program is used. */
function chartOf(pool: string): ChartDay[] {
  const file = readFileSync(join(SNAPSHOT_DIR, 'series', 'yield-charts.csv.zst'))
  const [head, ...lines] = zstdDecompressSync(file).toString('utf8').trim().split('\n')
  assert.equal(head, 'date,pool,tvl_usd,apy_base,apy_reward')
  return lines
    .map(line => line.split(','))
    .filter(([, id]) => id === pool)
    .map(([day = '', , , base = '', reward = '']) => ({
      day,
      base: Number(base) / 100,
      reward: Number(reward) / 100,
    }))
}

/** A bitcoin walked through the span day by day: the base rate grows it, rewards are sold and set aside. */
function walked(chart: readonly ChartDay[]) {
  const first = new Date(Date.parse(LAST) - (SPAN - 1) * 86_400_000).toISOString().slice(0, 10)
  const told = chart.filter(
    ({ day, base, reward }) => day >= first && day <= LAST && base + reward > 0 && base + reward <= 10,
  )
  let [coins, aside] = [1, 0]
  for (const { base, reward } of told) {
    coins *= (1 + base) ** (1 / 365)
    aside += reward / 365
  }
  return { days: told.length, growth: coins + aside - 1, hasRewards: aside > 0 }
}

test('what recorded pools earned in 90 days is what a bitcoin earns that is walked through their charts', async () => {
  await using site = await openEmptyMetrics()
  const catalog = await testCatalog()
  await loadYields(site.warehouse, catalog)
  await insertRecordings(site.warehouse, ({ id }) => id === 'defillama.yield_charts.recorded')
  const metric = yieldMetrics(catalog).find(
    ({ id, entities }) => id === 'yield.btc_realised' && entities.includes(WAYS[0]!),
  )!
  const expected = WAYS.map(id => walked(chartOf(catalog.opportunities.find(each => each.id === id)!.pool!)))
  assert.deepEqual(
    expected.map(({ days, hasRewards }) => [days, hasRewards]),
    [
      [86, false],
      [83, true],
      [90, false],
    ],
  )
  for (const [i, entity] of WAYS.entries()) {
    const rows = await ask<{ key: string; value: number }>(site.warehouse.reader, metric.sql, {
      from: LAST,
      to: LAST,
      entity,
    })
    const told = Number(rows.find(({ key }) => key === `${SPAN} days`)?.value)
    assert.ok(Math.abs(told - expected[i]!.growth) < 1e-12, `${entity}: ${told}, not ${expected[i]!.growth}`)
    assert.ok(told > 0)
  }
})
