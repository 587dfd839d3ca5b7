import { BASE_DATABASE } from '#warehouse/index.ts'

/** Days without a commit after which somebody is no longer counted as active, and as gone. */
export const ACTIVE_DAYS = 28
export const GONE_DAYS = 84
/** Days of commits that make a regular. */
const REGULAR_DAYS = 10
const YEAR_DAYS = 365
/** Months after which it is asked who stayed. */
const STAYED_MONTHS = 6

/** Counts whose changes are written down, by the number that stands in `dev_changes.figure`. */
export const FIGURES = {
  daily: 1,
  monthly: 2,
  fullTime: 3,
  regular: 4,
  newcomers: 5,
  returned: 6,
  leavers: 7,
  firstYear: 8,
  secondYear: 9,
  longer: 10,
  cohort: 11,
  came: 12,
  stayed: 13,
  commits: 14,
  merges: 15,
  bots: 16,
  offClock: 17,
  repositories: 18,
  all: 19,
} as const
type FigureName = keyof typeof FIGURES

/** What a refresh counts over: places in the arrays of its statements. */
export type Scope = {
  readonly run: string
  /** Parts that stand, each with the place of its repository, from 1. */
  readonly parts: readonly { readonly part: string; readonly place: number }[]
  /** By place: repositories, in the order in which a commit that several have goes to them. */
  readonly repositories: readonly { readonly name: string; readonly ecosystems: readonly number[] }[]
  /** By place, from 1; 0 is all together. */
  readonly ecosystems: readonly {
    readonly name: string
    /** Last day that is counted, days since 1970. */
    readonly end: number
    /** Before this day newcomers may be old. */
    readonly youngUntil: number
    /** Days after this one are not whole. */
    readonly wholeUntil: number
    readonly readAt: number
    readonly source: string
  }[]
}

const list = (items: readonly (string | number)[]): string => `[${items.join(', ')}]`
const texts = (items: readonly string[]): string =>
  list(items.map(text => `'${text.replaceAll("'", "\\'")}'`))

const placesSql = ({ parts }: Scope): string =>
  `transform(c.part, ${list(parts.map(({ part }) => `toUInt64(${part})`))}, ${list(parts.map(({ place }) => place))}, 0)`
const partsSql = ({ parts }: Scope): string => parts.map(({ part }) => part).join(', ')
/** The ecosystems that a repository counts for, all together among them. */
const ecosystemsSql = ({ repositories }: Scope, place: string): string =>
  `arrayElement(${list(repositories.map(({ ecosystems }) => list([0, ...ecosystems])))}, ${place})`

/** Commits that stand, each with its repository's place and its person. */
const commitsSql = (scope: Scope, where: string): string => `SELECT
      toInt32(c.day) AS day, c.address AS address, if(p.person = 0, c.address, p.person) AS person, c.work AS work,
      c.is_merge AS is_merge, c.bot AS bot, c.is_off_clock AS is_off_clock, c.commits AS commits,
      ${placesSql(scope)} AS place
    FROM ${BASE_DATABASE}.dev_commits AS c
    LEFT ANY JOIN (SELECT address, person FROM ${BASE_DATABASE}.dev_people WHERE run = ${scope.run}) AS p ON p.address = c.address
    WHERE c.part IN (${partsSql(scope)}) AND ${where}`

const IS_CLEAN = "NOT c.is_merge AND c.bot = '' AND NOT c.is_off_clock"

/** Each commit once, in the first of the repositories that have it. */
const cleanedSql = (scope: Scope, where: string): string => `SELECT
      any(s.person) AS who, any(s.day) AS day, min(s.place) AS place, any(s.commits) AS commits
    FROM (
    ${commitsSql(scope, `${IS_CLEAN} AND ${where}`)}
    ) AS s
    GROUP BY s.work`

const change = (figure: FigureName, day: string, by = '1', key = '0'): string =>
  `(toUInt8(${FIGURES[figure]}), toUInt16(${key}), toInt32(${day}), toInt32(${by}))`
/** From one day on and until another. */
const spells = (figure: FigureName, of: string, key = '0'): string =>
  `arrayMap(s -> ${change(figure, 's.1', '1', key)}, ${of}), arrayMap(s -> ${change(figure, 's.2', '-1', key)}, ${of})`
const at = (figure: FigureName, of: string): string => `arrayMap(x -> ${change(figure, 'x')}, ${of})`
const startOfMonth = (day: string, months: number): string =>
  `toInt32(toStartOfMonth(addMonths(toDate(toUInt16(${day})), ${months})))`

/**
 * Changes of all counts of people, of one slice of them: what a person's days say is said once, as changes on days, whose
 * running sums are the counts of every day. So all days cost no more than one.
 */
