/** Amounts in dollars would not name the source of their price. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { capNvt, capSopr } from './bitcoin/valuation.ts'
import { closesIn, firstCloseDay } from './pricedBy.ts'
import { treasuryMetrics } from './treasuries/index.ts'
import { yieldMetrics } from './yields/index.ts'

const assetsOf = (sql: string) => closesIn(sql).map(({ relation, asset }) => `${relation} ${asset}`)

test('closes are those of the assets that a statement names', () => {
  assert.deepEqual(
    assetsOf(`SELECT s.value * p.close FROM (SELECT 1) AS s
LEFT JOIN (SELECT day, close FROM usd_closes WHERE asset = 'STX') AS p ON p.day = s.day
LEFT JOIN btc_usd_daily AS b ON b.day = s.day`),
    ['btc_usd_daily BTC', 'usd_closes STX'],
  )
  assert.deepEqual(assetsOf("SELECT close FROM usd_closes AS c WHERE c.asset IN ('STX', 'BTC')"), [
    'usd_closes STX',
    'usd_closes BTC',
  ])
  assert.deepEqual(
    assetsOf("SELECT p.close FROM t INNER JOIN usd_closes AS p ON p.asset = 'STX' AND p.day = t.day"),
    ['usd_closes STX'],
  )
})

test('a statement that takes nothing but days from closes, or reads none, is not priced', () => {
  assert.deepEqual(assetsOf("SELECT day FROM usd_closes\n    WHERE asset = 'BTC'"), [])
  assert.deepEqual(assetsOf('SELECT sum(swap_count) FROM stx_pool_values'), [])
  assert.deepEqual(assetsOf('SELECT day, value FROM observations -- btc_usd_daily'), [])
})

test('profit and cost of unspent outputs rest on closes of bitcoin, their value in satoshis does not', () => {
  assert.deepEqual(assetsOf('SELECT sum(profit_sat) FROM btc_age_days'), ['btc_usd_daily BTC'])
  assert.deepEqual(assetsOf('SELECT sum(value_sat) FROM btc_age_days'), [])
})

test('prices of tokens rest on those that they are traded against', () => {
  const anchors = ['btc_usd_daily BTC', 'usd_closes STX']
  assert.deepEqual(assetsOf('SELECT usd FROM stx_token_prices'), anchors)
  assert.deepEqual(assetsOf('SELECT sum(v.tvl_usd) FROM stx_pool_values AS v'), anchors)
})

test('closes of days before a figure name their sources where they enter it', () => {
  assert.equal(firstCloseDay('SELECT sum(realised_usd) FROM btc_age_days', '2026-08-01'), '2010-07-17')
  assert.equal(firstCloseDay(capSopr.sql, '2026-08-01'), '2010-07-17')
  assert.equal(firstCloseDay(capNvt.sql, '2026-08-01'), '2026-05-04')
  assert.equal(firstCloseDay('SELECT avg(b.close) FROM spans', '2026-08-17'), '2026-08-01')
  assert.equal(firstCloseDay('SELECT s.value * b.close FROM t', '2026-08-01'), '2026-08-01')
})

test('a share of all bitcoin and a stated cost rest on no price, a value beside that of a share does', async () => {
  const treasuries = treasuryMetrics(await testCatalog())
  const closesOf = (id: string) => assetsOf(treasuries.find(entry => entry.id === id)!.sql)
  assert.deepEqual(closesOf('supply.share'), [])
  assert.deepEqual(closesOf('cost.average'), [])
  assert.deepEqual(closesOf('value.usd'), ['usd_closes BTC'])
  assert.deepEqual(closesOf('mnav.basic'), ['usd_closes BTC'])
})

test('the value of ways to earn and rewards that are kept rest on closes, rates and growth do not', async () => {
  const yields = yieldMetrics(await testCatalog())
  const closesOf = (id: string) =>
    yields.filter(entry => entry.id === id).flatMap(entry => assetsOf(entry.sql))
  assert.deepEqual(closesOf('yield.tvl'), ['yield_days ', 'yield_days '])
  assert.deepEqual(closesOf('yield.btc_realised'), ['yield_realised '])
  for (const id of ['yield.apy_base', 'yield.best_90d', 'yield.median_90d', 'yield.mean_30d'])
    assert.deepEqual(closesOf(id), [], id)
})
