import type { FigureValue, Point } from './answers.ts'
import { SUM_OF_KEYS } from './metric.ts'

/**
 * Whole days with a figure, oldest first: of a breakdown its headline, which is one of its values or their sum. 64-bit
 * integers are text and stay exact.
 */
export function wholeFigures(
  points: readonly Pick<Point, 'day' | 'key' | 'value' | 'state'>[],
  headline: string | undefined,
): { day: string; value: Exclude<FigureValue, null> }[] {
  const days = new Map<string, Exclude<FigureValue, null>>()
  for (const { day, key, value, state } of points) {
    if (state !== 'whole' || value === null) continue
    if (headline !== undefined && headline !== SUM_OF_KEYS && key !== headline) continue
    const sum = headline === SUM_OF_KEYS ? days.get(day) : undefined
    days.set(day, sum === undefined ? value : sumOf(sum, value))
  }
  return [...days].map(([day, value]) => ({ day, value })).sort((a, b) => (a.day < b.day ? -1 : 1))
}

/** The sum of two figures of one unit; exact where both are integers beyond 2^53. */
export const sumOf = (a: number | string, b: number | string): number | string =>
  typeof a === 'string' && typeof b === 'string' ? String(BigInt(a) + BigInt(b)) : Number(a) + Number(b)
