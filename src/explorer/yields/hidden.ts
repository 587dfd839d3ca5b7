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
        arrayExists(c -> position(c, 'BTC') > 0, others), 'A coin of it is not known to be a bitcoin',
        length(others) > 0, 'Its other coin moves against bitcoin',
        l.tvl_usd < 100000, 'Less than 100,000 dollars are in it',
        l.is_outlier, 'Its publisher marks its rates as an outlier',
        apy = 0, 'The list prints 0 or nothing for it',
        apy > 10, 'More than 1,000 % a year is not believed',
        'It has no file in the catalog yet'
      ) AS reason
    FROM yield_listings AS l
    WHERE l.day = (SELECT max(day) FROM yield_listings)
  )`

/** How many pools are left out, and why. */
export const hiddenTable: OpportunityTable = {
  title: 'What is left out, and why',
  sub: 'Pools with BTC in their name on DefiLlama’s latest indexed list that are not among the opportunities above. Each counts once, under the first reason that applies',
  empty: NO_LIST,
  columns: [
    { key: 'reason', label: 'Reason', form: 'text' },
    { key: 'pools', label: 'Pools', form: 'count' },
    { key: 'tvl', label: 'In them', form: 'figure', unit: 'USD' },
    { key: 'share', label: 'Of all listed', form: 'figure', unit: 'ratio' },
    { key: 'largest', label: 'The largest', form: 'text' },
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
  title: 'The pools that are left out',
  sub: 'By size, with what the list prints of them. Rates here are promises of one day',
  empty: NO_LIST,
  columns: [
    { key: 'symbol', label: 'Coins', form: 'text' },
    { key: 'project', label: 'Application', form: 'text' },
    { key: 'chain', label: 'Chain', form: 'text' },
    { key: 'tvl', label: 'In it', form: 'figure', unit: 'USD' },
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
