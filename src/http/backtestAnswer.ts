import { type IndexMarket, inputsSql } from '#explorer/index.ts'
import { nearestNames } from '#kernel/nearest.ts'
import { type Backtest, backtest, INDEX_LIMITS, statisticsOf } from '#metrics/index.ts'
import { ApiError, problemOf } from './apiError.ts'
import type { BacktestAnswer, BacktestQuery } from './contract.ts'
import { didYouMean } from './didYouMean.ts'
import { NO_BLOCK } from './tableAnswer.ts'

/**
 * The history of an index under the rules asked for, from what is known of its tokens. Throws `http.parameter` for a token
 * that none of the indices may hold.
 */
export function backtestOf(market: IndexMarket, query: BacktestQuery): BacktestAnswer {
  const known = Object.keys(market.symbols)
  const tokens = (query.tokens ?? known).toSorted()
  const unknown = tokens.find(token => !known.includes(token))
  if (unknown !== undefined) throw noToken(unknown, known)
  const rules = {
    weighting: query.weighting,
    rebalance: query.rebalance,
    maxWeight: query.cap / 100,
    minAgeDays: query.age,
    volumeFloorUsd: query.floor,
    costBps: query.cost,
  }
  const universe = { days: market.days, tokens: market.tokens.filter(({ token }) => tokens.includes(token)) }
  const { from, to } = query
  const done = backtest(universe, rules, INDEX_LIMITS, { from, to })
  const places = placesOf(market, done)
  const [btc, eth] = [rebased(market.closes.btc, places), rebased(market.closes.eth, places)]
  return {
    rules: { tokens, ...rules, from: from ?? null, to: to ?? null },
    tokens: tokensOf(market, done, new Set(tokens)),
    days: [...done.days],
    level: [...done.level],
    levelNet: [...done.levelNet],
    btc,
    eth,
    statistics: {
      level: statisticsOf(done.days, done.level),
      levelNet: statisticsOf(done.days, done.levelNet),
      btc: statisticsOfKnown(done.days, btc),
      eth: statisticsOfKnown(done.days, eth),
    },
    turnoverYearly: turnoverOf(done),
    rebalancings: done.rebalancings.map(({ day, traded, divisor, constituents, candidates }) => ({
      day,
      traded,
      divisor,
      constituents: constituents.map(each => ({ ...each })),
      out: candidates.flatMap(({ token, reason }) => (reason === '' ? [] : [{ token, reason }])),
    })),
    sql: inputsSql(tokens),
    asOf: done.days.length === 0 ? NO_BLOCK : { ...NO_BLOCK, time: `${done.days.at(-1)}T23:59:59.000Z` },
  }
}

/** Levels, one day a line. */
export const backtestLines = ({ days, level, levelNet, btc, eth }: BacktestAnswer) =>
  days.map((day, i) => ({ day, level: level[i], level_net: levelNet[i], btc: btc[i], eth: eth[i] }))

/** Where the days with a level stand among all. */
function placesOf({ days }: IndexMarket, done: Backtest): number[] {
  const placeOf = new Map(days.map((day, place) => [day, place]))
  return done.days.map(day => placeOf.get(day)!)
}

/** Closes as a level that is that of the index on its first day. */
function rebased(closes: Float64Array, places: readonly number[]): (number | null)[] {
  const first = closes[places[0] ?? -1]
  return places.map(place => {
    const close = closes[place]
    return close === undefined || Number.isNaN(close) || first === undefined || !(first > 0)
      ? null
      : (INDEX_LIMITS.baseLevel * close) / first
  })
}

function statisticsOfKnown(days: readonly string[], level: readonly (number | null)[]) {
  const known = days.flatMap((day, i) => (level[i] == null ? [] : [{ day, value: level[i]! }]))
  return statisticsOf(
    known.map(({ day }) => day),
    known.map(({ value }) => value),
  )
}

function tokensOf(
  market: IndexMarket,
  { contributions, rebalancings }: Backtest,
  asked: ReadonlySet<string>,
) {
  const histories = new Map(market.tokens.map(history => [history.token, history]))
  return Object.entries(market.symbols).map(([token, symbol]) => {
    const prices = histories.get(token)?.priceUsd
    const at = (place: number | undefined): string | null =>
      place === undefined || place < 0 ? null : (market.days[place] ?? null)
    return {
      token,
      symbol,
      firstDay: at(prices?.findIndex(price => price > 0)),
      lastDay: at(prices?.findLastIndex(price => price > 0)),
      points: contributions[token] ?? null,
      months: rebalancings.filter(({ constituents }) => constituents.some(each => each.token === token))
        .length,
      isAsked: asked.has(token),
    }
  })
}

const YEAR_DAYS = 365

/** Half of what was traded after the beginning, a year; null under 90 days. */
function turnoverOf({ days, rebalancings }: Backtest): number | null {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return null
  const span = (Date.parse(last) - Date.parse(first)) / 86_400_000
  if (span < 90) return null
  const traded = rebalancings.slice(1).reduce((sum, each) => sum + each.traded, 0)
  return ((traded / 2) * YEAR_DAYS) / span
}

function noToken(token: string, known: readonly string[]): ApiError {
  return new ApiError(
    problemOf('http.parameter', `\`tokens\` in the query: no index may hold "${token.slice(0, 60)}".`, {
      errors: [{ parameter: 'tokens', message: 'names a token that no index may hold' }],
      ...didYouMean(nearestNames(token, known)),
    }),
  )
}
