/** A value of an SQL answer. Its form follows from the type of its column and the value itself, never from other cells. */
export type Cell = string | number | boolean | null

/**
 * Begins a text cell that is the hex of bytes which are no text. Text that itself begins so is written as bytes too, so the
 * mark is never ambiguous.
 */
export const BYTES_MARK = '\\x'

/**
 * A row as it stands in a CSV file, which does not say the types of its columns: the mark of bytes stands before the plain hex
 * of a hex column too.
 */
export const csvRow = (
  columns: readonly { readonly shownAs: 'value' | 'hex' }[],
  row: readonly Cell[],
): Cell[] =>
  row.map((cell, at) => (cell !== null && columns[at]?.shownAs === 'hex' ? `${BYTES_MARK}${cell}` : cell))
