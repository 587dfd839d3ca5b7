import { quoted } from '../apps/table.ts'
import { type IndexTable, NOT_BEGUN } from './table.ts'

/** What each constituent brought between two rebalancings: value at the end less value at the beginning, in points. */
const brought = (index: string): string => `brought AS (
    SELECT
      w.token AS token, w.day AS bought, e.last AS last, w.weight AS weight, s.share AS share,
      after.level * s.share - before.level * w.weight AS points,
      after.level * s.share / (before.level * w.weight) - 1 AS change
    FROM (
      SELECT toStartOfMonth(day) - 1 AS bought, max(day) AS last
      FROM index_levels
      WHERE index_id = ${quoted(index)}
      GROUP BY bought
    ) AS e
    INNER JOIN (
      SELECT token, day, assumeNotNull(weight) AS weight FROM index_snapshots WHERE index_id = ${quoted(index)} AND weight > 0
    ) AS w ON w.day = e.bought
    INNER JOIN (SELECT day, level FROM index_levels WHERE index_id = ${quoted(index)}) AS before ON before.day = e.bought
    INNER JOIN (SELECT day, level FROM index_levels WHERE index_id = ${quoted(index)}) AS after ON after.day = e.last
    INNER JOIN (SELECT token, day, share FROM index_shares WHERE index_id = ${quoted(index)}) AS s
      ON s.day = e.last AND s.token = w.token
  )`

/** The universe of an index, with who is in and why. */
export const membersTable: IndexTable = {
  title: 'Constituents and candidates',
  sub: 'Every token that the index can hold, as evaluated at the latest rebalancing with data. Contributions add up to the change in level since launch',
  empty: 'The index names no token.',
  columns: [
    { key: 'symbol', label: 'Token', form: 'text' },
    { key: 'why', label: 'Why it belongs', form: 'text' },
    { key: 'verdict', label: 'Newest verdict', form: 'text', title: 'In the index, or why it is not' },
    { key: 'day', label: 'Judged on', form: 'day' },
    { key: 'weight', label: 'Weight', form: 'figure', unit: 'ratio', title: 'After that rebalancing' },
    {
      key: 'share',
      label: 'Share now',
      form: 'figure',
      unit: 'ratio',
      title: 'On the latest day of the index',
    },
    { key: 'points', label: 'Brought, points', form: 'figure', unit: '', title: 'Since launch' },
    { key: 'part', label: 'Of all change', form: 'figure', unit: 'ratio', isOptional: true },
    { key: 'months', label: 'Months in', form: 'count', title: 'Rebalancings that included it' },
    { key: 'size', label: 'Size', form: 'figure', unit: '', isOptional: true, title: 'What weighs it' },
    { key: 'volume', label: 'Volume, median', form: 'figure', unit: 'USD', isOptional: true },
  ],
  sql: index => `WITH
  ${brought(index)},
  sums AS (
    SELECT token, sum(points) AS points, count() AS months
    FROM brought
    GROUP BY token
  ),
  judged AS (
    SELECT
      c.token AS token, max(c.day) AS day, argMax(c.reason, c.day) AS reason, argMax(tuple(c.weight), c.day).1 AS weight,
      argMax(tuple(c.size), c.day).1 AS size, argMax(tuple(c.volume_median_usd), c.day).1 AS volume
    FROM index_snapshots AS c
    WHERE c.index_id = ${quoted(index)}
    GROUP BY c.token
  ),
  shares AS (
    SELECT token, share
    FROM index_shares
    WHERE index_id = ${quoted(index)} AND day = (SELECT max(l.day) FROM index_levels AS l WHERE l.index_id = ${quoted(index)})
  )
SELECT
  m.symbol AS symbol, m.why AS why,
  multiIf(j.token = '', 'no price data', j.weight > 0, 'in', j.reason = '', 'eligible alone: no index', concat('out: ', j.reason)) AS verdict,
  if(j.token = '', NULL, toNullable(j.day)) AS day, j.weight AS weight,
  if(h.token = '', NULL, toNullable(h.share)) AS share,
  if(s.months > 0, toNullable(s.points), NULL) AS points,
  if(s.months > 0, s.points / nullIf((SELECT sum(points) FROM sums), 0), NULL) AS part,
  s.months AS months, j.size AS size, j.volume AS volume
FROM index_members AS m
LEFT JOIN judged AS j ON j.token = m.token
LEFT JOIN sums AS s ON s.token = m.token
LEFT JOIN shares AS h ON h.token = m.token
WHERE m.index_id = ${quoted(index)}
ORDER BY share DESC NULLS LAST, weight DESC NULLS LAST, months DESC, symbol`,
}

