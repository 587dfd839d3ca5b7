import type { ComparedFigure } from '#http/contract.ts'
import type { ColumnSpec } from './lists.ts'

/**
 * The figures with each ratio as the two figures beside it give it. Where those are of different days there is no ratio:
 * a reader who divides them would get another one.
 */
export function withRatios(
  columns: readonly ColumnSpec[],
  figures: readonly ComparedFigure[],
): ComparedFigure[] {
  const byMetric = new Map(columns.map(column => [column.key, column]))
  const shown = (key: string, entity: string): ComparedFigure | undefined =>
    figures.find(
      one => one.metric === key && one.grain === 'day' && one.entity === entity && one.value !== null,
    )
  return figures.map(figure => {
    const ratio = figure.grain === 'day' ? byMetric.get(figure.metric)?.ratio : undefined
    if (ratio === undefined || figure.value === null) return figure
    const without = (why: string): ComparedFigure => {
      const absent = `${byMetric.get(ratio.of)?.label} and ${byMetric.get(ratio.by)?.label} ${why}.`
      return {
        ...figure,
        value: null,
        day: null,
        missing: null,
        coverage: null,
        change: null,
        changeOver: null,
        spark: [],
        differs: null,
        absent,
      }
    }
    const [of, by] = [shown(ratio.of, figure.entity), shown(ratio.by, figure.entity)]
    if (of === undefined || by === undefined) return without('are not both available')
    if (Number(by.value) === 0) return without('give no ratio: the latter is zero')
    const isComparable = of.day === by.day && (of.unit === by.unit || of.day === figure.day)
    if (!isComparable) return without('are of different days')
    if (of.unit !== by.unit) return figure
    const isOwnDay = figure.day === of.day
    return {
      ...figure,
      value: Number(of.value) / Number(by.value),
      day: of.day,
      asOf: of.asOf,
      missing: of.missing ?? by.missing,
      change: isOwnDay ? figure.change : null,
      changeOver: isOwnDay ? figure.changeOver : null,
      spark: isOwnDay ? figure.spark : [],
    }
  })
}
