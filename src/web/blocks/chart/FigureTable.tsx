import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { AssayLink } from './embed.tsx'
import styles from './PlotTable.module.css'

export type FigureCell = { text: string; full?: string; assay?: string; day?: string | undefined }
export type FigureRow = { key: string; name: string; cells: readonly FigureCell[] }

type Props = { title: string; head: readonly string[]; rows: readonly FigureRow[]; height: number }

/** The figures of a chart that is not over time as a table of the same size; a figure opens its assay view. */
export function FigureTable({ title, head, rows, height }: Props) {
  return (
    <ScrollRegion label={`${title}, figures`} className={styles.scroll} style={{ blockSize: height }}>
      <table className={styles.table}>
        <thead>
          <tr>
            {head.map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={row.key}>
              <th scope="row">
                <div className={styles.name}>{row.name}</div>
              </th>
              {row.cells.map((cell, index) => (
                <td key={head[index + 1]} title={cell.full}>
                  {cell.assay ? (
                    <AssayLink assay={cell.assay} day={cell.day}>
                      {cell.text}
                    </AssayLink>
                  ) : (
                    cell.text
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
