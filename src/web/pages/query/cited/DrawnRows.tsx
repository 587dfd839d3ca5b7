import { apiHref } from '../../../apiHref.ts'
import { counted } from '../../../format/counted.ts'
import { grouped } from '../../../format/figure.ts'
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx'
import { isNumberType } from '../results/grid/cells.ts'
import styles from './Cited.module.css'
import type { DrawnResult } from './cited.ts'

/** Largest result that users without Premium can export. */
const FREE_ROWS = 10_000

/** The first rows of a stored result, shown without JavaScript and until the grid loads. */
export function DrawnRows({ drawn: { hash, found, rows } }: { drawn: DrawnResult }) {
  if (found === null) return null
  const { columns, rowCount, isTruncated } = found.result
  const shown = columns.slice(0, rows[0]?.length ?? columns.length)
  return (
    <section className={styles.rows} aria-label="Result">
      {rows.length > 0 && (
        <ScrollRegion label="Rows" className={styles.scroll}>
          <table>
            <thead>
              <tr>
                {shown.map(({ name, type }) => (
                  <th key={name} scope="col" data-number={isNumberType(type) || undefined}>
                    {name} <span>{type}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a stored result never move
                <tr key={at}>
                  {shown.map(({ name, type }, column) => (
                    <td key={name} data-number={isNumberType(type) || undefined}>
                      {row[column]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      <p>
        {rowCount === 0
          ? 'The query returned no rows.'
          : rows.length === 0
            ? 'The rows are too large to show here, or couldn’t be loaded.'
            : rows.length < rowCount
              ? `First ${rows.length} of ${isTruncated ? `the first ${grouped(String(rowCount))} rows` : counted(rowCount, 'row')}.`
              : `${isTruncated ? `First ${grouped(String(rowCount))} rows` : counted(rowCount, 'row')}.`}
        {shown.length < columns.length && ` First ${shown.length} of ${counted(columns.length, 'column')}.`}{' '}
        {rowCount > 0 && rowCount <= FREE_ROWS && (
          <a href={apiHref(`/api/v1/queries/results/${hash}?format=csv`)} download>
            Download as CSV
          </a>
        )}
      </p>
    </section>
  )
}