/** What was done at the end of each month. */
export const rebalancingsTable: IndexTable = {
  title: 'Rebalancing log',
  sub: 'Newest first. Months without data share one row. Market value and divisor are after trading: value ÷ level',
  empty: NOT_BEGUN,
  columns: [
    { key: 'since', label: 'Day', form: 'day' },
    { key: 'what', label: 'What', form: 'text' },
    { key: 'weights', label: 'Weights after it', form: 'text' },
    { key: 'came', label: 'In', form: 'text' },
    { key: 'left', label: 'Out', form: 'text' },
    {
      key: 'turnover',
      label: 'Turnover',
      form: 'figure',
      unit: 'ratio',
      title: 'Half of what was bought and sold',
    },
    { key: 'cost', label: 'Cost', form: 'figure', unit: 'ratio', title: 'Taken off the net level' },
    { key: 'level', label: 'Level', form: 'figure', unit: '' },
    {
      key: 'market',
      label: 'Stands for',
      form: 'figure',
      unit: '',
      title: 'Sum of sizes: US dollars of market value, of fees, or a count',
    },
    { key: 'divisor', label: 'Divisor', form: 'figure', unit: '' },
    {
      key: 'until',
      label: 'Up to',
      form: 'day',
      isOptional: true,
      title: 'Last month-end that the row speaks of',
    },
  ],
  sql: index => `WITH
  held AS (
    SELECT
      c.day AS day,
      arraySort(x -> (-x.2, x.1), groupArrayIf((c.symbol, assumeNotNull(c.weight)), c.weight > 0)) AS parts,
      arrayMap(x -> x.1, parts) AS symbols, max(c.market_usd) AS market,
      arrayStringConcat(arraySort(groupUniqArrayIf(c.reason, c.reason != '')), ', ') AS reasons
    FROM index_snapshots AS c
    WHERE c.index_id = ${quoted(index)}
    GROUP BY c.day
  ),
  steps AS (
    SELECT
      *, lagInFrame(symbols, 1) OVER so_far AS before,
      if(length(symbols) > 0, day, NULL) AS begun,
      sum(length(symbols) > 0) OVER so_far AS spell
    FROM held
    WHERE day >= (SELECT min(h.day) FROM held AS h WHERE length(h.symbols) > 0)
    WINDOW so_far AS (ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  )
SELECT
  min(s.day) AS since,
  multiIf(
    length(any(s.symbols)) > 0 AND length(any(s.before)) = 0, if(spell = 1, 'begins', 'goes on'),
    length(any(s.symbols)) > 0, 'rebalanced',
    concat('suspended: ', argMin(s.reasons, s.day))
  ) AS what,
  if(length(any(s.parts)) = 0, '', arrayStringConcat(arrayMap(x -> concat(x.1, ' ', toString(round(100 * x.2, 1)), ' %'), any(s.parts)), ', ')) AS weights,
  arrayStringConcat(arrayFilter(x -> NOT has(argMin(s.before, s.day), x), argMin(s.symbols, s.day)), ', ') AS came,
  arrayStringConcat(arrayFilter(x -> NOT has(argMin(s.symbols, s.day), x), argMin(s.before, s.day)), ', ') AS left,
  if(is_held, toNullable(any(l.traded) / 2), NULL) AS turnover,
  if(is_held, toNullable(any(l.traded) * any(r.cost_bps) / 10000), NULL) AS cost,
  if(any(l.level) > 0, toNullable(argMin(l.level, s.day)), NULL) AS level,
  max(s.market) AS market, max(s.market) / nullIf(any(l.level), 0) AS divisor,
  if(count() > 1, toNullable(max(s.day)), NULL) AS until
FROM (SELECT *, length(symbols) > 0 AS is_held FROM steps) AS s
LEFT JOIN (SELECT day, level, traded FROM index_levels WHERE index_id = ${quoted(index)}) AS l ON l.day = s.day
CROSS JOIN (SELECT cost_bps FROM index_rules WHERE index_id = ${quoted(index)}) AS r
GROUP BY s.spell, s.is_held
ORDER BY since DESC`,
}

/** Dated supplies and prices behind each rebalancing. */
export const snapshotTable: IndexTable = {
  title: 'Dated supplies and prices',
  sub: 'All inputs for each candidate at each rebalancing, newest first. Weights follow from these rows. Seen after the day: from a recording',
  empty: 'No prices for any of its tokens.',
  columns: [
    { key: 'day', label: 'Rebalancing', form: 'day' },
    { key: 'symbol', label: 'Token', form: 'text' },
    { key: 'weight', label: 'Weight', form: 'figure', unit: 'ratio' },
    {
      key: 'free_weight',
      label: 'Uncapped',
      form: 'figure',
      unit: 'ratio',
      isOptional: true,
      title: 'Without a largest weight',
    },
    { key: 'price', label: 'Price', form: 'figure', unit: 'USD' },
    { key: 'price_day', label: 'Price of', form: 'day' },
    { key: 'price_source', label: 'Price by', form: 'text', isOptional: true },
    { key: 'supply', label: 'Supply', form: 'figure', unit: '', title: 'Tokens in circulation' },
    { key: 'supply_day', label: 'Supply of', form: 'day' },
    { key: 'supply_source', label: 'Supply by', form: 'text', isOptional: true },
    { key: 'volume', label: 'Volume', form: 'figure', unit: 'USD', title: 'Median of 30 days' },
    {
      key: 'fees',
      label: 'Fees',
      form: 'figure',
      unit: 'USD',
      isOptional: true,
      title: 'Of its layer within 30 days',
    },
    { key: 'reason', label: 'Why not', form: 'text' },
    { key: 'seen', label: 'First seen', form: 'time', isOptional: true },
  ],
  sql: index => `SELECT
  c.day AS day, c.symbol AS symbol, c.weight AS weight, c.free_weight AS free_weight, c.price_usd AS price,
  c.price_day AS price_day, c.price_source AS price_source, c.supply AS supply, c.supply_day AS supply_day,
  c.supply_source AS supply_source, c.volume_median_usd AS volume, c.fees_usd AS fees, c.reason AS reason,
  formatDateTime(c.seen_at, '%Y-%m-%dT%H:%i:%SZ') AS seen
FROM index_snapshots AS c
WHERE c.index_id = ${quoted(index)}
ORDER BY day DESC, weight DESC NULLS LAST, symbol
LIMIT 1000`,
}

