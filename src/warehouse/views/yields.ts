import { BOOT_ADDRESSES } from '#kernel/stacks.ts'
import { yieldLoads } from '../tables/yields.ts'
import { commentsOf, type View, view } from '../view.ts'

/** Who says what lies in a pool and what it pays, in the order of trust: charts of whole days before lists of a moment. */
export const YIELD_PUBLISHERS = [
  'defillama.yield_charts',
  'defillama.yields',
  'defillama.yield_charts.recorded',
  'defillama.yields.recorded',
] as const

/** Beyond it a rate of a day is no yield: the list has such of pools with a few dollars in them. A ratio: 1,000 % a year. */
export const MOST_BELIEVED = 10
/** Of the days of a span that must be told for what it made to be told. */
export const LEAST_TOLD = 0.9
/** Below it a pool is all but empty, US dollars. */
export const LEAST_TVL_USD = 10_000
/** A share price from which growth is counted may be this much older than the span. */
const MOST_OLDER_DAYS = 7
const SPANS = [30, 90] as const

/** Distributions of PoX-5 in a year, as its contract counts them. */
const DISTRIBUTIONS_A_YEAR = 50
const BONDS = `contract = '${BOOT_ADDRESSES.mainnet}.pox-5'`

type Loads = (typeof yieldLoads)[keyof typeof yieldLoads]

/** The rows of the catalogue as it was loaded last; opportunities are written last, and by them a load is there. */
function ofLatestLoad(name: string, doc: string, loads: Loads): View {
  const comments = commentsOf(loads.columns)
  for (const own of ['loaded_at', 'catalog_hash']) delete comments[own]
  return view(name, {
    doc,
    columns: comments,
    sql: `SELECT ${Object.keys(comments).join(', ')}
FROM ${loads.name}
WHERE loaded_at = (SELECT max(l.loaded_at) FROM ${yieldLoads.opportunities.name} AS l)`,
  })
}

const shares = view('yield_shares', {
  doc: 'One row per opportunity with a share price from contracts and UTC day with one, in the deposited bitcoin.',
  columns: {
    entity: 'opportunity',
    day: 'UTC day',
    share: 'bitcoin per share; for bonds, one plus the rewards per bitcoin so far',
    source: 'source id',
    as_of: 'when it was told, UTC',
  },
  sql: `SELECT
  o.entity AS entity, s.day AS day, argMax(s.share, s.as_of) AS share, argMax(s.source, s.as_of) AS source, max(s.as_of) AS as_of
FROM yield_opportunities AS o
INNER JOIN (
  SELECT b.metric AS metric, b.entity AS of, b.key AS key, b.day AS day, argMax(assumeNotNull(b.value), b.observed_at) AS share,
    argMax(b.source, b.observed_at) AS source, max(b.observed_at) AS as_of
  FROM latest_observations AS b
  WHERE b.metric IN ('lend.share_price', 'vault.exchange_rate') AND b.value > 0
  GROUP BY b.metric, b.entity, b.key, b.day
  UNION ALL
  SELECT 'bonds.yield', 'stacks', 'all', p.day, 1 + sum(p.paid) OVER (ORDER BY p.day), 'stacks.chain', p.as_of
  FROM (
    SELECT toDate(d.block_time) AS day, sum(toFloat64(d.rewards_sat)) / nullIf(sum(toFloat64(d.staked_sat)), 0) AS paid,
      max(d.block_time) AS as_of
    FROM stx_bond_distributions AS d
    WHERE d.${BONDS} AND d.staked_sat > 0
    GROUP BY day
  ) AS p
) AS s ON s.metric = o.share_metric AND s.of = o.share_entity AND s.key = o.share_key
WHERE o.share_metric != ''
GROUP BY o.entity, s.day`,
})

const printedIn = (metric: string): string => `argMaxIf(b.value, b.observed_at, b.metric = '${metric}')`

