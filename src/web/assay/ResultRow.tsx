import { memo } from 'react'
import type { SqlAnswer } from '#http/contract.ts'
import { grouped } from '../format/figure.ts'

type Columns = SqlAnswer['columns']
type Cell = SqlAnswer['rows'][number][number]

const isNumberType = (type: string): boolean => /^(Nullable\()?(U?Int|Float|Decimal)/.test(type)

export function ResultHead({ columns }: { columns: Columns }) {
  return (
    <thead>
      <tr>
        {columns.map(({ name, type }) => (
          <th key={name} scope="col" title={type} data-number={isNumberType(type) || undefined}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

type RowProps = {
  row: readonly Cell[]
  columns: Columns
  /** Its place among all rows, from 1 with the head as the first, where not all of them are drawn. */
  place?: number
}

/** Drawn once: a row that stays in sight while others come and go is left as it is. */
export const ResultRow = memo(function ResultRow({ row, columns, place }: RowProps) {
  return (
    <tr aria-rowindex={place}>
      {columns.map(({ name, type }, at) => (
        <td key={name} data-number={isNumberType(type) || undefined}>
          {place === undefined ? cellText(row[at] ?? null, type) : cut(cellText(row[at] ?? null, type))}
        </td>
      ))}
    </tr>
  )
})

/** Letters of the widest cell of a long table. */
export const WIDEST = 44

/** A longer text ends in dots, whole in the CSV. Cut here: to let the browser find where costs it a frame of a scroll now and then. */
const cut = (text: string): string => (text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text)

/** What a cell shows: whole numbers in groups of three, – for NULL. */
export function cellText(cell: Cell | null, type: string): string {
  if (cell === null) return '–'
  if (isNumberType(type) && /^-?\d+$/.test(String(cell))) return grouped(String(cell))
  return String(cell)
}
