import { type AppTable, contractsSql } from './table.ts'

const after = (weeks: number) => ({
  key: `after_${weeks}`,
  label: weeks === 1 ? 'After 1 week' : `After ${weeks} weeks`,
  form: 'figure' as const,
  unit: 'ratio',
  title: 'Share that called again in that week; empty while it is not over',
})

/** Who came for the first time in a week, and who of them came again later. */
export const cohortsTable: AppTable = {
  title: 'Cohorts',
  sub: 'Addresses by the week of their first indexed call, and how many called again in each later week',
  empty: 'No indexed calls to its contracts.',
  columns: [
    { key: 'week', label: 'First week', form: 'day' },
    { key: 'users', label: 'New users', form: 'count' },
    ...[1, 2, 4, 8, 12].map(after),
  ],
  sql: app => `SELECT
  first_week AS week, count() AS users,
  ${[1, 2, 4, 8, 12]
    .map(
      weeks =>
        `if(first_week + ${7 * weeks + 7} <= (SELECT max(bucket) FROM stx_block_days), countIf(has(weeks, first_week + ${7 * weeks})) / count(), NULL) AS after_${weeks}`,
    )
    .join(',\n  ')}
FROM (
  SELECT sender, groupUniqArray(toMonday(block_time)) AS weeks, arrayMin(weeks) AS first_week
  FROM stx_calls
  WHERE contract IN (${contractsSql(app)})
  GROUP BY sender
)
GROUP BY first_week
ORDER BY first_week DESC
LIMIT 52`,
}