const days = view('yield_days', {
  doc: 'One row per opportunity and UTC day with reported data, from the most trusted source.',
  columns: {
    entity: 'opportunity',
    day: 'UTC day',
    is_over: 'false for the day on which it was read',
    tvl_usd: 'what lies in it, US dollars; null where nobody says',
    price_source:
      'source id of the close of bitcoin that `tvl_usd` is valued at; empty where its source gives US dollars',
    printed_base: 'annual yield from fees and interest as reported, a ratio; null if not reported',
    printed_reward: 'annual yield from reward tokens at the day’s price as reported; null if not reported',
    state:
      '`told`: a rate is available; `printed 0`: the list reports 0 both for unknown rates and for pools that pay nothing, so there is no data; `beyond belief`: more than 1,000% a year; `empty`: TVL is 0; `silent`: no rate was reported',
    apy_base: 'base rate; null if not available',
    apy_reward: 'reward rate; 0 if only the base rate is reported; null if neither is available',
    source: 'source id',
    as_of: 'when it was told, UTC',
  },
  sql: `SELECT
  entity, day, day < toDate(now('UTC')) AS is_over, tvl_usd, price_source, printed_base, printed_reward,
  multiIf(
    tvl_usd = 0, 'empty',
    printed_base IS NULL AND printed_reward IS NULL, 'silent',
    ifNull(printed_base, 0) + ifNull(printed_reward, 0) > ${MOST_BELIEVED}, 'beyond belief',
    is_list AND ifNull(printed_base, 0) + ifNull(printed_reward, 0) = 0, 'printed 0',
    'told'
  ) AS state,
  if(state = 'told' AND (NOT is_list OR printed_base > 0), printed_base, NULL) AS apy_base,
  if(state = 'told', toNullable(ifNull(printed_reward, 0)), NULL) AS apy_reward,
  source, as_of
FROM (
  SELECT entity, day, tvl_usd, printed_base, printed_reward, source, as_of, true AS is_list, '' AS price_source
  FROM (
    SELECT b.entity AS entity, b.day AS day, b.source AS source,
      ${printedIn('yield.tvl')} AS tvl_usd, ${printedIn('yield.apy_base')} AS printed_base,
      ${printedIn('yield.apy_reward')} AS printed_reward, max(b.observed_at) AS as_of
    FROM latest_observations AS b
    WHERE b.metric IN ('yield.tvl', 'yield.apy_base', 'yield.apy_reward')
    GROUP BY b.entity, b.day, b.source
    ORDER BY entity, day, indexOf([${YIELD_PUBLISHERS.map(id => `'${id}'`).join(', ')}], source)
    LIMIT 1 BY entity, day
  )
  UNION ALL
  SELECT r.entity, r.day, r.coins * c.close, r.rate, NULL, r.source, r.as_of, false, if(r.coins IS NULL, '', toString(c.source))
  FROM (
    SELECT o.entity AS entity, b.day AS day, 'BTC' AS asset,
      argMaxIf(b.value, b.observed_at, b.metric = o.rate_metric AND b.key = o.rate_key) AS rate,
      argMaxIf(toFloat64(b.amount) / 1e8, b.observed_at, b.metric = o.size_metric AND b.key = o.size_key) AS coins,
      argMax(b.source, b.observed_at) AS source, max(b.observed_at) AS as_of
    FROM latest_observations AS b
    INNER JOIN yield_opportunities AS o ON o.share_entity = b.entity
    WHERE b.metric IN ('lend.supply_apr', 'lend.supplied', 'vault.btc_held')
      AND ((b.metric = o.rate_metric AND b.key = o.rate_key) OR (b.metric = o.size_metric AND b.key = o.size_key))
    GROUP BY o.entity, b.day
  ) AS r
  ASOF LEFT JOIN (SELECT asset, day, toNullable(close) AS close, source FROM usd_closes WHERE asset = 'BTC') AS c
    ON c.asset = r.asset AND r.day >= c.day
  UNION ALL
  SELECT o.entity, p.day, p.coins * c.close, p.rate, NULL, 'stacks.chain', p.as_of, false, toString(c.source)
  FROM (
    SELECT toDate(d.block_time) AS day, 'bonds.yield' AS metric, 'BTC' AS asset,
      sum(toFloat64(d.rewards_sat)) * ${DISTRIBUTIONS_A_YEAR} / nullIf(sum(toFloat64(d.staked_sat)), 0) AS rate,
      sum(toFloat64(d.staked_sat)) / 1e8 AS coins, max(d.block_time) AS as_of
    FROM stx_bond_distributions AS d
    WHERE d.${BONDS}
    GROUP BY day
  ) AS p
  INNER JOIN yield_opportunities AS o ON o.rate_metric = p.metric
  ASOF LEFT JOIN (SELECT asset, day, toNullable(close) AS close, source FROM usd_closes WHERE asset = 'BTC') AS c
    ON c.asset = p.asset AND p.day >= c.day
)`,
})

const over = (span: number): string => `over_${span}`
const window = (span: number): string =>
  `${over(span)} AS (PARTITION BY entity ORDER BY toUInt32(day) RANGE BETWEEN ${span - 1} PRECEDING AND CURRENT ROW)`

