import type { StacksApp } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { READS } from './common.ts'

/** How a coin of an asset is priced: the name of a row of `closes`, and base units a coin; undefined where it has no price. */
export type Coin = { readonly scale: number; readonly closes: string }

type Asset = StacksApp['assets'][string]

export function coinOf({ decimals, price }: Asset): Coin | undefined {
  if (price === undefined) return undefined
  const closes = 'usd' in price ? 'USD' : (price.times ?? price.asset)
  return { scale: 10 ** decimals, closes }
}

/** A price stands for this long: a day that is not over has the close of the day before. */
const LONGEST_DAYS = 7

/**
 * CTE `closes`: dollars of a coin by day. Dollars are a dollar, bitcoin on Stacks is a bitcoin, stSTX is STX times its own
 * exchange rate.
 */
export const CLOSES = `closes AS (
    SELECT u.asset AS asset, u.day AS day, u.close AS close
    FROM usd_closes AS u
    WHERE u.asset IN ('STX', 'BTC')
    UNION ALL
    SELECT 'stSTX', r.day, r.rate * s.close
    FROM (
      SELECT 'STX' AS asset, o.day AS day, assumeNotNull(o.value) AS rate
      FROM latest_observations AS o
      WHERE o.metric = 'lst.exchange_rate' AND o.entity = 'stacking-dao' AND o.key = 'stSTX'
        AND o.source = '${READS}' AND o.value > 0
    ) AS r
    ASOF INNER JOIN (SELECT u.asset AS asset, u.day AS day, u.close AS close FROM usd_closes AS u WHERE u.asset = 'STX') AS s
      ON s.asset = r.asset AND s.day <= r.day
  )`

/** SQL: dollars of a coin on a day, null where nobody priced it within a week; over `n.closes` and `n.day`, with `p` as `closes`. */
export const DOLLARS = `if(n.closes = 'USD', 1, if(dateDiff('day', p.day, n.day) <= ${LONGEST_DAYS}, p.close, NULL))`
export const PRICED = 'ASOF LEFT JOIN closes AS p ON p.asset = n.closes AND p.day <= n.day'

const rowsOf = (rows: readonly string[]): string => `(SELECT arrayJoin([${rows.join(', ')}]) AS c)`

/** CTE `coins`: of each market of each application, by application and market. */
export const coinsOfMarkets = (apps: readonly StacksApp[]): string => `coins AS (
    SELECT c.1 AS entity, c.2 AS key, c.3 AS scale, c.4 AS closes
    FROM ${rowsOf(
      apps.flatMap(({ protocol, markets, assets }) =>
        markets.flatMap(({ id, asset }) => {
          const coin = assets[asset] && coinOf(assets[asset])
          return coin === undefined ? [] : [`('${protocol}', '${id}', ${coin.scale}., '${coin.closes}')`]
        }),
      ),
    )}
  )`

/** CTE `assets`: of each asset that applications deal in, by its contract. */
export const coinsOfAssets = (apps: readonly StacksApp[]): string => `assets AS (
    SELECT c.1 AS asset, c.2 AS scale, c.3 AS closes
    FROM ${rowsOf([
      ...new Set(
        apps.flatMap(({ assets }) =>
          Object.entries(assets).flatMap(([contract, asset]) => {
            const coin = coinOf(asset)
            return coin === undefined ? [] : [`('${contract}', ${coin.scale}., '${coin.closes}')`]
          }),
        ),
      ),
    ])}
  )`

const NO_HEIGHTS =
  'CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height'

/** Amounts by market that somebody read or published, in dollars of the day; sources in the order of trust. */
export function dollarsByMarket(
  apps: readonly StacksApp[],
  metric: string,
  sources: readonly string[],
): { readonly sql: string; readonly besideSql: string } {
  const ranks = `indexOf([${sources.map(source => `'${source}'`).join(', ')}], o.source)`
  const statement = (by: string): string => `WITH
  ${coinsOfMarkets(apps)},
  ${CLOSES},
  newest AS (
    SELECT
      o.day AS day, o.key AS key, toFloat64(o.amount) / c.scale AS coins, c.closes AS closes, o.source AS source,
      o.observed_at AS as_of
    FROM latest_observations AS o
    INNER JOIN coins AS c ON c.entity = o.entity AND c.key = o.key
    WHERE o.metric = '${metric}' AND o.entity = {entity:String} AND o.day ${RANGE} AND ${ranks} > 0
    ORDER BY o.day, o.key, ${ranks}
    LIMIT 1 BY ${by}
  )
SELECT
  n.day AS day, n.key AS key, n.coins * ${DOLLARS} AS value, if(value IS NULL, 'incomplete', 'whole') AS state,
  n.source AS source, ${NO_HEIGHTS}, n.as_of AS as_of
FROM newest AS n
${PRICED}
ORDER BY day, key`
  return { sql: statement('o.day, o.key'), besideSql: statement('o.day, o.key, o.source') }
}

