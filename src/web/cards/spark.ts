import { linePath } from '../blocks/chart/shape.ts'

const INSET = 4

/** The course of a figure without axes; empty where there is none. */
export function sparkPath(values: readonly (number | null)[], width: number, height: number): string {
  const known = values.filter(value => value !== null)
  if (known.length < 2) return ''
  const [low, high] = [Math.min(...known), Math.max(...known)]
  const span = high - low || 1
  return linePath(
    values,
    index => INSET + (index / (values.length - 1)) * (width - INSET * 2),
    value => height - INSET - ((value - low) / span) * (height - INSET * 2),
  )
}
