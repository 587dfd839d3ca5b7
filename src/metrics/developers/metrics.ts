import { ALL_ECOSYSTEMS, type Catalog } from '#catalog/index.ts'
import { developersGit, developersRecorded } from '#sources/developers.ts'
import { RANGE } from '../chainFigures.ts'
import {
  type Coverage,
  type Members,
  type Metric,
  type MetricDeclaration,
  metric,
  SUM_OF_KEYS,
} from '../metric.ts'
import { ACTIVE_DAYS, GONE_DAYS, LATE_DAYS } from './counting/tallies.ts'

const NO_HEIGHTS =
  'CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height'

const REFERENCES = [
  {
    title: 'Electric Capital: Developer Report, methodology',
    url: 'https://www.developerreport.com/about',
  },
  {
    title: 'Electric Capital: Crypto Ecosystems',
    url: 'https://github.com/electric-capital/crypto-ecosystems',
  },
  { title: 'git log', url: 'https://git-scm.com/docs/git-log' },
] as const

const CLEANED =
  'Merges, commits of programs, commits that another repository has and commits whose clocks were wrong are left out; addresses are merged by mailmap, by the host’s own forms of them, and by full names within a repository.'
const DAY = 'A commit stands at the UTC day of its author’s clock: rebasing does not move it.'
const READ =
  'Only the default branches of the repositories named in dev_repositories are read: work elsewhere, private work and work that is no commit are not seen. Repositories that are not read over the whole year up to the last day are left out on all days.'
const ALIASES =
  'In the recording an address is a person, so that who writes under two counts twice; clones merge them.'
const RAW = {
  name: 'raw',
  doc: 'counts commits as they stand: nothing is left out, an address is a person',
} as const

const WHOLE = "if(d.is_partial, 'partial', 'whole')"
/** Of figures that hang on when somebody came. */
const AFTER_A_YEAR = "multiIf(d.is_young, 'incomplete', d.is_partial, 'partial', 'whole')"

/**
 * A count of people does not add up over repositories. It is over the same repositories on every day, and days that all of
 * their histories cover compare with each other. Any other day has no member and compares with none.
 */
const HISTORIES: Members = {
  name: 'histories',
  isSum: false,
  sql: `SELECT
  d.day AS day, c.repository AS key, toInt64(1) AS value, 'whole' AS state, d.source AS source, ${NO_HEIGHTS}, d.read_at AS as_of
FROM dev_days AS d
CROSS JOIN (
  SELECT repository, max(assumeNotNull(from_day)) OVER () AS first_day, min(assumeNotNull(to_day)) OVER () AS last_day
  FROM dev_coverage
  WHERE ecosystem = {entity:String} AND is_counted
) AS c
WHERE d.ecosystem = {entity:String} AND NOT d.is_raw AND d.day ${RANGE} AND d.day BETWEEN c.first_day AND c.last_day
ORDER BY day, key`,
}

/** The repositories that the catalog lists of an ecosystem, and which of them its counts include. */
const REPOSITORIES: Coverage = {
  name: 'repositories',
  sql: `SELECT repository AS key, is_counted
FROM dev_coverage
WHERE ecosystem = {entity:String}
ORDER BY key`,
}

type Count = Pick<
  MetricDeclaration,
  'id' | 'name' | 'unit' | 'definition' | 'why' | 'how' | 'misleads' | 'aggregate' | 'direction'
> &
  Partial<Pick<MetricDeclaration, 'watches'>> & {
    /** Column of `dev_days`. */
    readonly column: string
    readonly state?: string
  }

