import type { ReactNode } from 'react'
import type { ChainHeldView } from '#http/contract.ts'
import { countColumn } from '../../blocks/countColumn.ts'
import type { TableColumn } from '../../blocks/TableCard.tsx'
import { dayText } from '../../format/day.ts'
import { indexedText } from '../../format/indexed.ts'
import styles from './Across.module.css'

export type Held = readonly (Pick<ChainHeldView, 'chain' | 'indexedHours'> & { readonly isWhole?: boolean })[]
/** A row that is whole has nothing before its chain’s indexed blocks. */
type Row = { readonly chain: ChainHeldView['chain']; readonly isWhole?: boolean }

/** How much of the newest hours of a chain is indexed, where blocks of them are missing; else undefined. */
export function partialNote(held: Held, row: Row, hours: number): string | undefined {
  const run = held.find(({ chain }) => chain === row.chain)
  const indexed = run?.indexedHours ?? hours
  return indexed >= hours || run?.isWhole || row.isWhole
    ? undefined
    : `Partial data (${indexedText(indexed, hours)})`
}

/** A count of the newest hours of a chain, as a lower bound where blocks of them are missing. */
export function atLeast(held: Held, row: Row, hours: number, count: ReactNode): ReactNode {
  const note = partialNote(held, row, hours)
  return note === undefined ? count : <span title={note}>≥ {count}</span>
}

/** A rate over the newest hours of a chain: none where blocks of them are missing, since it would be that of a part. */
export const wholeRate = (held: Held, row: Row, hours: number, rate: number | null): number | null =>
  partialNote(held, row, hours) === undefined ? rate : null

/** A cell of the newest hours that says how much of them is indexed, where that is not all. */
export function noted(held: Held, row: Row, hours: number, cell: ReactNode): ReactNode {
  const note = partialNote(held, row, hours)
  return note === undefined ? cell : <span title={note}>{cell}</span>
}

/** A cell with its UTC day below. */
export const dated = (cell: ReactNode, day: string | null): ReactNode =>
  day === null ? (
    cell
  ) : (
    <span className={styles.dated}>
      {cell}
      <small>{dayText(day)}</small>
    </span>
  )

/** Columns of counts over the newest hours; `dayOf` is the UTC day that these end on, where it stands in each cell. */
export const windowColumns =
  <Of extends Row>(held: Held, dayOf: (row: Of) => string | null = () => null) =>
  (key: string, label: string, hours: number, of: (row: Of) => number | null): TableColumn<Of> => {
    const { cell, ...column } = countColumn(key, label, of)
    return {
      ...column,
      cell: row =>
        of(row) === null
          ? noted(held, row, hours, cell?.(row))
          : dated(atLeast(held, row, hours, cell?.(row)), dayOf(row)),
    }
  }
