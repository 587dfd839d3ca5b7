import type { StacksApp } from '#catalog/index.ts'
import type { AppTable } from './table.ts'

const NO_ANSWER =
  'Its contracts have not been queried yet. With internet, or a node in STACKS_RPC_URL, they are polled hourly.'
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** SQL: name, decimals and contract of the coin of each market of an application, in the order of the catalogue. */
function marketsSql(app: StacksApp | undefined): string {
  const rows = (app?.markets ?? []).map(
    ({ id, asset, isDeprecated }, index) =>
      `(${index}, ${quoted(id)}, ${quoted(app?.assets[asset]?.symbol ?? '')}, ${app?.assets[asset]?.decimals ?? 0}, ${isDeprecated ? 1 : 0})`,
  )
  return rows.length === 0 ? "[(0, '', '', 0, 0)]" : `[${rows.join(', ')}]`
}

const newest = (metric: string, kept: 'amount' | 'value', key: string): string =>
  `argMaxIf(assumeNotNull(o.${kept}), (o.day, o.observed_at), o.metric = '${metric}' AND o.key = ${key} AND o.${kept} IS NOT NULL)`
const has = (metric: string, key: string): string => `countIf(o.metric = '${metric}' AND o.key = ${key}) > 0`
const orNull = (metric: string, kept: 'amount' | 'value', key = 'm.2'): string =>
  `if(${has(metric, key)}, ${newest(metric, kept, key)}, NULL)`

/** What each market holds and charges, by the newest answer of its contract. */
export const marketsTable: AppTable = {
  title: 'Markets',
  sub: 'Latest answer of each contract, in coins of the market',
  empty: NO_ANSWER,
  columns: [
    { key: 'market', label: 'Market', form: 'text' },
    { key: 'supplied', label: 'Supplied', form: 'amount' },
    { key: 'borrowed', label: 'Borrowed', form: 'amount' },
    { key: 'utilisation', label: 'Utilization', form: 'figure', unit: 'ratio' },
    { key: 'borrow_apr', label: 'Borrow rate', form: 'figure', unit: 'ratio' },
    {
      key: 'supply_apr',
      label: 'Supply rate',
      form: 'figure',
      unit: 'ratio',
      title: 'As promised, rewards left out',
    },
    { key: 'supply_cap', label: 'Supply cap in use', form: 'figure', unit: 'ratio' },
    { key: 'borrow_cap', label: 'Borrow cap in use', form: 'figure', unit: 'ratio', isOptional: true },
    { key: 'generation', label: 'Generation', form: 'text', isOptional: true },
    { key: 'day', label: 'Asked', form: 'day' },
  ],
  sql: ({ slug, declared }) => `SELECT
  m.2 AS market, if(m.5 = 1, 'before', 'newest') AS generation,
  ${orNull('lend.supplied', 'amount')} AS supplied, m.4 AS supplied_decimals, m.3 AS supplied_symbol,
  ${orNull('lend.borrowed', 'amount')} AS borrowed, m.4 AS borrowed_decimals, m.3 AS borrowed_symbol,
  ${orNull('lend.utilisation', 'value')} AS utilisation,
  ${orNull('lend.borrow_apr', 'value')} AS borrow_apr,
  ${orNull('lend.supply_apr', 'value')} AS supply_apr,
  ${orNull('lend.caps', 'value', "concat(m.2, ' supply')")} AS supply_cap,
  ${orNull('lend.caps', 'value', "concat(m.2, ' borrow')")} AS borrow_cap,
  max(o.day) AS day
FROM latest_observations AS o
ARRAY JOIN ${marketsSql(declared)} AS m
WHERE o.entity = ${quoted(slug)} AND startsWith(o.metric, 'lend.') AND o.source = 'stacks.reads' AND startsWith(o.key, m.2)
GROUP BY m
ORDER BY m.1`,
}

