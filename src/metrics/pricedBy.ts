import type { ClickHouseClient } from '@clickhouse/client'
import { assertNever } from '#kernel/errors.ts'
import { ask } from './ask.ts'
import { addDays } from './days.ts'
import { basisOf } from './marks.ts'
import { type DrawnSql, moneyOf } from './seriesSql.ts'
import type { Standing } from './standing.ts'

/**
 * Closes that a statement values amounts at: a relation, and the asset where it has several. Of `yield_days` and
 * `yield_realised` the closes depend on the opportunity.
 */
export type Closes = {
  readonly relation: 'btc_usd_daily' | 'usd_closes' | 'yield_days' | 'yield_realised'
  readonly asset: string
}

/** Prices of tokens on Stacks and values of pools rest on the closes of these two. */
const BENEATH_TOKEN_PRICES: readonly Closes[] = [
  { relation: 'btc_usd_daily', asset: 'BTC' },
  { relation: 'usd_closes', asset: 'STX' },
]

/** What unspent outputs cost and whether they are in profit follows from closes of bitcoin. */
const BENEATH_AGES: Closes = { relation: 'btc_usd_daily', asset: 'BTC' }

/** The close of bitcoin that `treasury_market_days` carries beside that of a share. */
const BENEATH_MARKET_DAYS: Closes = { relation: 'usd_closes', asset: 'BTC' }

/** Bitcoin of lenders, vaults and bonds on Stacks; what pools hold is reported in US dollars. */
const BENEATH_TVL: Closes = { relation: 'yield_days', asset: '' }

/** Rewards that are kept are worth the price of their token in bitcoin. */
const BENEATH_REWARDS: Closes = { relation: 'yield_realised', asset: '' }

/** Columns of values and prices in US dollars of `stx_token_prices` and `stx_pool_values`. */
const IN_USD = /\b(?:usd(?:_[xy])?|\w+_usd|value_[xy])\b/

/**
 * Which closes a statement values amounts at, by the assets that it names. A statement that takes only days from closes,
 * or counts from values of pools, values nothing.
 */
export function closesIn(sql: string): Closes[] {
  const plain = sql.replace(/--[^\n]*/g, ' ')
  const found = [
    ...(/\bclose\b/.test(plain) ? closesNamed(plain) : []),
    ...(/\b(?:profit_sat|realised_usd)\b/.test(plain) ? [BENEATH_AGES] : []),
    ...(/\btreasury_market_days\b/.test(plain) && /\bbtc_usd\b/.test(plain) ? [BENEATH_MARKET_DAYS] : []),
    ...(/\byield_days\b/.test(plain) && /\btvl_usd\)? AS value\b/.test(plain) ? [BENEATH_TVL] : []),
    ...(/\byield_realised\b/.test(plain) && /\bgrowth_kept\b/.test(plain) ? [BENEATH_REWARDS] : []),
    ...(/\bstx_(?:token_prices|pool_values)\b/.test(plain) && IN_USD.test(plain) ? BENEATH_TOKEN_PRICES : []),
  ]
  return [...new Map(found.map(closes => [`${closes.relation} ${closes.asset}`, closes])).values()]
}

/** The first day on which bitcoin had a close. */
const FIRST_CLOSE = '2010-07-17'
/** A reward cycle is dated to its end and valued at the mean of the closes within it: 2,100 Bitcoin blocks, at most 16 days. */
const CYCLE_DAYS = 16
/** Over a weekend and holidays a share keeps its last close, and bitcoin beside it that of the same day. */
const CLOSED_DAYS = 5
/** The longest span of `yield_realised`, its last day left out. */
const SPAN_DAYS = 89

/** The first day of which closes enter the figures of a statement from a day on. */
export function firstCloseDay(sql: string, from: string): string {
  // What a coin cost is told by the day on which it last moved.
  if (/\b(?:profit_sat|realised_usd)\b|\bmade\.close\b/.test(sql)) return FIRST_CLOSE
  const windows = [...sql.matchAll(/\bRANGE BETWEEN (\d+) PRECEDING/g)].map(([, days]) => Number(days))
  const days = Math.max(
    ...windows,
    /\bavg\(\w+\.close\)/.test(sql) ? CYCLE_DAYS : 0,
    /\btreasury_market_days\b/.test(sql) ? CLOSED_DAYS : 0,
    /\bgrowth_kept\b/.test(sql) ? SPAN_DAYS : 0,
  )
  return addDays(from, -days)
}

function closesNamed(sql: string): Closes[] {
  const assets = sql
    .split(/\busd_closes\b/)
    .slice(1)
    .flatMap(after => {
      const [, one, several = ''] = /\basset\s*(?:=\s*'([^']+)'|IN\s*\(('[^)]*)\))/.exec(after) ?? []
      return one === undefined ? [...several.matchAll(/'([^']+)'/g)].map(([, asset]) => asset!) : [one]
    })
  return [
    ...(/\bbtc_usd_daily\b/.test(sql) ? [{ relation: 'btc_usd_daily', asset: 'BTC' } as const] : []),
    ...assets.map(asset => ({ relation: 'usd_closes', asset }) as const),
  ]
}

type Close = { readonly day: string; readonly source: string }

/** The closes of a relation, each with its day and its source; `{entity:String}` is the opportunity. */
function sourcesOf({ relation, asset }: Closes, isOfAll: boolean): string {
  switch (relation) {
    case 'btc_usd_daily':
      return 'SELECT day, source FROM btc_usd_daily'
    case 'usd_closes':
      return `SELECT day, source FROM usd_closes WHERE asset = '${asset}'`
    case 'yield_days':
      return `SELECT DISTINCT day, price_source AS source FROM yield_days WHERE price_source != ''${isOfAll ? '' : ' AND entity = {entity:String}'}`
    case 'yield_realised':
      return `SELECT c.day AS day, c.source AS source
FROM usd_closes AS c
WHERE c.asset IN (
  SELECT arrayJoin(['BTC', o.reward_asset])
  FROM yield_opportunities AS o
  WHERE o.entity = {entity:String} AND o.share_metric = '' AND o.reward_asset IN (SELECT asset FROM usd_closes)
)`
    default:
      return assertNever(relation)
  }
}

/** Whose figures are valued, and from which day to which, both included. */
export type Valued = { readonly entity: string; readonly from: string; readonly to: string }

/**
 * The sources of the closes that figures are valued at. All closes of an asset are read once and kept: a page asks for those of
 * many figures over different days.
 */
export async function readPriceSources(
  reader: ClickHouseClient,
  { sql, unit }: DrawnSql,
  valued: Valued,
  { kept, marks }: Pick<Standing, 'kept' | 'marks'>,
): Promise<string[]> {
  // An amount in a chain's own unit is not valued, whatever its statement reads besides.
  const closes = moneyOf(unit) === undefined ? closesIn(sql) : []
  const from = firstCloseDay(sql, valued.from)
  const read = (one: Closes) => {
    const statement = sourcesOf(one, valued.entity === 'bitcoin')
    const entity = statement.includes('{entity:String}') ? valued.entity : ''
    return kept.get(`closes ${one.relation} ${one.asset}${entity}`, basisOf(statement, marks), () =>
      ask<Close>(reader, statement, entity === '' ? {} : { entity }),
    )
  }
  const within = (await Promise.all(closes.map(read)))
    .flat()
    .filter(({ day }) => day >= from && day <= valued.to)
  return [...new Set(within.map(({ source }) => source))]
}
