import type { SqlColumn } from '#http/contract.ts'
import { isNumberType, isTimeType, shownText, typeWords } from './cells.ts'
import type { Row } from './pageCache.ts'

export const NARROWEST = 64
export const WIDEST = 1200
/** Of a column that nobody resized. */
const WIDEST_AT_FIRST = 360
/** Padding of a cell on both sides, px. */
const PADDING = 28
/** Room for the menu and the sort mark in the header, px. */
const HEADER_TOOLS = 46

/** Width of a letter, px: 13 px Inter with tabular digits, 12 px mono. */
const LETTER = 7.3
const LETTER_OF_NUMBER = 8.2
/** Width of a 12 px character, for types in the header. */
const LETTER_OF_TYPE = 6.6
/** Longer types are truncated by default. The header tooltip shows the full type. */
const MOST_OF_TYPE = 20

/** Width of a column that shows its header and every sampled cell, px. */
export function fittingWidth(
  column: SqlColumn,
  at: number,
  sample: readonly Row[],
  isRaw: boolean,
  widest = WIDEST_AT_FIRST,
): number {
  const letter = isNumberType(column.type) || isTimeType(column.type) ? LETTER_OF_NUMBER : LETTER
  let letters = 0
  for (const row of sample) letters = Math.max(letters, shownText(row[at] ?? null, column.type, isRaw).length)
  const typeLetters = Math.min(MOST_OF_TYPE, typeWords(column.type).length)
  const header = Math.max(column.name.length * 7.8, typeLetters * LETTER_OF_TYPE) + HEADER_TOOLS
  const needed = Math.max(header, letters * letter + PADDING)
  return Math.round(Math.min(widest, Math.max(NARROWEST, needed)))
}

/** Where each column begins, px; the last entry is the width of all. */
export function offsetsOf(widths: readonly number[]): number[] {
  const offsets = [0]
  for (const width of widths) offsets.push((offsets.at(-1) ?? 0) + width)
  return offsets
}

/** Columns that a view shows: the first, and the one behind the last. */
export function columnsInView(
  offsets: readonly number[],
  left: number,
  width: number,
  spare = 2,
): { from: number; to: number } {
  const count = offsets.length - 1
  let from = 0
  let high = count
  // The last column that begins at or before the left edge.
  while (high - from > 1) {
    const middle = (from + high) >> 1
    if ((offsets[middle] ?? 0) <= left) from = middle
    else high = middle
  }
  let to = from
  while (to < count && (offsets[to] ?? 0) < left + width) to += 1
  return { from: Math.max(0, from - spare), to: Math.min(count, to + spare) }
}
