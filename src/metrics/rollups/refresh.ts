import { randomInt } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { snake } from '#kernel/table.ts'
import { BASE_DATABASE, schemaOf } from '#warehouse/index.ts'
import { type BucketGrain, rollupRuns } from '#warehouse/tables/rollups.ts'
import { addDays, dayOf, nextBucket } from '../days.ts'
import type { Exchanges, RollupDeps } from '../deps.ts'
import { activeBuckets, addressDays } from './addressDays.ts'
import { ageDays, cohortMonths } from './ageDays.ts'
import { bandDays } from './bandDays.ts'
import { blockFacts } from './blockFacts.ts'
import { refreshBlockRuns } from './blockRuns.ts'
import {
  createDeclarationMark,
  createRunSignature,
  type DeclarationMark,
  type RunSignature,
} from './declaration.ts'
import { dexPoolDays } from './dexPoolDays.ts'
import { refreshDexValues } from './dexValues.ts'
import { flowDays } from './flowDays.ts'
import { heldBuckets } from './heldBuckets.ts'
import { holderDays } from './holderDays.ts'
import { refreshIndices } from './indexRuns.ts'
import { inputDays } from './inputDays.ts'
import { runInLanes } from './lanes.ts'
import { refreshLayerCoverage } from './layerCoverage.ts'
import { LAYER_ROLLUPS } from './layerDays.ts'
import { outputDays } from './outputDays.ts'
import { pegDays } from './pegDays.ts'
import { layerDays, protocolDays } from './protocolDays.ts'
import type { Rollup } from './rollup.ts'
import {
  type Computed,
  readComputed,
  readSignatures,
  readUncounted,
  type Signatures,
  type Stale,
  signatureOf,
} from './signatures.ts'
import { signerDays } from './signerDays.ts'
import { refreshStacksCoverage } from './stacksCoverage.ts'
import { stacksRollups } from './stacksDays.ts'
import { sweepRollups } from './sweep.ts'
import { refreshTreasuryBalances } from './treasuryBalances.ts'
import { txBuckets } from './txBuckets.ts'
import { refreshUsdDaily } from './usdDaily.ts'

/** Rollups of one stage rest on base rows and on the stages before. */
const stagesOf = (catalog: Exchanges): readonly (readonly Rollup[])[] => [
  [
    heldBuckets,
    blockFacts,
    txBuckets,
    inputDays,
    outputDays,
    flowDays,
    addressDays,
    activeBuckets,
    protocolDays,
    layerDays,
    pegDays,
    ...stacksRollups(catalog),
    signerDays,
    ...LAYER_ROLLUPS,
  ],
  [holderDays, bandDays, cohortMonths, dexPoolDays],
  [ageDays],
]

/** All rollups, for a catalogue. */
export const rollupsOf = (catalog: Exchanges): readonly Rollup[] => stagesOf(catalog).flat()

type Declared = {
  readonly stages: readonly (readonly Rollup[])[]
  readonly markOf: DeclarationMark
  readonly runSignature: RunSignature
}
const declaredOf = new WeakMap<Exchanges, Declared>()

/** The rollups of a catalogue with their signatures, made once: their statements are long. */
function declared(catalog: Exchanges): Declared {
  const known = declaredOf.get(catalog)
  if (known !== undefined) return known
  const stages = stagesOf(catalog)
  // Of what a catalogue declares, exchanges are part of the statements of their rollups. What it declares beneath a rollup is
  // not: another chain is no reason to compute all days anew.
  const markOf = createDeclarationMark(stages.flat(), schemaOf({ evm: [], stacksApps: [] }))
  const made = { stages, markOf, runSignature: createRunSignature(markOf) }
  declaredOf.set(catalog, made)
  return made
}
/** What is declared of exchanges is beneath no rollup of Bitcoin’s blocks. */
const NO_EXCHANGES: Exchanges = {
  exchanges: [],
  dexTokens: { about: '', stx: [], anchors: [], tokens: [] },
}

/** Days of a rollup of Bitcoin’s blocks whose rows are not what base rows give now: whoever reads it takes these from base rows. */
export const readStaleDays = (reader: Pick<ClickHouseClient, 'query'>, rollup: Rollup): Promise<string[]> =>
  readUncounted(reader, rollup, declared(NO_EXCHANGES).markOf(rollup, 'day'))

export type RollupProgress = { readonly rollup: string; readonly done: number; readonly total: number }
export type RefreshResult = { readonly buckets: number; readonly rollups: number }

/** Blocks that one statement reads: bounds its memory. */
const BLOCKS_PER_STATEMENT = 6_000
/** Statements that run side by side. */
const AT_ONCE = 2
/** What is computed is made to count at least so often: a stop loses no more work than this. */
const COMMIT_MS = 10_000

type Work = {
  readonly rollup: Rollup
  readonly grain: BucketGrain
  readonly part: readonly Stale[]
}
type Done = Work & { readonly run: bigint }

/**
 * Recomputes every bucket whose base rows are not those it was computed from, or whose rollup was declared otherwise then. A bucket counts once its run row is written,
 * last, and only if its base rows have stood still meanwhile; whatever stops it in between, the next call goes on. Weeks
 * and months are computed when they are over. `only` these rollups are looked at, all unless given.
 */
