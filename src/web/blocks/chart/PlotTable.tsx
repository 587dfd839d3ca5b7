import { figureText } from '../../format/figure.ts'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import type { Drawing } from './drawing.ts'
import styles from './PlotTable.module.css'
import { bucketText, type PlotData } from './plotData.ts'

type Props = { title: string; plot: PlotData; drawing: Drawing; height: number }

/** The figures of a chart as a table of the same size, newest first. */
export function PlotTable({ title, plot, drawing, height }: Props) {
  const indices = Array.from({ length: plot.count }, (_, index) => plot.count - 1 - index)
  return (
    <ScrollRegion label={`${title}, figures`} className={styles.scroll} style={{ blockSize: height }}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              {plot.grain === 'day' ? 'Day, UTC' : plot.grain === 'week' ? 'Week, UTC' : 'Month'}
            </th>
            {drawing.shown.map(line => (
              <th key={line.key} scope="col">
                {line.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {indices.map(index => (
            <tr key={index}>
              <th scope="row">
                {bucketText(plot, index)}
                {plot.isPartial && index === plot.count - 1 ? ' (not over)' : ''}
              </th>
              {drawing.shown.map(line => {
                const { text, full } = figureText(line.values[index], drawing.unit)
                return (
                  <td key={line.key} title={full}>
                    {text}
                    {line.incomplete.includes(index) ? ' *' : ''}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
