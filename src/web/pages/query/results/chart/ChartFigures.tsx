import plot from '../../../../blocks/chart/PlotTable.module.css'
import { grouped } from '../../../../format/figure.ts'
import { ScrollRegion } from '../../../../ui/ScrollRegion.tsx'
import styles from './Chart.module.css'

export type FigureRow = { name: string; cells: readonly string[] }

type Props = {
  label: string
  head: readonly string[]
  rows: readonly FigureRow[]
  foot?: readonly string[] | undefined
}

/** A page draws no more rows at once without being felt. The grid and the exports have all of them. */
const MOST_ROWS = 1000

/** The figures of a chart as a table. */
export function ChartFigures({ label, head, rows, foot }: Props) {
  return (
    <ScrollRegion label={label} className={`${plot.scroll} ${styles.figures}`}>
      <table className={plot.table}>
        <thead>
          <tr>
            {head.map((name, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two series may have the same name
              <th key={at} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_ROWS).map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places of an axis are known by their position
            <tr key={at}>
              <th scope="row">
                <div className={plot.name}>{row.name}</div>
              </th>
              {row.cells.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as the header has it
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
          {foot && (
            <tr className={styles.total}>
              <th scope="row">Total</th>
              {foot.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as the header has it
                <td key={column}>{cell}</td>
              ))}
            </tr>
          )}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && (
        <p className={styles.note}>
          First {grouped(String(MOST_ROWS))} of {grouped(String(rows.length))} lines.
        </p>
      )}
    </ScrollRegion>
  )
}
