/** Index levels in SQL would differ from the engine that defines them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { observations, prices } from '#warehouse/tables/observations.ts'
import { ask } from '../ask.ts'
import { refreshIndices } from '../rollups/indexRuns.ts'
import { backtest } from './engine/backtest.ts'
import { daysBetween, type Market } from './engine/market.ts'
import { indexMetrics } from './index.ts'
import { INDEX_LIMITS } from './limits.ts'
import { openIndexWarehouse } from './testing.ts'

const catalog = await testCatalog()
let recorded: Warehouse
before(async () => {
  recorded = await openIndexWarehouse()
})
after(() => recorded[Symbol.asyncDispose]())

type Level = { day: string; level: number; level_net: number; level_equal: number; traded: number }
const levelsOf = (warehouse: Warehouse, index: string) =>
  ask<Level>(
    warehouse.reader,
    `SELECT day, level, level_net, level_equal, traded FROM index_levels WHERE index_id = '${index}' ORDER BY day`,
  )

/** What the engine is given, read anew from the public view. No layer's fees are recorded: `src/explorer/indices/fees.test.ts` makes some. */
async function marketOf({ reader }: Warehouse): Promise<Market> {
  const rows = await ask<{
    token: string
    day: string
    price: number | null
    supply: number | null
    volume: number | null
  }>(
    reader,
    'SELECT token, day, price_usd AS price, supply, volume_usd AS volume FROM index_token_days ORDER BY day',
  )
  const days = daysBetween(rows[0]!.day, rows.at(-1)!.day)
  return {
    days,
    tokens: [...new Set(rows.map(({ token }) => token))].map(token => {
      const column = () => new Float64Array(days.length).fill(Number.NaN)
      const history = { token, priceUsd: column(), supply: column(), volumeUsd: column(), feesUsd: column() }
      for (const row of rows.filter(each => each.token === token)) {
        const at = days.indexOf(row.day)
        history.priceUsd[at] = row.price ?? Number.NaN
        history.supply[at] = row.supply ?? Number.NaN
        history.volumeUsd[at] = row.volume ?? Number.NaN
      }
      return history
    }),
  }
}

const near = (a: number, b: number, what: string): void =>
  assert.ok(Math.abs(a / b - 1) < 1e-9, `${what}: ${a}, not ${b}`)

test('levels, costs, weights and trades of the recorded years are the same by SQL and by the engine', async () => {
  const market = await marketOf(recorded)
  let compared = 0
  for (const { id, members, weighting, maxWeight, minAgeDays, volumeFloorUsd, costBps } of catalog.indices) {
    const universe = {
      ...market,
      tokens: market.tokens.filter(({ token }) => members.some(each => each.token === token)),
    }
    const rules = { weighting, rebalance: 'monthly', maxWeight, minAgeDays, volumeFloorUsd, costBps } as const
    const done = backtest(universe, rules, INDEX_LIMITS)
    const levels = await levelsOf(recorded, id)
    assert.deepEqual(
      levels.map(({ day }) => day),
      [...done.days],
      id,
    )
    const traded = new Map(done.rebalancings.map(each => [each.day, each.traded]))
    for (const [i, row] of levels.entries()) {
      near(row.level, done.level[i]!, `${id} ${row.day}`)
      near(row.level_net, done.levelNet[i]!, `${id} net ${row.day}`)
      assert.ok(Math.abs(row.traded - (traded.get(row.day) ?? 0)) < 1e-9, `${id} traded ${row.day}`)
    }
    const weights = await ask<{ day: string; token: string; weight: number; market_usd: number }>(
      recorded.reader,
      `SELECT day, token, weight, market_usd FROM index_snapshots WHERE index_id = '${id}' AND weight > 0 ORDER BY day, token`,
    )
    const expected = done.rebalancings.flatMap(({ day, constituents }) =>
      constituents.toSorted((a, b) => (a.token < b.token ? -1 : 1)).map(each => ({ day, ...each })),
    )
    assert.deepEqual(
      weights.map(({ day, token }) => [day, token]),
      expected.map(({ day, token }) => [day, token]),
    )
    for (const [i, { weight, day, token }] of weights.entries())
      near(weight, expected[i]!.weight, `${id} ${token} ${day}`)
    for (const { day, divisor } of done.rebalancings) {
      const level = levels.find(row => row.day === day)?.level
      if (divisor !== null && level !== undefined)
        near(weights.find(row => row.day === day)!.market_usd / level, divisor, `${id} divisor ${day}`)
    }
    compared += levels.length
  }
  assert.ok(compared > 2000, `${compared} levels were compared`)
})

test('what is kept is what the views compute, and is computed anew only when something changed', async () => {
  const [apart] = await ask<{ apart: string; rows: string }>(
    recorded.reader,
    `SELECT countIf(abs(k.level / d.level - 1) > 1e-12 OR k.level_net != d.level_net) AS apart, count() AS rows
FROM index_days AS d FULL JOIN index_levels AS k ON k.index_id = d.index_id AND k.day = d.day`,
  )
  assert.equal(apart?.apart, '0')
  assert.ok(Number(apart?.rows) > 2000)
  assert.equal(await refreshIndices({ warehouse: recorded }), false)
})