/** Points of a rate curve as a market was told them, by what its contract answers, else as they were set when it was opened. */
export const curvesTable: AppTable = {
  title: 'Points of the curves',
  sub: 'Borrow rate at each utilization; straight between two points',
  empty: `No parameters yet. ${NO_ANSWER}`,
  columns: [
    { key: 'market', label: 'Market', form: 'text' },
    { key: 'utilisation', label: 'At utilization', form: 'figure', unit: 'ratio' },
    { key: 'rate', label: 'Borrow rate', form: 'figure', unit: 'ratio' },
    { key: 'supply', label: 'Supply rate', form: 'figure', unit: 'ratio' },
    { key: 'told', label: 'By', form: 'text' },
  ],
  sql: ({ slug, declared }) => `WITH
  asked AS (
    SELECT o.metric AS metric, o.key AS key, argMax(assumeNotNull(o.value), (o.day, o.observed_at)) AS value
    FROM latest_observations AS o
    WHERE o.entity = ${quoted(slug)} AND o.metric IN ('lend.curve', 'lend.curve_at', 'lend.reserve_factor') AND o.value IS NOT NULL
    GROUP BY o.metric, o.key
  ),
  points AS (
    SELECT substring(r.key, 1, length(r.key) - 2) AS market, u.value AS utilisation, r.value AS rate, if(k.key = '', NULL, k.value) AS kept, 'contract' AS told
    FROM asked AS r
    INNER JOIN asked AS u ON u.key = r.key AND u.metric = 'lend.curve_at'
    LEFT JOIN asked AS k ON k.key = substring(r.key, 1, length(r.key) - 2) AND k.metric = 'lend.reserve_factor'
    WHERE r.metric = 'lend.curve'
    UNION ALL
    SELECT k.market, k.point, if(k.point = 0, 0, k.base + k.slope1 * least(k.point, k.kink) + k.slope2 * greatest(k.point - k.kink, 0)), k.kept, 'contract'
    FROM (
      SELECT
        splitByChar(' ', key)[1] AS market,
        maxIf(value, endsWith(key, ' base')) AS base, maxIf(value, endsWith(key, ' slope1')) AS slope1,
        maxIf(value, endsWith(key, ' slope2')) AS slope2, maxIf(value, endsWith(key, ' kink')) AS kink,
        maxIf(value, metric = 'lend.reserve_factor') AS kept, arrayJoin([0, 0.01, kink, 1]) AS point
      FROM asked
      GROUP BY market
      HAVING countIf(endsWith(key, ' kink')) > 0
    ) AS k
  ),
  opened AS (
    SELECT p.1 AS market, p.2 AS utilisation, p.3 AS rate, p.4 AS kept, 'opening' AS told
    FROM (SELECT arrayJoin(${openedSql(declared)}) AS p)
    WHERE p.1 != '' AND p.1 NOT IN (SELECT market FROM points)
  )
SELECT market, utilisation, rate, rate * utilisation * (1 - kept) AS supply, told
FROM (SELECT * FROM points UNION ALL SELECT * FROM opened)
ORDER BY market, utilisation`,
}

function openedSql(app: StacksApp | undefined): string {
  const rows = (app?.markets ?? []).flatMap(({ id, curve }) =>
    curve === undefined
      ? []
      : curve.utilisation.map(
          (at, i) =>
            `(${quoted(id)}, ${at / curve.per}, ${(curve.rate[i] ?? 0) / curve.per}, ${curve.reserveFactor / curve.per})`,
        ),
  )
  return rows.length === 0
    ? "[('', 0., 0., 0.)]"
    : `CAST([${rows.join(', ')}] AS Array(Tuple(String, Float64, Float64, Float64)))`
}

/** Liquidations and losses, the newest first. */
export const liquidationsTable: AppTable = {
  title: 'Liquidations and losses',
  sub: 'Contract prints, newest first',
  empty: 'No liquidations in the indexed blocks.',
  columns: [
    { key: 'time', label: 'When', form: 'time' },
    { key: 'kind', label: 'What', form: 'text' },
    { key: 'account', label: 'Whose', form: 'principal' },
    { key: 'amount', label: 'Debt repaid or lost', form: 'amount' },
    { key: 'collateral', label: 'Collateral seized', form: 'amount' },
    { key: 'counterparty', label: 'By', form: 'principal', isOptional: true },
    { key: 'txid', label: 'Transaction', form: 'txid' },
  ],
  sql: ({ slug, declared }) => `SELECT
  formatDateTime(e.block_time, '%Y-%m-%dT%H:%i:%SZ') AS time, if(e.kind = 'liquidate', 'liquidation', 'loss shared out') AS kind,
  e.account AS account, e.counterparty AS counterparty,
  e.amount AS amount, ${assetSql(declared, 'e.asset', 'amount')},
  e.collateral_amount AS collateral, ${assetSql(declared, 'e.collateral_asset', 'collateral')}, lower(hex(e.txid)) AS txid
FROM stx_lend_events AS e
WHERE e.protocol = ${quoted(slug)} AND e.kind IN ('liquidate', 'bad_debt')
ORDER BY e.height DESC, e.event_index DESC
LIMIT 200`,
}

/** SQL: symbol and decimals of an asset that the application deals in, as columns with that beginning; nulls for others. */
function assetSql(app: StacksApp | undefined, column: string, name: string): string {
  const assets = Object.entries(app?.assets ?? {})
  if (assets.length === 0) return `NULL AS ${name}_symbol, NULL AS ${name}_decimals`
  const contracts = assets.map(([contract]) => quoted(contract)).join(', ')
  const symbols = assets.map(([, { symbol }]) => quoted(symbol)).join(', ')
  const decimals = assets.map(([, asset]) => asset.decimals).join(', ')
  return `nullIf(transform(${column}, [${contracts}], [${symbols}], ''), '') AS ${name}_symbol,
  nullIf(transform(${column}, [${contracts}], CAST([${decimals}] AS Array(Int16)), toInt16(-1)), -1) AS ${name}_decimals`
}
