import { type DeveloperTable, NEWEST, NOT_READ } from './table.ts'

/** Everybody who builds something together, the most people first. */
export const ecosystemsTable: DeveloperTable = {
  title: 'Ecosystems',
  sub: 'Cleaned counts on the last full day and over the 365 days up to it, always of the same repositories. Retained: of the newcomers of the last twelve cohorts that are six months old. Listed: repositories that Electric Capital’s Crypto Ecosystems (CC BY 4.0) names of it, courses and copies among them. Counted: of the repositories in our catalog, those with a history over the whole year',
  empty: NOT_READ,
  columns: [
    { key: 'name', label: 'Ecosystem', form: 'page' },
    { key: 'monthly', label: 'Monthly', form: 'count', title: 'People with a commit in 28 days' },
    {
      key: 'change',
      label: '1 year',
      form: 'figure',
      unit: 'ratio',
      title: 'Change of monthly developers over the same repositories',
    },
    { key: 'full_time', label: 'Full-time', form: 'count' },
    { key: 'part_time', label: 'Part-time', form: 'count' },
    { key: 'one_time', label: 'One-time', form: 'count' },
    { key: 'newcomers', label: 'New', form: 'count', title: 'In 365 days' },
    { key: 'leavers', label: 'Left', form: 'count', title: 'In 365 days' },
    { key: 'retained', label: 'Retained', form: 'figure', unit: 'ratio', title: 'At six months' },
    { key: 'commits', label: 'Commits', form: 'count', title: 'In 365 days' },
    { key: 'day', label: 'As of', form: 'day' },
    {
      key: 'most',
      label: 'Most ever',
      form: 'count',
      title: 'Most monthly developers of any day',
      isOptional: true,
    },
    { key: 'repositories', label: 'Counted', form: 'text', title: 'Repositories that every figure includes' },
    {
      key: 'missing',
      label: 'Not counted',
      form: 'text',
      title: 'Repositories without a history over the whole year',
      isOptional: true,
    },
    { key: 'listed', label: 'Listed', form: 'count', title: 'Repositories that Electric Capital lists' },
  ],
  sql: () => `WITH
  ends AS (SELECT ecosystem, max(d.day) AS day FROM dev_days AS d WHERE NOT is_raw AND NOT is_partial GROUP BY ecosystem),
  counted AS (
    SELECT
      d.ecosystem AS ecosystem, any(e.day) AS day, maxIf(d.monthly, d.day = e.day) AS monthly,
      maxIf(d.full_time, d.day = e.day) AS full_time, maxIf(d.part_time, d.day = e.day) AS part_time,
      maxIf(d.one_time, d.day = e.day) AS one_time, max(d.monthly) AS most,
      maxOrNullIf(d.monthly, d.day = e.day - 365) AS before, sumIf(d.newcomers, d.day > e.day - 365) AS newcomers,
      sumIf(d.leavers, d.day > e.day - 365) AS leavers, sumIf(d.commits, d.day > e.day - 365) AS commits
    FROM dev_days AS d
    INNER JOIN ends AS e ON e.ecosystem = d.ecosystem
    WHERE NOT d.is_raw AND d.day <= e.day
    GROUP BY d.ecosystem
  ),
  stayed AS (
    SELECT r.ecosystem AS ecosystem, sum(r.retained) AS retained, sum(r.newcomers) AS came
    FROM dev_retention AS r
    INNER JOIN ends AS e ON e.ecosystem = r.ecosystem
    WHERE NOT r.is_raw AND r.month > e.day - 395
    GROUP BY r.ecosystem
  ),
  covered AS (
    SELECT
      ecosystem, concat(toString(countIf(is_counted)), ' of ', toString(count())) AS counted_repositories,
      arrayStringConcat(arraySort(groupArrayIf(repository, NOT is_counted)), ', ') AS missing,
      maxIf(assumeNotNull(from_day), is_counted) AS first_day
    FROM dev_coverage
    GROUP BY ecosystem
  )
SELECT
  e.name AS name, e.page AS name_href, c.monthly AS monthly,
  if(c.before > 0 AND o.first_day <= c.day - 365, c.monthly / c.before - 1, NULL) AS change,
  c.full_time AS full_time, c.part_time AS part_time, c.one_time AS one_time, c.newcomers AS newcomers,
  c.leavers AS leavers, if(s.came > 0, s.retained / s.came, NULL) AS retained, c.commits AS commits, c.day AS day,
  c.most AS most, o.counted_repositories AS repositories, o.missing AS missing, e.listed_repositories AS listed
FROM dev_ecosystems AS e
INNER JOIN counted AS c ON c.ecosystem = e.ecosystem
LEFT JOIN covered AS o ON o.ecosystem = e.ecosystem
LEFT JOIN stayed AS s ON s.ecosystem = e.ecosystem
ORDER BY c.monthly DESC, c.most DESC`,
}