export async function refreshRollups(
  deps: RollupDeps,
  onProgress?: (progress: RollupProgress) => void,
  only?: readonly Rollup[],
): Promise<RefreshResult> {
  const { writer } = deps.warehouse
  const { stages: all, runSignature } = declared(deps.catalog)
  await Promise.all([
    refreshBlockRuns(writer),
    refreshUsdDaily(writer),
    refreshStacksCoverage(writer),
    refreshLayerCoverage(writer),
    refreshIndices(deps),
  ])
  const [now, computed] = await Promise.all([readSignatures(writer), readComputed(writer)])
  const stages = all.map(rollups =>
    rollups
      .filter(rollup => only?.includes(rollup) ?? true)
      .flatMap(rollup =>
        rollup.grains.flatMap(grain =>
          inParts(staleBuckets({ rollup, grain, runSignature }, now, computed)).map(part => ({
            rollup,
            grain,
            part,
          })),
        ),
      ),
  )
  const total = stages.flat().reduce((sum, { part }) => sum + part.length, 0)
  let done = 0
  for (const works of stages) {
    await runStage(deps, works, ({ rollup, part }) => {
      done += part.length
      onProgress?.({ rollup: rollup.table.name, done, total })
    })
  }
  const ofStacks = stages
    .flat()
    .filter(({ rollup }) => rollup.scope === 'stacks')
    .flatMap(({ part }) => part.map(({ bucket }) => bucket))
  await refreshDexValues(writer, deps.catalog, ofStacks.sort()[0])
  await refreshTreasuryBalances(deps)
  if (total > 0) {
    await sweepRollups(writer, all.flat())
    deps.log.info('rollups recomputed', { buckets: total })
  }
  return { buckets: total, rollups: new Set(stages.flat().map(({ rollup }) => rollup)).size }
}

/** Computes works side by side and makes them count in groups. */
async function runStage(
  deps: RollupDeps,
  works: readonly Work[],
  onDone: (work: Work) => void,
): Promise<void> {
  let committedMs = Date.now()
  await runInLanes({
    works,
    lanes: AT_ONCE,
    compute: async work => {
      const done = { ...work, run: await compute(deps, work) }
      onDone(work)
      return done
    },
    commit: async group => {
      committedMs = Date.now()
      await commit(deps, group)
    },
    isDue: () => Date.now() - committedMs > COMMIT_MS,
  })
}

async function compute(deps: RollupDeps, { rollup, grain, part }: Work): Promise<bigint> {
  const run = BigInt(Date.now()) * 1000n + BigInt(randomInt(1000))
  if (part.some(({ signature }) => signature !== '0')) {
    const { warehouse } = deps
    const buckets = part.map(({ bucket }) => bucket)
    await rollup.prepare?.(deps, buckets)
    const columns = Object.keys(rollup.table.columns).map(snake).join(', ')
    await warehouse.writer.command({
      query: `INSERT INTO ${BASE_DATABASE}.${rollup.table.name} (${columns})\n${rollup.select(grain)}`,
      query_params: { buckets, run: run.toString() },
    })
  }
  return run
}

async function commit({ warehouse, catalog }: RollupDeps, group: readonly Done[]): Promise<void> {
  if (group.length === 0) return
  const { runSignature } = declared(catalog)
  const after = await readSignatures(warehouse.writer)
  const computedAt = Math.floor(Date.now() / 1000)
  await warehouse.insertRows(
    rollupRuns,
    group.flatMap(({ rollup, grain, part, run }) =>
      part
        .filter(({ bucket, signature }) => signatureOf(after, rollup.scope, grain, bucket) === signature)
        .map(({ bucket, signature }) => ({
          rollup: rollup.table.name,
          grain,
          bucket,
          signature: BigInt(runSignature(rollup, grain, signature)),
          run,
          computedAt,
        })),
    ),
  )
}

/** Buckets whose newest run does not match their base rows or their declaration; those that lost all their blocks come without a signature. */
function staleBuckets(
  { rollup, grain, runSignature }: Omit<Work, 'part'> & Pick<Declared, 'runSignature'>,
  now: Signatures,
  computed: Computed,
): Stale[] {
  const live = computed.get(`${rollup.table.name} ${grain}`) ?? new Map<string, string>()
  const buckets = now.get(`${rollup.scope} ${grain}`) ?? new Map<string, Stale>()
  const changed = [...buckets.values()].filter(
    ({ bucket, signature }) => live.get(bucket) !== runSignature(rollup, grain, signature),
  )
  const lost = [...live]
    .filter(([bucket, signature]) => signature !== '0' && !buckets.has(bucket))
    .map(([bucket]) => ({ bucket, signature: '0', blocks: 0 }))
  return [...changed, ...lost]
    .filter(({ bucket }) => isDue(bucket, grain))
    .sort((a, b) => (a.bucket < b.bucket ? -1 : 1))
}

/** A day is computed while it runs; a week or a month would be read again with each block, so it waits for its end. */
function isDue(bucket: string, grain: BucketGrain): boolean {
  if (grain !== 'week' && grain !== 'month') return true
  return addDays(nextBucket(bucket, grain), -1) < dayOf(Date.now())
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
