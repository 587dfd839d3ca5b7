import { grouped } from '../format/figure.ts'
import type { TableColumn } from './TableCard.tsx'

/** A column of counts; what is not known is a dash. */
export const countColumn = <Row>(
  key: string,
  label: string,
  of: (row: Row) => number | null,
): TableColumn<Row> => ({
  key,
  label,
  isNumber: true,
  value: of,
  cell: row => {
    const count = of(row)
    return count === null ? '–' : grouped(String(count))
  },
})
