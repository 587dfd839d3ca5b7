import { joinSources, publishersNamed } from '#kernel/sourceNames.ts'
import type { Figure, FigureCoverage, FigureQuery, FigureValue } from './answers.ts'
import { ask, figureOf } from './ask.ts'
import { cadenceDays } from './cadence.ts'
import { addDays, bucketStart } from './days.ts'
import type { MetricsDeps } from './deps.ts'
import { entryOf } from './entry.ts'
import { changeOf, type DayOfMembers, likeForLike, totalOf } from './likeForLike.ts'
import { basisOf } from './marks.ts'
import { type DayGrain, type Members, type Metric, membersOf, SUM_OF_KEYS } from './metric.ts'
import { type MemberDay, missingByDay, reportedMembers, silentDaysOf, wholeSum } from './missingMembers.ts'
import { type Question, questionOf } from './question.ts'
import { type FigureRow, isBlank, isShort, readWhole } from './readRows.ts'
import { asOfRows } from './series.ts'
import { sourcesSql } from './sourcesSql.ts'
import type { Standing } from './standing.ts'
import { sumOf } from './wholeFigures.ts'

const RANGE_DAYS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365, max: undefined } as const
/** Most points of a spark: more could not be told apart. */
const MOST_SPARK_POINTS = 75

/** The figure of one whole bucket. */
type DayRow = Pick<FigureRow, 'day' | 'source' | 'to_height' | 'as_of'> & { readonly value: number | string }

/**
 * The newest whole bucket of a metric, its change against the whole bucket a range before (null where that one is missing
 * or has other members: `likeForLike`), and its course over that same range. Errors as of `readSeries`.
 */
export async function readFigure(
  deps: MetricsDeps,
  query: FigureQuery,
  signal?: AbortSignal,
  standing?: Standing,
): Promise<Figure> {
  const { reader } = deps.warehouse
  const { grain = 'day', to } = query
  const question = questionOf(deps.metrics, { ...query, grain })
  const { entry, drawn } = question
  const days = RANGE_DAYS[query.changeRange]
  const isNothing = standing !== undefined && isBlank(entry, query.entity, standing)
  // Histories at hand reach to the newest day. Some statements answer differently for an earlier end.
  const atHand =
    standing !== undefined && to === undefined && isShort(entry, query.entity, standing)
      ? standing
      : undefined
  const [rows, { sources }, coverage] = await Promise.all([
    isNothing
      ? []
      : atHand
        ? readWhole(deps, drawn.sql, question.whole, atHand).then(rows => wholeDays(rows, entry))
        : ask<DayRow>(reader, newestWhole(drawn.sql, entry.headline, days), question.parameters, signal),
    standing ?? deps.currentStanding(),
    readCoverage(deps, question, query.entity, signal),
  ])
  const byDay = new Map(rows.map(row => [row.day, row]))
  const members = await readSumMembers(deps, { question, query, grain, rows, days, atHand }, signal)
  const whole = members === undefined ? rows[0] && { row: rows[0], missing: null } : members.newest
  const newest = whole?.row
  const older =
    days === undefined ? rows.at(-1) : newest && byDay.get(bucketStart(addDays(newest.day, -days), grain))
  const figure = {
    metric: entryOf(entry, sources),
    entity: query.entity,
    unit: drawn.unit,
    changeRange: query.changeRange,
    asOf: asOfRows(newest === undefined ? [] : [newest], sources),
    coverage,
  }
  if (newest === undefined) {
    const broken = isNothing
      ? undefined
      : atHand
        ? brokenDays(await readWhole(deps, drawn.sql, question.whole, atHand), entry)
        : (
            await ask<BrokenDays>(reader, brokenSql(drawn.sql, entry.headline), question.parameters, signal)
          )[0]
    const absent = absentOf(entry.needs, broken)
    return { ...figure, point: null, missing: null, change: null, changeOver: null, spark: [], absent }
  }
  const { course, ...change } = await readChange(
    deps,
    { question, query, grain, older, newest, atHand },
    signal,
  )
  // A change compares both ends as they are: its course begins and ends there.
  const ends = [newest.day, ...(change.change === null || older === undefined ? [] : [older.day])]
  const isDrawn = ({ day }: DayRow): boolean => ends.includes(day) || !members?.missing.has(day)
  return {
    ...figure,
    point: {
      day: newest.day,
      value: figureOf(newest.value),
      key: entry.headline === undefined || entry.headline === SUM_OF_KEYS ? '' : entry.headline,
      source: newest.source,
      state: whole?.missing ? 'incomplete' : 'whole',
    },
    missing: whole?.missing ?? null,
    ...change,
    spark: sparkOf(
      course ?? new Map(rows.filter(isDrawn).map(row => [row.day, row])),
      days === undefined ? rows.at(-1)!.day : addDays(newest.day, -days),
      newest.day,
      grain,
    ),
    absent: null,
  }
}

