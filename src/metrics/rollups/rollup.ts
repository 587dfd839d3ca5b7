import type { Table } from '#kernel/table.ts'
import type { BucketGrain } from '#warehouse/tables/rollups.ts'
import type { RollupDeps } from '../deps.ts'

/**
 * A rollup is recomputed by bucket from base rows, never incremented: `select` gives the rows of the buckets in
 * `{buckets:Array(Date)}`, in the order of the table's columns, under the run `{run:UInt64}`.
 */
export type Rollup = {
  readonly table: Table
  readonly grains: readonly BucketGrain[]
  /**
   * What a bucket rests on: its own blocks, those with a node's statistics of it, or all blocks since genesis, and prices;
   * `stacks`: its own blocks of Stacks; `layers`: its own blocks of all EVM layers.
   */
  readonly scope: 'bucket' | 'facts' | 'since_genesis' | 'priced_since_genesis' | 'stacks' | 'layers'
  readonly select: (grain: BucketGrain) => string
  /** Brings in what `select` reads beside base rows and the engine cannot compute: a pure function of the blocks of the buckets. */
  readonly prepare?: (deps: RollupDeps, buckets: readonly string[]) => Promise<void>
}

/** The first day of the bucket that a block falls into. */
const BUCKET: Readonly<Record<BucketGrain, string>> = {
  day: 'toDate(block_time)',
  week: 'toMonday(block_time)',
  month: 'toStartOfMonth(block_time)',
  day_mtp: 'assumeNotNull(toDate(median_time))',
}

/**
 * CTE `blocks`: the held blocks of the buckets asked for. Base tables are ordered by height, so a statement joins `blocks`
 * and keeps to `heightRange`.
 */
export const blocksOf = (grain: BucketGrain): string => `blocks AS (
    SELECT height, ${BUCKET[grain]} AS bucket
    FROM btc_blocks
    WHERE ${grain === 'day_mtp' ? 'median_time IS NOT NULL AND ' : ''}bucket IN {buckets:Array(Date)}
  )`

export const heightRange =
  'height BETWEEN (SELECT min(height) FROM blocks) AND (SELECT max(height) FROM blocks)'

/** Scripts that can never be spent: OP_RETURN and those above 10,000 bytes (Bitcoin Core `IsUnspendable`). */
export const isUnspendable = "(script_type = 'op_return' OR length(script) > 10000 OR height = 0)"

/** 0 for no value, n for 10^(n-1) to 10^n − 1 satoshis; counted in digits, so no float is near. */
export const valueBand = (value: string): string => `toUInt8(if(${value} = 0, 0, length(toString(${value}))))`

/** The address of an output: P2PK is taken as the P2PKH of its key, so both forms of a key are one address. */
export const addressOf = (type: string, script: string): string => `sipHash128(if(${type} = 'p2pk',
      concat(unhex('76a914'), RIPEMD160(SHA256(substring(${script}, 2, length(${script}) - 2))), unhex('88ac')),
      ${script}))`

/** From here on a coinbase names its height (BIP-34), so none can repeat an older one for two million blocks. */
const BIP34_HEIGHT = 227_931

/**
 * CTE `overwritten`: outputs of coinbases that a later coinbase of the same txid replaced before they were spent (BIP-30;
 * main network 91,722 and 91,812). The row stands in the bucket of the later one.
 */
export const overwrittenOutputs = `repeated AS (
    SELECT txid, height FROM btc_txs
    WHERE is_coinbase AND height < ${BIP34_HEIGHT} AND txid IN (
      SELECT txid FROM btc_txs WHERE is_coinbase AND height < ${BIP34_HEIGHT} GROUP BY txid HAVING count() > 1
    )
  ),
  overwritten AS (
    SELECT
      later.bucket AS bucket, o.block_time AS made_time, o.value_sat AS value_sat, o.script_type AS script_type,
      o.script AS script, o.height AS made_height
    FROM btc_outputs AS o
    INNER JOIN (
      SELECT r.txid AS txid, r.height AS height, b.bucket AS bucket
      FROM repeated AS r INNER JOIN blocks AS b ON b.height = r.height
    ) AS later ON later.txid = o.txid
    WHERE o.txid IN (SELECT txid FROM repeated) AND o.height < ${BIP34_HEIGHT} AND o.height < later.height
      AND (o.txid, o.vout) NOT IN (
        SELECT prev_txid, prev_vout FROM btc_inputs
        WHERE prev_txid IN (SELECT txid FROM repeated) AND height <= (SELECT max(height) FROM repeated)
      )
  )`
