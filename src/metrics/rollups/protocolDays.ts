import { DATA_PROTOCOLS } from '#kernel/bitcoin.ts'
import { BTC_LAYERS, btcLayerDays, btcProtocolDays } from '#warehouse/tables/rollups.ts'
import { blocksOf, heightRange, type Rollup } from './rollup.ts'

const names = (of: readonly string[]): string => `[${of.map(name => `'${name}'`).join(', ')}]`

/** A tag in a coinbase has bytes and no fee: of a coinbase only its OP_RETURN bytes count as size. */
export const protocolDays: Rollup = {
  table: btcProtocolDays,
  grains: ['day'],
  scope: 'bucket',
  select: grain => `WITH
  ${blocksOf(grain)}
SELECT {run:UInt64}, bucket, protocol, sum(txs), sum(vsize), sum(fees), sum(unknown), sum(overlap)
FROM (
  SELECT
    b.bucket AS bucket,
    arrayJoin(arrayFilter((name, n) -> bitTest(t.protocol_mask, n - 1), ${names(DATA_PROTOCOLS)}, arrayEnumerate(${names(DATA_PROTOCOLS)}))) AS protocol,
    protocol = ${names(DATA_PROTOCOLS)}[arrayFirstIndex(n -> bitTest(t.protocol_mask, n), range(${DATA_PROTOCOLS.length}))] AS is_first,
    toUInt64(is_first) AS txs,
    if(is_first, if(t.is_coinbase, t.op_return_bytes, t.vsize_vb), 0) AS vsize,
    if(is_first, ifNull(t.fee_sat, 0), 0) AS fees,
    toUInt64(is_first AND NOT t.is_coinbase AND t.fee_sat IS NULL) AS unknown,
    toUInt64(NOT is_first) AS overlap
  FROM btc_txs AS t
  INNER JOIN blocks AS b ON b.height = t.height
  WHERE t.${heightRange} AND t.protocol_mask != 0
  UNION ALL
  SELECT DISTINCT bucket, arrayJoin(${names(DATA_PROTOCOLS)}), false, 0, 0, 0, 0, 0 FROM blocks
)
GROUP BY bucket, protocol`,
}

/** Layers share the first bits of the protocol mask with the protocols of their names. */
export const layerDays: Rollup = {
  table: btcLayerDays,
  grains: ['day'],
  scope: 'bucket',
  select: grain => `WITH
  ${blocksOf(grain)}
SELECT
  {run:UInt64}, bucket, layer, sum(txs), sum(vsize), sum(fees), sum(unknown), sum(value), sum(staked), sum(merge_mined)
FROM (
  SELECT
    b.bucket AS bucket,
    arrayJoin(arrayFilter(name -> bitTest(t.protocol_mask, indexOf(${names(DATA_PROTOCOLS)}, name) - 1), ${names(BTC_LAYERS)})) AS layer,
    toUInt64(1) AS txs, t.vsize_vb AS vsize, ifNull(t.fee_sat, 0) AS fees, toUInt64(t.fee_sat IS NULL) AS unknown,
    toUInt64(0) AS value, toUInt64(0) AS staked, toUInt64(0) AS merge_mined
  FROM btc_txs AS t
  INNER JOIN blocks AS b ON b.height = t.height
  WHERE t.${heightRange} AND t.protocol_mask != 0 AND NOT t.is_coinbase
  UNION ALL
  SELECT
    b.bucket, splitByChar('.', CAST(o.op AS String))[1] AS layer, 0, 0, 0, 0,
    -- A payout is a part of its commit’s bid: counted there.
    sumIf(o.value_sat, o.op != 'stacks.pox_payout'), sumIf(o.value_sat, CAST(o.op AS String) LIKE '%.stake'),
    uniqExactIf(o.height, CAST(o.op AS String) LIKE '%.merge_mining')
  FROM btc_layer_ops AS o
  INNER JOIN blocks AS b ON b.height = o.height
  WHERE o.${heightRange}
  GROUP BY b.bucket, layer
  UNION ALL
  SELECT DISTINCT bucket, arrayJoin(${names(BTC_LAYERS)}), 0, 0, 0, 0, 0, 0, 0 FROM blocks
)
GROUP BY bucket, layer`,
}
