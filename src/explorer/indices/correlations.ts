import { type IndexTable, NOT_BEGUN } from './table.ts'

/** Windows of the table, days that both have; of as many at least a figure is made. */
const WINDOWS = [
  { key: 'month_3', days: 90, least: 60 },
  { key: 'year_1', days: 365, least: 240 },
] as const

const windowed = ({ key, days, least }: (typeof WINDOWS)[number]): string =>
  `if(countIf(p.nth <= ${days}) < ${least} OR isNaN(corrIf(p.x, p.y, p.nth <= ${days})), NULL, toNullable(corrIf(p.x, p.y, p.nth <= ${days}))) AS ${key}`

/**
 * How indices move together, and with bitcoin and STX: Pearson's correlation of daily changes of the logarithm over the newest
 * days that both have (a ratio, -1 to 1; null where too few are held).
 */
export const correlationsTable: IndexTable = {
  title: 'Do they move together?',
  sub: 'Correlation of daily changes, of the logarithm, over the latest days with both. 1 moves together, 0 is unrelated, −1 moves opposite',
  empty: NOT_BEGUN,
  columns: [
    { key: 'name', label: 'Index', form: 'text' },
    { key: 'other', label: 'With', form: 'text' },
    {
      key: 'month_3',
      label: '90 d',
      form: 'figure',
      unit: '',
      title: 'Latest 90 days, at least 60 with data',
    },
    {
      key: 'year_1',
      label: '1 y',
      form: 'figure',
      unit: '',
      title: 'Latest 365 days, at least 240 with data',
    },
    { key: 'days', label: 'Days', form: 'count', title: 'That both have, 365 at most' },
    { key: 'last', label: 'Up to', form: 'day' },
  ],
  sql: () => `WITH
  told AS (
    SELECT r.name AS name, l.day AS day, l.level AS value
    FROM index_levels AS l
    INNER JOIN index_rules AS r ON r.index_id = l.index_id
    UNION ALL
    SELECT transform(c.asset, ['BTC', 'STX'], ['Bitcoin', 'Stacks'], c.asset), c.day, c.close
    FROM usd_closes AS c
    WHERE c.asset IN ('BTC', 'STX') AND c.day >= (SELECT min(f.day) FROM index_levels AS f) AND c.day < toDate(now('UTC'))
  ),
  steps AS (
    SELECT
      t.name AS name, t.day AS day, log(t.value / lagInFrame(t.value) OVER so_far) AS change,
      t.day - lagInFrame(t.day) OVER so_far AS step
    FROM told AS t
    WHERE t.value > 0
    WINDOW so_far AS (PARTITION BY t.name ORDER BY t.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ),
  pairs AS (
    SELECT
      a.name AS name, b.name AS other, a.day AS day, a.change AS x, b.change AS y,
      row_number() OVER (PARTITION BY a.name, b.name ORDER BY a.day DESC) AS nth
    FROM (SELECT * FROM steps WHERE step = 1) AS a
    INNER JOIN (SELECT * FROM steps WHERE step = 1) AS b ON b.day = a.day
    WHERE a.name != b.name
  )
SELECT
  p.name AS name, p.other AS other,
  ${WINDOWS.map(windowed).join(',\n  ')},
  countIf(p.nth <= 365) AS days, max(p.day) AS last
FROM pairs AS p
GROUP BY p.name, p.other
ORDER BY p.name, p.other`,
}
