import { type Freshness, freshnessOf } from '#kernel/freshness.ts'
import { bucketIndex, type PlotData } from '../../../src/web/blocks/chart/plotData.ts'
import type { PageParts } from '../pageParts.ts'
import { type Fault, faultAt, type Rule, type RuleContext } from '../rule.ts'

const DAY_MS = 86_400_000
const daysFrom = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS

/** Metric of an entity, and the days of its oldest and newest part. */
type Dated = { readonly assay: string; readonly from: string; readonly to: string }

type Heading = {
  readonly mark: { readonly asOf?: { state: string }; readonly from?: string; readonly day?: string }
  readonly figures: readonly Dated[]
  /** Figures in the order in which the page shows them, once for each table; `figures` where there is none. */
  readonly orders?: readonly (readonly Dated[])[]
}

/** Whether a chart has a figure of that day: a bucket of several days may have its figure of another one. */
async function drawsDay({ api }: RuleContext, plot: PlotData, day: string): Promise<boolean> {
  const index = bucketIndex(plot, day)
  const drawn = plot.lines.filter(({ values }) => typeof values[index] === 'number')
  if (plot.grain === 'day') return drawn.length > 0
  for (const assay of new Set(drawn.map(line => line.assay))) {
    const [id = '', entity = ''] = assay.split('@')
    const { points } = await api.series({ id, entity, grain: 'day', from: day, to: day, figuresOnly: true })
    if (points.some(({ value }) => value !== null)) return true
  }
  return false
}

/** Days of marks that a chart of the page has a figure of. */
async function drawnDays(context: RuleContext, { plots }: PageParts, days: ReadonlySet<string>) {
  const drawn = new Set<string>()
  for (const day of days)
    for (const { part } of plots)
      if (part.grain !== 'block' && part.grain !== 'hour' && (await drawsDay(context, part, day))) {
        drawn.add(day)
        break
      }
  return drawn
}

/** The mark is of the days of the key figures that it stands above, up to what its charts draw, and a stale figure leads none of them. */
export const headlines: Rule = {
  name: 'is as of its oldest key figure to its newest figure and leads with no stale one',
  async check(pages, context): Promise<Fault[]> {
    const entries = await context.api.metrics()
    const { today } = context
    const stateOf = ({ assay, from }: Dated, day: string): Freshness => {
      const [id = '', entity = ''] = assay.split('@')
      const entry = entries.find(known => known.id === id && known.entities.includes(entity))
      return freshnessOf(daysFrom(from, day), entry?.cadenceDays ?? 1)
    }
    const faultsOf = async (page: PageParts): Promise<Fault[]> => {
      const headings = headingsOf(page)
      // A chart may draw what is newer than every key figure.
      const newer = headings.flatMap(({ part: { mark, figures } }) =>
        mark.day !== undefined && figures.every(({ to }) => to < mark.day!) ? [mark.day] : [],
      )
      const drawn = await drawnDays(context, page, new Set(newer))
      return headings.flatMap(found => {
        const { mark, figures } = found.part
        const [from, to] = [
          figures.map(f => f.from).sort()[0],
          figures
            .map(f => f.to)
            .sort()
            .at(-1),
        ]
        if (from === undefined || to === undefined) return []
        const isNewest = (day: string | undefined): boolean =>
          day === to || (day !== undefined && day > to && drawn.has(day))
        const says = (day: string, state: Freshness) => figures.map(f => stateOf(f, day)).includes(state)
        const worst = says(today, 'overdue') ? 'overdue' : says(today, 'stale') ? 'stale' : 'live'
        // By the calendar, and beside the newest of them.
        const staleLeads = (found.part.orders ?? [figures]).flatMap(order => {
          const newest = order.map(f => f.to).sort()
          const isLive = (figure: Dated, day: string) => stateOf(figure, day) === 'live'
          const lead = order[0]
          return lead !== undefined &&
            [today, newest.at(-1) ?? today].some(
              day => !isLive(lead, day) && order.some(figure => isLive(figure, day)),
            )
            ? [lead]
            : []
        })
        return [
          ...(isNewest(mark.day) && (mark.from ?? mark.day) === from
            ? []
            : [faultAt(found, `says ${mark.from ?? ''} to ${mark.day}, its key figures ${from} to ${to}`)]),
          ...(mark.asOf?.state === worst
            ? []
            : [faultAt(found, `is marked ${mark.asOf?.state}, its key figures are ${worst}`)]),
          ...staleLeads.map(lead => faultAt(found, `leads with ${lead.assay} of ${lead.from}`)),
        ]
      })
    }
    const faults: Fault[] = []
    for (const page of pages) faults.push(...(await faultsOf(page)))
    return faults
  },
}