/**
 * Interest of a day that the application keeps, in dollars, by market: what borrowers pay less what lenders get, at the rates
 * and amounts that its contracts answered that day.
 */
export const keptInterest = (apps: readonly StacksApp[], source: string): string => `WITH
  ${coinsOfMarkets(apps)},
  ${CLOSES},
  newest AS (
    SELECT
      o.day AS day, o.key AS key, any(c.closes) AS closes, max(o.observed_at) AS as_of,
      anyIf(toFloat64(o.amount), o.metric = 'lend.borrowed') / any(c.scale) AS borrowed,
      anyIf(toFloat64(o.amount), o.metric = 'lend.supplied') / any(c.scale) AS supplied,
      anyIf(toFloat64(o.value), o.metric = 'lend.borrow_apr') AS borrow_rate,
      anyIf(toFloat64(o.value), o.metric = 'lend.supply_apr') AS supply_rate
    FROM latest_observations AS o
    INNER JOIN coins AS c ON c.entity = o.entity AND c.key = o.key
    WHERE o.metric IN ('lend.borrowed', 'lend.supplied', 'lend.borrow_apr', 'lend.supply_apr')
      AND o.entity = {entity:String} AND o.day ${RANGE} AND o.source = '${source}'
    GROUP BY o.day, o.key
    HAVING uniqExact(o.metric) = 4
  )
SELECT
  n.day AS day, n.key AS key, greatest(n.borrowed * n.borrow_rate - n.supplied * n.supply_rate, 0) / 365 * ${DOLLARS} AS value,
  if(value IS NULL, 'incomplete', 'whole') AS state, '${source}' AS source, ${NO_HEIGHTS}, n.as_of AS as_of
FROM newest AS n
${PRICED}
ORDER BY day, key`

/** Amounts that are dollars by themselves, in `scale`ths. `key` is SQL over `o`, as which a row is told. */
export const dollarsAtPar = (
  metric: string,
  sources: readonly string[],
  scale: string,
  key = 'o.key',
): string => {
  const ranks = `indexOf([${sources.map(source => `'${source}'`).join(', ')}], o.source)`
  return `SELECT
  o.day AS day, ${key} AS key, toFloat64(o.amount) / ${scale} AS value, 'whole' AS state, o.source AS source,
  ${NO_HEIGHTS}, o.observed_at AS as_of
FROM latest_observations AS o
WHERE o.metric = '${metric}' AND o.entity = {entity:String} AND o.day ${RANGE} AND ${ranks} > 0
ORDER BY day, key, ${ranks}
LIMIT 1 BY day, key`
}

/** How a figure of observations grew over `days` days, as an annual yield; the older figure may be up to a week older still. */
export const grownBy = (metric: string, days: number): string => `WITH
  rates AS (
    SELECT o.day AS day, o.key AS key, assumeNotNull(o.value) AS rate, o.source AS source, o.observed_at AS as_of
    FROM latest_observations AS o
    WHERE o.metric = '${metric}' AND o.entity = {entity:String} AND o.source = '${READS}' AND o.value > 0
  ),
  spans AS (SELECT day, key, rate, source, as_of, day - ${days} AS until FROM rates)
SELECT
  s.day AS day, s.key AS key,
  if(dateDiff('day', r.day, s.until) <= ${LONGEST_DAYS}, pow(s.rate / r.rate, 365 / dateDiff('day', r.day, s.day)) - 1, NULL) AS value,
  if(value IS NULL, 'incomplete', 'whole') AS state, s.source AS source, ${NO_HEIGHTS}, s.as_of AS as_of
FROM spans AS s
ASOF INNER JOIN rates AS r ON r.key = s.key AND r.day <= s.until
WHERE s.day ${RANGE}
ORDER BY day, key`
