import { MIN_SHARE_COVERAGE, UNATTRIBUTED } from '#kernel/share.ts'
import { isOnChain } from '#kernel/sourceNames.ts'
import { bucketDay, type PlotData } from '../../../src/web/blocks/chart/plotData.ts'
import type { WholeData } from '../../../src/web/blocks/chart/wholeData.ts'
import type { Found } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

/** A share as a metric of its own (`dex.share`) is of the total of the parts that stand beside it (`dex.by_protocol`). */
const SHARE_OF = /^(?<family>[a-z_]+)\.share$/

/** What a page shows of a metric on a day. */
type Shown = { readonly found: Found<unknown>; readonly assay: string; readonly day: string }

/** Parts of a metric whose total has a source of its own are shown as shares only where they cover most of that total. */
export const shares: Rule = {
  name: 'shows no share of a fragment',
  async check(pages, { api }): Promise<Fault[]> {
    const entries = await api.metrics()
    const totalOf = (assay: string): { id: string; entity: string } | undefined => {
      const [id = '', entity = ''] = assay.split('@')
      const found = entries.find(entry => entry.id === id && entry.entities.includes(entity))
      return found?.breakdown?.total === undefined ? undefined : { id: found.breakdown.total, entity }
    }
    const faultOf = async (found: Found<WholeData>): Promise<Fault[]> => {
      const { parts, to } = found.part
      const assays = new Set(parts.map(({ assay }) => assay))
      const total = assays.size === 1 ? totalOf([...assays][0] ?? '') : undefined
      // Flows have names of their ends and no share.
      if (total === undefined || parts.some(({ flow }) => flow !== undefined)) return []
      const { points } = await api.series({ ...total, from: to, to })
      const whole = points[0]?.value ?? null
      const known = parts
        .filter(({ key }) => key !== UNATTRIBUTED.key)
        .reduce((sum, { value }) => sum + value, 0)
      return whole !== null && known >= MIN_SHARE_COVERAGE * Number(whole)
        ? []
        : [faultAt(found, `its parts come to ${known} of ${whole ?? 'an unknown total'} on ${to}`)]
    }
    const faultOfShare = async ({ found, assay, day }: Shown): Promise<Fault[]> => {
      const family = SHARE_OF.exec(assay.split('@')[0] ?? '')?.groups?.family
      const parts = entries.find(({ id, breakdown }) => id === `${family}.by_protocol` && breakdown?.total)
      // The share is of the layer whose parts are read from its blocks.
      const entity = entries
        .filter(({ id }) => id === parts?.id)
        .find(({ sources }) => sources.some(source => source.id.endsWith('.chain')))?.entities[0]
      if (parts?.breakdown?.total === undefined || entity === undefined) return []
      const [read, total] = await Promise.all([
        api.series({ id: parts.id, entity, from: day, to: day }),
        api.series({ id: parts.breakdown.total, entity, from: day, to: day }),
      ])
      const known = read.points
        .filter(({ source }) => isOnChain(source))
        .reduce((sum, { value }) => sum + Number(value ?? 0), 0)
      const whole = total.points[0]?.value ?? null
      return whole !== null && known >= MIN_SHARE_COVERAGE * Number(whole)
        ? []
        : [faultAt(found, `${assay} is a share of ${known} of ${whole ?? 'an unknown total'} on ${day}`)]
    }
    const shown = pages.flatMap(({ kpis, plots }) => [
      ...kpis.map((found): Shown => ({ found, assay: found.part.assay, day: found.part.day })),
      ...plots.filter(({ part }) => part.grain === 'day').flatMap(lastDays),
    ])
    return (
      await Promise.all([
        ...pages.flatMap(page => page.wholes).map(faultOf),
        ...shown.filter(({ assay }) => SHARE_OF.test(assay.split('@')[0] ?? '')).map(faultOfShare),
      ])
    ).flat()
  },
}

/** The newest figure of each line: one day stands for the others, which follow from the same statement. */
function lastDays(found: Found<PlotData>): Shown[] {
  return found.part.lines.flatMap(({ assay, values }) => {
    const last = values.findLastIndex(value => value !== null)
    return last < 0 ? [] : [{ found, assay, day: bucketDay(found.part, last) }]
  })
}
