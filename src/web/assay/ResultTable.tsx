import type { SqlAnswer } from '#http/contract.ts'
import { grouped } from '../format/figure.ts'
import { ScrollRegion } from '../ui/ScrollRegion.tsx'
import styles from './ResultTable.module.css'

const ROWS = 200

const isNumberType = (type: string): boolean => /^(Nullable\()?(U?Int|Float|Decimal)/.test(type)

/** The first rows of an answer; all of them are in the CSV. */
export function ResultTable({ answer }: { answer: SqlAnswer }) {
  const rows = answer.rows.slice(0, ROWS)
  return (
    <ScrollRegion label="Rows" className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            {answer.columns.map(column => (
              <th
                key={column.name}
                scope="col"
                title={column.type}
                data-number={isNumberType(column.type) || undefined}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a query have no identity beyond their place
            <tr key={index}>
              {answer.columns.map((column, place) => (
                <td key={column.name} data-number={isNumberType(column.type) || undefined}>
                  {cellText(row[place] ?? null, column.type)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {answer.rows.length > ROWS && (
        <p className={styles.more}>
          The first {ROWS} of {grouped(String(answer.rows.length))} rows; all are in the CSV.
        </p>
      )}
    </ScrollRegion>
  )
}

function cellText(cell: string | number | boolean | null, type: string): string {
  if (cell === null) return '–'
  if (isNumberType(type) && /^-?\d+$/.test(String(cell))) return grouped(String(cell))
  return String(cell)
}