const realised = view('yield_realised', {
  doc: 'One row per opportunity, UTC day that is over and span of 30 or 90 days: growth of one unit’s value in bitcoin over the span, or why it has no figure.',
  columns: {
    entity: 'opportunity',
    day: 'last UTC day of the span',
    span: 'days',
    growth:
      'in bitcoin, a ratio, not annualized; rewards at the price of the day on which they were paid; null if not available',
    growth_base: 'the part of fees and interest',
    growth_reward: 'the part of rewards; 0 where none are known of',
    growth_kept:
      'the same with rewards kept and valued at the end of the span; null if the token has no price',
    told_days: 'days of the span with a rate; for a share, days between both prices',
    basis: '`share`: from share prices in contracts; `rates`: from reported daily rates',
    reason: 'why there is no figure; empty if there is one',
    source: 'source id',
    as_of: 'when it was told, UTC',
  },
  sql: `WITH
  closes AS (
    SELECT a.asset AS asset, a.day AS day, a.close / b.close AS coins
    FROM usd_closes AS a
    INNER JOIN (SELECT day, close FROM usd_closes WHERE asset = 'BTC') AS b ON b.day = a.day
    WHERE a.asset IN (SELECT reward_asset FROM yield_opportunities)
  ),
  daily AS (
    SELECT
      d.entity AS entity, d.day AS day, d.state AS state, d.tvl_usd AS tvl_usd, d.source AS source, d.as_of AS as_of,
      o.is_bitcoin_only AS is_bitcoin_only, d.state = 'told' AS is_told,
      log1p(ifNull(d.apy_base, 0)) / 365 AS base_log, ifNull(d.apy_reward, 0) / 365 AS reward,
      if(c.coins > 0, toNullable(c.coins), NULL) AS price
    FROM yield_days AS d
    INNER JOIN yield_opportunities AS o ON o.entity = d.entity
    LEFT JOIN closes AS c ON c.asset = o.reward_asset AND c.day = d.day
    WHERE d.is_over AND o.share_metric = ''
  ),
  accrued AS (
    SELECT
      entity, day, state, tvl_usd, is_bitcoin_only, source, as_of,
      arrayJoin([
        ${SPANS.map(
          span =>
            `(${span}, exp(sum(base_log) OVER ${over(span)}) - 1, sum(reward) OVER ${over(span)}, sum(is_told) OVER ${over(span)},
         if(countIf(reward > 0 AND price IS NULL) OVER ${over(span)} > 0 OR price IS NULL, NULL, sum(ifNull(reward / price, 0)) OVER ${over(span)} * price))`,
        ).join(',\n        ')}
      ]) AS made
    FROM daily
    WINDOW ${SPANS.map(window).join(', ')}
  ),
  grown AS (
    SELECT
      n.entity AS entity, n.day AS day, n.span AS span, n.source AS source, n.as_of AS as_of, n.day - t.day AS told_days,
      if(t.share > 0 AND n.until - t.day <= ${MOST_OLDER_DAYS}, pow(n.share / t.share, n.span / (n.day - t.day)) - 1, NULL) AS growth
    FROM (
      SELECT entity, day, share, source, as_of, arrayJoin([${SPANS.join(', ')}]) AS span, day - span AS until
      FROM yield_shares
      WHERE day < toDate(now('UTC'))
    ) AS n
    ASOF LEFT JOIN (SELECT entity, day, share FROM yield_shares) AS t ON t.entity = n.entity AND n.until >= t.day
  )
SELECT
  entity, day, toUInt8(made.1) AS span, if(reason = '', made.2 + made.3, NULL) AS growth, if(reason = '', made.2, NULL) AS growth_base,
  if(reason = '', made.3, NULL) AS growth_reward, if(reason = '', made.2 + made.5, NULL) AS growth_kept,
  toUInt32(made.4) AS told_days, 'rates' AS basis,
  multiIf(
    NOT is_bitcoin_only, 'Its other coin moves against bitcoin, so the return depends on price and range.',
    state = 'empty', 'Empty.',
    tvl_usd < ${LEAST_TVL_USD}, 'TVL below $10,000.',
    made.4 < made.1 * ${LEAST_TOLD}, concat('Partial data (', toString(made.4), ' of ', toString(made.1), ' days).'),
    ''
  ) AS reason,
  source, as_of
FROM accrued
UNION ALL
SELECT
  entity, day, toUInt8(span), growth, growth, if(growth IS NULL, NULL, 0.), growth, toUInt32(told_days), 'share',
  if(growth IS NULL, concat('No share price from ', toString(span), ' days earlier.'), ''), source, as_of
FROM grown`,
})

