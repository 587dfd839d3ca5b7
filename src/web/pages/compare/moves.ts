import type { ComparedFigure } from '#http/contract.ts'

/** A figure that changed: the newest whole bucket against the one a week before. */
export type Move = {
  entity: string
  name: string
  metric: string
  label: string
  change: number
  value: number | string
  unit: string
  day: string
  grain: string
  assay: string
}

/** What is smaller than this part of its column moves by chance, and is no news. */
const LEAST_SHARE = 0.01
/** What moved less stood still. */
const LEAST_CHANGE = 0.005
const MOST_MOVES = 8

type Words = {
  nameOf: (entity: string) => string
  labelOf: (metric: string) => string
}

/**
 * The largest moves of the week that ends with the newest figure of all, the largest first. A figure of long before is no
 * part of it, nor is a change of some members alone or a sum that lacks one; a layer and a metric stand once.
 */
export function movesOf(
  figures: readonly ComparedFigure[],
  words: Words,
): { moves: Move[]; until: string | undefined } {
  const known = figures.filter(
    ({ change, changeOver, missing, day, entity }) =>
      change !== null && changeOver === null && missing === null && day !== null && entity !== 'bitcoin',
  )
  const until = known
    .flatMap(({ day }) => day ?? [])
    .sort()
    .at(-1)
  if (until === undefined) return { moves: [], until }
  const totals = new Map<string, number>()
  for (const { metric, unit, value, entity } of figures)
    if (entity !== 'bitcoin')
      totals.set(`${metric} ${unit}`, (totals.get(`${metric} ${unit}`) ?? 0) + Number(value ?? 0))
  const moves = known.flatMap((figure): Move[] => {
    const { entity, metric, change, value, unit, day, grain, of } = figure
    if (change === null || change === 0 || value === null || day === null || of === null) return []
    if (daysBetween(day, until) > 14) return []
    const total = totals.get(`${metric} ${unit}`) ?? 0
    if (Math.abs(Number(value)) < LEAST_SHARE * total) return []
    if (Math.abs(change) < LEAST_CHANGE) return []
    return [
      {
        entity,
        name: words.nameOf(entity),
        metric,
        label: words.labelOf(metric),
        change,
        value,
        unit,
        day,
        grain,
        assay: `${metric}@${of}`,
      },
    ]
  })
  return { moves: moves.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MOST_MOVES), until }
}

/** A halving and a doubling are moves of one size. */
const sizeOf = ({ change }: Move): number => Math.abs(Math.log(Math.max(1 + change, 1e-6)))

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000
