import { memo } from 'react'
import type { SqlColumn } from '#http/contract.ts'
import { grouped } from '../../../../format/figure.ts'
import { isNumberType, shownText } from './cells.ts'
import styles from './Grid.module.css'
import type { Row } from './pageCache.ts'

type Props = {
  gridId: string
  index: number
  row: Row | undefined
  columns: readonly SqlColumn[]
  widths: readonly number[]
  numberWidth: number
  /** Width of the columns before the first drawn one. */
  left: number
  fromColumn: number
  toColumn: number
  /** −1 where the active cell is in another row. */
  activeColumn: number
  /** Selected columns, both ends included; −1 where none is. */
  selectedFrom: number
  selectedTo: number
  isRaw: boolean
}

export const cellId = (gridId: string, row: number, column: number): string => `${gridId}-${row}-${column}`

/** A row of the grid. It is drawn anew only when what it shows changes. */
export const GridRow = memo(function GridRow(props: Props) {
  const { gridId, index, row, columns, widths, numberWidth, left, fromColumn, toColumn, isRaw } = props
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell
    // biome-ignore lint/a11y/useSemanticElements: a table of a million rows cannot be a table element
    <div role="row" className={styles.row} aria-rowindex={index + 2}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="rowheader" aria-colindex={1} className={styles.number} style={{ inlineSize: numberWidth }}>
        {grouped(String(index + 1))}
      </div>
      {row === undefined ? (
        // biome-ignore lint/a11y/useFocusableInteractive: as above
        // biome-ignore lint/a11y/useSemanticElements: as above
        <div role="gridcell" className={styles.loading} aria-label="Loading" />
      ) : (
        columns.slice(fromColumn, toColumn).map(({ type, shownAs }, at) => {
          const column = fromColumn + at
          const cell = row[column] ?? null
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: as above
            // biome-ignore lint/a11y/useSemanticElements: as above
            <div
              key={column}
              id={cellId(gridId, index, column)}
              role="gridcell"
              aria-colindex={column + 2}
              className={styles.cell}
              data-number={isNumberType(type) || undefined}
              data-mono={shownAs === 'hex' || undefined}
              data-void={cell === null || cell === '' || undefined}
              aria-selected={column >= props.selectedFrom && column <= props.selectedTo}
              data-active={column === props.activeColumn || undefined}
              style={
                at === 0 && left > 0
                  ? { inlineSize: widths[column], marginInlineStart: left }
                  : { inlineSize: widths[column] }
              }
            >
              {cell === '' ? 'empty' : shownText(cell, type, isRaw)}
            </div>
          )
        })
      )}
    </div>
  )
})
