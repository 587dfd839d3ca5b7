import type { Grain, Point, Series } from '#http/contract.ts'
import { bucketDay, type PlotData, type PlotLine } from '../../../src/web/blocks/chart/plotData.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

/** Rows that were counted from all records: a part of the breakdown without one is zero. */
const namesEveryPart = ({ value, state, source }: Point, { breakdown }: Series['metric']): boolean =>
  value !== null && state === 'whole' && (source.endsWith('.chain') || breakdown?.isComplete === true)

/** A zero on a page is a zero of the metric on a day that is whole: unknown is never drawn as nothing. */
export const zeros: Rule = {
  name: 'shows zero only where it was reported',
  async check(pages, { api }): Promise<Fault[]> {
    const asked = new Map<string, Promise<Series>>()
    const seriesOf = (line: PlotLine, { grain, start, count }: PlotData): Promise<Series> => {
      const [id = '', entity = ''] = line.assay.split('@')
      const query = { id, entity, grain: grain as Grain, from: start, to: bucketDay({ start, grain }, count) }
      const key = JSON.stringify(query)
      const known = asked.get(key)
      if (known !== undefined) return known
      const asking = api.series(query)
      asked.set(key, asking)
      return asking
    }
    const faults: Fault[] = []
    for (const found of pages.flatMap(({ plots }) => plots)) {
      const plot = found.part
      if (plot.grain === 'block' || plot.grain === 'hour') continue
      for (const line of plot.lines) {
        const empty = line.values.flatMap((value, index) => (value === 0 ? [index] : []))
        if (empty.length === 0 || !line.assay.includes('@')) continue
        const { metric, points } = await seriesOf(line, plot)
        const missing = empty.filter(index => {
          const ofBucket = points.filter(({ day }) => day === bucketDay(plot, index))
          return !ofBucket.some(point => Number(point.value) === 0 || namesEveryPart(point, metric))
        })
        const first = missing[0]
        if (first !== undefined)
          faults.push(
            faultAt(
              found,
              `${line.label} is zero on ${missing.length} days, the first ${bucketDay(plot, first)}, and the metric has no zero there`,
            ),
          )
      }
    }
    return faults
  },
}