type Headed = { address: string; path: string; part: Heading }

/** Marks beside key figures, whatever a page shows these as: figures, sums of layers, totals or rows of a list. */
function headingsOf({ address, data }: PageParts): Headed[] {
  const found: Headed[] = []
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
  for (const [route, answer] of Object.entries(data)) {
    if (typeof answer !== 'object' || answer === null || listsIn(answer).length === 0) continue
    const { mark = {} } = answer as { mark?: Heading['mark'] }
    found.push({ address, path: `/${route}`, part: { mark, ...datedRows(answer) } })
  }
  return found
}

type Listed = Readonly<Record<string, unknown>>
type ChainBlocks = readonly { readonly chain: string; readonly time: string }[]

const recordsIn = (value: unknown): readonly Listed[] =>
  Array.isArray(value) ? value.filter((row): row is Listed => typeof row === 'object' && row !== null) : []

/** Lists over chains in the answer of a page: each says which blocks are indexed, or has rows of one day each. */
const listsIn = (answer: object): readonly Listed[] =>
  [answer, ...Object.values(answer)].filter(
    (list): list is Listed =>
      typeof list === 'object' &&
      list !== null &&
      ('held' in list
        ? Array.isArray(list.held) && recordsIn(list.held).every(run => 'chain' in run && 'time' in run)
        : 'items' in list && 'assets' in list),
  )

/** Days of the figures of a row: `priceDay` is that of `priceUsd`, `day` that of the row, also of its parts `total` and `pools`. */
function daysOf(row: Listed): string[] {
  const own = Object.entries(row).flatMap(([key, day]) => {
    const name = /^(.*?)_?[dD]ay$/.exec(key)?.[1]
    if (typeof day !== 'string' || name === undefined) return []
    const values = name === '' ? Object.entries(row) : [[`${name}Usd`, row[`${name}Usd`]]]
    return values.some(([, value]) => typeof value === 'number') ? [day] : []
  })
  return [...own, ...[row.total, row.pools].flatMap(part => (part ? daysOf(part as Listed) : []))]
}

const isCounted = (row: Listed): boolean =>
  Object.entries(row).some(([key, value]) => key !== 'decimals' && typeof value === 'number')

/**
 * The days of all figures under the mark of a list, and the rows of each table in their order: a row is as old as its
 * first figure with a day, else as the newest block of its chain where it counts anything.
 */
function datedRows(part: object): Pick<Heading, 'figures' | 'orders'> {
  const lists = listsIn(part)
  const dated = (chain: unknown, day: string): Dated => ({ assay: `list@${chain}`, from: day, to: day })
  const blocks = lists.flatMap(list => recordsIn(list.held)) as unknown as ChainBlocks
  const blockDays = new Map(blocks.map(({ chain, time }) => [chain, time.slice(0, 10)]))
  const tables = lists.flatMap(({ items, nested, assets, chains }) =>
    [items, nested, assets, chains].map(recordsIn),
  )
  return {
    figures: [
      ...[...blockDays].map(([chain, day]) => dated(chain, day)),
      ...tables.flat().flatMap(row => daysOf(row).map(day => dated(row.chain, day))),
    ],
    orders: tables.map(rows =>
      rows.flatMap(row => {
        const day = daysOf(row)[0] ?? (isCounted(row) ? blockDays.get(String(row.chain)) : undefined)
        return day === undefined ? [] : [dated(row.chain, day)]
      }),
    ),
  }
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
