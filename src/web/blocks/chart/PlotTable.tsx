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
            {drawing.shown.flatMap(({ key, label, sized }) =>
              [label, ...(sized ? [sized.label] : [])].map(name => (
                <th key={`${key}:${name}`} scope="col">
                  {name}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {indices.map(index => (
            <tr key={index}>
              <th scope="row">
                {bucketText(plot, index)}
                {plot.isPartial && index === plot.count - 1 ? ' (not over)' : ''}
              </th>
              {drawing.shown.flatMap(({ key, label, values, incomplete, lacking, sized }) => {
                const own = {
                  label,
                  isGap: incomplete.includes(index) || lacking?.includes(index) === true,
                  ...figureText(values[index], drawing.unit),
                }
                const more = sized
                  ? [{ label: sized.label, isGap: false, ...figureText(sized.values[index], sized.unit) }]
                  : []
                return [own, ...more].map(({ label: name, isGap, text, full }) => (
                  <td key={`${key}:${name}`} title={full}>
                    {text}
                    {isGap ? ' *' : ''}
                  </td>
                ))
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
