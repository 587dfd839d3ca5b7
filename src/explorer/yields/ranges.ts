import { NOT_LOADED, type OpportunityTable } from './opportunities.ts'

/** What was seen of each over spans of 30 and 90 days: from what a calculation starts. */
export const rangesTable: OpportunityTable = {
  title: 'Return history',
  sub: 'Minimum, median and maximum return in bitcoin over any 90 days and any 30 days, over all days with data. Spans overlap, so one good month counts in many spans',
  empty: NOT_LOADED,
  columns: [
    { key: 'name', label: 'Opportunity', form: 'text' },
    { key: 'low_90', label: 'Min, 90 days', form: 'figure', unit: 'ratio' },
    { key: 'mid_90', label: 'Median', form: 'figure', unit: 'ratio' },
    { key: 'high_90', label: 'Max', form: 'figure', unit: 'ratio' },
    { key: 'low_30', label: 'Min, 30 days', form: 'figure', unit: 'ratio' },
    { key: 'mid_30', label: 'Median', form: 'figure', unit: 'ratio' },
    { key: 'high_30', label: 'Max', form: 'figure', unit: 'ratio' },
    { key: 'days', label: 'Days with data', form: 'count', title: 'Ends of spans of 90 days, else of 30' },
    { key: 'from_day', label: 'From', form: 'day' },
    { key: 'to_day', label: 'To', form: 'day' },
  ],
  sql: () => `SELECT
  o.entity AS entity, o.name AS name, minOrNullIf(g.growth, g.span = 90) AS low_90,
  quantileExactLowOrNullIf(0.5)(assumeNotNull(g.growth), g.span = 90) AS mid_90, maxOrNullIf(g.growth, g.span = 90) AS high_90,
  minOrNullIf(g.growth, g.span = 30) AS low_30, quantileExactLowOrNullIf(0.5)(assumeNotNull(g.growth), g.span = 30) AS mid_30,
  maxOrNullIf(g.growth, g.span = 30) AS high_30, greatest(countIf(g.span = 90), countIf(g.span = 30)) AS days,
  min(g.day) AS from_day, max(g.day) AS to_day
FROM yield_realised AS g
INNER JOIN yield_opportunities AS o ON o.entity = g.entity
WHERE g.growth IS NOT NULL
GROUP BY o.entity, o.name
ORDER BY mid_90 DESC NULLS LAST, name`,
}
