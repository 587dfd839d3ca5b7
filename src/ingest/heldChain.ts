import { workOfBits } from '#chains/bitcoin/node/index.ts'
import type { Warehouse } from '#warehouse/index.ts'
import type { Batch, BatchLog, Range } from './batchLog.ts'
import type { RecentTimes } from './medianTimes.ts'

/** What is held of the best chain, asked of the log where it knows and of the engine where it does not. */
export type HeldChain = {
  /** The stretch that holds `height`, or ends right below it. */
  rangeAt(height: number): Range | undefined
  /** The first stretch that begins above a height. */
  rangeAbove(height: number): Range | undefined
  hashAt(height: number): Promise<string | null>
  /** Height of a held block; null where it is not held. */
  heightOf(hash: string): Promise<number | null>
  /** Work of the held blocks above a height of this stretch. */
  workAbove(range: Range, height: number): Promise<bigint>
  /** Live batches of a stretch with a block whose fees are unknown, in order of height. */
  incompleteBatches(range: Range): Promise<Batch[]>
  /** Header times of the ten blocks up to this one, as far as one stretch holds them. */
  timesUpTo(height: number, hash: string): Promise<RecentTimes>
}

const LIVE = 'batch IN (SELECT batch FROM base.btc_live_batches)'

export function createHeldChain(warehouse: Warehouse, batches: BatchLog): HeldChain {
  async function rows<T>(query: string, query_params: Record<string, unknown>): Promise<T[]> {
    const answer = await warehouse.writer.query({ query, query_params, format: 'JSONEachRow' })
    return answer.json<T>()
  }

  return {
    rangeAt: height => batches.rangeAt(height),
    rangeAbove: height => batches.rangeAbove(height),
    hashAt: height => batches.hashAt(height),
    async heightOf(hash) {
      const [row] = await rows<{ height: number }>(
        `SELECT height FROM base.btc_blocks WHERE hash = unhex({hash:String}) AND ${LIVE}`,
        { hash },
      )
      return row?.height ?? null
    },
    async workAbove(range, height) {
      const found = await rows<{ bits: number; count: string }>(
        `SELECT bits, count() AS count FROM base.btc_blocks
WHERE height > {height:Int64} AND height <= {top:UInt32} AND ${LIVE} GROUP BY bits`,
        { height, top: range.toHeight },
      )
      return found.reduce((sum, { bits, count }) => sum + workOfBits(bits) * BigInt(count), 0n)
    },
    async incompleteBatches(range) {
      const found = await rows<{ batch: number }>(
        `SELECT DISTINCT batch FROM base.btc_blocks
WHERE fee_sat IS NULL AND height BETWEEN {from:UInt32} AND {to:UInt32} AND ${LIVE}`,
        { from: range.fromHeight, to: range.toHeight },
      )
      const numbers = new Set(found.map(({ batch }) => batch))
      return batches.live().filter(({ batch }) => numbers.has(batch))
    },
    async timesUpTo(height, hash) {
      const range = batches.rangeAt(height)
      const found = await rows<{ timeS: number }>(
        `SELECT toUnixTimestamp(block_time) AS timeS FROM base.btc_blocks
WHERE height BETWEEN {from:UInt32} AND {height:UInt32} AND ${LIVE} ORDER BY height`,
        { from: Math.max(range?.fromHeight ?? height, height - 9), height },
      )
      return { height, hash, timesS: found.map(({ timeS }) => timeS) }
    },
  }
}
