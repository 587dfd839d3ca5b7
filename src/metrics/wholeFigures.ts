import { isOnChain } from '#kernel/sourceNames.ts'
import type { FigureValue, Point } from './answers.ts'
import { addDays } from './days.ts'
import { type Metric, SUM_OF_KEYS } from './metric.ts'
import { reportedMembers, silentDaysOf } from './missingMembers.ts'

type Value = Exclude<FigureValue, null>
type Reported = Pick<Point, 'day' | 'key' | 'value' | 'state'> & { readonly source?: string }

/** The figure of a whole day, and the values that it is the sum of. */
export type WholeFigure = {
  readonly day: string
  readonly value: Value
  readonly members: ReadonlyMap<string, Value>
}

/**
 * Whole days with a figure, oldest first: of a breakdown its headline, which is one of its values or their sum. A sum of
 * reported parts is left out on days that lack one, as known on that day. 64-bit integers are text and stay exact.
 */
export function wholeFigures(points: readonly Reported[], metric: Metric): WholeFigure[] {
  const { headline } = metric
  const isSum = headline === SUM_OF_KEYS
  const whole = points.filter(
    ({ key, value, state }) =>
      state === 'whole' && value !== null && (headline === undefined || isSum || key === headline),
  )
  const days = [...Map.groupBy(whole, ({ day }) => day)].sort(([a], [b]) => (a < b ? -1 : 1))
  const lacking = reportedMembers(metric) === undefined ? new Set() : lackingDays(days, silentDaysOf(metric))
  return days.flatMap(([day, ofDay]) => {
    if (lacking.has(day)) return []
    const members = new Map(ofDay.map(({ key, value }) => [key, value as Value]))
    const values = [...members.values()]
    return [{ day, members, value: isSum ? values.reduce(sumOf) : values.at(-1)! }]
  })
}

/** Days without a figure of a member that a publisher reported within so many days before. */
function lackingDays(
  days: readonly (readonly [day: string, points: readonly Reported[]])[],
  silentDays: number,
): ReadonlySet<string> {
  const lacking = new Set<string>()
  const newest = new Map<string, string>()
  for (const [day, points] of days) {
    const present = new Set(points.map(({ key }) => key))
    const oldest = addDays(day, -silentDays)
    if ([...newest].some(([key, last]) => last >= oldest && !present.has(key))) lacking.add(day)
    for (const { key, source } of points) if (!isOnChain(source ?? '')) newest.set(key, day)
  }
  return lacking
}

/** The sum of two figures of one unit; exact where both are integers beyond 2^53. */
export const sumOf = (a: number | string, b: number | string): number | string =>
  typeof a === 'string' && typeof b === 'string' ? String(BigInt(a) + BigInt(b)) : Number(a) + Number(b)