/** What the figure includes of what it should; null where it never leaves out a part, or has none. */
async function readCoverage(
  { warehouse }: MetricsDeps,
  { entry: { coverage } }: Question,
  entity: string,
  signal: AbortSignal | undefined,
): Promise<FigureCoverage | null> {
  if (coverage === undefined) return null
  const parts = await ask<{ key: string; is_counted: boolean }>(
    warehouse.reader,
    coverage.sql,
    { entity },
    signal,
  )
  if (parts.length === 0) return null
  const missing = parts.flatMap(({ key, is_counted }) => (is_counted ? [] : [key]))
  return { name: coverage.name, count: parts.length - missing.length, of: parts.length, missing }
}

type Sums = {
  readonly question: Question
  readonly query: FigureQuery
  readonly grain: DayGrain
  readonly rows: readonly DayRow[]
  /** Days that the change looks back; undefined for all. */
  readonly days: number | undefined
  readonly atHand: Standing | undefined
}

/** A sum of an earlier day is taken before one that lacks a member if it is at most twice the cadence, and so many days, older. */
const MOST_FRESH_DAYS = 7

type SumMembers = {
  /** The bucket to show: the newest one that lacks no member, if it is fresh. */
  readonly newest: ReturnType<typeof wholeSum<DayRow>>
  /** What the buckets of the course lack. */
  readonly missing: ReturnType<typeof missingByDay>
}

/** Members of a sum over reported parts, of the span of `rows` (newest first); undefined for every other figure. */
async function readSumMembers(
  deps: MetricsDeps,
  { question, query, grain, rows, days, atHand }: Sums,
  signal: AbortSignal | undefined,
): Promise<SumMembers | undefined> {
  const { entry } = question
  const members = reportedMembers(entry)
  const [newest] = rows
  if (members === undefined || newest === undefined) return undefined
  const freshDays = grain === 'day' ? Math.min(2 * cadenceDays(entry), MOST_FRESH_DAYS) : 0
  const silentDays = silentDaysOf(entry, grain)
  const oldest = days === undefined ? rows.at(-1)!.day : addDays(newest.day, -Math.max(days, freshDays))
  const [since, until] = [addDays(oldest, -silentDays), newest.day]
  const reported = await readReported(
    deps,
    { question, query, grain, sql: members.sql, since, until, atHand },
    signal,
  )
  return {
    newest: wholeSum(rows, reported, { name: members.name, freshDays, silentDays }),
    missing: missingByDay(reported, silentDays),
  }
}

type Reported = Pick<Sums, 'question' | 'query' | 'grain' | 'atHand'> & {
  readonly sql: string
  readonly since: string
  readonly until: string
}

/** Days of each member with a whole figure, from one day to another. */
async function readReported(
  deps: MetricsDeps,
  { question: { entry, drawn, whole }, query, grain, sql, since, until, atHand }: Reported,
  signal: AbortSignal | undefined,
): Promise<readonly MemberDay[]> {
  if (atHand !== undefined && sql === entry.sql)
    return (await readWhole(deps, drawn.sql, whole, atHand)).filter(
      ({ day, value, state }) => value !== null && state === 'whole' && day >= since && day <= until,
    )
  const { drawn: ofMembers, parameters } = questionOf([{ ...entry, sql }], { ...query, grain })
  return askKept<MemberDay>(
    deps,
    `SELECT s.day AS day, s.key AS key, s.source AS source
FROM (
${ofMembers.sql}
) AS s
WHERE s.state = 'whole' AND isNotNull(s.value) AND s.day BETWEEN {since_day:Date} AND {newest_day:Date}`,
    { ...parameters, since_day: since, newest_day: until },
    atHand,
    signal,
  )
}

type Ends = {
  readonly question: Question
  readonly query: FigureQuery
  readonly grain: DayGrain
  readonly older: DayRow | undefined
  readonly newest: DayRow
  readonly atHand: Standing | undefined
}

