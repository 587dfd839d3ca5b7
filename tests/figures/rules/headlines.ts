import { type Freshness, freshnessOf } from '#kernel/freshness.ts'
import type { PageParts } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

const DAY_MS = 86_400_000
const daysFrom = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS

/** Metric of an entity, and the days of its oldest and newest part. */
type Dated = { readonly assay: string; readonly from: string; readonly to: string }

type Heading = {
  readonly mark: { readonly asOf?: { state: string }; readonly from?: string; readonly day?: string }
  readonly figures: readonly Dated[]
}

/** The mark is of the days of the key figures that it stands above, and a stale figure leads none of them. */
export const headlines: Rule = {
  name: 'is as of its oldest to its newest key figure and leads with no stale one',
  async check(pages, { api }): Promise<Fault[]> {
    const entries = await api.metrics()
    const today = new Date().toISOString().slice(0, 10)
    const stateOf = ({ assay, from }: Dated, day: string): Freshness => {
      const [id = '', entity = ''] = assay.split('@')
      const entry = entries.find(known => known.id === id && known.entities.includes(entity))
      return freshnessOf(daysFrom(from, day), entry?.cadenceDays ?? 1)
    }
    return pages.flatMap(page =>
      headingsOf(page).flatMap(found => {
        const { mark, figures } = found.part
        const [from, to] = [
          figures.map(f => f.from).sort()[0],
          figures
            .map(f => f.to)
            .sort()
            .at(-1),
        ]
        if (from === undefined || to === undefined) return []
        const says = (day: string, state: Freshness) => figures.map(f => stateOf(f, day)).includes(state)
        const worst = says(today, 'overdue') ? 'overdue' : says(today, 'stale') ? 'stale' : 'live'
        const lead = figures[0]
        // By the calendar, and beside the newest of them.
        const isStaleLead =
          lead !== undefined && [today, to].some(day => stateOf(lead, day) !== 'live' && says(day, 'live'))
        return [
          ...(mark.day === to && (mark.from ?? mark.day) === from
            ? []
            : [faultAt(found, `says ${mark.from ?? ''} to ${mark.day}, its key figures ${from} to ${to}`)]),
          ...(mark.asOf?.state === worst
            ? []
            : [faultAt(found, `is marked ${mark.asOf?.state}, its key figures are ${worst}`)]),
          ...(isStaleLead ? [faultAt(found, `leads with ${lead.assay} of ${lead.from}`)] : []),
        ]
      }),
    )
  },
}

/** Marks beside key figures, whatever a page shows these as: figures, sums of layers, totals of a list. */
function headingsOf({ address, data }: PageParts) {
  const found: { address: string; path: string; part: Heading }[] = []
  const walk = (part: unknown, path: string): void => {
    if (typeof part !== 'object' || part === null) return
    if ('mark' in part && part.mark && ('kpis' in part || 'totals' in part)) {
      const { mark, kpis, totals } = part as {
        mark: Heading['mark']
        kpis?: readonly Record<string, unknown>[]
        totals?: unknown
      }
      found.push({ address, path, part: { mark, figures: [...(kpis ?? []), totals].flatMap(datedOf) } })
    }
    for (const [key, value] of Object.entries(part)) walk(value, `${path}/${key}`)
  }
  walk(data, '')
  return found
}

function datedOf(figure: unknown): Dated[] {
  const { assay, value, day, sum, from, to, btcSat } = (figure ?? {}) as Record<string, unknown>
  if (typeof assay === 'string' && value !== null && typeof day === 'string')
    return [{ assay, from: day, to: day }]
  const parts = (sum ?? {}) as { from?: string; to?: string; addends?: { assay: string }[] }
  if (parts.from !== undefined && parts.to !== undefined)
    return [{ assay: parts.addends?.[0]?.assay ?? '', from: parts.from, to: parts.to }]
  return typeof btcSat === 'string' && typeof from === 'string' && typeof to === 'string'
    ? [{ assay: 'btc.bridged@', from, to }]
    : []
}
