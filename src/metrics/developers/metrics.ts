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
  'Excludes merges, bot commits, commits copied from another repository, and commits with implausible clocks. Addresses are merged by mailmap, by the host’s no-reply forms, and by full name within a repository.'
const DAY = 'A commit counts on the UTC day of its author’s clock, so rebasing does not move it.'
const READ =
  'Covers only default branches of the repositories in dev_repositories. Work elsewhere, private work and work without commits is missing. Repositories not read for the full year up to the last day are excluded on all days.'
const ALIASES =
  'In the recording, an address is a person, so a person with two addresses counts twice. Clones merge them.'
const RAW = {
  name: 'raw',
  doc: 'counts all commits without cleaning; each address is a person',
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
    needs: 'No repository history has been read.',
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
      why: 'The hardest activity figure to buy, and a leading indicator of what an ecosystem will ship.',
      how: `${CLEANED} ${DAY} Four full weeks, so that each day covers the same number of weekends.`,
      misleads: `A jump can be a paid program that leaves the window after ${ACTIVE_DAYS} days. Compare dev.daily. ${READ} ${ALIASES}`,
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
      definition: 'dev.monthly of each ecosystem.',
      why: 'Where developers work, and where they move.',
      how: `As dev.monthly of each. Days start with the recording that starts last and end with the ecosystem that ends first, because missing parts would otherwise look like growth or decline. Ecosystems with histories that end more than ${LATE_DAYS} days before the others are excluded. ${CLEANED}`,
      misleads: `Developers in two ecosystems count in both, so the sum is higher than dev.monthly of all ecosystems. ${READ}`,
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
      why: 'Shows the effect of cleaning.',
      how: `Includes merges, bots and copies. Each address counts separately. Only commits with implausible clocks are excluded, because they have no day. ${DAY}`,
      misleads: 'Bots count as people, and a fork adds every author of its upstream project.',
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
      why: 'Paid developers, and those who work as much.',
      how: `${CLEANED} With dev.part_time and dev.one_time it adds up to dev.monthly.`,
      misleads: `A full-time employee who commits once a week does not count. Projects that squash work into few commits have almost none. ${READ}`,
      aggregate: 'last',
      direction: 'up',
    }),
    count({
      id: 'dev.part_time',
      name: 'Part-time developers',
      unit: 'people',
      column: 'part_time',
      definition: `People with commits on 10 days or more of the ${GONE_DAYS} up to the day, but not of the last ${ACTIVE_DAYS}, with at least one commit in those.`,
      why: 'Regular contributors between full-time work and a single visit.',
      how: `${CLEANED} dev.monthly less full-time and one-time developers.`,
      misleads: `Full-time developers on leave count here. ${READ}`,
      aggregate: 'last',
      direction: 'up',
    }),
    count({
      id: 'dev.one_time',
      name: 'One-time developers',
      unit: 'people',
      column: 'one_time',
      definition: `People with a commit in the ${ACTIVE_DAYS} days up to the day and on fewer than 10 days of the last ${GONE_DAYS}.`,
      why: 'How much of the count is occasional contributors, learners and reward seekers.',
      how: CLEANED,
      misleads: `Includes newcomers of recent weeks, whatever they become. ${READ}`,
      aggregate: 'last',
      direction: 'neither',
    }),
    count({
      id: 'dev.daily',
      name: 'Daily developers',
      unit: 'people',
      column: 'daily',
      definition: 'Distinct people with a commit on the UTC day.',
      why: 'Without a window nothing carries over, so a one-week reward program lasts one week.',
      how: `${CLEANED} ${DAY} Longer buckets show the mean of their days.`,
      misleads: 'Weekends are low. Days in distant time zones are split in the afternoon.',
      aggregate: 'mean',
      direction: 'up',
    }),
    count({
      id: 'dev.new',
      name: 'New developers',
      unit: 'people',
      column: 'newcomers',
      definition: 'People with their first commit in the ecosystem on the day.',
      why: 'Whether it still attracts developers.',
      how: `${CLEANED} New to the ecosystem: a developer who moves from one layer to another is new there, but not in the total. If a recording is missing older history, its first year is incomplete.`,
      misleads: `A new address counts as a new person unless something links it to the old one. ${ALIASES}`,
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
      definition: `People with their first commit in the ecosystem in the ${ACTIVE_DAYS} days up to the day.`,
      why: 'How many monthly developers are new.',
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
      definition: `People with their last commit exactly ${GONE_DAYS} days before the day.`,
      why: 'The loss that newcomers must offset.',
      how: `${CLEANED} Reported ${GONE_DAYS} days late and never revised. Developers who commit again count in dev.returned. New and returned less left is the change of those active within ${GONE_DAYS} days.`,
      misleads: 'A long vacation counts as leaving.',
      aggregate: 'sum',
      direction: 'down',
    }),
    count({
      id: 'dev.returned',
      name: 'Developers who came back',
      unit: 'people',
      column: 'returned',
      definition: `People who commit on the day after ${GONE_DAYS} days or more without a commit.`,
      why: 'Some developers who left return.',
      how: CLEANED,
      misleads: `A developer who commits once a quarter leaves and returns each time. ${READ}`,
      aggregate: 'sum',
      direction: 'up',
    }),
    metric({
      ...shared,
      id: 'dev.retained',
      name: 'Retained at six months',
      unit: 'ratio',
      switches: [RAW],
      definition: 'Share of people who joined six calendar months earlier with a commit in the month.',
      why: 'Newcomers can be bought. Retention cannot.',
      how: 'Newcomers six months earlier, and how many of them commit in this month. Reported once the month is over, so it uses no later data. Longer periods sum both counts.',
      misleads:
        'Small ecosystems have months with few newcomers, so read it with the counts. If a recording is missing older history, its first months count existing developers as newcomers.',
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
        why: 'Distinguishes ecosystems of newcomers from those of experienced developers.',
        how: `The three add up to dev.monthly. Years have 365 days. ${CLEANED}`,
        misleads: `Tenure is time in the ecosystem, not overall experience. ${ALIASES}`,
        aggregate: 'last',
        direction: 'neither',
        state: AFTER_A_YEAR,
      },
    ),
    metric({
      ...shared,
      id: 'dev.by_cohort',
      name: 'Monthly developers by start year',
      unit: 'people',
      breakdown: { name: 'year of the first commit', values: [], isComplete: true },
      headline: SUM_OF_KEYS,
      definition: 'People of dev.monthly by the calendar year of their first commit in the ecosystem.',
      why: 'Which years attracted developers who stayed.',
      how: `The years add up to dev.monthly. ${CLEANED}`,
      misleads: 'If a recording starts late, existing developers count in its first year.',
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
      why: 'Activity, as measured by commits.',
      how: `${CLEANED} ${DAY}`,
      misleads:
        'Squashing gives few commits and small steps give many, so compare an ecosystem only with itself.',
      aggregate: 'sum',
      direction: 'neither',
    }),
    count({
      id: 'dev.repos',
      name: 'Active repositories',
      unit: 'repositories',
      column: 'repositories',
      definition: `Repositories with a commit in the ${ACTIVE_DAYS} days up to the day.`,
      why: 'Whether an ecosystem is one project or many.',
      how: `${CLEANED} A copied commit keeps a repository active.`,
      misleads: `Covers only repositories in the catalog, not all that exist. ${READ}`,
      aggregate: 'last',
      direction: 'up',
    }),
    parts(
      { merges: 'merges', programs: 'bots', copies: 'copies', clocks: 'off_clock' },
      {
        id: 'dev.excluded',
        name: 'Excluded commits',
        unit: 'commits',
        breakdown: { name: 'reason', values: ['merges', 'programs', 'copies', 'clocks'], isComplete: true },
        definition: 'Commits of the UTC day that no cleaned figure counts, by the first reason that fits.',
        why: 'Makes the cleaning verifiable.',
        how: 'In this order: merges; bots, by the rules in catalog/bots.json; implausible clocks, if both author’s and committer’s are before git or in the future; copies, with the same address, second and subject in an earlier repository or twice in one. With dev.commits they add up to all commits read.',
        misleads:
          'Upstream commits in forks are excluded before counting. dev_readings has their number. The recording has no copies within a repository.',
        aggregate: 'sum',
        direction: 'neither',
      },
    ),
  ]
}
