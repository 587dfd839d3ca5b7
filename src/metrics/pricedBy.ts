import type { ClickHouseClient } from '@clickhouse/client'
import { ask } from './ask.ts'
import { type DrawnSql, moneyOf } from './seriesSql.ts'
import type { Standing } from './standing.ts'

/** Closes that a statement values amounts at: a relation, and the asset where it has several. */
export type Closes = { readonly relation: 'btc_usd_daily' | 'usd_closes'; readonly asset: string }

/** Prices of tokens on Stacks and values of pools rest on the closes of these two. */
const BENEATH_TOKEN_PRICES: readonly Closes[] = [
  { relation: 'btc_usd_daily', asset: 'BTC' },
  { relation: 'usd_closes', asset: 'STX' },
]

/** What unspent outputs cost and whether they are in profit follows from closes of bitcoin. */
const BENEATH_AGES: Closes = { relation: 'btc_usd_daily', asset: 'BTC' }

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
    ...(/\bstx_(?:token_prices|pool_values)\b/.test(plain) && IN_USD.test(plain) ? BENEATH_TOKEN_PRICES : []),
  ]
  return [...new Map(found.map(closes => [`${closes.relation} ${closes.asset}`, closes])).values()]
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

/** The sources of the closes that figures are valued at, of the days from one to another, both included. */
export async function readPriceSources(
  reader: ClickHouseClient,
  { sql, unit }: DrawnSql,
  { from, to }: { readonly from: string; readonly to: string },
  standing?: Pick<Standing, 'kept' | 'marks'>,
): Promise<string[]> {
  // An amount in a chain's own unit is not valued, whatever its statement reads besides.
  const closes = moneyOf(unit) === undefined ? closesIn(sql) : []
  if (closes.length === 0) return []
  const statement = closes
    .map(
      ({ relation, asset }) =>
        `SELECT DISTINCT source FROM ${relation} WHERE ${relation === 'usd_closes' ? `asset = '${asset}' AND ` : ''}day BETWEEN {from:Date} AND {to:Date}`,
    )
    .join('\nUNION DISTINCT\n')
  const read = () => ask<{ source: string }>(reader, statement, { from, to })
  const rows =
    standing === undefined
      ? await read()
      : await standing.kept.get(JSON.stringify([statement, from, to]), standing.marks.prices, read)
  return rows.map(({ source }) => source)
}