/** The change between two buckets, and what it compares where that is not all of the newer one. */
async function readChange(
  deps: MetricsDeps,
  { question, query, grain, older, newest, atHand }: Ends,
  signal: AbortSignal | undefined,
): Promise<Pick<Figure, 'change' | 'changeOver'> & { readonly course?: Course }> {
  if (older === undefined || older.day === newest.day) return { change: null, changeOver: null }
  const { isPerPublisher } = question.entry
  const members = membersOf(question.entry)
  const isSum = members?.isSum === true
  if (isPerPublisher && !isSum && publishersNamed(older.source) !== publishersNamed(newest.source))
    return { change: null, changeOver: null }
  if (members === undefined) return { change: changeOf(older.value, newest.value), changeOver: null }
  const ends = { question, query, grain, members, older, newest, atHand }
  const rows = await readMembers(deps, ends, [older.day, newest.day], signal)
  // A part that another publisher reports is another part.
  const memberOf = ({ key, source }: MemberRow): string =>
    isPerPublisher ? `${publishersNamed(source)} ${key}` : key
  const ofDay = ({ day, value }: DayRow): DayOfMembers => ({
    value,
    members: new Map(rows.flatMap(row => (row.day === day ? [[memberOf(row), row.value]] : []))),
  })
  const { change, over, of } = likeForLike(ofDay(older), ofDay(newest), members.isSum)
  if (!isSum || !isOverFewer(over, [ofDay(older), ofDay(newest)])) return { change, changeOver: null }
  // Without a change the course would be that of which members report.
  if (change === null) return { change, changeOver: null, course: new Map() }
  const changeOver = over.length === of ? null : { name: members.name, count: over.length, of }
  // A member that came or went in between would pass for a rise or a fall.
  const between = await readMembers(deps, ends, undefined, signal)
  const course = new Map(
    [...Map.groupBy(between, ({ day }) => day)].flatMap(([day, ofThatDay]) => {
      const value = totalOf(over, new Map(ofThatDay.map(row => [memberOf(row), row.value])))
      return value === undefined ? [] : [[day, { value }] as const]
    }),
  )
  return { change, changeOver, course }
}

/** By day. */
type Course = ReadonlyMap<string, Pick<DayRow, 'value'>>

const isOverFewer = (over: readonly string[], days: readonly DayOfMembers[]): boolean =>
  days.some(({ members }) => members.size !== over.length)

type MemberRow = {
  readonly day: string
  readonly key: string
  readonly source: string
  readonly value: Exclude<FigureValue, null>
}