/** What is counted of people who build, for each ecosystem of the catalogue and for all together. */
export function developerMetrics({ ecosystems }: Pick<Catalog, 'ecosystems'>): Metric[] {
  if (ecosystems.length === 0) return []
  const shared = {
    entityKind: 'ecosystem',
    entities: [ALL_ECOSYSTEMS, ...ecosystems.map(({ id }) => id)],
    sources: [developersGit.id, developersRecorded.id],
    cadence: 'day',
    since: { day: '2014-01-22' },
    references: REFERENCES,
    needs: 'No history of its repositories has been read.',
    members: HISTORIES,
    coverage: REPOSITORIES,
  } as const satisfies Partial<MetricDeclaration>
  const ofDays = (columns: string, where: string, state = WHOLE): string => `SELECT
  d.day AS day, ${columns}, ${state} AS state, d.source AS source, ${NO_HEIGHTS}, d.read_at AS as_of
FROM dev_days AS d
WHERE d.ecosystem = {entity:String} AND ${where} AND d.day ${RANGE}
ORDER BY day`
  const count = ({ column, state, ...texts }: Count): Metric =>
    metric({
      ...shared,
      ...texts,
      switches: [RAW],
      sql: ofDays(`'' AS key, toInt64(d.${column}) AS value`, 'd.is_raw = {raw:UInt8}', state),
    })
  const parts = (
    columns: Readonly<Record<string, string>>,
    {
      state,
      switches = [],
      ...texts
    }: Omit<Count, 'column'> & Pick<MetricDeclaration, 'breakdown' | 'switches'>,
  ): Metric =>
    metric({
      ...shared,
      ...texts,
      switches,
      headline: SUM_OF_KEYS,
      sql: `SELECT
  d.day AS day, p.1 AS key, toInt64(p.2) AS value, ${state ?? WHOLE} AS state, d.source AS source, ${NO_HEIGHTS}, d.read_at AS as_of
FROM dev_days AS d
ARRAY JOIN [${Object.entries(columns)
        .map(([key, column]) => `('${key}', d.${column})`)
        .join(', ')}] AS p
WHERE d.ecosystem = {entity:String} AND d.is_raw = ${switches.length > 0 ? '{raw:UInt8}' : '0'} AND d.day ${RANGE}
ORDER BY day, key`,
    })
  return [
    count({
      id: 'dev.monthly',
      name: 'Monthly developers',
      watches: [
        { id: 'leaving', says: 'fall by three tenths within 84 days', when: 'falls', level: 0.3, days: 84 },
      ],
      unit: 'people',
      column: 'monthly',
      definition: `Distinct people with a commit in the ${ACTIVE_DAYS} days up to the day.`,
      why: 'Who builds is the slowest of all figures to be bought: it tells what an ecosystem will have next year.',
      how: `${CLEANED} ${DAY} Four whole weeks, so that each day has as many weekends.`,
      misleads: `A jump may be a paid programme that leaves the window after ${ACTIVE_DAYS} days: read dev.daily behind it. ${READ} ${ALIASES}`,
      aggregate: 'last',
      direction: 'up',
    }),
    metric({
      ...shared,
      entities: [ALL_ECOSYSTEMS],
      id: 'dev.by_ecosystem',
      name: 'Monthly developers by ecosystem',
      unit: 'people',
      breakdown: { name: 'ecosystem', values: ecosystems.map(({ id }) => id), isComplete: true },
      headline: SUM_OF_KEYS,
      switches: [RAW],
      definition: 'People of dev.monthly of each ecosystem, side by side.',
      why: 'Where people build, and where they go.',
      how: `As dev.monthly of each. Days begin with the last of the recordings that begin late, and end where the first ecosystem ends: elsewhere a missing part would pass for growth or decline. Ecosystems whose histories end more than ${LATE_DAYS} days before the others are left out. ${CLEANED}`,
      misleads: `Who builds in two stands in both: the sum is higher than dev.monthly of all together. ${READ}`,
      aggregate: 'last',
      direction: 'neither',
      sql: `WITH
  begun AS (
    SELECT max(r.recorded_from_day) AS day
    FROM dev_repositories AS r
    INNER JOIN dev_readings AS d ON d.repository = r.repository
    INNER JOIN dev_coverage AS c ON c.ecosystem = r.ecosystem AND c.repository = r.repository
    WHERE d.source = '${developersRecorded.id}' AND c.is_counted
  ),
  ends AS (SELECT e.ecosystem AS ecosystem, max(e.day) AS day FROM dev_days AS e GROUP BY e.ecosystem),
  reaching AS (
    SELECT ecosystem, day
    FROM ends
    WHERE ecosystem != {entity:String} AND day >= (SELECT max(day) FROM ends WHERE ecosystem = {entity:String}) - ${LATE_DAYS}
  )
SELECT
  d.day AS day, d.ecosystem AS key, toInt64(d.monthly) AS value, ${WHOLE} AS state, d.source AS source, ${NO_HEIGHTS},
  d.read_at AS as_of
FROM dev_days AS d
WHERE d.ecosystem IN (SELECT ecosystem FROM reaching) AND d.is_raw = {raw:UInt8} AND d.day ${RANGE}
  AND d.day >= ifNull((SELECT day FROM begun), toDate('1970-01-01')) AND d.day <= (SELECT min(day) FROM reaching)
ORDER BY day, key`,
    }),
    metric({
      ...shared,
      id: 'dev.monthly_raw',
      name: 'Monthly developers, raw',
      unit: 'people',
      definition: `Distinct author addresses with a commit of any kind in the ${ACTIVE_DAYS} days up to the day.`,
      why: 'What cleaning takes away, seen beside what it leaves.',
      how: `Merges, programs and copies are in, each address counts by itself; only commits whose clocks were wrong have no day to stand at. ${DAY}`,
      misleads: 'Programs count as people here, and a fork brings everybody who wrote what it began from.',
      aggregate: 'last',
      direction: 'neither',
      sql: ofDays("'' AS key, toInt64(d.monthly) AS value", 'd.is_raw'),
    }),
    count({
      id: 'dev.full_time',
      name: 'Full-time developers',
      watches: [
        { id: 'leaving', says: 'fall by three tenths within 84 days', when: 'falls', level: 0.3, days: 84 },
      ],
      unit: 'people',
      column: 'full_time',
      definition: `People with commits on 10 days or more of the ${ACTIVE_DAYS} up to the day.`,
      why: 'Those who are paid for it, or do it as if they were.',
      how: `${CLEANED} With dev.part_time and dev.one_time it adds up to dev.monthly.`,
      misleads: `Who commits once a week and works on nothing else is none; where all work is squashed into few commits, hardly anybody is. ${READ}`,
      aggregate: 'last',
      direction: 'up',
    }),
    count({
      id: 'dev.part_time',
      name: 'Part-time developers',
      unit: 'people',
      column: 'part_time',
      definition: `People with commits on 10 days or more of the ${GONE_DAYS} up to the day, yet not of the last ${ACTIVE_DAYS}, in which they have one.`,
      why: 'Those who come back to it: between employment and a visit.',
      how: `${CLEANED} What is left of dev.monthly without full-time and one-time.`,
      misleads: `Who is on leave falls out of full-time into it. ${READ}`,
      aggregate: 'last',
      direction: 'up',
    }),
    count({
      id: 'dev.one_time',
      name: 'One-time developers',
      unit: 'people',
      column: 'one_time',
      definition: `People with a commit in the ${ACTIVE_DAYS} days up to the day and on fewer than 10 days of the last ${GONE_DAYS}.`,
      why: 'How much of the count is visits: contributors to a single matter, learners, hunters of rewards.',
      how: CLEANED,
      misleads: `Newcomers of the last weeks are in it whatever they become. ${READ}`,
      aggregate: 'last',
      direction: 'neither',
    }),
    count({
      id: 'dev.daily',
      name: 'Developers of the day',
      unit: 'people',
      column: 'daily',
      definition: 'Distinct people with a commit on the UTC day.',
      why: 'Without a window nothing lingers: a week of rewards is a week wide.',
      how: `${CLEANED} ${DAY} Longer buckets tell the mean of their days.`,
      misleads: 'Weekends are low; days of another time zone are cut at its afternoon.',
      aggregate: 'mean',
      direction: 'up',
    }),
    count({
      id: 'dev.new',
      name: 'New developers',
      unit: 'people',
      column: 'newcomers',
      definition: 'People whose first commit in the ecosystem is of the day.',
      why: 'Whether it still draws anybody.',
      how: `${CLEANED} New to the ecosystem: who moves from one layer to another is new there, and not in the figure of all together. Where a recording lacks older history, its first year is incomplete.`,
      misleads: `A new address is a new person where nothing joins it to the old one. ${ALIASES}`,
      aggregate: 'sum',
      direction: 'up',
      state: AFTER_A_YEAR,
    }),
    metric({
      ...shared,
      id: 'dev.new_monthly',
      name: 'New developers within 28 days',
      unit: 'people',
      switches: [RAW],
      definition: `People whose first commit in the ecosystem is of the ${ACTIVE_DAYS} days up to the day.`,
      why: 'Of the monthly developers, how many have just come.',
      how: `Sum of dev.new over ${ACTIVE_DAYS} days; each person has one first day.`,
      misleads: `As dev.new. ${ALIASES}`,
      aggregate: 'last',
      direction: 'up',
      sql: `SELECT
  d.day AS day, '' AS key, d.newcomers AS value, ${AFTER_A_YEAR} AS state, d.source AS source, ${NO_HEIGHTS}, d.read_at AS as_of
FROM (
  SELECT
    n.day AS day, n.is_young AS is_young, n.is_partial AS is_partial, n.source AS source, n.read_at AS read_at,
    toInt64(sum(n.newcomers) OVER (ORDER BY n.day ROWS BETWEEN ${ACTIVE_DAYS - 1} PRECEDING AND CURRENT ROW)) AS newcomers
  FROM dev_days AS n
  WHERE n.ecosystem = {entity:String} AND n.is_raw = {raw:UInt8}
) AS d
WHERE d.day ${RANGE}
ORDER BY day`,
    }),
    count({
      id: 'dev.left',
      name: 'Developers who left',
      unit: 'people',
      column: 'leavers',
      definition: `People whose last commit is ${GONE_DAYS} days old on the day.`,
      why: 'What newcomers have to make up for.',
      how: `${CLEANED} Told ${GONE_DAYS} days late, and never taken back: who commits again counts in dev.returned. New and returned less left is the change of those active within ${GONE_DAYS} days.`,
      misleads: 'A long holiday is a leave.',
      aggregate: 'sum',
      direction: 'down',
    }),
    count({
      id: 'dev.returned',
      name: 'Developers who came back',
      unit: 'people',
      column: 'returned',
      definition: `People who commit on the day after ${GONE_DAYS} days or more without a commit.`,
      why: 'Not everybody who left is gone.',
      how: CLEANED,
      misleads: `Who writes once a quarter leaves and comes back each time. ${READ}`,
      aggregate: 'sum',
      direction: 'up',
    }),
    metric({
      ...shared,
      id: 'dev.retained',
      name: 'Retained at six months',
      unit: 'ratio',
      switches: [RAW],
      definition: 'Of the people who came six calendar months before, the share with a commit in the month.',
      why: 'Newcomers can be bought; those who stay cannot.',
      how: 'Newcomers of the month six before, and how many of them commit in this month; told once the month is over, so nothing of the future is in it. Longer spans add up both counts.',
      misleads:
        'Small ecosystems have months with a handful of newcomers: read the counts beside it. Where a recording lacks older history, its first months take old hands for newcomers.',
      aggregate: 'recompute',
      calendar: 'reported',
      direction: 'up',
      sql: `SELECT
  r.month AS day, '' AS key, if(r.newcomers > 0, r.retained / r.newcomers, NULL) AS value,
  toFloat64(r.retained) AS numerator, toFloat64(r.newcomers) AS denominator, if(d.is_young, 'incomplete', 'whole') AS state,
  d.source AS source, ${NO_HEIGHTS}, d.read_at AS as_of
FROM dev_retention AS r
INNER JOIN dev_days AS d ON d.ecosystem = r.ecosystem AND d.is_raw = r.is_raw AND d.day = r.month
WHERE r.ecosystem = {entity:String} AND r.is_raw = {raw:UInt8} AND r.month ${RANGE} AND r.newcomers > 0
ORDER BY day`,
    }),
    parts(
      { first: 'first_year', second: 'second_year', longer: 'longer' },
      {
        id: 'dev.by_tenure',
        name: 'Monthly developers by tenure',
        unit: 'people',
        breakdown: { name: 'tenure', values: ['first', 'second', 'longer'], isComplete: true },
        switches: [RAW],
        definition:
          'People of dev.monthly by the age of their first commit in the ecosystem: up to a year, to two, longer.',
        why: 'An ecosystem of newcomers and one of old hands are not the same, whatever their number.',
        how: `The three add up to dev.monthly. Years have 365 days. ${CLEANED}`,
        misleads: `Tenure is that in the ecosystem, not in the trade. ${ALIASES}`,
        aggregate: 'last',
        direction: 'neither',
        state: AFTER_A_YEAR,
      },
    ),
    metric({
      ...shared,
      id: 'dev.by_cohort',
      name: 'Monthly developers by the year they came',
      unit: 'people',
      breakdown: { name: 'year of the first commit', values: [], isComplete: true },
      headline: SUM_OF_KEYS,
      definition: 'People of dev.monthly by the calendar year of their first commit in the ecosystem.',
      why: 'Which years brought people who stayed.',
      how: `The years add up to dev.monthly. ${CLEANED}`,
      misleads:
        'Where a recording begins late, everybody who was there before belongs to the year in which it begins.',
      aggregate: 'last',
      direction: 'neither',
      sql: `SELECT
  c.day AS day, toString(c.year) AS key, toInt64(c.people) AS value, ${AFTER_A_YEAR} AS state, d.source AS source,
  ${NO_HEIGHTS}, d.read_at AS as_of
FROM dev_cohorts AS c
INNER JOIN dev_days AS d ON d.ecosystem = c.ecosystem AND d.day = c.day
WHERE c.ecosystem = {entity:String} AND c.day ${RANGE} AND NOT d.is_raw
ORDER BY day, key`,
    }),
    count({
      id: 'dev.commits',
      name: 'Commits',
      unit: 'commits',
      column: 'commits',
      definition: 'Commits of the UTC day.',
      why: 'How much is done, as far as commits tell.',
      how: `${CLEANED} ${DAY}`,
      misleads:
        'Who squashes has few, who commits each line has many: compare an ecosystem with itself alone.',
      aggregate: 'sum',
      direction: 'neither',
    }),
    count({
      id: 'dev.repos',
      name: 'Repositories in use',
      unit: 'repositories',
      column: 'repositories',
      definition: `Repositories with a commit in the ${ACTIVE_DAYS} days up to the day.`,
      why: 'Whether an ecosystem is one program or many.',
      how: `${CLEANED} A copied commit keeps a repository in use.`,
      misleads: `Of those that the catalogue names: it is no count of all that exist. ${READ}`,
      aggregate: 'last',
      direction: 'up',
    }),
    parts(
      { merges: 'merges', programs: 'bots', copies: 'copies', clocks: 'off_clock' },
      {
        id: 'dev.excluded',
        name: 'Commits left out',
        unit: 'commits',
        breakdown: { name: 'reason', values: ['merges', 'programs', 'copies', 'clocks'], isComplete: true },
        definition: 'Commits of the UTC day that no cleaned figure counts, by the first reason that fits.',
        why: 'What is left out must be seen to be believed.',
        how: 'In this order: merges; programs, by the rules of catalog/bots.json; wrong clocks, where author’s and committer’s lie before git or in the future; copies, the same address, second and subject in an earlier repository or twice in one. With dev.commits they add up to all commits read.',
        misleads:
          'Commits that a fork has from the project it began from are left out before anything is counted: dev_readings tells how many. The recording tells no copies within a repository.',
        aggregate: 'sum',
        direction: 'neither',
      },
    ),
  ]
}
