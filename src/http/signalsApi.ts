import { setImmediate } from 'node:timers/promises'
import type { Catalog, CatalogSignal } from '#catalog/index.ts'
import type { AppTable } from '#explorer/index.ts'
import { nearestNames } from '#kernel/nearest.ts'
import {
  correctedOf,
  familiesOf,
  HORIZONS,
  type ReadSignal,
  type SignalRecord,
  type Standing,
  verdictOf,
} from '#metrics/index.ts'
import type { MetricsDoor } from './api.ts'
import { ApiError, problemOf } from './apiError.ts'
import { type Part, restsOn } from './cache/parts.ts'
import type { SignalDetail, SignalRecords, SignalSummary, SignalsApi } from './contract.ts'
import { didYouMean } from './didYouMean.ts'
import { tableAnswer } from './tableAnswer.ts'

type Deps = {
  readonly catalog: Pick<Catalog, 'signals'>
  readonly metrics: Pick<MetricsDoor, 'signal' | 'composite'>
  readonly standing: () => Promise<Standing>
  /** Answers a question once, while the parts of the data that it rests on stay as they are. */
  readonly ask: <T>(question: unknown, parts: readonly Part[], answer: () => Promise<T>) => Promise<T>
}

/** Days after which a reading is none of now: publishers are late by days. */
const CURRENT_DAYS = 14
const DAY_MS = 86_400_000

type Known = { signal: CatalogSignal; read: ReadSignal }

/** Signals of the catalogue, worked out over what is held. */
export function createSignalsApi({ catalog, metrics, standing, ask }: Deps): SignalsApi {
  const { signals } = catalog
  const knownSignal = (id: string): CatalogSignal => {
    const found = signals.find(signal => signal.id === id)
    if (found === undefined) throw unknownSignal(id, signals)
    return found
  }
  const readOne = (signal: CatalogSignal): Promise<ReadSignal | null> =>
    ask(['signal', signal.id], [], async () => {
      // Working one out takes the thread for some milliseconds: others come in between.
      await setImmediate()
      const read = await metrics.signal(signal.id, await standing())
      restsOn(['prices', ...(read === undefined ? [] : familiesOf(read.sql))])
      return read ?? null
    })
  const readAll = async (): Promise<Known[]> => {
    const all: Known[] = []
    for (const signal of signals) {
      const read = await readOne(signal)
      if (read !== null) all.push({ signal, read })
    }
    return all
  }
  const summaries = async (): Promise<{ known: Known[]; items: SignalSummary[] }> => {
    const known = await readAll()
    const qs = correctedOf(known.map(({ read }) => read.evaluation))
    return { known, items: known.map(one => summaryOf(one, qs.get(one.signal.id) ?? [])) }
  }

  const api: SignalsApi = {
    list: () =>
      ask(['signals'], [], async () => {
        const { known, items } = await summaries()
        const reads = known.map(({ read }) => read)
        return {
          items,
          tests: items.length * HORIZONS.length,
          priceDay: reads[0]?.priceDay ?? null,
          asOf: newestOf(reads),
        }
      }),
    signal: id =>
      ask(['signals', id], [], async () => {
        const signal = knownSignal(id)
        const { known, items } = await summaries()
        const one = known.find(each => each.signal === signal)
        const item = items.find(each => each.id === id)
        if (one === undefined || item === undefined) throw unknownSignal(id, signals)
        return detailOf(one, item)
      }),
    composite: () =>
      ask(['signals', 'composite'], [], async () => {
        const known = await readAll()
        const { letters: _, ...composite } = await metrics.composite(
          known.map(({ read }) => read.evaluation),
          await standing(),
        )
        return composite
      }),
    records: () =>
      ask(['signals', 'records'], [], async () => {
        const { known, items } = await summaries()
        return {
          items: known.flatMap(({ signal: { id, name }, read }) => {
            const { records } = read.evaluation
            const q = items.find(item => item.id === id)?.q ?? []
            return (['history', 'walk', 'since'] as const).flatMap(part =>
              records[part].map((record, index): SignalRecords['items'][number] => ({
                signal: id,
                name,
                part,
                ...record,
                q: part === 'history' ? (q[index] ?? null) : null,
              })),
            )
          }),
        }
      }),
    table: async id => {
      const { name } = knownSignal(id)
      const [{ items }, read] = await Promise.all([api.records(), readOne(knownSignal(id))])
      const rows = items.filter(({ signal }) => signal === id)
      return tableAnswer(id, RECORD_TABLE, {
        sql: read?.sql ?? '',
        rows: rows.map(({ part, p, q, ...row }) => ({
          ...row,
          name,
          p: rounded(p),
          q: rounded(q),
          part: PART_WORDS[part],
        })),
        asOf: { ...(read?.asOf ?? newestOf([])), height: null },
      })
    },
  }
  return api
}

/** More digits of a chance mean nothing. */
const rounded = (p: number | null): number | null => (p === null ? null : Number(p.toFixed(4)))

const PART_WORDS = {
  history: 'in sample',
  walk: 'walked forward',
  since: 'out of sample',
} as const