/** Values by member of some buckets; of all from the older end to the newer one unless some are named. */
async function readMembers(
  deps: MetricsDeps,
  { question, query, grain, members, older, newest, atHand }: Ends & { members: Members; older: DayRow },
  days: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly MemberRow[]> {
  const { entry, drawn, whole } = question
  if (atHand !== undefined && members.sql === entry.sql) {
    const rows = await readWhole(deps, drawn.sql, whole, atHand)
    return rows.flatMap(({ day, key, source, value, state }) =>
      value !== null &&
      state === 'whole' &&
      (days === undefined ? day >= older.day && day <= newest.day : days.includes(day))
        ? [{ day, key, source, value }]
        : [],
    )
  }
  const { sql, parameters } = questionOf([{ ...entry, sql: members.sql }], { ...query, grain })
  return askKept<MemberRow>(
    deps,
    `SELECT s.day AS day, s.key AS key, s.source AS source, assumeNotNull(s.value) AS value
FROM (
${sql}
) AS s
WHERE s.state = 'whole' AND isNotNull(s.value)
  AND ${days === undefined ? 's.day BETWEEN {older_day:Date} AND {newest_day:Date}' : 's.day IN {days:Array(Date)}'}`,
    { ...parameters, ...(days === undefined ? { older_day: older.day, newest_day: newest.day } : { days }) },
    atHand,
    signal,
  )
}

/** Reads rows of a statement. With a standing they are read once and kept until the tables behind them change. */
function askKept<Row>(
  { warehouse: { reader } }: MetricsDeps,
  sql: string,
  parameters: Parameters<typeof ask>[2],
  atHand: Standing | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly Row[]> {
  if (atHand === undefined) return ask<Row>(reader, sql, parameters, signal)
  const key = JSON.stringify([sql, parameters])
  return atHand.kept.get(key, basisOf(sql, atHand.marks), () => ask<Row>(reader, sql, parameters))
}

/**
 * The course from one bucket to another, both included, at even steps: a step of several buckets has its newest figure,
 * and none where it has none.
 */
function sparkOf(byDay: Course, from: string, to: string, grain: DayGrain): (number | null)[] {
  const first = bucketStart(from, grain)
  const buckets = [to]
  while (buckets[0]! > first) buckets.unshift(bucketStart(addDays(buckets[0]!, -1), grain))
  const step = Math.ceil(buckets.length / MOST_SPARK_POINTS)
  const values = buckets.toReversed().map(day => byDay.get(day)?.value)
  const ends = Array.from({ length: Math.ceil(values.length / step) }, (_, index) => index * step)
  return ends.toReversed().map(end => {
    const value = values.slice(end, end + step).find(known => known !== undefined)
    return value === undefined ? null : Number(value)
  })
}

/** Whole days with a figure, newest first: `newestWhole` for rows at hand. */
function wholeDays(rows: readonly FigureRow[], { headline }: Metric): DayRow[] {
  const days = new Map<string, DayRow>()
  for (const { day, key, value, state, source, to_height, as_of } of rows) {
    if (state !== 'whole' || value === null) continue
    if (headline !== undefined && headline !== SUM_OF_KEYS && key !== headline) continue
    const sum = headline === SUM_OF_KEYS ? days.get(day) : undefined
    days.set(day, {
      day,
      value: sum === undefined ? value : sumOf(sum.value, value),
      source: sum === undefined ? source : joinSources(sum.source, source),
      to_height: sum?.to_height == null ? to_height : Math.max(sum.to_height, to_height ?? 0),
      as_of: sum !== undefined && sum.as_of > as_of ? sum.as_of : as_of,
    })
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? 1 : -1))
}

/** Whole days with a figure, newest first, as far back as the change looks. */
function newestWhole(sql: string, headline: string | undefined, days: number | undefined): string {
  const limit = days === undefined ? '' : `\nLIMIT ${days + 1}`
  const columns =
    headline === SUM_OF_KEYS
      ? `sum(s.value) AS value, ${sourcesSql('s.source')} AS source, max(s.to_height) AS to_height, max(s.as_of) AS as_of`
      : 's.value AS value, s.source AS source, s.to_height AS to_height, s.as_of AS as_of'
  const one =
    headline === undefined
      ? ''
      : headline === SUM_OF_KEYS
        ? '\nGROUP BY day'
        : ` AND s.key = '${headline.replaceAll("'", "\\'")}'`
  return `SELECT s.day AS day, ${columns}
FROM (
${sql}
) AS s
WHERE s.state = 'whole' AND isNotNull(s.value)${one}
ORDER BY day DESC${limit}`
}

/** Days that have a figure and are not whole; the counts are texts where the engine gave them. */
type BrokenDays = {
  readonly from: string
  readonly to: string
  readonly days: number | string
  /** Of them those that are not over. */
  readonly running: number | string
}

/** Why there is no figure, in a form that fits beneath it up to the first colon. */
function absentOf(needs: string, broken: BrokenDays | undefined): string {
  const [days, running] = [Number(broken?.days ?? 0), Number(broken?.running ?? 0)]
  if (broken === undefined || days === 0) return needs
  if (running === days) return `Only a day that is not over has a figure yet: ${broken.to}. ${needs}`
  const which = broken.from === broken.to ? broken.to : `${days} from ${broken.from} to ${broken.to}`
  return `Every day with a figure has gaps: ${which}. Its assay view shows them. ${needs}`
}

/** `brokenSql` for rows at hand. */
function brokenDays(rows: readonly FigureRow[], { headline }: Metric): BrokenDays {
  const isOwn =
    headline === undefined || headline === SUM_OF_KEYS ? () => true : (key: string) => key === headline
  const known = rows.filter(({ state, value, key }) => state !== 'whole' && value !== null && isOwn(key))
  const days = [...new Set(known.map(({ day }) => day))].sort()
  const gaps = new Set(known.filter(({ state }) => state !== 'partial').map(({ day }) => day))
  return { from: days[0] ?? '', to: days.at(-1) ?? '', days: days.length, running: days.length - gaps.size }
}

function brokenSql(sql: string, headline: string | undefined): string {
  const one =
    headline === undefined || headline === SUM_OF_KEYS
      ? ''
      : ` AND s.key = '${headline.replaceAll("'", "\\'")}'`
  return `SELECT toString(min(b.day)) AS from, toString(max(b.day)) AS to, count() AS days, countIf(b.is_running) AS running
FROM (
  SELECT s.day AS day, countIf(s.state != 'partial') = 0 AS is_running
  FROM (
${sql}
  ) AS s
  WHERE s.state != 'whole' AND isNotNull(s.value)${one}
  GROUP BY s.day
) AS b`
}