export const changesSql = (scope: Scope, slice: number, slices: number): string => {
  const isOurs = `person % ${slices} = ${slice}`
  return `INSERT INTO ${BASE_DATABASE}.dev_changes (run, ecosystem, is_raw, figure, key, day, change)
WITH
  arrayPushFront(arrayPopBack(days), toInt32(-100000)) AS before,
  arrayPushBack(arrayPopFront(days), toInt32(100000)) AS after,
  days[1] AS first,
  arrayZip(
    arrayFilter((x, b) -> x - b >= ${ACTIVE_DAYS}, days, before),
    arrayMap(x -> x + ${ACTIVE_DAYS}, arrayFilter((x, a) -> a - x >= ${ACTIVE_DAYS}, days, after))
  ) AS active,
  arrayFilter((x, b) -> x - b >= ${GONE_DAYS}, days, before) AS starts,
  arrayMap(x -> x + ${GONE_DAYS}, arrayFilter((x, a) -> a - x >= ${GONE_DAYS}, days, after)) AS goings,
  arraySlice(days, ${REGULAR_DAYS}) AS tenths,
  arraySlice(days, 1, length(tenths)) AS nines,
  arraySlice(after, ${REGULAR_DAYS}) AS next,
  arrayFilter(s -> s.2 > s.1, arrayMap((x, n, a) -> (x, least(a, n + ${ACTIVE_DAYS})), tenths, nines, next)) AS full,
  arrayFilter(s -> s.2 > s.1, arrayMap((x, n, a) -> (x, least(a, n + ${GONE_DAYS}, x + ${ACTIVE_DAYS})), tenths, nines, next)) AS regular,
  arrayFilter(s -> s.2 > s.1, arrayMap(s -> (s.1, least(s.2, first + ${YEAR_DAYS})), active)) AS one,
  arrayFilter(s -> s.2 > s.1, arrayMap(s -> (greatest(s.1, first + ${YEAR_DAYS}), least(s.2, first + ${2 * YEAR_DAYS})), active)) AS two,
  arrayFilter(s -> s.2 > s.1, arrayMap(s -> (greatest(s.1, first + ${2 * YEAR_DAYS}), s.2), active)) AS more,
  ${startOfMonth('first', STAYED_MONTHS)} AS later,
  ${startOfMonth('first', STAYED_MONTHS + 1)} AS later_end
SELECT ${scope.run}, e, is_raw, n.1, n.2, n.3, toInt32(sum(n.4))
FROM (
  SELECT e, is_raw, arraySort(groupArray((day, commits))) AS sorted, arrayMap(t -> t.1, sorted) AS days
  FROM (
    SELECT e, is_raw, who, day, toInt32(sum(commits)) AS commits
    FROM (
      SELECT who, day, place, commits, 0 AS is_raw
      FROM (
    ${cleanedSql(scope, isOurs)}
      )
      UNION ALL
      SELECT address, day, place, commits, 1
      FROM (
    ${commitsSql(scope, `NOT c.is_off_clock AND ${isOurs}`)}
      )
    )
    ARRAY JOIN ${ecosystemsSql(scope, 'place')} AS e
    GROUP BY e, is_raw, who, day
  )
  GROUP BY e, is_raw, who
)
ARRAY JOIN arrayConcat(
  ${at('daily', 'days')},
  arrayMap(t -> ${change('commits', 't.1', 't.2')}, sorted),
  ${spells('monthly', 'active')},
  ${spells('cohort', 'if(is_raw = 1, arrayFilter(s -> 0, active), active)', 'toYear(toDate(toUInt16(first)))')},
  ${spells('fullTime', 'full')},
  ${spells('regular', 'regular')},
  [${change('newcomers', 'first')}, ${change('came', 'later')}],
  arrayMap(x -> ${change('stayed', 'later')}, if(arrayExists(x -> x >= later AND x < later_end, days), [1], emptyArrayUInt8())),
  ${at('returned', 'arraySlice(starts, 2)')},
  ${at('leavers', 'goings')},
  ${spells('firstYear', 'one')},
  ${spells('secondYear', 'two')},
  ${spells('longer', 'more')}
) AS n
GROUP BY e, is_raw, n.1, n.2, n.3`
}

/** Commits by repository and day, as they stand. */
export const repositoryDaysSql = (
  scope: Scope,
): string => `INSERT INTO ${BASE_DATABASE}.dev_repository_days_rows
SELECT
  ${scope.run}, ${texts(scope.repositories.map(({ name }) => name))}[place], day, toUInt32(sum(commits)),
  toUInt32(sumIf(commits, is_merge)), toUInt32(sumIf(commits, NOT is_merge AND bot != '')),
  toUInt32(sumIf(commits, NOT is_merge AND bot = '' AND is_off_clock))
FROM (
  SELECT c.day AS day, c.is_merge AS is_merge, c.bot AS bot, c.is_off_clock AS is_off_clock, c.commits AS commits, ${placesSql(scope)} AS place
  FROM ${BASE_DATABASE}.dev_commits AS c
  WHERE c.part IN (${partsSql(scope)})
)
GROUP BY place, day`

