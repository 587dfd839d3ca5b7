import type { AppTable } from '../apps/table.ts'

/** A table of the page about yields: one statement on public tables, which readers may open and run. */
export type OpportunityTable = Omit<AppTable, 'sql'> & { readonly sql: () => string }

export const NOT_LOADED =
  'Opportunities come with the catalog, which loads with the bundled snapshot. It is not loaded on this server.'

/** Median time and fee of withdrawals of sBTC that Bitcoin paid in the newest 90 days of them. */
const paid = `paid AS (
    SELECT
      quantileExactLow(0.5)(assumeNotNull(w.seconds_to_payment)) / 86400 AS days, quantileExactLow(0.5)(ifNull(w.fee_sat, 0)) AS fee_sat,
      count() AS withdrawals
    FROM stx_sbtc_withdrawals AS w
    WHERE w.status = 'accepted' AND w.seconds_to_payment IS NOT NULL
      AND assumeNotNull(w.settled_time) > now('UTC') - INTERVAL 90 DAY
  )`

/**
 * The most that a lending market takes, by the newest day on which its contract told both what lies in it and how much
 * of its cap that is: bitcoin, both from one day since caps are moved. A cap of zero is none and tells nothing.
 */
const capped = `capped AS (
    SELECT
      o.entity AS entity, argMax(q.supplied / q.used, q.day) AS cap_btc,
      argMax(greatest(q.supplied / q.used - q.supplied, 0), q.day) AS left_btc, max(q.day) AS day
    FROM yield_opportunities AS o
    INNER JOIN (
      SELECT
        b.entity AS of, b.day AS day, if(b.metric = 'lend.caps', replaceRegexpOne(b.key, ' supply$', ''), b.key) AS lent,
        argMaxIf(toFloat64(b.amount) / 1e8, b.observed_at, b.metric = 'lend.supplied') AS supplied,
        argMaxIf(b.value, b.observed_at, b.metric = 'lend.caps') AS used
      FROM latest_observations AS b
      WHERE b.source = 'stacks.reads' AND (b.metric = 'lend.supplied' OR (b.metric = 'lend.caps' AND endsWith(b.key, ' supply')))
      GROUP BY of, day, lent
      HAVING supplied > 0 AND used > 0
    ) AS q ON q.of = o.share_entity AND q.lent = o.size_key
    WHERE o.size_metric = 'lend.supplied'
    GROUP BY o.entity
  )`

