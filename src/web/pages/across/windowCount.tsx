import type { ReactNode } from 'react'
import type { ChainHeldView } from '#http/contract.ts'
import { countColumn } from '../../blocks/countColumn.ts'
import type { TableColumn } from '../../blocks/TableCard.tsx'
import { indexedText } from '../../format/indexed.ts'

type Held = readonly (Pick<ChainHeldView, 'chain' | 'indexedHours'> & { readonly isWhole?: boolean })[]
/** A row that is whole has nothing before its chain’s indexed blocks. */
type Row = { readonly chain: ChainHeldView['chain']; readonly isWhole?: boolean }

/** A count of the newest hours of a chain, as a lower bound where blocks of them are missing. */
export function atLeast(held: Held, row: Row, hours: number, count: ReactNode): ReactNode {
  const run = held.find(({ chain }) => chain === row.chain)
  const indexed = run?.indexedHours ?? hours
  if (indexed >= hours || run?.isWhole || row.isWhole) return count
  return <span title={`Partial data (${indexedText(indexed, hours)})`}>≥ {count}</span>
}

/** Columns of counts over the newest hours. */
export const windowColumns =
  <Of extends Row>(held: Held) =>
  (key: string, label: string, hours: number, of: (row: Of) => number | null): TableColumn<Of> => {
    const { cell, ...column } = countColumn(key, label, of)
    return {
      ...column,
      cell: row => (of(row) === null ? cell?.(row) : atLeast(held, row, hours, cell?.(row))),
    }
  }