/** What repositories tell of the days of their ecosystems: commits that are left out, repositories in use. */
export const repositoryChangesSql = (scope: Scope): string => {
  const place = `indexOf(${texts(scope.repositories.map(({ name }) => name))}, repository)`
  return `INSERT INTO ${BASE_DATABASE}.dev_changes (run, ecosystem, is_raw, figure, key, day, change)
WITH
  arrayPushFront(arrayPopBack(days), toInt32(-100000)) AS before,
  arrayPushBack(arrayPopFront(days), toInt32(100000)) AS after,
  arrayZip(
    arrayFilter((x, b) -> x - b >= ${ACTIVE_DAYS}, days, before),
    arrayMap(x -> x + ${ACTIVE_DAYS}, arrayFilter((x, a) -> a - x >= ${ACTIVE_DAYS}, days, after))
  ) AS active
SELECT ${scope.run}, e, is_raw, n.1, n.2, n.3, toInt32(sum(n.4))
FROM (
  SELECT
    is_raw, ${place} AS place, arraySort(groupArray(toInt32(day))) AS days
  FROM ${BASE_DATABASE}.dev_repository_days_rows
  ARRAY JOIN [0, 1] AS is_raw
  WHERE run = ${scope.run} AND if(is_raw = 1, commits > off_clock, commits > merges + bots + off_clock)
  GROUP BY is_raw, repository
)
ARRAY JOIN ${ecosystemsSql(scope, 'place')} AS e
ARRAY JOIN arrayConcat(${spells('repositories', 'active')}) AS n
GROUP BY e, is_raw, n.1, n.2, n.3
UNION ALL
SELECT ${scope.run}, e, 0, n.1, toUInt16(0), toInt32(day), toInt32(sum(n.2))
FROM ${BASE_DATABASE}.dev_repository_days_rows
ARRAY JOIN ${ecosystemsSql(scope, place)} AS e
ARRAY JOIN [(toUInt8(${FIGURES.all}), commits), (toUInt8(${FIGURES.merges}), merges), (toUInt8(${FIGURES.bots}), bots), (toUInt8(${FIGURES.offClock}), off_clock)] AS n
WHERE run = ${scope.run}
GROUP BY e, n.1, day`
}

/** How many people have written each repository, and how few half of its newest commits. */
export const repositoryPeopleSql = (scope: Scope): string => {
  const end = Math.max(...scope.ecosystems.map(each => each.end))
  return `INSERT INTO ${BASE_DATABASE}.dev_repository_people_rows
SELECT
  ${scope.run}, ${texts(scope.repositories.map(({ name }) => name))}[place], toUInt32(count()),
  toUInt32(countIf(of_year > 0)), toUInt32(countIf(newest > ${end - ACTIVE_DAYS})),
  toUInt32(if(sum(of_year) = 0, 0, 1 + arrayCount(x -> x * 2 < sum(of_year), arrayCumSum(arrayReverseSort(groupArray(of_year)))))),
  toDate(${end})
FROM (
  SELECT place, person, sumIf(commits, day > ${end - YEAR_DAYS}) AS of_year, max(day) AS newest
  FROM (
    ${commitsSql(scope, IS_CLEAN)}
  )
  GROUP BY place, person
)
GROUP BY place`
}

/** Who commits in two ecosystems within a year. */
export const overlapSql = (scope: Scope): string => {
  const end = Math.max(...scope.ecosystems.map(each => each.end))
  const names = texts(scope.ecosystems.map(({ name }) => name))
  return `INSERT INTO ${BASE_DATABASE}.dev_overlap_rows
SELECT ${scope.run}, ${names}[one + 1], ${names}[other + 1], toUInt32(count()), toDate(${end})
FROM (
  SELECT who, groupUniqArray(e) AS ecosystems
  FROM (
    ${cleanedSql(scope, `c.day > toDate(${end - YEAR_DAYS})`)}
  )
  ARRAY JOIN ${ecosystemsSql(scope, 'place')} AS e
  GROUP BY who
)
ARRAY JOIN ecosystems AS one
ARRAY JOIN ecosystems AS other
GROUP BY one, other`
}

/** Commits by rule that tells them to be a program's. */
export const botsSql = (scope: Scope): string => `INSERT INTO ${BASE_DATABASE}.dev_bots_rows
SELECT ${scope.run}, c.bot, toUInt32(uniqExact(c.address)), sum(c.commits)
FROM ${BASE_DATABASE}.dev_commits AS c
WHERE c.part IN (${partsSql(scope)}) AND c.bot != '' AND NOT c.is_merge
GROUP BY c.bot`

