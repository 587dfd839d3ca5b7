import { createHash } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'

/**
 * A short text that changes whenever an answer may: a commit of blocks, a rollup, an observation. Answers are kept by it.
 * It also changes every ten minutes, because "live" turns to "stale" by the clock alone.
 */
export type DataVersion = AsyncDisposable & {
  current(): string
  /** Looks now instead of at the next turn; ingest in the same process calls it after a commit. */
  refresh(): Promise<void>
  /** Called after each change. */
  onChange(listener: () => void): void
}

/** Chains that commit every few seconds would keep nothing: while they do, they count as changed every half a minute. */
const atMostEachHalfMinute = (log: string): string => `(SELECT if(
    max(decided_at) > now('UTC') - 60,
    toString(intDiv(toUnixTimestamp(now('UTC')), 30)),
    toString((count(), max(decided_at)))
  ) FROM base.${log})`

/** Counts and newest marks of what answers rest on. Base rows count when their batch does. */
const MARKS_SQL = `SELECT
  (SELECT (count(), max(seq)) FROM base.btc_batches) AS batches,
  ${atMostEachHalfMinute('stx_batches')} AS stacks,
  ${atMostEachHalfMinute('stx_burn_batches')} AS stacks_burn,
  ${atMostEachHalfMinute('evm_batches')} AS layers,
  (SELECT (count(), max(run)) FROM base.rollup_runs) AS rollups,
  (SELECT count() FROM base.observations) AS observations,
  (SELECT count() FROM base.prices) AS prices,
  (SELECT count() FROM base.sources) AS sources,
  (SELECT count() FROM base.btc_block_stats) AS statistics,
  (SELECT count() FROM base.btc_stale_blocks) AS stale,
  (SELECT count() FROM base.btc_refused_blocks) AS refused,
  (SELECT max(seq) FROM base.btc_ingest_states) AS states,
  (SELECT max(seq) FROM base.evm_ingest_states) AS layer_states`

const CLOCK_MS = 600_000

export type DataVersionDeps = {
  warehouse: { reader: Pick<ClickHouseClient, 'query'> }
  /** What else answers depend on: the release and its build of the pages. */
  release: string
  log: Log
  pollMs?: number
  /** Milliseconds since 1970; the clock unless given. */
  now?: () => number
}

export async function openDataVersion({
  warehouse,
  release,
  log,
  pollMs = 1000,
  now = Date.now,
}: DataVersionDeps): Promise<DataVersion> {
  const listeners: (() => void)[] = []
  let version = ''
  let wasReached = true
  let running: Promise<void> | undefined

  async function look(): Promise<void> {
    try {
      const answer = await warehouse.reader.query({ query: MARKS_SQL, format: 'JSONCompactEachRow' })
      const marks = await answer.text()
      const clock = Math.floor(now() / CLOCK_MS)
      const next = createHash('sha256')
        .update(`${release} ${clock} ${marks}`)
        .digest('base64url')
        .slice(0, 16)
      wasReached = true
      if (next === version) return
      version = next
      for (const listener of listeners) listener()
    } catch (cause) {
      // The answers kept so far stay the best there is; said once, not every second.
      if (wasReached) log.warn('the data version cannot be read', { cause: sentenceOf(cause) })
      wasReached = false
    }
  }

  const refresh = (): Promise<void> => {
    running ??= look().finally(() => {
      running = undefined
    })
    return running
  }

  await refresh()
  const timer = setInterval(refresh, pollMs).unref()
  return {
    current: () => version,
    refresh,
    onChange: listener => listeners.push(listener),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await running
    },
  }
}