/** Who commits in two ecosystems: a matrix, as rows. */
export const overlapTable: DeveloperTable = {
  title: 'Who builds in two ecosystems',
  sub: 'People with a commit in both within the 365 days up to the latest day, and their share of those of the first',
  empty: NOT_READ,
  columns: [
    { key: 'name', label: 'Of', form: 'page' },
    { key: 'other', label: 'Also in', form: 'page' },
    { key: 'people', label: 'People', form: 'count' },
    { key: 'all_people', label: 'Of all', form: 'count', title: 'People of the first ecosystem in 365 days' },
    { key: 'share', label: 'Share', form: 'figure', unit: 'ratio' },
  ],
  sql: () => `SELECT
  e.name AS name, e.page AS name_href, f.name AS other, f.page AS other_href, o.people AS people, a.people AS all_people,
  o.people / a.people AS share
FROM dev_overlap AS o
INNER JOIN dev_overlap AS a ON a.ecosystem = o.ecosystem AND a.other = o.ecosystem
INNER JOIN dev_ecosystems AS e ON e.ecosystem = o.ecosystem
INNER JOIN dev_ecosystems AS f ON f.ecosystem = o.other
WHERE o.ecosystem != o.other
ORDER BY o.people DESC, e.name, f.name`,
}

/** What was paid for, and who stayed. */
export const programmesTable: DeveloperTable = {
  title: 'Paid programs',
  sub: 'Monthly developers on the day before a program, at its end and half a year later, and newcomers while it ran',
  empty:
    'The catalog names no program that paid for contributions with a source that dates it. One entry in `programmes` of `catalog/developers/<ecosystem>.json` draws it as a band and lists it here with who stayed.',
  columns: [
    { key: 'name', label: 'Program', form: 'reference' },
    { key: 'ecosystem', label: 'Ecosystem', form: 'page' },
    { key: 'from_day', label: 'From', form: 'day' },
    { key: 'to_day', label: 'To', form: 'day' },
    { key: 'before', label: 'Before', form: 'count' },
    { key: 'at_end', label: 'At its end', form: 'count' },
    { key: 'later', label: 'Half a year later', form: 'count' },
    { key: 'newcomers', label: 'New meanwhile', form: 'count' },
    { key: 'note', label: 'What for', form: 'text' },
  ],
  sql: () => `WITH
  ${NEWEST}
SELECT
  p.name AS name, p.url AS name_href, e.name AS ecosystem, e.page AS ecosystem_href, p.from_day AS from_day,
  p.to_day AS to_day, maxOrNullIf(d.monthly, d.day = p.from_day - 1) AS before,
  if(p.to_day IS NULL OR p.to_day > (SELECT day FROM newest), NULL, maxOrNullIf(d.monthly, d.day = p.to_day)) AS at_end,
  if(p.to_day IS NULL OR p.to_day + 182 > (SELECT day FROM newest), NULL, maxOrNullIf(d.monthly, d.day = p.to_day + 182)) AS later,
  sumOrNullIf(d.newcomers, d.day BETWEEN p.from_day AND ifNull(p.to_day, toDate('2100-01-01'))) AS newcomers, p.note AS note
FROM dev_programmes AS p
INNER JOIN dev_ecosystems AS e ON e.ecosystem = p.ecosystem
INNER JOIN dev_days AS d ON d.ecosystem = p.ecosystem
WHERE NOT d.is_raw
GROUP BY p.name, p.url, e.name, e.page, p.from_day, p.to_day, p.note
ORDER BY p.from_day DESC`,
}
