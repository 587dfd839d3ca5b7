import { type BatchFamily, isLiveSql, STACKS, STACKS_BURN, type Warehouse } from '#warehouse/index.ts'
import type { BatchLog } from '../batchLog.ts'
import type { FinalRange, TreeNode } from './blockTree.ts'
import type { BurnNode } from './burnChain.ts'
import { PART_WEIGHT } from './weight.ts'

type Held<N> = { readonly node: N; readonly batch: number; readonly isLive: boolean }
export type HeldBlock = Held<TreeNode> & { readonly weight: number }

/** `weightOf` of a block that is held. */
const WEIGHT_SQL = `${PART_WEIGHT} * (tx_count + ifNull(event_count, 0) + ifNull(rolled_back_event_count, 0))
  - if(lacks = '', 0, length(splitByChar(',', lacks)))`

const asideSql = (log: BatchLog): string => {
  const numbers = log.aside().map(({ batch }) => batch)
  return numbers.length === 0 ? 'false' : `batch IN (${numbers.join(', ')})`
}

/** Stacks blocks that may still change sides: those of the last `depth` Bitcoin blocks. */
export async function readHeldBlocks(
  warehouse: Warehouse,
  log: BatchLog,
  depth: number,
): Promise<HeldBlock[]> {
  const isLive = isLiveSql(STACKS)
  const answer = await warehouse.writer.query({
    query: `
SELECT batch, height, lower(hex(hash)) AS id, lower(hex(prev_hash)) AS parentId, burn_height AS burnHeight,
  lower(hex(burn_hash)) AS burnHash, ${WEIGHT_SQL} AS weight, ${isLive} AS isLive
FROM base.stx_blocks
WHERE (${isLive} OR ${asideSql(log)})
  AND burn_height + {depth:UInt32} >= (SELECT max(burn_height) FROM base.stx_blocks WHERE ${isLive})
ORDER BY batch, height`,
    query_params: { depth },
    format: 'JSONEachRow',
  })
  type Row = TreeNode & { batch: number; weight: string | number; isLive: number | boolean }
  return (await answer.json<Row>()).map(row => ({
    node: {
      id: `0x${row.id}`,
      parentId: `0x${row.parentId}`,
      height: row.height,
      burnHeight: row.burnHeight,
      burnHash: `0x${row.burnHash}`,
    },
    batch: row.batch,
    isLive: Boolean(row.isLive),
    weight: Number(row.weight),
  }))
}

/** The stretches of heights below those that may still change. */
export function finalRangesOf(log: BatchLog, held: readonly HeldBlock[]): FinalRange[] {
  const lowest = new Map<number, TreeNode>()
  for (const { batch, isLive, node } of held)
    if (isLive && node.height < (lowest.get(batch)?.height ?? Number.POSITIVE_INFINITY))
      lowest.set(batch, node)
  const ranges: FinalRange[] = []
  for (const { batch, fromHeight, toHeight, lastHash } of log.live()) {
    const open = lowest.get(batch)
    if (open?.height === fromHeight) continue
    const to = open === undefined ? toHeight : open.height - 1
    const topId = open === undefined ? `0x${lastHash}` : open.parentId
    const before = ranges.at(-1)
    if (before?.toHeight === fromHeight - 1) ranges[ranges.length - 1] = { ...before, toHeight: to, topId }
    else ranges.push({ fromHeight, toHeight: to, topId })
  }
  return ranges
}

/** The last `depth` Bitcoin blocks, and those that lost among them. */
export async function readHeldBurnBlocks(
  warehouse: Warehouse,
  log: BatchLog,
  depth: number,
): Promise<Held<BurnNode>[]> {
  const isLive = isLiveSql(STACKS_BURN)
  const answer = await warehouse.writer.query({
    query: `
SELECT batch, height, lower(hex(hash)) AS hash, lower(hex(prev_hash)) AS parentHash, ${isLive} AS isLive
FROM base.stx_burn_blocks
WHERE (${isLive} OR ${asideSql(log)})
  AND height + {depth:UInt32} >= (SELECT max(height) FROM base.stx_burn_blocks WHERE ${isLive})
ORDER BY batch, height`,
    query_params: { depth },
    format: 'JSONEachRow',
  })
  type Row = {
    batch: number
    height: number
    hash: string
    parentHash: string | null
    isLive: number | boolean
  }
  return (await answer.json<Row>()).map(({ batch, isLive, height, hash, parentHash }) => ({
    node: { height, hash: `0x${hash}`, parentHash: parentHash === null ? null : `0x${parentHash}` },
    batch,
    isLive: Boolean(isLive),
  }))
}

/** What readers see of Stacks at these heights, with the batch that holds it and how much it tells. */
export async function readSettled(
  warehouse: Warehouse,
  heights: readonly number[],
): Promise<Map<number, { readonly id: string; readonly batch: number; readonly weight: number }>> {
  if (heights.length === 0) return new Map()
  const answer = await warehouse.writer.query({
    query: `SELECT height, lower(hex(hash)) AS id, batch, ${WEIGHT_SQL} AS weight
FROM base.stx_blocks
WHERE height IN (${heights.join(', ')}) AND ${isLiveSql(STACKS)}`,
    format: 'JSONEachRow',
  })
  const rows = await answer.json<{ height: number; id: string; batch: number; weight: string | number }>()
  return new Map(
    rows.map(({ height, id, batch, weight }) => [height, { id: `0x${id}`, batch, weight: Number(weight) }]),
  )
}

/** Which of these blocks readers see without receipts. */
export async function readWithoutReceipts(
  warehouse: Warehouse,
  places: readonly { readonly height: number; readonly id: string }[],
): Promise<Set<string>> {
  if (places.length === 0) return new Set()
  const answer = await warehouse.writer.query({
    query: `SELECT lower(hex(hash)) AS id FROM base.stx_blocks
WHERE height IN (${places.map(({ height }) => height).join(', ')}) AND ${isLiveSql(STACKS)}
  AND has(splitByChar(',', lacks), 'receipts')`,
    format: 'JSONEachRow',
  })
  const lacking = new Set((await answer.json<{ id: string }>()).map(({ id }) => `0x${id}`))
  return new Set(places.flatMap(({ id }) => (lacking.has(id) ? [id] : [])))
}

/** The hash of what readers see at these heights. */
export async function readHashes(
  warehouse: Warehouse,
  family: BatchFamily,
  heights: readonly number[],
): Promise<Map<number, string>> {
  if (heights.length === 0) return new Map()
  const answer = await warehouse.writer.query({
    query: `SELECT height, lower(hex(hash)) AS hash FROM base.${family.blocks.name}
WHERE height IN (${heights.join(', ')}) AND ${isLiveSql(family)}`,
    format: 'JSONEachRow',
  })
  return new Map(
    (await answer.json<{ height: number; hash: string }>()).map(row => [row.height, `0x${row.hash}`]),
  )
}
