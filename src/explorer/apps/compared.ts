import { type AppTable, quoted } from './table.ts'

/** A figure of ours is held to one that is at most so many days newer. */
const MOST_DAYS = 7

/** Figures of ours by day, in dollars, over all pools of an exchange or those of bins. */
const OURS = {
  tvl: { sql: 'sum(v.tvl_usd)', isOfDay: false },
  volume: { sql: 'sum(v.volume_usd)', isOfDay: true },
  fees: { sql: 'sum(v.lp_fee_usd) + sum(v.protocol_fee_usd)', isOfDay: true },
  bins_tvl: { sql: "sumIf(v.tvl_usd, v.curve = 'bins')", isOfDay: false },
  bins_volume: { sql: "sumIf(v.volume_usd, v.curve = 'bins')", isOfDay: true },
  bins_fees: {
    sql: "sumIf(v.lp_fee_usd, v.curve = 'bins') + sumIf(v.protocol_fee_usd, v.curve = 'bins')",
    isOfDay: true,
  },
} as const
type Ours = keyof typeof OURS

/** What others say of an exchange, which figure of ours it is held to, and why both differ. */
const OF_EXCHANGES: readonly { metric: string; what: string; ours: Ours; why: string }[] = [
  {
    metric: 'dex.liquidity',
    what: 'In its pools',
    ours: 'tvl',
    why: 'its own prices and its own list of pools; here pools without a price on either side are left out',
  },
  {
    metric: 'tvl.total',
    what: 'In its pools',
    ours: 'tvl',
    why: 'an adapter counts balances of contracts, also of some outside of pools, at prices of its own',
  },
  {
    metric: 'dex.volume_24h',
    what: 'Volume of a day',
    ours: 'volume',
    why: 'its 24 hours end at the time of the request, ours at 00:00 UTC; its own prices',
  },
  {
    metric: 'dex.volume',
    what: 'Volume of a day',
    ours: 'volume',
    why: 'an adapter takes prices of another moment, other contracts, and a route may count once',
  },
  {
    metric: 'dex.fees_24h',
    what: 'Fees of a day',
    ours: 'fees',
    why: 'its 24 hours end at the time of the request, ours at 00:00 UTC; it does not say whether rebates are deducted',
  },
  {
    metric: 'dex.bins_liquidity',
    what: 'In its pools of bins',
    ours: 'bins_tvl',
    why: 'its own prices and its own list of pools; here pools without a price on either side are left out',
  },
  {
    metric: 'dex.bins_volume_24h',
    what: 'Volume of a day, pools of bins',
    ours: 'bins_volume',
    why: 'its 24 hours end at the time of the request, ours at 00:00 UTC; its own prices',
  },
  {
    metric: 'dex.bins_fees_24h',
    what: 'Fees of a day, pools of bins',
    ours: 'bins_fees',
    why: 'its 24 hours end at the time of the request, ours at 00:00 UTC; ours is the printed fee of each bin that a swap crossed',
  },
]
const METRICS = OF_EXCHANGES.map(({ metric }) => quoted(metric)).join(', ')
const said = (read: (one: (typeof OF_EXCHANGES)[number]) => string): string =>
  `transform(t.metric, [${METRICS}], [${OF_EXCHANGES.map(one => quoted(read(one))).join(', ')}], '')`