test('a figure over days, or over several tokens, names the sources of all of them', async () => {
  const read = (id: string) => {
    const metric = indexMetrics(catalog).find(each => each.id === id)!
    return ask<{ day: string; source: string }>(recorded.reader, metric.sql, {
      ...{ from: '2009-01-03', to: '2026-08-31', entity: 'layer-tokens-equal' },
    })
  }
  const named = (source: string) => source.split(', ')
  const levels = await read('index.level')
  const constituents = await ask<{ day: string; source: string }>(
    recorded.reader,
    "SELECT DISTINCT day, price_source AS source FROM index_holdings WHERE index_id = 'layer-tokens-equal'",
  )
  assert.ok(levels.some(({ source }) => named(source).length > 1))
  for (const { day, source } of levels) {
    const ofDay = constituents.filter(one => one.day === day).map(one => one.source)
    assert.deepEqual(named(source), [...new Set(ofDay)].sort(), day)
  }
  for (const [id, days] of [
    ['index.volatility', 90],
    ['index.sharpe', 365],
    ['index.beta', 90],
  ] as const) {
    const { day, source } = (await read(id)).at(-1)!
    const first = new Date(Date.parse(day) - (days - 1) * 86_400_000).toISOString().slice(0, 10)
    const within = levels.filter(one => one.day >= first && one.day <= day).flatMap(one => named(one.source))
    assert.deepEqual(named(source), [...new Set(within)].sort(), id)
  }
})

test('every metric answers of every index with the columns of a metric, and risk follows from levels, computed again here', async () => {
  const metrics = indexMetrics(catalog)
  for (const metric of metrics)
    for (const entity of metric.entities) {
      const rows = await ask<{ day: string; value: number }>(recorded.guest, metric.sql, {
        from: '2009-01-03',
        to: '2026-08-31',
        entity,
      })
      const has = ['bitcoin-defi', 'layer-tokens', 'layer-tokens-equal'].includes(entity)
      assert.equal(rows.length > 0, has, `${metric.id} of ${entity}`)
    }
  const series = async (id: string, key = '') => {
    const metric = metrics.find(each => each.id === id)!
    const rows = await ask<{ day: string; key: string; value: number }>(recorded.reader, metric.sql, {
      from: '2009-01-03',
      to: '2026-08-31',
      entity: 'layer-tokens-equal',
    })
    return rows.filter(row => row.key === key)
  }
  const levels = await series('index.level')
  const btc = await series('index.against', 'btc')
  const changes = (rows: readonly { value: number }[]) =>
    rows.slice(1).map(({ value }, i) => Math.log(value / rows[i]!.value))
  const [own, other] = [changes(levels).slice(-90), changes(btc).slice(-90)]
  assert.equal(levels.length, btc.length)
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const covariance = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + (value - mean(a)) * (b[i]! - mean(b)), 0) / (a.length - 1)
  near((await series('index.volatility')).at(-1)!.value, Math.sqrt(covariance(own, own) * 365), 'volatility')
  near((await series('index.beta')).at(-1)!.value, covariance(own, other) / covariance(other, other), 'beta')
  near(
    (await series('index.correlation', 'btc')).at(-1)!.value,
    covariance(own, other) / Math.sqrt(covariance(own, own) * covariance(other, other)),
    'correlation',
  )
  const year = changes(levels).slice(-365)
  near(
    (await series('index.sharpe')).at(-1)!.value,
    (mean(year) * 365) / Math.sqrt(covariance(year, year) * 365),
    'sharpe',
  )
  const highest = Math.max(...levels.map(({ value }) => value))
  near((await series('index.drawdown')).at(-1)!.value, levels.at(-1)!.value / highest - 1, 'drawdown')
})

test('no look-ahead in SQL: neither later days nor later revisions move a level, a weight or a supply of the past', async () => {
  await using warehouse = await openIndexWarehouse({ isBlank: true })
  const NOW = '2021-06-14'
  const at = (day: string, hours: number) => Date.parse(`${day}T00:00:00Z`) / 1000 + hours * 3600
  const rowsOf = (days: readonly string[], seen: (day: string) => number, bend: number) => ({
    prices: days.flatMap((day, i) =>
      ['STX', 'RIF', 'CORE'].map((asset, token) => ({
        asset,
        quote: 'USD',
        day,
        open: null,
        high: null,
        low: null,
        close: (1 + token) * (1 + 0.3 * Math.sin(i / (5 + token))) * bend,
        source: 'made',
        observedAt: seen(day),
      })),
    ),
    observations: days.flatMap((day, i) =>
      ['stx', 'rif', 'core'].flatMap((entity, token) =>
        (['token.supply', 'token.volume'] as const).map(metric => ({
          metric,
          entity,
          breakdown: '',
          day,
          amount: null,
          value: (metric === 'token.supply' ? 1e8 * (1 + token) + i * 1e5 : 3e6 + i) * bend,
          source: 'made',
          observedAt: seen(day),
        })),
      ),
    ),
  })
  const insert = async (rows: ReturnType<typeof rowsOf>) => {
    await warehouse.insertRows(prices, rows.prices)
    await warehouse.insertRows(observations, rows.observations)
    assert.equal(await refreshIndices({ warehouse }), true)
  }
  const past = async () => ({
    levels: (await levelsOf(warehouse, 'layer-tokens')).filter(({ day }) => day <= NOW),
    snapshots: await ask(
      warehouse.reader,
      `SELECT * EXCEPT (seen_at) FROM index_snapshots WHERE day <= '${NOW}' ORDER BY index_id, day, token`,
    ),
  })
  const known = daysBetween('2021-01-01', NOW)
  await insert(rowsOf(known, day => at(day, 25), 1))
  const then = await past()
  assert.ok(then.levels.length > 70 && then.snapshots.length > 20)
  await insert(rowsOf(daysBetween('2021-06-15', '2021-08-15'), day => at(day, 25), 7))
  assert.deepEqual(await past(), then, 'later days moved the past')
  await insert(rowsOf(known, () => at('2021-09-01', 0), 2))
  assert.deepEqual(await past(), then, 'a later revision moved the past')
})
