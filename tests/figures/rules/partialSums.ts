import type { MetricEntry } from '#http/contract.ts'
import { addDays } from '../../../src/web/format/day.ts'
import type { Compared, Found, KnownKpi, PageParts } from '../pageParts.ts'
import { type Fault, faultAt, type Rule, type RuleContext } from '../rule.ts'

const DAYS = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 } as const
/** A sparkline has at most so many points. */
const MOST_POINTS = 75
const SILENT_DAYS = 30

/** A figure with its course, whatever shows it. */
type Summed = Pick<
  KnownKpi,
  'assay' | 'value' | 'unit' | 'day' | 'change' | 'changeRange' | 'spark' | 'lacks'
>

/** A sum over parts that publishers report says which it lacks, and its sparkline leaves out days that lack some. */
export const partialSums: Rule = {
  name: 'says what a sum lacks and draws none that lacks a part',
  async check(pages, context): Promise<Fault[]> {
    const entries = await context.api.metrics()
    const faults: Fault[] = []
    for (const found of pages.flatMap(summedOf)) {
      const [id = '', entity = ''] = found.part.assay.split('@')
      const entry = entries.find(known => known.id === id && known.entities.includes(entity))
      if (entry?.breakdown == null || entry.breakdown.isComplete || found.part.unit !== entry.unit) continue
      for (const problem of await problemsOf(context, entry, entity, found.part))
        faults.push(faultAt(found, `${found.part.assay} ${problem}`))
    }
    return faults
  },
}

const summedOf = ({ kpis, comparisons }: PageParts): Found<Summed>[] => [
  ...kpis,
  ...comparisons.flatMap(({ part, ...where }) =>
    cellsOf(part).map((cell): Found<Summed> => ({ ...where, part: cell })),
  ),
]

/** The sparkline of a row is that of its leading column. */
const cellsOf = ({ rows, lead, changeRange }: Compared): Summed[] =>
  rows.flatMap(({ cells, spark }) =>
    Object.entries(cells).flatMap(([key, cell]) =>
      key.includes(':') ? [] : [{ ...cell, changeRange, spark: key === lead ? [...spark] : [] }],
    ),
  )

/** Parts that are left out on every day are no parts that the day lacks. */
const isOfDay = (lacks: Summed['lacks']): boolean => lacks != null && !lacks[1].startsWith('Not included')

const defaultsOf = ({ parameters }: MetricEntry): Record<string, string> =>
  Object.fromEntries(parameters.map(parameter => [parameter.name, parameter.default]))

async function problemsOf(
  { rows }: RuleContext,
  entry: MetricEntry,
  entity: string,
  { value, day, change, changeRange, spark, lacks }: Summed,
): Promise<string[]> {
  const silentDays = Math.max(SILENT_DAYS, 2 * entry.cadenceDays)
  const span = changeRange === 'max' ? 0 : DAYS[changeRange]
  const from = addDays(day, -span - silentDays)
  const points = (
    await rows(entry.sql, { ...defaultsOf(entry), entity, grain: 'day', from, to: day })
  ).filter(point => point.value !== null && point.state === 'whole')
  const total = points.filter(point => point.day === day).reduce((sum, point) => sum + Number(point.value), 0)
  // The headline of a breakdown may be one of its values.
  if (Math.abs(total - Number(value)) > 1e-9 * Math.abs(total)) return []
  const daysOf = Map.groupBy(points, ({ key }) => key)
  const isMissing = (at: string): boolean =>
    [...daysOf.values()].some(
      own =>
        !own.some(point => point.day === at) &&
        own.some(
          point =>
            point.day < at && point.day >= addDays(at, -silentDays) && !point.source.endsWith('.chain'),
        ) &&
        (at >= addDays(day, -silentDays) ||
          own.some(point => point.day > at && point.day <= addDays(at, silentDays))),
    )
  const whole = new Set([...new Set(points.map(point => point.day))].filter(at => !isMissing(at)))
  const step = Math.ceil((span + 1) / MOST_POINTS)
  const partial = spark.filter((point, index) => {
    const isEnd = index === spark.length - 1 || (index === 0 && change !== null)
    if (point === null || isEnd || span === 0) return false
    const last = addDays(day, -(spark.length - 1 - index) * step)
    return !Array.from({ length: step }, (_, back) => addDays(last, -back)).some(at => whole.has(at))
  })
  return [
    ...(isMissing(day) === isOfDay(lacks)
      ? []
      : [lacks == null ? 'does not say what it lacks' : 'says that it lacks parts, and does not']),
    ...(partial.length === 0 ? [] : [`draws ${partial.length} sums that lack a part`]),
  ]
}