/** What an exchange and publishers say of it beside what its prints tell. */
export const comparedExchangeTable: AppTable = {
  title: 'Compared with other sources',
  sub: 'Latest figure of its own interface and of publishers, beside the one from its prints',
  empty: 'No external figure is close enough in time to one of ours to compare.',
  columns: [
    { key: 'what', label: 'What', form: 'text' },
    { key: 'ours', label: 'From its prints', form: 'figure', unit: 'USD' },
    { key: 'said', label: 'Reported', form: 'figure', unit: 'USD' },
    {
      key: 'difference',
      label: 'Difference',
      form: 'figure',
      unit: 'ratio',
      title: 'Of the figure from its prints',
    },
    { key: 'by', label: 'By', form: 'text' },
    { key: 'why', label: 'Why they differ', form: 'text' },
    { key: 'day', label: 'Our day', form: 'day' },
    { key: 'said_day', label: 'Day of theirs', form: 'day' },
  ],
  sql: ({ slug }) => `WITH
  days AS (
    SELECT v.day AS day, ${Object.entries(OURS)
      .map(([name, { sql }]) => `${sql} AS ${name}`)
      .join(', ')}
    FROM stx_pool_values AS v
    WHERE v.protocol = ${quoted(slug)}
    GROUP BY v.day
  ),
  ours AS (
    ${OF_EXCHANGES.map(({ metric, ours }) => `SELECT ${quoted(metric)} AS metric, day, ${ours} AS usd FROM days${OURS[ours].isOfDay ? ' WHERE day IN (SELECT day FROM stx_whole_days)' : ''}`).join('\n    UNION ALL\n    ')}
  ),
  theirs AS (
    SELECT o.metric AS metric, o.day AS day, o.source AS source, assumeNotNull(o.value) AS usd
    FROM latest_observations AS o
    WHERE o.entity = ${quoted(slug)} AND o.metric IN (${METRICS}) AND o.key = '' AND o.value > 0
  )
SELECT
  ${said(({ what }) => what)} AS what, o.usd AS ours, t.usd AS said, t.usd / o.usd - 1 AS difference, t.source AS by,
  concat(${said(({ why }) => why)}, if(t.day = o.day, '', '; of another day')) AS why, o.day AS day, t.day AS said_day
FROM theirs AS t
ASOF INNER JOIN ours AS o ON o.metric = t.metric AND o.day <= t.day
WHERE t.day - o.day <= ${MOST_DAYS} AND o.usd > 0
ORDER BY t.day DESC, t.metric, t.source
LIMIT 1 BY t.metric, t.source`,
}

/** What a lender’s own interface says of its markets beside what their contracts answer. */
export const comparedLenderTable: AppTable = {
  title: 'Held to its own interface',
  sub: 'Latest value of each contract next to the application’s latest',
  empty: 'Its contracts and its own API have not both responded yet. With internet, both are polled hourly.',
  columns: [
    { key: 'market', label: 'Market', form: 'text' },
    { key: 'what', label: 'What', form: 'text' },
    { key: 'ours', label: 'As the contract answers', form: 'amount' },
    { key: 'said', label: 'Reported by the application', form: 'amount' },
    {
      key: 'difference',
      label: 'Difference',
      form: 'figure',
      unit: 'ratio',
      title: 'Of the contract’s answer',
    },
    { key: 'why', label: 'Why they differ', form: 'text' },
    { key: 'asked', label: 'Contract polled', form: 'time' },
    { key: 'said_at', label: 'Application polled', form: 'time' },
  ],
  sql: ({ slug, declared }) => {
    const markets = (declared?.markets ?? []).map(
      ({ id, asset }) =>
        `(${quoted(id)}, ${quoted(declared?.assets[asset]?.symbol ?? '')}, ${declared?.assets[asset]?.decimals ?? 0})`,
    )
    return `WITH
  told AS (
    SELECT
      o.metric AS metric, o.key AS key, o.source AS source, argMax(assumeNotNull(o.amount), (o.day, o.observed_at)) AS amount,
      max(o.observed_at) AS at
    FROM latest_observations AS o
    WHERE o.entity = ${quoted(slug)} AND o.metric IN ('lend.supplied', 'lend.borrowed') AND o.amount IS NOT NULL
    GROUP BY o.metric, o.key, o.source
  ),
  markets AS (SELECT m.1 AS id, m.2 AS symbol, m.3 AS decimals FROM (SELECT arrayJoin([${markets.length === 0 ? "('', '', 0)" : markets.join(', ')}]) AS m))
SELECT
  o.key AS market, if(o.metric = 'lend.supplied', 'Supplied', 'Borrowed') AS what,
  toString(o.amount) AS ours, m.decimals AS ours_decimals, m.symbol AS ours_symbol,
  toString(t.amount) AS said, m.decimals AS said_decimals, m.symbol AS said_symbol,
  if(o.amount = 0, NULL, toFloat64(t.amount) / toFloat64(o.amount) - 1) AS difference,
  multiIf(
    o.amount = t.amount, 'they agree',
    abs(dateDiff('minute', o.at, t.at)) > 60, 'asked at different times: what moved between is in one of both',
    'the interface reads the contract at an older block: what moved since, and its interest, is missing'
  ) AS why,
  formatDateTime(o.at, '%Y-%m-%dT%H:%i:%SZ') AS asked, formatDateTime(t.at, '%Y-%m-%dT%H:%i:%SZ') AS said_at
FROM told AS o
INNER JOIN told AS t ON t.metric = o.metric AND t.key = o.key
INNER JOIN markets AS m ON m.id = o.key
WHERE o.source = 'stacks.reads' AND t.source != 'stacks.reads'
ORDER BY o.key, o.metric DESC`
  },
}
