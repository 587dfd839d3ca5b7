import { MIN_SHARE_COVERAGE, UNATTRIBUTED } from '#kernel/share.ts'
import type { WholeData } from '../../../src/web/blocks/chart/wholeData.ts'
import type { Found } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

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
    return (await Promise.all(pages.flatMap(page => page.wholes).map(faultOf))).flat()
  },
}
