import { type DeveloperTable, NOT_READ } from './table.ts'

/** Every repository that is read, as it stands. */
export const repositoriesTable: DeveloperTable = {
  title: 'Repositories',
  sub: 'Each as it stands: a commit that several have counts in each. Half: the fewest people who wrote half of its commits of 365 days. Without a history up to the last day there is no count of the days before it, and no figure includes the repository. Stars are not recorded: they tell attention, no work',
  empty: NOT_READ,
  columns: [
    { key: 'repository', label: 'Repository', form: 'reference' },
    { key: 'ecosystem', label: 'Ecosystem', form: 'text' },
    { key: 'month_people', label: '28 days', form: 'count', title: 'People with a commit' },
    { key: 'year_people', label: '365 days', form: 'count', title: 'People with a commit' },
    { key: 'people', label: 'Ever', form: 'count', title: 'People with a commit' },
    {
      key: 'half_people',
      label: 'Half',
      form: 'count',
      title: 'Fewest people behind half of its commits of 365 days',
    },
    { key: 'year_commits', label: 'Commits', form: 'count', title: 'In 365 days: no merges, no programs' },
    { key: 'commits', label: 'All commits', form: 'count', title: 'Ever, merges and programs in' },
    { key: 'first_day', label: 'First', form: 'day', isOptional: true },
    { key: 'last_day', label: 'Last commit', form: 'day' },
    { key: 'counted', label: 'Counted', form: 'text', title: 'Included in the figures of all ecosystems' },
    { key: 'held', label: 'History', form: 'text' },
    { key: 'read_at', label: 'Read', form: 'day' },
    { key: 'how', label: 'How', form: 'text' },
    { key: 'licence', label: 'License', form: 'text', isOptional: true },
    { key: 'note', label: 'Note', form: 'text', isOptional: true },
  ],
  sql: () => `WITH
  listed AS (
    SELECT
      r.repository AS repository, any(r.url) AS url, any(r.licence) AS licence, any(r.note) AS note,
      any(r.recorded_from_day) AS from_day, any(r.recorded_to_day) AS to_day,
      arrayStringConcat(arraySort(groupArray(e.name)), '; ') AS ecosystem
    FROM dev_repositories AS r
    INNER JOIN dev_ecosystems AS e ON e.ecosystem = r.ecosystem
    GROUP BY r.repository
  ),
  read AS (
    SELECT repository, max(read_at) AS read_at, any(source) AS source
    FROM dev_readings
    GROUP BY repository
  ),
  tries AS (
    SELECT repository, argMax(outcome, at) AS outcome, argMax(a.detail, a.at) AS detail, max(a.at) AS tried_at
    FROM dev_attempts AS a
    GROUP BY repository
  ),
  covered AS (
    SELECT
      repository, is_counted, to_day, ifNull(to_day >= (SELECT max(day) FROM dev_days) - 7, false) AS is_up_to_date,
      is_up_to_date AND ifNull(from_day <= (SELECT max(day) FROM dev_days) - 365, false) AS is_year_long
    FROM dev_coverage
    WHERE ecosystem = 'ecosystems'
  ),
  days AS (
    SELECT
      repository, sum(d.commits) AS commits, min(d.day) AS first_day, max(d.day) AS last_day,
      sumIf(d.commits - d.merges - d.bots - d.off_clock, d.day > (SELECT max(day) FROM dev_days) - 365) AS year_commits
    FROM dev_repository_days AS d
    GROUP BY repository
  )
SELECT
  l.repository AS repository, replaceRegexpOne(l.url, '\\\\.git$', '') AS repository_href, l.ecosystem AS ecosystem,
  if(c.is_up_to_date, p.month_people, NULL) AS month_people, if(c.is_year_long, p.year_people, NULL) AS year_people,
  if(r.source = '', NULL, p.people) AS people, if(c.is_year_long, p.half_people, NULL) AS half_people,
  if(c.is_year_long, d.year_commits, NULL) AS year_commits, if(r.source = '', NULL, d.commits) AS commits,
  if(d.commits > 0, toNullable(d.first_day), NULL) AS first_day, if(d.commits > 0, toNullable(d.last_day), NULL) AS last_day,
  multiIf(
    r.source = '', 'none', r.source = 'developers.git', if(c.is_up_to_date, 'whole', concat('to ', toString(c.to_day))),
    l.from_day IS NOT NULL AND l.to_day IS NOT NULL, concat('from ', toString(l.from_day), ' to ', toString(l.to_day)),
    l.from_day IS NOT NULL, concat('from ', toString(l.from_day)), l.to_day IS NOT NULL, concat('to ', toString(l.to_day)), 'whole'
  ) AS held,
  if(r.source = '', NULL, toNullable(toDate(r.read_at))) AS read_at,
  concat(
    multiIf(r.source = '', 'not read', r.source = 'developers.git', 'cloned', 'recorded'),
    if(toString(t.outcome) IN ('failed', 'too-large') AND t.tried_at > r.read_at, concat('; last try: ', t.detail), '')
  ) AS how,
  if(c.is_counted, 'yes', 'no') AS counted,
  l.licence AS licence, l.note AS note
FROM listed AS l
LEFT JOIN read AS r ON r.repository = l.repository
LEFT JOIN tries AS t ON t.repository = l.repository
LEFT JOIN covered AS c ON c.repository = l.repository
LEFT JOIN days AS d ON d.repository = l.repository
LEFT JOIN dev_repository_people AS p ON p.repository = l.repository
ORDER BY month_people DESC NULLS LAST, year_people DESC NULLS LAST, d.commits DESC, l.repository`,
}