/** What each constituent brought, month by month. */
export const contributionsTable: IndexTable = {
  title: 'Contributions to return',
  sub: 'Index points that each constituent contributed between two rebalancings, newest first. Points in one period add up to the change in level',
  empty: NOT_BEGUN,
  columns: [
    { key: 'bought', label: 'From', form: 'day' },
    { key: 'last', label: 'To', form: 'day' },
    { key: 'symbol', label: 'Token', form: 'text' },
    { key: 'weight', label: 'Weight at the start', form: 'figure', unit: 'ratio' },
    { key: 'change', label: 'Price', form: 'figure', unit: 'ratio', title: 'Change of its price' },
    { key: 'points', label: 'Points', form: 'figure', unit: '' },
    { key: 'share', label: 'Share at the end', form: 'figure', unit: 'ratio' },
  ],
  sql: index => `WITH
  ${brought(index)}
SELECT
  b.bought AS bought, b.last AS last, m.symbol AS symbol, b.weight AS weight, b.change AS change, b.points AS points,
  b.share AS share
FROM brought AS b
INNER JOIN (SELECT token, symbol FROM index_members WHERE index_id = ${quoted(index)}) AS m ON m.token = b.token
ORDER BY bought DESC, points DESC
LIMIT 1000`,
}

/** Levels computed again from the dated rows. */
export const rebuildTable: IndexTable = {
  title: 'Rebuild it yourself',
  sub: 'The level at the end of each month, computed again from dated weights and prices by the statement of this table, beside the level that is drawn. Open the SQL, change it, run it; the dated rows are above, levels and prices come as CSV',
  empty: NOT_BEGUN,
  columns: [
    { key: 'day', label: 'Day', form: 'day' },
    { key: 'level', label: 'Drawn', form: 'figure', unit: '' },
    { key: 'rebuilt', label: 'Rebuilt', form: 'figure', unit: '' },
    { key: 'apart', label: 'Apart', form: 'figure', unit: 'ratio' },
    { key: 'growth', label: 'Of the month', form: 'figure', unit: 'ratio' },
    { key: 'parts', label: 'Σ weight × price ÷ price at the start', form: 'text' },
  ],
  sql: index => `WITH
  prices_held AS (
    SELECT token, day, assumeNotNull(price_usd) AS price
    FROM index_token_days
    WHERE price_usd > 0
  ),
  months AS (
    SELECT
      w.day AS bought, least(toLastDayOfMonth(w.day + 1), (SELECT max(l.day) FROM index_levels AS l WHERE l.index_id = ${quoted(index)})) AS last,
      w.token AS token, w.symbol AS symbol, assumeNotNull(w.weight) AS weight, assumeNotNull(w.price_usd) AS start
    FROM index_snapshots AS w
    WHERE w.index_id = ${quoted(index)} AND w.weight > 0
  ),
  grown AS (
    SELECT
      m.bought AS bought, m.last AS last, sum(m.weight * p.price / m.start) AS growth,
      arrayStringConcat(arraySort(groupArray(concat(
        m.symbol, ' ', toString(round(m.weight, 4)), ' × ', toString(p.price), ' ÷ ', toString(m.start)
      ))), ' + ') AS parts
    FROM months AS m
    ASOF INNER JOIN prices_held AS p ON p.token = m.token AND m.last >= p.day
    GROUP BY m.bought, m.last
  ),
  chained AS (
    SELECT
      bought, last, growth, parts,
      1000 * arrayProduct(groupArray(growth) OVER (ORDER BY bought ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)) AS rebuilt
    FROM grown
  )
SELECT
  c.last AS day, l.level AS level, c.rebuilt AS rebuilt, c.rebuilt / l.level - 1 AS apart, c.growth - 1 AS growth, c.parts AS parts
FROM chained AS c
INNER JOIN (SELECT day, level FROM index_levels WHERE index_id = ${quoted(index)}) AS l ON l.day = c.last
ORDER BY day DESC`,
}
