import type { Grain, Point, Series } from '#http/contract.ts'
import { isOnChain } from '#kernel/sourceNames.ts'
import { bucketDay, type PlotData, type PlotLine } from '../../../src/web/blocks/chart/plotData.ts'
import type { ChainRows, Found, PageParts } from '../pageParts.ts'
import { type Fault, faultAt, type Rule } from '../rule.ts'

/** Rows that were counted from all records: a part of the breakdown without one is zero. */
const namesEveryPart = ({ value, state, source }: Point, { breakdown }: Series['metric']): boolean =>
  value !== null && state === 'whole' && (isOnChain(source) || breakdown?.isComplete === true)

/** Counts of a window that ends with the newest block of a chain, by how their names end, in hours. */
const WINDOW_HOURS: readonly (readonly [name: RegExp, hours: number])[] = [
  [/Count24h$|^ratePerHour$/, 24],
  [/(Count|^volume)7d$/, 7 * 24],
  [/(Count|^volume)30d$/, 30 * 24],
]
const windowOf = (name: string): number | undefined => WINDOW_HOURS.find(([ends]) => ends.test(name))?.[1]

const HOUR_MS = 3_600_000
const HOURS_OF = { '1h': 1, '24h': 24, '7d': 168 } as const
/** Counts of a list over the hours of its span. */
const SPAN_COUNTS = /^(callCount|failedCallCount|callerCount|nestedCount|fee)$/
/** Rates of a list over its span: a part of it has none. */
const SPAN_RATES = /^(share|growth)$/

/** Counts of 0 in windows of which blocks are missing. A row that says it is whole has none before its first block. */
function uncountedIn(found: Found<ChainRows>): Fault[] {
  const { items, nested = [], held, span } = found.part
  return [...items, ...nested].flatMap(row => {
    const run = held.find(({ chain }) => chain === row.chain)
    if (run?.isSinceGenesis === true || row.isWhole === true) return []
    const indexedMs = run === undefined ? 0 : Date.parse(run.time) - Date.parse(run.since)
    // Spans end with the hour of the newest block, of which a part is over.
    const newestMs = run === undefined ? 0 : Math.floor(Date.parse(run.time) / HOUR_MS) * HOUR_MS
    const sinceMs = run === undefined ? Number.POSITIVE_INFINITY : Date.parse(run.since)
    const isSpanWhole = span !== undefined && sinceMs <= newestMs - (HOURS_OF[span] - 1) * HOUR_MS
    const of = `of ${row.asset ?? row.contract} on ${row.chain}`
    return Object.entries(row).flatMap(([name, value]) => {
      if (value === null) return []
      const hours = windowOf(name)
      const lacks =
        hours !== undefined
          ? indexedMs < hours * HOUR_MS
          : span !== undefined && SPAN_COUNTS.test(name) && !isSpanWhole
      if (lacks && Number(value) === 0)
        return [faultAt(found, `${name} ${of} is zero, and blocks of it are missing`)]
      if (name === 'namedByCount' && value === 0)
        return [faultAt(found, `${name} ${of} is zero, and contracts of it are missing`)]
      if (span === undefined) return []
      if (SPAN_RATES.test(name) && !isSpanWhole)
        return [faultAt(found, `${name} ${of} is a rate, and blocks of it are missing`)]
      return name === 'trend' && Array.isArray(value) && firstKnownMs(value, span, newestMs) < sinceMs
        ? [faultAt(found, `the trend ${of} begins before the indexed blocks`)]
        : []
    })
  })
}

/** Start of the first point of a trend that is known: its last one ends with the hour of the newest block. */
function firstKnownMs(trend: readonly unknown[], span: keyof typeof HOURS_OF, newestMs: number): number {
  const first = trend.findIndex(point => point !== null)
  const hours = span === '7d' ? 6 : 1
  return first < 0 ? Number.POSITIVE_INFINITY : newestMs + HOUR_MS - (trend.length - first) * hours * HOUR_MS
}

/** Counts and sums over all blocks of a chain, unless the name of the count or its list says of which. */
const BLOCK_COUNTS =
  /^(failed\w*|tx|call|caller|log|swap|trade|holder)Count(24h|7d|30d)?$|^(fee|received|sent|volume)(Ustx|Wei)(24h|7d|30d)?$/
const LIST_HOURS: Readonly<Record<string, number>> = { hot: 7 * 24 }
const nameEnds = (name: string): number | undefined =>
  ({ '24h': 24, '7d': 7 * 24, '30d': 30 * 24 })[/(24h|7d|30d)$/.exec(name)?.[0] ?? '']

/** Of which blocks the counts below are: how many hours of them are indexed (null: all), and of how many they should be. */
type Counted = { readonly indexedHours: number | null; readonly hours: number }

/** Counts of 0 beside `indexedHours`, where blocks are missing; failures that do not say of which blocks they are. */
function uncountedOf({ address, data }: Pick<PageParts, 'address' | 'data'>): Fault[] {
  const faults: Fault[] = []
  const walk = (part: unknown, path: string, within: Counted | undefined): void => {
    if (typeof part !== 'object' || part === null) return
    const { indexedHours } = part as { indexedHours?: number | null }
    const isRun = 'since' in part
    const { judged, wins, expected } = part as Readonly<Record<string, unknown>>
    // Of an outcome that is not known nobody has lost.
    if (Number(judged) === 0 && [wins, expected].some(count => count === 0 || count === '0'))
      faults.push(faultAt({ address, path, part }, 'is zero, and no outcome is known'))
    const counted =
      indexedHours === undefined || isRun ? within : { indexedHours, hours: Number.POSITIVE_INFINITY }
    // A block or a transaction counts what is in it.
    const isOne = 'height' in part || ('chain' in part && 'contract' in part)
    for (const [name, value] of Object.entries(part)) {
      const hours = LIST_HOURS[name]
      walk(value, `${path}/${name}`, counted && hours !== undefined ? { ...counted, hours } : counted)
      if (isOne || !BLOCK_COUNTS.test(name) || (value !== 0 && value !== '0')) continue
      const found = { address, path: `${path}/${name}`, part }
      if (counted === undefined) {
        if (name.startsWith('failed')) faults.push(faultAt(found, 'does not say which blocks it counts'))
      } else if (counted.indexedHours !== null && counted.indexedHours < (nameEnds(name) ?? counted.hours))
        faults.push(faultAt(found, 'is zero, and blocks of it are missing'))
    }
  }
  walk(data, '', undefined)
  return faults
}

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
    const faults = [
      ...pages.flatMap(({ chainRows }) => chainRows).flatMap(uncountedIn),
      ...pages.flatMap(uncountedOf),
    ]
    for (const found of pages.flatMap(({ plots }) => plots)) {
      const plot = found.part
      if (plot.grain === 'block' || plot.grain === 'hour') continue
      for (const line of plot.lines) {
        const empty = line.values.flatMap((value, index) => (value === 0 ? [index] : []))
        if (empty.length === 0 || !line.assay.includes('@')) continue
        const { metric, points } = await seriesOf(line, plot)
        // A part that a publisher reports is unknown while the publisher is late.
        const isPublished =
          metric.breakdown?.isComplete !== true &&
          points.some(({ key, source }) => key === line.key && !isOnChain(source))
        const missing = empty.filter(index => {
          const ofBucket = points.filter(({ day }) => day === bucketDay(plot, index))
          return !ofBucket.some(
            point => Number(point.value) === 0 || (!isPublished && namesEveryPart(point, metric)),
          )
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