/** Every way to earn that the catalogue follows. */
export const opportunitiesTable: OpportunityTable = {
  title: 'Opportunities',
  sub: 'Promised return, actual return in bitcoin up to the latest complete day, and risk. Blank cells have no figure. The last columns give the reason',
  empty: NOT_LOADED,
  columns: [
    { key: 'name', label: 'Opportunity', form: 'text' },
    {
      key: 'earned_90',
      label: '90-day return',
      form: 'figure',
      unit: 'ratio',
      title: 'In bitcoin, not drawn out to a year',
    },
    {
      key: 'earned_30',
      label: '30-day return',
      form: 'figure',
      unit: 'ratio',
      title: 'In bitcoin, not drawn out to a year',
    },
    { key: 'mean', label: '30-day mean', form: 'figure', unit: 'ratio', title: 'Base plus reward' },
    {
      key: 'base',
      label: 'Base',
      form: 'figure',
      unit: 'ratio',
      title: 'Fees and interest, annual rate, as reported',
    },
    {
      key: 'reward',
      label: 'Reward',
      form: 'figure',
      unit: 'ratio',
      title: 'Reward tokens at the day’s price, annual rate, as reported',
    },
    { key: 'sigma', label: 'σ', form: 'figure', unit: 'ratio', title: 'Standard deviation over 30 days' },
    {
      key: 'subsidy',
      label: 'Subsidy',
      form: 'figure',
      unit: 'ratio',
      title: 'Share of rewards in the reported yield over 30 days',
    },
    { key: 'tvl', label: 'TVL', form: 'figure', unit: 'USD' },
    { key: 'risk', label: 'Risk of ten', form: 'count', title: 'Points for five questions. See yield.risk' },
    { key: 'layer', label: 'Layer', form: 'text' },
    { key: 'coins', label: 'Assets', form: 'text' },
    {
      key: 'strategy',
      label: 'Kind',
      form: 'text',
      title: 'Lending, LP (a share of a two-coin pool), staking, basis or vault',
    },
    { key: 'custody_kind', label: 'Custody', form: 'text', title: 'With several coins, the weakest' },
    {
      key: 'exit_days',
      label: 'Exit time',
      form: 'figure',
      unit: 'days',
      title: 'Full exit to bitcoin on Bitcoin, as stated, or measured for sBTC',
    },
    {
      key: 'exit_told',
      label: 'Basis',
      form: 'text',
      title: 'Measured on withdrawals, or stated by the provider. Partial exits are marked',
    },
    {
      key: 'exit_fee',
      label: 'Exit cost',
      form: 'figure',
      unit: 'sat',
      title: 'Measured median of withdrawals',
    },
    {
      key: 'fee_stated',
      label: 'Exit fee, stated',
      form: 'figure',
      unit: 'ratio',
      title: 'Of the exit steps that state one',
      isOptional: true,
    },
    { key: 'audits', label: 'Audits', form: 'reference', title: 'Recorded here, with the latest report' },
    { key: 'incidents', label: 'Incidents', form: 'reference', title: 'Recorded here' },
    {
      key: 'ends',
      label: 'Rewards until',
      form: 'reference',
      title: 'As stated by the payer. Not covered if neither an end nor a budget is recorded',
    },
    {
      key: 'subsidy_usd',
      label: 'Rewards a day',
      form: 'figure',
      unit: 'USD',
      title: 'Reward rate of the latest day × TVL ÷ 365',
      isOptional: true,
    },
    { key: 'known_days', label: 'Days tracked', form: 'count' },
    { key: 'day', label: 'As of', form: 'day' },
    { key: 'reason', label: 'Why no figure', form: 'text' },
    {
      key: 'kept_90',
      label: '90 days, rewards kept',
      form: 'figure',
      unit: 'ratio',
      title: 'Rewards at their price at the end, if the token has a price',
      isOptional: true,
    },
    { key: 'paid_day', label: 'Rewards last seen', form: 'day', isOptional: true },
    {
      key: 'capacity',
      label: 'Capacity',
      form: 'text',
      title: 'Cap of a lending market from its contract, else as stated',
      isOptional: true,
    },
    { key: 'state', label: 'State', form: 'text', isOptional: true },
  ],
  sql: () => `WITH
  newest AS (
    SELECT s.entity AS entity, max(s.day) AS last, argMax(tuple(s.*), s.day) AS now
    FROM (
      SELECT entity, day, state, tvl_usd, apy_base, apy_reward, mean, sigma, reward_share, known_days, paid_day, points
      FROM yield_standings
      WHERE is_over
    ) AS s
    GROUP BY s.entity
  ),
  made AS (
    SELECT
      g.entity AS entity, argMaxIf(tuple(g.growth), g.day, g.span = 30).1 AS earned_30,
      argMaxIf(tuple(g.growth), g.day, g.span = 90).1 AS earned_90,
      argMaxIf(tuple(g.growth_kept), g.day, g.span = 90).1 AS kept_90, argMaxIf(g.reason, g.day, g.span = 90) AS reason
    FROM yield_realised AS g
    GROUP BY g.entity
  ),
  ${paid},
  ${capped}
SELECT
  o.entity AS entity, o.name AS name, multiIf(o.layer IN ('bob', 'bsc'), upper(o.layer), o.layer = 'b2-network', 'B² Network', initcap(o.layer)) AS layer,
  replaceAll(o.coins, '-', ', ') AS coins, if(o.strategy = 'lp', 'LP', toString(o.strategy)) AS strategy,
  o.is_bitcoin_only AS is_bitcoin_only, o.custody_kind AS custody_kind, o.custody AS custody,
  n.now.5 AS base, n.now.6 AS reward, n.now.7 AS mean, n.now.8 AS sigma, m.earned_30 AS earned_30, m.earned_90 AS earned_90,
  m.kept_90 AS kept_90, n.now.9 AS subsidy, n.now.11 AS paid_day,
  multiIf(
    o.rewards_end_day < toDate(now('UTC')), concat('ended on ', toString(o.rewards_end_day)),
    o.rewards_end_day IS NOT NULL, concat(toString(o.rewards_end_day), ', in ', toString(o.rewards_end_day - toDate(now('UTC'))), ' days'),
    n.now.6 > 0 OR n.now.9 > 0, 'not covered: no end and no budget is recorded',
    n.now.11 IS NOT NULL, concat('none seen since ', toString(n.now.11)),
    n.now.6 IS NOT NULL OR n.now.9 IS NOT NULL, 'none seen', ''
  ) AS ends, o.rewards_end_url AS ends_href, n.now.4 * nullIf(n.now.6, 0) / 365 AS subsidy_usd,
  n.now.4 AS tvl,
  multiIf(
    NOT o.is_exit_measured, o.exit_wait_days + o.redeem_wait_days,
    p.withdrawals > 0, p.days + ifNull(o.exit_wait_days, 0), NULL
  ) AS exit_days,
  multiIf(
    o.is_exit_measured AND p.withdrawals > 0, if(o.exit_wait_days IS NULL, 'measured', 'measured and stated'),
    exit_days IS NOT NULL, 'stated',
    o.exit_wait_days IS NOT NULL, concat('stated, to its coins only: ', toString(o.exit_wait_days), ' days'),
    o.is_exit_measured, 'no indexed withdrawals',
    o.redeem_wait_days IS NOT NULL, concat('stated, from its coins only: ', toString(o.redeem_wait_days), ' days'),
    'not stated'
  ) AS exit_told,
  if(o.exit_fee_bps IS NULL AND o.redeem_fee_bps IS NULL, NULL, ifNull(o.exit_fee_bps, 0) + ifNull(o.redeem_fee_bps, 0)) / 10000 AS fee_stated,
  if(o.is_exit_measured AND p.withdrawals > 0, toNullable(p.fee_sat), NULL) AS exit_fee,
  if(n.last > '1971-01-01', toNullable(n.now.12), NULL) AS risk,
  if(o.audits = 0, 'none recorded', toString(o.audits)) AS audits, o.audits_url AS audits_href,
  if(o.incidents = 0, 'none recorded', toString(o.incidents)) AS incidents, o.incident_url AS incidents_href,
  multiIf(
    k.entity != '', concat(toString(round(k.cap_btc, 2)), ' BTC, ', toString(round(k.left_btc, 2)), ' left on ', toString(k.day)),
    o.capacity_btc IS NOT NULL, concat(toString(o.capacity_btc), ' BTC'),
    'no limit stated'
  ) AS capacity,
  if(n.last > '1971-01-01', toNullable(n.now.10), NULL) AS known_days, if(n.last > '1971-01-01', toNullable(n.last), NULL) AS day,
  n.now.3 AS state,
  multiIf(m.entity != '', m.reason, n.entity != '', 'No share price yet.', multiIf(
    o.pool != '', 'No rate yet. With internet, the pool list is polled hourly.',
    o.listed != '', 'No rate yet. The hourly pool list has no pool with these names.',
    'No source reports its rate.'
  )) AS reason
FROM yield_opportunities AS o
LEFT JOIN newest AS n ON n.entity = o.entity
LEFT JOIN made AS m ON m.entity = o.entity
LEFT JOIN capped AS k ON k.entity = o.entity
CROSS JOIN paid AS p
ORDER BY earned_90 DESC NULLS LAST, tvl DESC NULLS LAST, name`,
}

