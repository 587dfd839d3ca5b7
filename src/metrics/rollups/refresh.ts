import { randomInt } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { snake } from '#kernel/table.ts'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { type BucketGrain, rollupRuns } from '#warehouse/tables/rollups.ts'
import { ask } from '../ask.ts'
import type { MetricsDeps } from '../deps.ts'
import { activeBuckets, addressDays } from './addressDays.ts'
import { blockFacts } from './blockFacts.ts'
import { refreshBlockRuns } from './blockRuns.ts'
import { flowDays } from './flowDays.ts'
import { heldBuckets } from './heldBuckets.ts'
import { holderDays } from './holderDays.ts'
import { inputDays } from './inputDays.ts'
import { outputDays } from './outputDays.ts'
import { layerDays, protocolDays } from './protocolDays.ts'
import type { Rollup } from './rollup.ts'
import { txBuckets } from './txBuckets.ts'

/** In an order in which each finds those that it rests on. */
export const ROLLUPS: readonly Rollup[] = [
  blockFacts,
  heldBuckets,
  txBuckets,
  inputDays,
  outputDays,
  flowDays,
  addressDays,
  activeBuckets,
  protocolDays,
  layerDays,
  holderDays,
]

export type RollupProgress = { readonly rollup: string; readonly done: number; readonly total: number }
export type RefreshResult = { readonly buckets: number; readonly rollups: number }

/** Blocks that one statement reads: bounds its memory. */
const BLOCKS_PER_STATEMENT = 6_000

type Stale = { readonly bucket: string; readonly signature: string; readonly blocks: number }

/**
 * Recomputes every bucket whose base rows are not those it was computed from. A bucket counts once its run row is written,
 * last, and only if its base rows have stood still meanwhile; whatever stops it in between, the next call goes on.
 */
export async function refreshRollups(
  deps: MetricsDeps,
  onProgress?: (progress: RollupProgress) => void,
): Promise<RefreshResult> {
  const { writer } = deps.warehouse
  await refreshBlockRuns(writer)
  const [now, computed] = await Promise.all([readSignatures(writer), readComputed(writer)])
  const works = ROLLUPS.flatMap(rollup =>
    rollup.grains.map(grain => ({ rollup, grain, stale: staleBuckets(rollup, grain, now, computed) })),
  ).filter(({ stale }) => stale.length > 0)
  const total = works.reduce((sum, { stale }) => sum + stale.length, 0)
  let done = 0
  for (const { rollup, grain, stale } of works) {
    for (const part of inParts(stale)) {
      await recompute(deps, rollup, grain, part)
      done += part.length
      onProgress?.({ rollup: rollup.table.name, done, total })
    }
  }
  if (total > 0) deps.log.info('rollups recomputed', { buckets: total })
  return { buckets: total, rollups: new Set(works.map(({ rollup }) => rollup)).size }
}

type Signatures = ReadonlyMap<string, Stale>

const keyOf = (scope: string, grain: string, bucket: string): string => `${scope} ${grain} ${bucket}`

/** What the base rows of each bucket are now. */
async function readSignatures(writer: ClickHouseClient): Promise<Signatures> {
  const rows = await ask<{ scope: string; grain: string; bucket: string; signature: string; blocks: string }>(
    writer,
    `SELECT scope, grain, bucket, signature, blocks
FROM btc_bucket_signatures
WHERE scope != 'since_genesis' OR bucket IN (SELECT day FROM btc_days_since_genesis)`,
  )
  return new Map(
    rows.map(({ scope, grain, bucket, signature, blocks }) => [
      keyOf(scope, grain, bucket),
      { bucket, signature, blocks: Number(blocks) },
    ]),
  )
}

/** What each bucket's newest run was computed from, by rollup and grain. */
async function readComputed(
  writer: ClickHouseClient,
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const rows = await ask<{ rollup: string; grain: string; bucket: string; signature: string }>(
    writer,
    'SELECT rollup, grain, bucket, signature FROM rollups_live',
  )
  return new Map(
    Object.entries(Object.groupBy(rows, ({ rollup, grain }) => `${rollup} ${grain}`)).map(
      ([key, live = []]) => [key, new Map(live.map(({ bucket, signature }) => [bucket, signature]))],
    ),
  )
}

/** Buckets whose newest run does not match their base rows; those that lost all their blocks come without a signature. */
function staleBuckets(
  rollup: Rollup,
  grain: BucketGrain,
  now: Signatures,
  computed: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Stale[] {
  const live = computed.get(`${rollup.table.name} ${grain}`) ?? new Map<string, string>()
  const prefix = keyOf(rollup.scope, grain, '')
  const changed = [...now]
    .filter(([key, { bucket, signature }]) => key.startsWith(prefix) && live.get(bucket) !== signature)
    .map(([, stale]) => stale)
  const lost = [...live]
    .filter(([bucket, signature]) => signature !== '0' && !now.has(prefix + bucket))
    .map(([bucket]) => ({ bucket, signature: '0', blocks: 0 }))
  return [...changed, ...lost].sort((a, b) => (a.bucket < b.bucket ? -1 : 1))
}

function inParts(stale: readonly Stale[]): Stale[][] {
  const parts: Stale[][] = []
  let blocks = 0
  for (const bucket of stale) {
    blocks += bucket.blocks
    const part = parts.at(-1)
    if (part === undefined || blocks > BLOCKS_PER_STATEMENT) {
      parts.push([bucket])
      blocks = bucket.blocks
    } else part.push(bucket)
  }
  return parts
}

async function recompute(
  deps: MetricsDeps,
  rollup: Rollup,
  grain: BucketGrain,
  part: readonly Stale[],
): Promise<void> {
  const { writer } = deps.warehouse
  const run = BigInt(Date.now()) * 1000n + BigInt(randomInt(1000))
  const columns = Object.keys(rollup.table.columns).map(snake).join(', ')
  await writer.command({
    query: `INSERT INTO ${BASE_DATABASE}.${rollup.table.name} (${columns})\n${rollup.select(grain)}`,
    query_params: { buckets: part.map(({ bucket }) => bucket), run: run.toString() },
  })
  const after = await readSignatures(writer)
  await deps.warehouse.insertRows(
    rollupRuns,
    part
      .filter(
        ({ bucket, signature }) =>
          (after.get(keyOf(rollup.scope, grain, bucket))?.signature ?? '0') === signature,
      )
      .map(({ bucket, signature }) => ({
        rollup: rollup.table.name,
        grain,
        bucket,
        signature: BigInt(signature),
        run,
        computedAt: Math.floor(Date.now() / 1000),
      })),
  )
}
