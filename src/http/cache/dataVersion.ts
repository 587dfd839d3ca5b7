import { createHash } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { sentenceOf } from '#kernel/errors.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import type { Log } from '#kernel/log.ts'
import { DEVELOPERS_MARK, INDICES_MARK, OBSERVED_SQL, TREASURIES_MARK, YIELDS_MARK } from '#metrics/index.ts'
import { asKnownToday } from '#warehouse/index.ts'
import { changesOf, headOf, type Part, type Versions } from './parts.ts'

/**
 * A short text for each part of the data that changes whenever an answer that rests on it may: a commit of blocks, a
 * rollup, an observation. Answers are kept by them. All change every ten minutes, because "live" turns to "stale" by the
 * clock alone.
 */
export type DataVersion = AsyncDisposable & {
  /** Of everything. */
  current(): string
  /** Of the rows that user queries read. Excludes texts and ages, and includes the day, because views omit unfinished days. */
  rows(): string
  byPart(): Versions
  /** When the data was last seen to be of this version, milliseconds since 1970: when the newest look that succeeded began. */
  checkedAt(): number
  /** Looks now instead of at the next turn, and once more where a look is under way: it may have begun before what is to be seen. */
  refresh(): Promise<void>
  /** Called after each change with the parts that changed. */
  onChange(listener: (changed: ReadonlySet<Part>) => void): void
}

const log = (name: string): string => `(SELECT (count(), max(seq), max(decided_at)) FROM base.${name})`
const count = (name: string): string => `(SELECT count() FROM base.${name})`
const rollupsOf = (family: string): string =>
  `(SELECT (count(), max(run)) FROM base.rollup_runs WHERE startsWith(rollup, '${family}_'))`

/** Figures of chains that commit every few seconds would never be kept: while they do, they count as changed every half a minute. */
const atMostEachHalfMinute = (logs: readonly string[], marks: string): string => `if(
    greatest(${logs.map(name => `(SELECT max(decided_at) FROM base.${name})`).join(', ')}) > now('UTC') - 60,
    toString(intDiv(toUnixTimestamp(now('UTC')), 30)),
    toString((${marks}))
  )`

/** Counts and newest marks of what answers rest on. Base rows count when their batch does. */
const MARKS_SQL = `SELECT
  toString((
    ${log('btc_batches')}, ${rollupsOf('btc')}, ${count('btc_block_stats')}, ${count('btc_stale_blocks')},
    ${count('btc_refused_blocks')}, (SELECT max(seq) FROM base.btc_ingest_states)
  )) AS bitcoin,
  ${atMostEachHalfMinute(
    ['stx_batches', 'stx_burn_batches'],
    `${log('stx_batches')}, ${log('stx_burn_batches')}, ${count('stx_tokens')}, ${rollupsOf('stx')}`,
  )} AS stacks,
  ${atMostEachHalfMinute(
    ['evm_batches'],
    `${log('evm_batches')}, ${count('evm_headers')}, ${count('evm_tokens')}, ${rollupsOf('evm')},
    (SELECT max(seq) FROM base.evm_ingest_states)`,
  )} AS layers,
  toString(${count('prices')}) AS prices,
  toString((${count('observations')}, ${count('stx_token_metadata')})) AS outside,
  ${TREASURIES_MARK} AS treasuries,
  ${INDICES_MARK} AS indices,
  ${YIELDS_MARK} AS yields,
  ${DEVELOPERS_MARK} AS developers,
  toString((${log('stx_batches')}, ${log('stx_burn_batches')})) AS stacks_head,
  toString((SELECT (count(), max(run)) FROM base.call_hour_runs)) AS hours,
  (
    SELECT groupArray((toString(chain), mark))
    FROM (
      SELECT chain, toString((count(), max(seq), max(decided_at))) AS mark FROM base.evm_batches GROUP BY chain
    )
  ) AS layer_heads`

type Marks = {
  readonly bitcoin: string
  readonly stacks: string
  readonly layers: string
  readonly prices: string
  readonly outside: string
  readonly treasuries: string
  readonly indices: string
  readonly yields: string
  readonly developers: string
  readonly stacks_head: string
  readonly hours: string
  readonly layer_heads: readonly (readonly [layer: EvmLayer, mark: string])[]
}

type MetricMark = { readonly metric: string; readonly mark: string }
/** The marks as they were read, and what tells whether they may have changed since. */
type Seen = { readonly marks: Marks; readonly changeMark: string | undefined; readonly turn: number }
type Observed = { readonly mark: string; readonly byMetric: readonly MetricMark[] }

const CLOCK_MS = 600_000
/** Some marks change with the clock (`atMostEachHalfMinute`): they are read once in each half-minute although no row changed. */
const TURN_MS = 30_000
/** A look that takes longer is given up and repeated: a server may vanish without closing its connections. */
const LONGEST_LOOK_MS = 60_000