/** The way out of each, in words, with where they stand. */
export const exitsTable: OpportunityTable = {
  title: 'Exit paths',
  sub: 'From each application back to the deposited coin, with the evidence and the date it was read. Missing facts are marked, not guessed',
  empty: NOT_LOADED,
  columns: [
    { key: 'project', label: 'Application', form: 'text' },
    { key: 'exit', label: 'How', form: 'text' },
    { key: 'evidence', label: 'Evidence', form: 'reference' },
    { key: 'read_day', label: 'Read', form: 'day' },
    { key: 'wait', label: 'Days, stated', form: 'figure', unit: 'days' },
    { key: 'fee', label: 'Fee, stated', form: 'figure', unit: 'ratio' },
    { key: 'ways', label: 'Ways followed', form: 'count' },
    { key: 'incident', label: 'Newest incident', form: 'reference' },
  ],
  sql: () => `SELECT
  any(o.project_name) AS project, if(any(o.exit) = '', 'not recorded', any(o.exit)) AS exit,
  if(any(o.exit_url) = '', '', 'where it stands') AS evidence, any(o.exit_url) AS evidence_href, any(o.exit_day) AS read_day,
  any(o.exit_wait_days) AS wait, any(o.exit_fee_bps) / 10000 AS fee, count() AS ways,
  if(any(o.incident) = '', 'none recorded', any(o.incident)) AS incident, any(o.incident_url) AS incident_href
FROM yield_opportunities AS o
GROUP BY o.project
ORDER BY ways DESC, project`,
}

