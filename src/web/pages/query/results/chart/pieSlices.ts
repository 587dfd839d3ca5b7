import { type ChartTable, coloursOf } from './chartTable.ts'

export type Slice = { label: string; colour: string; value: number; share: number; path: string }
export type Pie = {
  slices: Slice[]
  total: number
  /** Names without a value, and below zero: they have no slice. */
  unknown: number
  negative: number
}

const MOST_SLICES = 8
/** Radii of the ring in a box of 200 × 200. */
const OUTER = 96
const INNER = 56

/** The first line of a table as slices, largest first. Small ones are one slice where their sum means something. */
export function pieOf({ axis, lines: [line] }: ChartTable, isAdditive: boolean): Pie {
  const named = axis.labels.map((label, at) => ({ label, value: line?.values[at] ?? null }))
  const known = named.flatMap(({ label, value }) => (value !== null && value > 0 ? [{ label, value }] : []))
  known.sort((a, b) => b.value - a.value)
  const isCut = known.length > MOST_SLICES
  const rest = isCut && isAdditive ? known.splice(MOST_SLICES - 1) : []
  const shown = [...known]
  if (rest.length > 0)
    shown.push({
      label: `Other (${rest.length})`,
      value: rest.reduce((sum, { value }) => sum + value, 0),
    })
  const colours = coloursOf(
    shown.map(({ label }) => label),
    rest.length > 0,
  )
  const total = shown.reduce((sum, { value }) => sum + value, 0)
  let from = 0
  return {
    slices: shown.map((slice, at) => {
      const share = slice.value / total
      const path = arcPath(from, from + share)
      from += share
      return { ...slice, colour: colours[at] ?? 'series-2', share, path }
    }),
    total,
    unknown: named.filter(({ value }) => value === null).length,
    negative: named.filter(({ value }) => value !== null && value < 0).length,
  }
}

const point = (share: number, radius: number): string => {
  const angle = share * 2 * Math.PI
  return `${(100 + radius * Math.sin(angle)).toFixed(2)} ${(100 - radius * Math.cos(angle)).toFixed(2)}`
}

/** The whole ring: an arc cannot end where it begins. */
const RING = [OUTER, INNER]
  .map((radius, at) => {
    const half = (end: number) => `A${radius} ${radius} 0 1 ${1 - at} 100 ${end}`
    return `M100 ${100 - radius}${half(100 + radius)}${half(100 - radius)}Z`
  })
  .join('')

/** A part of the ring between two shares of the circle. */
function arcPath(from: number, to: number): string {
  if (to - from > 0.9999) return RING
  const isLong = to - from > 0.5 ? 1 : 0
  return `M${point(from, OUTER)}A${OUTER} ${OUTER} 0 ${isLong} 1 ${point(to, OUTER)}L${point(to, INNER)}A${INNER} ${INNER} 0 ${isLong} 0 ${point(from, INNER)}Z`
}
