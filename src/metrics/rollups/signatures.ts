import type { ClickHouseClient } from '@clickhouse/client'
import { ask } from '../ask.ts'
import type { Rollup } from './rollup.ts'

/** A bucket, what its base rows are now (`0`: none), and how many blocks they come from. */
export type Stale = { readonly bucket: string; readonly signature: string; readonly blocks: number }
/** By scope and grain, then by bucket. */
export type Signatures = ReadonlyMap<string, ReadonlyMap<string, Stale>>
/** By rollup and grain, then by bucket: the signature that its newest run was kept under (`RunSignature`). */
export type Computed = ReadonlyMap<string, ReadonlyMap<string, string>>

/** What the base rows of each bucket are now. */
export async function readSignatures(writer: ClickHouseClient): Promise<Signatures> {
  const rows = await ask<{ scope: string; grain: string; bucket: string; signature: string; blocks: string }>(
    writer,
    `SELECT scope, grain, bucket, signature, blocks
FROM btc_bucket_signatures
UNION ALL
SELECT scope, grain, bucket, signature, blocks
FROM stx_bucket_signatures
UNION ALL
SELECT scope, grain, bucket, signature, blocks
FROM evm_bucket_signatures`,
  )
  const groups = Map.groupBy(rows, ({ scope, grain }) => `${scope} ${grain}`)
  return new Map(
    [...groups].map(([key, group]) => [
      key,
      new Map(
        group.map(({ bucket, signature, blocks }) => [bucket, { bucket, signature, blocks: Number(blocks) }]),
      ),
    ]),
  )
}

export const signatureOf = (signatures: Signatures, scope: string, grain: string, bucket: string): string =>
  signatures.get(`${scope} ${grain}`)?.get(bucket)?.signature ?? '0'

/** What each bucket's newest run was computed from. */
export async function readComputed(writer: ClickHouseClient): Promise<Computed> {
  const rows = await ask<{ rollup: string; grain: string; bucket: string; signature: string }>(
    writer,
    'SELECT rollup, grain, bucket, signature FROM rollups_live',
  )
  const groups = Map.groupBy(rows, ({ rollup, grain }) => `${rollup} ${grain}`)
  return new Map(
    [...groups].map(([key, group]) => [
      key,
      new Map(group.map(({ bucket, signature }) => [bucket, signature])),
    ]),
  )
}

/**
 * Days of a rollup in the scope `bucket` whose newest run is not of the blocks that are held now, or of another declaration
 * than the one with this mark, or of blocks that are gone.
 */
export async function readUncounted(
  reader: Pick<ClickHouseClient, 'query'>,
  { table }: Rollup,
  mark: bigint,
): Promise<string[]> {
  const rows = await ask<{ day: string }>(
    reader,
    `SELECT DISTINCT toString(bucket) AS day
FROM (
  SELECT bucket, bitXor(signature, {mark:UInt64}) AS signature
  FROM btc_bucket_signatures
  WHERE scope = 'bucket' AND grain = 'day'
  UNION ALL
  SELECT bucket, signature
  FROM rollups_live
  WHERE rollup = {rollup:String} AND grain = 'day' AND signature != 0
)
GROUP BY bucket, signature
HAVING count() = 1
ORDER BY day`,
    { mark: mark.toString(), rollup: table.name },
  )
  return rows.map(({ day }) => day)
}