/** Who holds the bitcoin behind each token. */
export const bitcoinsTable: OpportunityTable = {
  title: 'Bitcoin custody',
  sub: 'Bitcoin tokens used in these opportunities, who holds the backing, and how to redeem them for bitcoin on Bitcoin. As stated on the date read, or measured for sBTC',
  empty: NOT_LOADED,
  columns: [
    { key: 'name', label: 'Bitcoin', form: 'text' },
    { key: 'kind', label: 'Keys', form: 'text' },
    { key: 'custody', label: 'Custodian', form: 'text' },
    { key: 'redeem', label: 'To bitcoin', form: 'text' },
    { key: 'evidence', label: 'Evidence', form: 'reference' },
    { key: 'read_day', label: 'Read', form: 'day' },
    { key: 'wait', label: 'Days', form: 'figure', unit: 'days' },
    { key: 'wait_told', label: 'Basis', form: 'text', title: 'Stated, or measured on withdrawals' },
    { key: 'fee', label: 'Fee, stated', form: 'figure', unit: 'ratio' },
    { key: 'ways', label: 'Ways followed', form: 'count' },
  ],
  sql: () => `WITH
  ${paid}
SELECT
  b.name AS name, b.custody_kind AS kind, if(b.custody = '', 'not recorded', b.custody) AS custody,
  if(b.redeem = '', 'not recorded', b.redeem) AS redeem, if(b.redeem_url = '', '', 'where it stands') AS evidence,
  b.redeem_url AS evidence_href, b.redeem_day AS read_day,
  if(b.is_redeem_measured AND any(p.withdrawals) > 0, toNullable(any(p.days)), b.redeem_wait_days) AS wait,
  multiIf(wait IS NULL, 'not stated', b.is_redeem_measured AND any(p.withdrawals) > 0, 'measured', 'stated') AS wait_told,
  b.redeem_fee_bps / 10000 AS fee, countIf(has(splitByChar('-', o.coins), b.symbol)) AS ways
FROM yield_bitcoins AS b
CROSS JOIN yield_opportunities AS o
CROSS JOIN paid AS p
GROUP BY b.symbol, b.name, b.custody_kind, b.custody, b.redeem, b.redeem_url, b.redeem_day, b.redeem_wait_days, b.redeem_fee_bps, b.is_redeem_measured
ORDER BY ways DESC, name`,
}
