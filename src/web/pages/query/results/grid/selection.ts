/** A cell by its row and column, from 0; row −1 is the header. */
export type Place = { row: number; column: number }
/** Cells between the anchor and the active cell, both included. */
export type Selection = { anchor: Place; active: Place }
export type Range = { fromRow: number; toRow: number; fromColumn: number; toColumn: number }

export type Extent = { rows: number; columns: number }

export const HEADER = -1
export const START: Selection = { anchor: { row: 0, column: 0 }, active: { row: 0, column: 0 } }

/** Selected rows and columns, both ends included. The header is never part of them. */
export function rangeOf({ anchor, active }: Selection): Range {
  return {
    fromRow: Math.max(0, Math.min(anchor.row, active.row)),
    toRow: Math.max(anchor.row, active.row),
    fromColumn: Math.min(anchor.column, active.column),
    toColumn: Math.max(anchor.column, active.column),
  }
}

export const cellCount = ({ fromRow, toRow, fromColumn, toColumn }: Range): number =>
  Math.max(0, toRow - fromRow + 1) * (toColumn - fromColumn + 1)

export const selectAll = ({ rows, columns }: Extent): Selection => ({
  anchor: { row: 0, column: 0 },
  active: { row: rows - 1, column: columns - 1 },
})
export const selectRow = (row: number, { columns }: Extent): Selection => ({
  anchor: { row, column: 0 },
  active: { row, column: columns - 1 },
})
export const selectColumn = (column: number, { rows }: Extent): Selection => ({
  anchor: { row: 0, column },
  active: { row: rows - 1, column },
})

/** Keeps a selection inside a table that has become smaller. */
export function clampSelection(selection: Selection, extent: Extent): Selection {
  const clamp = ({ row, column }: Place): Place => ({
    row: Math.min(extent.rows - 1, row),
    column: Math.max(0, Math.min(extent.columns - 1, column)),
  })
  return { anchor: clamp(selection.anchor), active: clamp(selection.active) }
}

export type Key = { key: string; isShift: boolean; isControl: boolean }

/** The selection after a key that moves in the grid; undefined for all other keys. `page` is the number of rows in view. */
export function movedBy(
  { key, isShift, isControl }: Key,
  { anchor, active }: Selection,
  extent: Extent,
  page: number,
): Selection | undefined {
  const lastRow = extent.rows - 1
  const lastColumn = extent.columns - 1
  const { row, column } = active
  const target = ((): Place | undefined => {
    switch (key) {
      case 'ArrowUp':
        return { row: isControl ? 0 : row - 1, column }
      case 'ArrowDown':
        return { row: isControl ? lastRow : row + 1, column }
      case 'ArrowLeft':
        return { row, column: isControl ? 0 : column - 1 }
      case 'ArrowRight':
        return { row, column: isControl ? lastColumn : column + 1 }
      case 'PageUp':
        return { row: Math.max(Math.min(row, 0), row - page), column }
      case 'PageDown':
        return { row: row + page, column }
      case 'Home':
        return { row: isControl ? 0 : row, column: 0 }
      case 'End':
        return { row: isControl ? lastRow : row, column: lastColumn }
      default:
        return undefined
    }
  })()
  if (target === undefined) return undefined
  // A range holds rows alone: it does not grow into the header.
  const firstRow = isShift && row !== HEADER ? 0 : HEADER
  const next = {
    row: Math.min(lastRow, Math.max(firstRow, target.row)),
    column: Math.min(lastColumn, Math.max(0, target.column)),
  }
  return { anchor: isShift && row !== HEADER ? anchor : next, active: next }
}
