import type { OpportunityTable } from './opportunities.ts'

const NO_LIST =
  'No pool list yet. The bundled snapshot has one of eight days, and with internet a newer one loads hourly.'

/** Pools of the newest list with bitcoin in their name that no file of the catalogue follows, each with the first reason that holds. */
const hidden = `listed AS (
    SELECT
      l.pool AS pool, l.project AS project, l.chain AS chain, l.symbol AS symbol, l.tvl_usd AS tvl_usd, l.apy_base AS apy_base,
      l.apy_reward AS apy_reward, l.is_outlier AS is_outlier, l.day AS day, l.pool IN (SELECT pool FROM yield_opportunities WHERE pool != '')
        OR (concat(l.project, '|', l.chain, '|', upper(l.symbol)) IN (SELECT arrayJoin(splitByChar(',', listed)) FROM yield_opportunities)
          AND l.tvl_usd = max(l.tvl_usd) OVER (PARTITION BY l.project, l.chain, upper(l.symbol))) AS is_followed,
      arrayFilter(c -> c NOT IN (SELECT symbol FROM yield_bitcoins), splitByChar('-', upper(l.symbol))) AS others,
      ifNull(l.apy_base, 0) + ifNull(l.apy_reward, 0) AS apy,
      multiIf(
        is_followed, '',
        arrayExists(c -> position(c, 'BTC') > 0, others), 'Not every BTC coin in it is a known bitcoin token',
        length(others) > 0, 'Its other coin moves against bitcoin',
        l.tvl_usd < 100000, 'TVL below $100,000',
        l.is_outlier, 'Marked as an outlier by the source',
        apy = 0, 'The list reports 0 or no rate',
        apy > 10, 'Rate above 1,000% a year',
        'Not in the catalog yet'
      ) AS reason
    FROM yield_listings AS l
    WHERE l.day = (SELECT max(day) FROM yield_listings)
  )`

/** How many pools are left out, and why. */
export const hiddenTable: OpportunityTable = {
  title: 'Excluded pools by reason',
  sub: 'Pools with BTC in their name on DefiLlama’s latest indexed list that are not among the opportunities above. Each counts once, under the first reason that applies',
  empty: NO_LIST,
  columns: [
    { key: 'reason', label: 'Reason', form: 'text' },
    { key: 'pools', label: 'Pools', form: 'count' },
    { key: 'tvl', label: 'TVL', form: 'figure', unit: 'USD' },
    { key: 'share', label: 'Share of list', form: 'figure', unit: 'ratio' },
    { key: 'largest', label: 'Largest', form: 'text' },
    { key: 'day', label: 'List of', form: 'day' },
  ],
  sql: () => `WITH
  ${hidden}
SELECT
  if(reason = '', 'Not left out: shown above', reason) AS reason, count() AS pools, sum(tvl_usd) AS tvl,
  count() / any(a.pools) AS share, argMax(concat(project, ' on ', chain, ': ', symbol), tvl_usd) AS largest, max(day) AS day
FROM listed
CROSS JOIN (SELECT count() AS pools FROM listed) AS a
GROUP BY reason
ORDER BY reason = 'Not left out: shown above' DESC, pools DESC`,
}

/** Those pools one by one. */
export const listedTable: OpportunityTable = {
  title: 'Excluded pools',
  sub: 'By size, with the rates in the list. Rates are promises for one day',
  empty: NO_LIST,
  columns: [
    { key: 'symbol', label: 'Coins', form: 'text' },
    { key: 'project', label: 'Application', form: 'text' },
    { key: 'chain', label: 'Chain', form: 'text' },
    { key: 'tvl', label: 'TVL', form: 'figure', unit: 'USD' },
    { key: 'base', label: 'Base', form: 'figure', unit: 'ratio' },
    { key: 'reward', label: 'Reward', form: 'figure', unit: 'ratio' },
    { key: 'reason', label: 'Reason', form: 'text' },
    { key: 'day', label: 'List of', form: 'day', isOptional: true },
  ],
  sql: () => `WITH
  ${hidden}
SELECT symbol, project, chain, tvl_usd AS tvl, apy_base AS base, apy_reward AS reward, reason, day
FROM listed
WHERE reason != ''
ORDER BY tvl_usd DESC
LIMIT 400`,
}
