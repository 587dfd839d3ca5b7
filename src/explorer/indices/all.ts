import type { IndexTable } from './table.ts'

/** Every index, with how it did. */
export const indicesTable: IndexTable = {
  title: 'All indices',
  sub: 'Each on its latest day with a level. An index is suspended while fewer than two of its tokens are eligible',
  empty: 'The catalog of this server has no index.',
  columns: [
    { key: 'name', label: 'Index', form: 'page' },
    { key: 'weighting', label: 'Weighed by', form: 'text' },
    { key: 'level', label: 'Level', form: 'figure', unit: '' },
    { key: 'day', label: 'As of', form: 'day' },
    { key: 'day_1', label: '1 d', form: 'figure', unit: 'ratio' },
    { key: 'day_30', label: '30 d', form: 'figure', unit: 'ratio' },
    { key: 'day_365', label: '1 y', form: 'figure', unit: 'ratio' },
    { key: 'launch', label: 'From launch', form: 'figure', unit: 'ratio' },
    { key: 'bitcoin', label: 'Bitcoin', form: 'figure', unit: 'ratio', title: 'Over the same days' },
    { key: 'fall', label: 'Deepest fall', form: 'figure', unit: 'ratio', title: 'By closes, from a high' },
    { key: 'start', label: 'Launch', form: 'day' },
    { key: 'days', label: 'Days', form: 'count', isOptional: true, title: 'With a level' },
    { key: 'members', label: 'Universe', form: 'count', title: 'Tokens that it may hold' },
    { key: 'state', label: 'State', form: 'text' },
  ],
  sql: () => `WITH
  levels AS (
    SELECT
      l.index_id AS index_id, l.day AS day, l.level AS level, l.constituents AS constituents,
      l.level / max(l.level) OVER (PARTITION BY l.index_id ORDER BY l.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - 1 AS fall,
      max(l.day) OVER (PARTITION BY l.index_id) AS newest
    FROM index_levels AS l
  ),
  told AS (
    SELECT
      v.index_id AS index_id, min(v.day) AS start, max(v.day) AS day, count() AS days,
      argMax(v.level, v.day) AS level, argMin(v.level, v.day) AS first,
      maxIf(v.level, v.day = v.newest - 1) AS back_1, maxIf(v.level, v.day = v.newest - 30) AS back_30,
      maxIf(v.level, v.day = v.newest - 365) AS back_365, min(v.fall) AS fall,
      argMax(v.constituents, v.day) AS constituents
    FROM levels AS v
    GROUP BY v.index_id
  ),
  sizes AS (SELECT index_id, count() AS members FROM index_members GROUP BY index_id)
SELECT
  r.name AS name, concat('/analyze/bitcoin-defi-indices?tab=', r.index_id) AS name_href,
  transform(r.weighting, ['cap', 'equal', 'fees'], ['market value', 'nothing: equal', 'fees of 30 days'], r.weighting) AS weighting,
  if(t.days > 0, toNullable(t.level), NULL) AS level, if(t.days > 0, toNullable(t.day), NULL) AS day,
  t.level / nullIf(t.back_1, 0) - 1 AS day_1, t.level / nullIf(t.back_30, 0) - 1 AS day_30,
  t.level / nullIf(t.back_365, 0) - 1 AS day_365, t.level / nullIf(t.first, 0) - 1 AS launch,
  if(t.days > 0, n.close / nullIf(b.close, 0) - 1, NULL) AS bitcoin,
  if(t.days > 0, toNullable(t.fall), NULL) AS fall, if(t.days > 0, toNullable(t.start), NULL) AS start, t.days AS days,
  s.members AS members,
  multiIf(
    t.days = 0, 'waits for figures',
    t.day < toDate(now('UTC')) - 3, concat('no level after ', toString(t.day)),
    concat(toString(t.constituents), ' constituents')
  ) AS state
FROM index_rules AS r
LEFT JOIN told AS t ON t.index_id = r.index_id
LEFT JOIN sizes AS s ON s.index_id = r.index_id
LEFT JOIN (SELECT day, close FROM usd_closes WHERE asset = 'BTC') AS b ON b.day = t.start
LEFT JOIN (SELECT day, close FROM usd_closes WHERE asset = 'BTC') AS n ON n.day = t.day
ORDER BY name`,
}