export type DataVersionDeps = {
  warehouse: { reader: Pick<ClickHouseClient, 'query'>; changeMark?(): Promise<string | undefined> }
  /** What else answers depend on: the release and its build of the pages. */
  release: string
  /** Changes whenever editors publish. */
  texts?: () => string
  log: Log
  pollMs?: number
  /** Milliseconds since 1970; the clock unless given. */
  now?: () => number
}

export async function openDataVersion({
  warehouse,
  release,
  texts = () => '',
  log,
  pollMs = 500,
  now = Date.now,
}: DataVersionDeps): Promise<DataVersion> {
  const listeners: ((changed: ReadonlySet<Part>) => void)[] = []
  let versions: Versions = new Map()
  let seen: Seen | undefined
  let observed: Observed = { mark: '', byMetric: [] }
  let wasReached = true
  let checkedAt = 0
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function read<Row>(query: string): Promise<Row[]> {
    const abort_signal = AbortSignal.timeout(LONGEST_LOOK_MS)
    const answer = await warehouse.reader.query({ query, format: 'JSONEachRow', abort_signal })
    return answer.json<Row>()
  }

  /** Reading the marks takes twenty small reads: where the engine knows that no row has changed, those of before stand. */
  async function readMarks(): Promise<Marks> {
    const changeMark = await warehouse.changeMark?.()
    const turn = Math.floor(now() / TURN_MS)
    const isSame = seen !== undefined && seen.changeMark === changeMark && seen.turn === turn
    if (seen !== undefined && isSame && changeMark !== undefined) return seen.marks
    const [marks] = await read<Marks>(MARKS_SQL)
    seen = { marks: marks!, changeMark, turn }
    return seen.marks
  }

  async function look(): Promise<void> {
    const beganAt = Date.now()
    try {
      const marks = await readMarks()
      // Read by metric only once there is something new: it costs as much as the table is long.
      if (marks.outside !== observed.mark)
        observed = { mark: marks.outside, byMetric: await read<MetricMark>(OBSERVED_SQL) }
      const clock = Math.floor(now() / CLOCK_MS)
      const next = versionsOf(marks, observed, {
        texts: texts(),
        ground: `${release} ${clock}`,
        groundOfRows: `${release} ${daysAt(now()).join(' ')}`,
      })
      const changed = changesOf(versions, next)
      wasReached = true
      if (changed.size > 0) {
        versions = next
        for (const listener of listeners) listener(changed)
      }
      checkedAt = beganAt
    } catch (cause) {
      // The answers kept so far stay the best there is; said once, not every second.
      if (wasReached) log.warn('the data version cannot be read', { cause: sentenceOf(cause) })
      wasReached = false
    }
  }

  const refresh = (): Promise<void> => {
    if (running !== undefined) {
      next ??= running.then(() => {
        next = undefined
        return refresh()
      })
      return next
    }
    // A request of an operator that publishes, also one as of a past day, leads here.
    running = asKnownToday(look).finally(() => {
      running = undefined
    })
    return running
  }

  await refresh()
  const timer = setInterval(() => {
    if (running === undefined) void refresh()
  }, pollMs).unref()
  return {
    current: () => versions.get('any') ?? '',
    rows: () => versions.get('rows') ?? '',
    byPart: () => versions,
    checkedAt: () => checkedAt,
    refresh,
    onChange: listener => listeners.push(listener),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await (next ?? running)
    },
  }
}

/** Views treat a day as over at midnight UTC and as complete three hours later. */
const daysAt = (now: number): number[] => [now, now - 3 * 3_600_000].map(ms => Math.floor(ms / 86_400_000))

const shortened = (marks: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(marks)).digest('base64url').slice(0, 16)

function versionsOf(
  { stacks_head: stacksHead, layer_heads: layerHeads, hours, ...figures }: Marks,
  { byMetric }: Observed,
  { texts, ground, groundOfRows }: { texts: string; ground: string; groundOfRows: string },
): Versions {
  const rows = [figures, stacksHead, layerHeads, hours]
  const marks: [Part, unknown][] = [
    ...(Object.entries(figures) as [keyof typeof figures, string][]),
    ...byMetric.map(({ metric, mark }): [Part, string] => [`of.${metric}`, mark]),
    ['figures', figures],
    [headOf('stacks'), stacksHead],
    ['hours', hours],
    ...layerHeads.map(([layer, mark]): [Part, string] => [headOf(layer), mark]),
    ['texts', texts],
    ['any', [...rows, texts]],
  ]
  return new Map([
    ...marks.map(([part, mark]) => [part, shortened([ground, mark])] as const),
    ['rows', shortened([groundOfRows, rows])],
  ])
}
