import type { AsOf, ComparedFigure, Range } from '#http/contract.ts'
import { type Lacks, lacksOf } from '../../format/lacks.ts'

/** One layer’s part of a sum: a figure with the day that it is of. */
export type Addend = {
  entity: string
  name: string
  value: number | string
  unit: string
  day: string
  state: AsOf['state']
  /** `tvl.total@stacks` */
  assay: string
  /** How much of it there is, where it is itself a sum that lacks members, and which it lacks. */
  lacks?: Lacks
}

export type Sum = {
  value: number | string
  unit: string
  addends: Addend[]
  /** Days of the oldest and the newest addend. */
  from: string
  to: string
  /** The worst age among them. */
  state: AsOf['state']
  /** Against the same layers a range before; null where one of them has no figure then. */
  change: number | null
  changeRange: Range
  /** Of the thirty days; empty where the addends are not of one day. */
  spark: (number | null)[]
}

const AGES: readonly AsOf['state'][] = ['live', 'recorded', 'stale', 'overdue']

/** Whole numbers are added as such, however large; everything else as floats. */
export function plus(values: readonly (number | string)[]): number | string {
  const isWhole = values.every(value => /^-?\d+$/.test(String(value)))
  if (!isWhole) return values.reduce<number>((sum, value) => sum + Number(value), 0)
  const sum = values.reduce<bigint>((total, value) => total + BigInt(value), 0n)
  return sum <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(sum) : String(sum)
}

/**
 * The sum of one metric over layers: of those that have a figure, in the unit that most of them are told in; a coin is
 * never added to another.
 */
export function sumOf(
  figures: readonly ComparedFigure[],
  nameOf: (entity: string) => string,
  changeRange: Range,
): Sum | undefined {
  const known = figures.filter(({ value, day }) => value !== null && day !== null)
  const units = [...Map.groupBy(known, ({ unit }) => unit).entries()].toSorted(
    (a, b) => b[1].length - a[1].length,
  )
  const [unit, parts] = units[0] ?? []
  if (unit === undefined || parts === undefined) return undefined
  const addends = parts
    .flatMap(({ entity, value, day, asOf, metric, of, missing, coverage }): Addend[] => {
      const lacks = lacksOf({ missing, coverage })
      return value === null || day === null || of === null
        ? []
        : [
            {
              entity,
              name: nameOf(entity),
              value,
              unit,
              day,
              state: asOf?.state ?? 'recorded',
              assay: `${metric}@${of}`,
              ...(lacks && { lacks }),
            },
          ]
    })
    .toSorted((a, b) => Number(b.value) - Number(a.value))
  const days = addends.map(({ day }) => day).sort()
  const [from = '', to = ''] = [days[0], days.at(-1)]
  const value = plus(addends.map(addend => addend.value))
  return {
    value,
    unit,
    addends,
    from,
    to,
    state: addends.reduce<AsOf['state']>(
      (worst, { state }) => (AGES.indexOf(state) > AGES.indexOf(worst) ? state : worst),
      'live',
    ),
    // Changes to different days, or of some members alone, add up to that of no span.
    change: from === to && parts.every(isWhole) ? changeOf(parts) : null,
    changeRange,
    spark: from === to && parts.every(({ missing }) => missing === null) ? sparkOf(parts) : [],
  }
}

const isWhole = ({ changeOver, missing }: ComparedFigure): boolean => changeOver === null && missing === null

function changeOf(parts: readonly ComparedFigure[]): number | null {
  let before = 0
  let now = 0
  for (const { value, change } of parts) {
    if (change === null || change <= -1) return null
    now += Number(value)
    before += Number(value) / (1 + change)
  }
  return before === 0 ? null : now / before - 1
}

/** Step by step, where every addend is known. */
const sparkOf = (parts: readonly ComparedFigure[]): (number | null)[] =>
  (parts[0]?.spark ?? []).map((_, index) => {
    const values = parts.map(({ spark }) => spark[index] ?? null)
    return values.some(value => value === null)
      ? null
      : Number(values.reduce<number>((sum, value) => sum + (value ?? 0), 0).toPrecision(5))
  })