const standings = view('yield_standings', {
  doc: 'One row per opportunity and UTC day: rates of the day and of the 30 days up to it, days tracked, and five risk questions with 0 to 2 points each. Anything not recorded counts 2, because it is not known to be safe.',
  columns: {
    entity: 'opportunity',
    day: 'UTC day',
    is_over: 'false for the day on which it was read',
    state: 'of the day, as in `yield_days`',
    tvl_usd: 'what lies in it, US dollars; null where nobody says',
    apy_base: 'annual yield from fees and interest, a ratio; null if not available',
    apy_reward: 'annual yield from reward tokens; null if not available',
    told_days: 'days of the 30 with a rate',
    mean: 'mean of base plus reward rate over those days, a ratio; null if fewer than 20',
    sigma: 'their sample deviation; null likewise',
    reward_share: 'part of rewards in the sum of both; null likewise',
    known_days: 'days since the first with data',
    paid_day: 'newest day up to it on which rewards were paid; null without',
    custody:
      'of its bitcoins: 0 own key, 1 several parties, 2 one party or not recorded; of several coins the weakest',
    contract: 'its contracts: 0 audited and no incident recorded, 1 audited with one, 2 no audit recorded',
    subsidy: 'share of rewards in 30 days: 0 below a tenth, 1 below half, 2 above or unknown',
    exit: 'the way out: 0 the days to bitcoin are measured or stated, and those stated are one at most; 1 described; 2 nothing recorded',
    age: 'days that it is known: 0 a year, 1 ninety days, 2 less',
    points: 'the sum of the five, of ten',
    source: 'source id',
    as_of: 'when the latest was reported, UTC',
  },
  sql: `SELECT
  m.entity AS entity, m.day AS day, m.is_over AS is_over, m.state AS state, m.tvl_usd AS tvl_usd, m.apy_base AS apy_base,
  m.apy_reward AS apy_reward, m.told AS told_days, if(m.told >= 20, m.mean_of, NULL) AS mean,
  if(m.told >= 20, m.deviation, NULL) AS sigma, if(m.told >= 20 AND m.mean_of > 0, m.reward_mean / m.mean_of, NULL) AS reward_share,
  m.known_days AS known_days, m.paid_day AS paid_day,
  multiIf(o.custody_kind = 'own key', 0, o.custody_kind = 'several parties', 1, 2) AS custody,
  multiIf(o.audits = 0, 2, o.incidents > 0, 1, 0) AS contract,
  multiIf(reward_share IS NULL, 2, reward_share < 0.1, 0, reward_share < 0.5, 1, 2) AS subsidy,
  multiIf(o.exit = '', 2, o.exit_wait_days + if(o.is_exit_measured, 0, o.redeem_wait_days) <= 1, 0, 1) AS exit,
  multiIf(m.known_days >= 365, 0, m.known_days >= 90, 1, 2) AS age,
  custody + contract + subsidy + exit + age AS points, m.source AS source, m.as_of AS as_of
FROM (
  SELECT
    d.entity AS entity, d.day AS day, d.is_over AS is_over, d.state AS state, d.tvl_usd AS tvl_usd, d.apy_base AS apy_base,
    d.apy_reward AS apy_reward, countIf(d.state = 'told') OVER over_30 AS told,
    avgIf(ifNull(d.apy_base, 0) + ifNull(d.apy_reward, 0), d.state = 'told') OVER over_30 AS mean_of,
    avgIf(ifNull(d.apy_reward, 0), d.state = 'told') OVER over_30 AS reward_mean,
    stddevSampIf(ifNull(d.apy_base, 0) + ifNull(d.apy_reward, 0), d.state = 'told') OVER over_30 AS deviation,
    d.day - min(d.day) OVER so_far AS known_days,
    maxOrNullIf(d.day, d.apy_reward > 0) OVER so_far AS paid_day, d.source AS source, d.as_of AS as_of
  FROM yield_days AS d
  WINDOW
    over_30 AS (PARTITION BY d.entity ORDER BY toUInt32(d.day) RANGE BETWEEN 29 PRECEDING AND CURRENT ROW),
    so_far AS (PARTITION BY d.entity ORDER BY d.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
) AS m
INNER JOIN yield_opportunities AS o ON o.entity = m.entity`,
})

/** Of ways to earn with bitcoin, those that rest on others last. */
export const YIELD_VIEWS: readonly View[] = [
  ofLatestLoad(
    'yield_opportunities',
    'One row per way to earn with bitcoin that the catalog names.',
    yieldLoads.opportunities,
  ),
  ofLatestLoad(
    'yield_bitcoins',
    'One row per bitcoin on another chain that the catalog names.',
    yieldLoads.bitcoins,
  ),
  shares,
  days,
  realised,
  standings,
]
