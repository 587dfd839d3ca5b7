import type { MetricEntry, Point, Range } from '#http/contract.ts'
import { MIN_SHARE_COVERAGE } from '#kernel/share.ts'
import { joinSources, publishersNamed } from '#kernel/sourceNames.ts'
import { addDays } from '../../../src/web/format/day.ts'
import type { Changed, Course, Found } from '../pageParts.ts'
import { type Fault, faultAt, type Rule, type RuleContext } from '../rule.ts'

const DAYS: Readonly<Record<Exclude<Range, 'max'>, number>> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 }
const UNITS: Readonly<Record<string, 'usd' | 'btc'>> = { USD: 'usd', BTC: 'btc' }

type OfDay = ReadonlyMap<string, number>
type Ends = { readonly before: OfDay; readonly now: OfDay }

/**
 * A change compares the same members at both ends: the same holders, pools, histories, parts, by the same publisher. Those
 * of a sum are most of it at both ends.
 */
export const changes: Rule = {
  name: 'shows changes like for like',
  async check(pages, context): Promise<Fault[]> {
    const entries = await context.api.metrics()
    const faults: Fault[] = []
    for (const found of pages.flatMap(page => page.changes)) {
      const { assay, changeRange, day, unit } = found.part
      const [id = '', entity = ''] = assay.split('@')
      const entry = entries.find(known => known.id === id && known.entities.includes(entity))
      if (entry === undefined || changeRange === 'max') continue
      const problem = await problemOf(context, entry, found, {
        entity,
        from: addDays(day, -DAYS[changeRange]),
        to: day,
        ...(unit !== entry.unit && UNITS[unit] && { unit: UNITS[unit] }),
      })
      if (problem !== undefined) faults.push(faultAt(found, `${assay}: ${problem}`))
    }
    return faults
  },
}

/** Points of a sparkline have five digits. */
const SPARK_DIGITS = 1e-4

/** The sparkline beside a change is the way from its one end to the other. */
export const courses: Rule = {
  name: 'draws a sparkline over the span of the change beside it',
  check: (pages): Fault[] =>
    pages
      .flatMap(page => page.courses)
      .flatMap(found => {
        const problem = courseProblem(found.part)
        return problem === undefined ? [] : [faultAt(found, problem)]
      }),
}

function courseProblem({ change, spark, isOfSome }: Course): string | undefined {
  const [first, last] = [spark[0] ?? null, spark.at(-1) ?? null]
  if (first === null || last === null) return `says ${change}, and its sparkline lacks an end`
  // The course is that of all members, and the change of those that both ends have.
  if (isOfSome || first === 0) return undefined
  const drawn = last / first - 1
  return Math.abs(drawn - change) <= SPARK_DIGITS * (2 + Math.abs(drawn))
    ? undefined
    : `says ${change}, and its sparkline goes from ${first} to ${last}`
}

type Span = { entity: string; from: string; to: string; unit?: 'usd' | 'btc' }

async function problemOf(
  { api, rows }: RuleContext,
  entry: MetricEntry,
  { part: { change, changeRange } }: Found<Changed>,
  span: Span,
): Promise<string | undefined> {
  const { points } = await api.series({ id: entry.id, ...span, figuresOnly: true })
  const whole = points.filter(({ value, state }) => value !== null && state === 'whole')
  const { members, breakdown, isPerPublisher } = entry
  // Parts of a sum may have publishers of their own: those are compared below, each with itself.
  const isByMember = members?.isSum === true || (isPerPublisher && whole.some(({ key }) => key !== ''))
  const isOutside = !entry.sources.some(({ id }) => id.endsWith('.chain'))
  if (isOutside && !isByMember && !isOfPrices(entry)) {
    const [before, now] = [span.from, span.to].map(end =>
      publishersNamed(joinSources(...whole.flatMap(({ day, source }) => (day === end ? [source] : [])))),
    )
    if (before !== now) return `${changeRange} compares figures of ${before} and ${now}`
  }
  const ends =
    members === null
      ? endsOf(whole, span, isPerPublisher)
      : endsOf(await rows(members.sql, { ...span, grain: 'day', raw: '0' }), span, isPerPublisher)
  const all = [...ends.now.keys()]
  const both = all.filter(member => ends.before.has(member))
  if (both.length === 0) return `${changeRange} has no member in common`
  if (members?.isSum === false)
    return both.length === all.length && both.length === ends.before.size
      ? undefined
      : `${changeRange} compares ${members.name} that differ`
  const covered = Math.min(
    ...[ends.before, ends.now].map(of => weightOf(of, both) / weightOf(of, [...of.keys()])),
  )
  const isMost = covered >= MIN_SHARE_COVERAGE
  const over = `over ${both.length} of ${all.length} members, ${Math.round(covered * 100)}% of the sum`
  if (members?.isSum === true && !isMost) return `${changeRange} is ${over}`
  // Members are in the unit of the metric: in another one the change is that of prices too.
  if (members !== null && span.unit !== undefined) return undefined
  const expected = [
    ...(isMost ? [changeOver(ends, both)] : []),
    ...(breakdown?.isComplete ? [changeOver(ends, [...new Set([...all, ...ends.before.keys()])])] : []),
    // The figure of a breakdown may be one of its values.
    ...(breakdown !== null && members === null ? both.map(member => changeOver(ends, [member])) : []),
  ]
  return expected.some(each => Math.abs(each - change) < 1e-6)
    ? undefined
    : `${changeRange} is ${change}, and ${changeOver(ends, both)} ${over}`
}

/** Prices of several publishers are prices of the same thing. An index is chained: its members may differ between two days. */
const isOfPrices = ({ id }: MetricEntry): boolean => /price|^index\./.test(id)

/** Values by member at both ends. Of a metric whose publishers count differently, a member is one of its publisher. */
function endsOf(
  points: readonly Pick<Point, 'day' | 'key' | 'value' | 'state' | 'source'>[],
  { from, to }: Span,
  isPerPublisher: boolean,
): Ends {
  const at = (wanted: string): OfDay =>
    new Map(
      points.flatMap(({ day, key, value, state, source }) =>
        day === wanted && value !== null && state === 'whole'
          ? [[isPerPublisher && key !== '' ? `${publishersNamed(source)} ${key}` : key, Number(value)]]
          : [],
      ),
    )
  return { before: at(from), now: at(to) }
}

const totalOf = (values: OfDay, members: readonly string[]): number =>
  members.reduce((sum, member) => sum + (values.get(member) ?? 0), 0)

const weightOf = (values: OfDay, members: readonly string[]): number =>
  members.reduce((sum, member) => sum + Math.abs(values.get(member) ?? 0), 0)

const changeOver = ({ before, now }: Ends, members: readonly string[]): number =>
  totalOf(now, members) / totalOf(before, members) - 1
