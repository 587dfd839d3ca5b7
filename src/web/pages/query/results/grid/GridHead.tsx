import type { PointerEvent } from 'react'
import type { SqlColumn } from '#http/contract.ts'
import { Icon } from '../../../../ui/Icon.tsx'
import type { Sort } from '../rowSource.ts'
import { isNumberType, typeWords } from './cells.ts'
import styles from './Grid.module.css'
import { cellId } from './GridRow.tsx'
import type { Anchor } from './Popover.tsx'

type Props = {
  gridId: string
  columns: readonly SqlColumn[]
  widths: readonly number[]
  numberWidth: number
  left: number
  fromColumn: number
  toColumn: number
  activeColumn: number
  sort: Sort | undefined
  filtered: ReadonlySet<number>
  onSort: (column: number) => void
  onMenu: (column: number, anchor: Anchor) => void
  onResize: (column: number, width: number) => void
  onFit: (column: number) => void
}

/** Names and types of columns: a press sorts, the arrow opens the column's menu, the edge resizes. */
export function GridHead(props: Props) {
  const { gridId, columns, widths, numberWidth, left, fromColumn, toColumn, sort, filtered } = props
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus and names its active cell
    // biome-ignore lint/a11y/useSemanticElements: a table of a million rows cannot be a table element
    <div role="row" className={styles.head} aria-rowindex={1}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div
        role="columnheader"
        aria-colindex={1}
        className={styles.number}
        style={{ inlineSize: numberWidth }}
      >
        Row
      </div>
      {columns.slice(fromColumn, toColumn).map(({ name, type }, at) => {
        const column = fromColumn + at
        const order = sort?.column === column ? (sort.isDescending ? 'descending' : 'ascending') : undefined
        return (
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          // biome-ignore lint/a11y/useSemanticElements: as above
          <div
            key={column}
            id={cellId(gridId, -1, column)}
            role="columnheader"
            aria-colindex={column + 2}
            aria-sort={order ?? 'none'}
            aria-label={`${name}, ${typeWords(type)}${filtered.has(column) ? ', filtered' : ''}`}
            className={styles.column}
            data-number={isNumberType(type) || undefined}
            data-active={column === props.activeColumn || undefined}
            style={
              at === 0 && left > 0
                ? { inlineSize: widths[column], marginInlineStart: left }
                : { inlineSize: widths[column] }
            }
          >
            <button
              type="button"
              tabIndex={-1}
              className={styles.name}
              title={`${name}: ${typeWords(type)}`}
              onClick={() => props.onSort(column)}
            >
              <b>{name}</b>
              <small>{typeWords(type)}</small>
            </button>
            {order && <span className={styles.order}>{order === 'ascending' ? '↑' : '↓'}</span>}
            <button
              type="button"
              tabIndex={-1}
              className={styles.menu}
              aria-label={`Menu of ${name}`}
              aria-haspopup="menu"
              data-filtered={filtered.has(column) || undefined}
              onClick={event => props.onMenu(column, event.currentTarget.getBoundingClientRect())}
            >
              <Icon name="down" />
            </button>
            {/* biome-ignore lint/a11y/noStaticElementInteractions: Shift and arrow keys in the header do the same */}
            <span
              className={styles.edge}
              onPointerDown={event =>
                resize(event, widths[column] ?? 0, width => props.onResize(column, width))
              }
              onDoubleClick={() => props.onFit(column)}
            />
          </div>
        )
      })}
    </div>
  )
}

/** Follows the pointer until it is lifted. */
function resize(event: PointerEvent<HTMLElement>, width: number, onResize: (width: number) => void): void {
  event.preventDefault()
  event.stopPropagation()
  const edge = event.currentTarget
  const from = event.clientX
  edge.setPointerCapture(event.pointerId)
  const handleMove = (move: globalThis.PointerEvent) => onResize(width + move.clientX - from)
  edge.addEventListener('pointermove', handleMove)
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', handleMove), {
    once: true,
  })
}
