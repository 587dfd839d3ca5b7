import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import type { SqlColumn } from '#http/contract.ts'
import { grouped } from '../../../../format/figure.ts'
import type { RowSource, Sort } from '../rowSource.ts'
import styles from './Grid.module.css'
import { GridHead } from './GridHead.tsx'
import { cellId, GridRow } from './GridRow.tsx'
import type { Anchor } from './Popover.tsx'
import {
  clampSelection,
  HEADER,
  movedBy,
  type Place,
  rangeOf,
  type Selection,
  selectAll,
  selectColumn,
  selectRow,
} from './selection.ts'
import { createViewport, ROW } from './viewport.ts'
import { offsetsOf } from './widths.ts'

/** Height of the header, px, as the style sheet has it. */
const HEAD = 44
/** A column changes by this much a key press, px. */
const RESIZE_STEP = 16

type Props = {
  label: string
  columns: readonly SqlColumn[]
  rowCount: number
  source: RowSource
  widths: readonly number[]
  isRaw: boolean
  sort: Sort | undefined
  filtered: ReadonlySet<number>
  selection: Selection
  onSelect: (selection: Selection) => void
  onSort: (column: number) => void
  onMenu: (column: number, anchor: Anchor) => void
  onResize: (column: number, width: number) => void
  onFit: (column: number) => void
  onCopy: (hasHead: boolean) => void
  onExpand: (place: Place, anchor: Anchor) => void
}

