import type { Mark, Placing } from './drawing.ts'
import type { PlotLine } from './plotData.ts'
import { dotsPath } from './shape.ts'

/** Diameters, px. */
const LEAST = 5
const MOST = 29

/**
 * Round marks on a line, their area by what happened there, in whole steps of two px; what is below zero is pale.
 * @param values where the line is drawn, bucket by bucket
 * @returns a path for each size, the largest first, so that small ones lie on large ones
 */
export function bubbleMarks(
  { key, colour, sized }: PlotLine,
  values: readonly (number | null)[],
  { x, top }: Placing,
): Mark[] {
  if (!sized) return []
  const most = Math.max(...sized.values.map(value => Math.abs(value ?? 0)))
  const groups = new Map<string, Pick<Mark, 'look'> & { across: number; at: (number | null)[] }>()
  for (const [index, size] of sized.values.entries()) {
    const value = values[index] ?? null
    if (size === null || value === null) continue
    const across = LEAST + 2 * Math.round(((MOST - LEAST) * Math.sqrt(Math.abs(size) / most)) / 2)
    const look = size < 0 ? 'hollow-bubble' : 'bubble'
    const group = groups.get(`${look}-${across}`) ?? { look, across, at: values.map(() => null) }
    group.at[index] = value
    groups.set(`${look}-${across}`, group)
  }
  return [...groups]
    .toSorted(([, a], [, b]) => b.across - a.across)
    .map(([name, { look, across, at }]) => ({
      key: `${key}-${name}`,
      path: dotsPath(at, x, top),
      colour,
      look,
      across,
      dash: 0,
    }))
}