const RECORD_TABLE: Omit<AppTable, 'sql'> = {
  title: 'Forward returns',
  sub: 'In sample: up to the day on which the rule was fixed. Walked forward: parameters chosen before each year by the record so far. Out of sample: since the rule was fixed. The SQL gives the first and the last',
  empty: 'No days with a reading.',
  columns: [
    { key: 'part', label: 'Days', form: 'text' },
    { key: 'horizon', label: 'Ahead', form: 'count', title: 'Days ahead' },
    { key: 'events', label: 'Events', form: 'count', title: 'Entries at least a horizon apart' },
    { key: 'hitRate', label: 'Hit', form: 'figure', unit: 'ratio' },
    { key: 'hitLow', label: '95 % from', form: 'figure', unit: 'ratio', title: 'Wilson’s interval' },
    { key: 'hitHigh', label: 'to', form: 'figure', unit: 'ratio', title: 'Wilson’s interval' },
    {
      key: 'afterBullish',
      label: 'After ▲',
      title: 'Mean return after a bullish event',
      form: 'figure',
      unit: 'ratio',
    },
    {
      key: 'afterBearish',
      label: 'After ▼',
      title: 'Mean return after a bearish event',
      form: 'figure',
      unit: 'ratio',
    },
    { key: 'unconditional', label: 'All days', form: 'figure', unit: 'ratio' },
    {
      key: 'excess',
      label: 'Excess',
      form: 'figure',
      unit: 'ratio',
      title: 'Beyond all days, in the direction of the side',
    },
    { key: 'p', label: 'p', form: 'figure', unit: '–', title: 'By all circular shifts' },
    { key: 'q', label: 'corrected', form: 'figure', unit: '–', title: 'Benjamini and Hochberg' },
    { key: 'pending', label: 'Open', form: 'count', isOptional: true },
    { key: 'days', label: 'Days counted', form: 'count', isOptional: true },
  ],
}

function summaryOf({ signal, read }: Known, q: (number | null)[]): SignalSummary {
  const { evaluation, priceDay } = read
  const { id, name, family, input, rules } = signal
  const { day } = evaluation
  return {
    id,
    name,
    family,
    input: `${input.metric}@${input.entity}`,
    fixed: rules.at(-1)?.fixed ?? '',
    unit: read.unit,
    state: evaluation.state,
    since: evaluation.since,
    day,
    isCurrent:
      day !== null && priceDay !== null && (Date.parse(priceDay) - Date.parse(day)) / DAY_MS <= CURRENT_DAYS,
    reading: evaluation.reading,
    rank: evaluation.rank,
    absent: day === null ? absenceOf(signal, read) : null,
    history: plain(evaluation.records.history),
    sinceFixed: plain(evaluation.records.since),
    q,
    verdict: verdictOf(evaluation, q),
  }
}

/** Why there is no reading, and what would bring one. */
function absenceOf({ input, rules }: CatalogSignal, { figureDays, isOfChain }: ReadSignal): string {
  const longest = Math.max(...(rules.at(-1)?.transform.days ?? [1]))
  const held =
    figureDays === 0
      ? `No data for ${input.metric}`
      : `${input.metric} has ${figureDays} ${figureDays === 1 ? 'day' : 'days'} of data, and the rule needs ${longest} in a row`
  return isOfChain
    ? `${held}. Index Bitcoin blocks from a node (BITCOIN_RPC_URL) or block files to get it.`
    : `${held}. Its source adds more every day.`
}

const plain = (records: readonly SignalRecord[]): SignalRecord[] => records.map(record => ({ ...record }))

function detailOf({ signal, read: { evaluation, asOf } }: Known, item: SignalSummary): SignalDetail {
  const { why, misleads, reading, coverage, references, rules } = signal
  const { firstDay, spans, entries, records, steps, grid, retired } = evaluation
  return {
    ...item,
    why,
    misleads,
    readingText: reading,
    coverage,
    references: references.map(({ title, url }) => ({ title, ...(url !== undefined && { url }) })),
    rules: rules.map(({ fixed, transform, bullish, bearish, reason }) => ({
      fixed,
      transform,
      bullish: bullish ?? null,
      bearish: bearish ?? null,
      reason,
    })),
    firstDay,
    spans,
    entries,
    walk: records.walk,
    steps,
    grid,
    retired,
    asOf,
  }
}

const newestOf = (reads: readonly ReadSignal[]): ReadSignal['asOf'] =>
  reads.reduce<ReadSignal['asOf']>((newest, { asOf }) => (asOf.time > newest.time ? asOf : newest), {
    time: new Date(0).toISOString(),
    height: null,
    state: 'recorded',
  })

function unknownSignal(id: string, signals: readonly CatalogSignal[]): ApiError {
  const nearest = nearestNames(
    id,
    signals.map(each => each.id),
  )
  return new ApiError(
    problemOf('http.signal', `The catalog has no signal "${id.slice(0, 60)}".`, didYouMean(nearest)),
  )
}
