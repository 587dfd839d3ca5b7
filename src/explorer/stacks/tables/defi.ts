import { COVERS_WEEK } from '../../coversWeek.ts'
import type { StacksTable } from './table.ts'

/** SQL: the symbol of a token; its contract’s name where nobody says one. */
const symbol = (token: string): string =>
  `ifNull(nullIf(transform(${token}, (SELECT groupArray(token) FROM stx_dex_tokens), (SELECT groupArray(symbol) FROM stx_dex_tokens), ''), ''), splitByChar('.', ${token})[-1])`

/** The largest pools of all exchanges that are read. */
export const defiPoolsTable: StacksTable = {
  title: 'Pools of all exchanges',
  sub: 'At the end of the latest indexed day, with volume and fees for the seven days to then',
  empty: 'No indexed pool events.',
  columns: [
    { key: 'pair', label: 'Pool', form: 'text' },
    { key: 'protocol', label: 'Exchange', form: 'application' },
    { key: 'tvl_usd', label: 'Value', form: 'figure', unit: 'USD' },
    { key: 'volume_usd', label: 'Volume, 7 days', form: 'figure', unit: 'USD' },
    {
      key: 'fee_apr',
      label: 'Fee APR',
      form: 'figure',
      unit: 'ratio',
      title: 'What stayed with providers in seven days × 365 ÷ 7 ÷ mean value; before the price has moved',
    },
    { key: 'swaps', label: 'Swaps, 7 days', form: 'count' },
    { key: 'contract', label: 'Contract', form: 'principal', isOptional: true },
  ],
  sql: `SELECT
  concat(${symbol('n.token_x')}, ' / ', ${symbol('n.token_y')}) AS pair, n.protocol AS protocol, n.tvl_usd AS tvl_usd,
  if(w.swaps > 0 OR w.is_covered, w.volume_usd, NULL) AS volume_usd,
  if(w.days = 7 AND w.is_covered AND w.mean_tvl > 0, w.lp_fee_usd * 365 / 7 / w.mean_tvl, NULL) AS fee_apr,
  if(w.swaps > 0 OR w.is_covered, w.swaps, NULL) AS swaps, splitByChar('#', n.pool)[1] AS contract
FROM stx_pool_values AS n
INNER JOIN (
  SELECT
    pool, sum(volume_usd) AS volume_usd, sum(lp_fee_usd) AS lp_fee_usd, avg(tvl_usd) AS mean_tvl, count(tvl_usd) AS days,
    ${COVERS_WEEK} AS is_covered, sum(swap_count) AS swaps
  FROM stx_pool_values
  WHERE day > (SELECT max(day) FROM stx_pool_values) - 7
  GROUP BY pool
) AS w ON w.pool = n.pool
WHERE n.day = (SELECT max(day) FROM stx_pool_values)
ORDER BY tvl_usd DESC NULLS LAST, volume_usd DESC NULLS LAST, n.pool
LIMIT 200`,
}

/** What tokens cost by their pools, with what is behind each price. */
export const tokenPricesTable: StacksTable = {
  title: 'Prices from pools',
  sub: 'Latest day with pools. The price is from the pool whose other side is worth most, if that is at least $1,000',
  empty: 'No pool prices yet.',
  columns: [
    {
      key: 'symbol',
      label: 'Token',
      form: 'text',
      title: 'Self-reported if the catalog does not list it. Anyone can give a token any name',
    },
    { key: 'price_usd', label: 'Price', form: 'figure', unit: 'USD' },
    {
      key: 'liquidity_usd',
      label: 'Behind the price',
      form: 'figure',
      unit: 'USD',
      title: 'Value of the other side of the pool',
    },
    { key: 'steps', label: 'Pools to an anchor', form: 'count' },
    { key: 'day', label: 'Day', form: 'day' },
    { key: 'contract', label: 'Contract', form: 'principal' },
    { key: 'pool', label: 'Pool', form: 'text', isOptional: true },
  ],
  sql: `SELECT
  ${symbol('p.token')} AS symbol, p.usd * exp10(p.decimals) AS price_usd,
  p.liquidity_usd AS liquidity_usd, p.steps AS steps, p.day AS day, p.token AS contract, p.pool AS pool
FROM stx_token_prices AS p
-- STX, bitcoin and dollars are where prices begin: no pool tells theirs.
WHERE p.steps > 0 AND p.day = (SELECT max(day) FROM stx_token_prices WHERE steps > 0)
ORDER BY p.steps, p.liquidity_usd DESC, p.token
LIMIT 300`,
}