/** A value of each ecosystem, by its place. */
const ofEcosystem = (scope: Scope, value: (of: Scope['ecosystems'][number]) => string | number): string =>
  `${list(scope.ecosystems.map(value))}[e + 1]`

/** The counts of every day, from the changes. */
export const daysSql = (scope: Scope): string => {
  const { run } = scope
  const level = (figure: FigureName): string => `sum(sumIf(change, figure = ${FIGURES[figure]})) OVER w`
  const on = (figure: FigureName): string => `sumIf(change, figure = ${FIGURES[figure]})`
  const end = ofEcosystem(scope, each => each.end)
  return `INSERT INTO ${BASE_DATABASE}.dev_days_rows
SELECT
  ${run}, ${texts(scope.ecosystems.map(({ name }) => name))}[e + 1], is_raw, toDate(toUInt16(day)), daily, monthly, full_time,
  regular - full_time, monthly - regular, newcomers, returned, leavers, first_year, second_year, longer, repositories,
  commits, merges, bots, off_clock, if(is_raw = 1, 0, total - merges - bots - off_clock - commits),
  day < ${ofEcosystem(scope, each => each.youngUntil)}, day > ${ofEcosystem(scope, each => each.wholeUntil)},
  toDateTime(${ofEcosystem(scope, each => each.readAt)}, 'UTC'), ${texts(scope.ecosystems.map(({ source }) => source))}[e + 1]
FROM (
  SELECT
    e, is_raw, day, ${on('daily')} AS daily, ${level('monthly')} AS monthly, ${level('fullTime')} AS full_time,
    ${level('regular')} AS regular, ${on('newcomers')} AS newcomers, ${on('returned')} AS returned,
    ${on('leavers')} AS leavers, ${level('firstYear')} AS first_year, ${level('secondYear')} AS second_year,
    ${level('longer')} AS longer, ${level('repositories')} AS repositories, ${on('commits')} AS commits,
    ${on('merges')} AS merges, ${on('bots')} AS bots, ${on('offClock')} AS off_clock, ${on('all')} AS total
  FROM (
    SELECT ecosystem AS e, is_raw, figure, day, change
    FROM ${BASE_DATABASE}.dev_changes
    WHERE run = ${run} AND figure NOT IN (${FIGURES.cohort}, ${FIGURES.came}, ${FIGURES.stayed})
    UNION ALL
    SELECT e, is_raw, 0, arrayJoin(range(first, ${end} + 1)), 0
    FROM (
      SELECT ecosystem AS e, is_raw, min(day) AS first FROM ${BASE_DATABASE}.dev_changes WHERE run = ${run} GROUP BY e, is_raw
    )
  )
  GROUP BY e, is_raw, day
  WINDOW w AS (PARTITION BY e, is_raw ORDER BY day)
)
WHERE day <= ${end}`
}

/** Who is active, by the year in which they came. */
export const cohortsSql = (scope: Scope): string => `INSERT INTO ${BASE_DATABASE}.dev_cohorts_rows
SELECT ${scope.run}, ${texts(scope.ecosystems.map(({ name }) => name))}[e + 1], toDate(toUInt16(day)), key, people
FROM (
  SELECT e, key, day, sum(sum(change)) OVER (PARTITION BY e, key ORDER BY day) AS people
  FROM (
    SELECT ecosystem AS e, key, day, change
    FROM ${BASE_DATABASE}.dev_changes
    WHERE run = ${scope.run} AND figure = ${FIGURES.cohort}
    UNION ALL
    SELECT e, key, arrayJoin(range(first, ${ofEcosystem(scope, each => each.end)} + 1)), 0
    FROM (
      SELECT ecosystem AS e, key, min(day) AS first
      FROM ${BASE_DATABASE}.dev_changes
      WHERE run = ${scope.run} AND figure = ${FIGURES.cohort}
      GROUP BY e, key
    )
  )
  GROUP BY e, key, day
)
WHERE people > 0 AND day <= ${ofEcosystem(scope, each => each.end)}`

/** Who stayed, by months that are over. */
export const retentionSql = (scope: Scope): string => `INSERT INTO ${BASE_DATABASE}.dev_retention_rows
SELECT
  ${scope.run}, ${texts(scope.ecosystems.map(({ name }) => name))}[ecosystem + 1], is_raw, toDate(toUInt16(c.day)),
  sumIf(change, figure = ${FIGURES.came}), sumIf(change, figure = ${FIGURES.stayed})
FROM (SELECT *, ecosystem AS e FROM ${BASE_DATABASE}.dev_changes) AS c
WHERE run = ${scope.run} AND figure IN (${FIGURES.came}, ${FIGURES.stayed})
  AND toInt32(addMonths(toDate(toUInt16(c.day)), 1)) - 1 <= ${ofEcosystem(scope, each => each.end)}
GROUP BY ecosystem, is_raw, c.day`