/** Rows of a result of any length, of which only those in view are drawn and loaded. The whole grid works by keyboard. */
export function Grid(props: Props) {
  const { columns, rowCount, source, widths, isRaw, sort, filtered, onSelect } = props
  const gridId = useId()
  const element = useRef<HTMLDivElement>(null)
  const [viewport] = useState(createViewport)
  const drawn = useSyncExternalStore(viewport.subscribe, viewport.drawn)
  useSyncExternalStore(source.subscribe, source.version)

  const extent = { rows: rowCount, columns: columns.length }
  const selection = clampSelection(props.selection, extent)
  const { active } = selection
  const offsets = useMemo(() => offsetsOf(widths), [widths])
  const numberWidth = Math.round(20 + grouped(String(Math.max(rowCount, 100))).length * 7.5)

  useLayoutEffect(() => {
    const { current } = element
    return current ? viewport.attach(current) : undefined
  }, [viewport])
  useLayoutEffect(() => {
    viewport.setGeometry({ rowCount, offsets, headHeight: HEAD, numberWidth })
  }, [viewport, rowCount, offsets, numberWidth])
  useEffect(() => {
    source.want({ from: drawn.from, to: drawn.to, isUpward: viewport.place().isUpward })
  }, [source, drawn.from, drawn.to, viewport])
  // Other rows begin at their beginning.
  const shownSource = useRef(source)
  useLayoutEffect(() => {
    if (shownSource.current === source) return
    shownSource.current = source
    viewport.toTop()
  }, [source, viewport])

  const select = (next: Selection) => {
    onSelect(next)
    viewport.reveal(next.active.row, next.active.column)
  }
  const anchorOf = ({ row, column }: Place): Anchor => {
    const box = document.getElementById(cellId(gridId, row, column)) ?? element.current
    return box?.getBoundingClientRect() ?? { left: 0, top: 0, bottom: 0 }
  }
  const handleKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const isControl = event.ctrlKey || event.metaKey
    const { key, shiftKey: isShift } = event
    const inHeader = active.row === HEADER
    const take = () => event.preventDefault()
    if ((event.altKey && key === 'ArrowDown') || key === 'ContextMenu' || (isShift && key === 'F10')) {
      take()
      return props.onMenu(active.column, anchorOf({ row: HEADER, column: active.column }))
    }
    if (event.altKey) return
    if (inHeader && isShift && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      take()
      const way = key === 'ArrowLeft' ? -RESIZE_STEP : RESIZE_STEP
      return props.onResize(active.column, (widths[active.column] ?? 0) + way)
    }
    if (isControl && key.toLowerCase() === 'a') {
      take()
      return onSelect(selectAll(extent))
    }
    if (isControl && key.toLowerCase() === 'c') {
      take()
      return props.onCopy(isShift)
    }
    if (key === ' ' && isControl) {
      take()
      return onSelect(selectColumn(active.column, extent))
    }
    if (key === ' ' && isShift && !inHeader) {
      take()
      return onSelect(selectRow(active.row, extent))
    }
    if (key === 'Enter' || (key === ' ' && inHeader)) {
      take()
      return inHeader ? props.onSort(active.column) : props.onExpand(active, anchorOf(active))
    }
    if (key === 'Escape') return onSelect({ anchor: active, active })
    const next = movedBy({ key, isShift, isControl }, selection, extent, viewport.rowsInView() - 1)
    if (next === undefined) return
    take()
    select(next)
  }

  /** The cell at a point of the screen; column −1 is that of the row numbers. */
  const placeAt = useCallback(
    ({ clientX, clientY }: { clientX: number; clientY: number }): Place => {
      const { current } = element
      if (!current) return { row: 0, column: 0 }
      const box = current.getBoundingClientRect()
      const { shift } = viewport.drawn()
      const row = Math.floor((clientY - box.top - HEAD + current.scrollTop - shift) / ROW)
      const x = clientX - box.left - numberWidth
      const at = x < 0 ? -1 : offsets.findIndex(offset => offset > x + current.scrollLeft) - 1
      return {
        row: Math.min(rowCount - 1, Math.max(0, row)),
        column: x < 0 ? -1 : at < 0 ? columns.length - 1 : at,
      }
    },
    [viewport, offsets, numberWidth, rowCount, columns.length],
  )
  const isInBody = ({ target }: { target: EventTarget }): boolean =>
    target instanceof Element && target.closest('[data-body]') !== null
  const handleDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.pointerType !== 'mouse' || event.button !== 0 || !isInBody(event)) return
    const place = placeAt(event)
    if (place.column < 0) return onSelect(selectRow(place.row, extent))
    onSelect({ anchor: event.shiftKey ? selection.anchor : place, active: place })
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const handleMove = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const place = placeAt(event)
    const next = { row: place.row, column: Math.max(0, place.column) }
    if (next.row === active.row && next.column === active.column) return
    select({ anchor: selection.anchor, active: next })
  }
  const handleUp = (event: PointerEvent<HTMLDivElement>) => {
    if (event.pointerType === 'mouse' || !isInBody(event)) return
    const { row, column } = placeAt(event)
    onSelect({ anchor: { row, column: Math.max(0, column) }, active: { row, column: Math.max(0, column) } })
  }

  const left = offsets[drawn.fromColumn] ?? 0
  const range = rangeOf(selection)
  const pool = Math.max(1, drawn.to - drawn.from)
  const isActiveDrawn =
    active.column >= drawn.fromColumn &&
    active.column < drawn.toColumn &&
    (active.row === HEADER ||
      (active.row >= drawn.from && active.row < drawn.to && source.row(active.row) !== undefined))
  const across = {
    gridId,
    columns,
    widths,
    numberWidth,
    left,
    fromColumn: drawn.fromColumn,
    toColumn: drawn.toColumn,
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table of a million rows cannot be a table element
    <div
      ref={element}
      role="grid"
      tabIndex={0}
      className={styles.grid}
      aria-label={props.label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      aria-activedescendant={isActiveDrawn ? cellId(gridId, active.row, active.column) : undefined}
      onKeyDown={handleKey}
      onMouseDown={event => {
        // The focus stays with the grid, which the keys go to.
        if (event.target instanceof Element && event.target.closest('button')) {
          event.preventDefault()
          element.current?.focus({ preventScroll: true })
        }
      }}
      onPointerDown={handleDown}
      onPointerMove={handleMove}
      onPointerUp={handleUp}
      onDoubleClick={event => {
        if (isInBody(event)) props.onExpand(active, anchorOf(active))
      }}
    >
      <div className={styles.heads} style={{ inlineSize: numberWidth + (offsets.at(-1) ?? 0) }}>
        <GridHead
          {...across}
          activeColumn={active.row === HEADER ? active.column : -1}
          sort={sort}
          filtered={filtered}
          onSort={props.onSort}
          onMenu={props.onMenu}
          onResize={props.onResize}
          onFit={props.onFit}
        />
      </div>
      <div
        className={styles.body}
        data-body
        style={{ blockSize: drawn.height, inlineSize: numberWidth + (offsets.at(-1) ?? 0) }}
      >
        <div className={styles.block} style={{ insetBlockStart: drawn.from * ROW + drawn.shift }}>
          {Array.from({ length: drawn.to - drawn.from }, (_, at) => {
            const index = drawn.from + at
            const isSelected = index >= range.fromRow && index <= range.toRow
            return (
              <GridRow
                // A row that leaves at one end comes back at the other with its elements.
                key={index % pool}
                {...across}
                index={index}
                row={source.row(index)}
                activeColumn={index === active.row ? active.column : -1}
                selectedFrom={isSelected ? range.fromColumn : -1}
                selectedTo={isSelected ? range.toColumn : -1}
                isRaw={isRaw}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}
