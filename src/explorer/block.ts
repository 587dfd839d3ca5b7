import { coinbaseText, difficultyOf } from '#chains/bitcoin/index.ts'
import { type BlockItem, complete, ROWS_SUMMARY_SQL, STATISTICS_SUMMARY_SQL } from './blocks.ts'
import { findBlock } from './findBlock.ts'
import { type LayerOpRow, readLayerOps } from './layerOps.ts'
import { bytesOf, isoOf, type Reader, readRows } from './readRows.ts'

export type BlockFull = BlockItem & {
  prevHash: string | null
  nextHash: string | null
  merkleRoot: string | null
  version: number | null
  bits: string | null
  nonce: number | null
  difficulty: number | null
  medianTime: string | null
  strippedSizeBytes: number | null
  inputCount: number
  outputCount: number
  outputSat: string
  coinbaseSat: string | null
  coinbaseText: string | null
  outputsByType: { type: string; count: number; valueSat: string }[]
  feerates: { p10: number; p25: number; p50: number; p75: number; p90: number } | null
  operations: LayerOpRow[]
  /** Who gave the figures: the blocks themselves, or a node's statistics. */
  sourceId: string
}

type Summary = Parameters<typeof complete>[1][number]
type HeldRow = Summary & {
  prevHash: string
  merkleRoot: string
  version: number
  bitsValue: number
  nonce: number
  medianTimeS: number | null
  strippedSizeBytes: number
  inputCount: number
  outputCount: number
  outputSat: string
  coinbaseSat: string
  coinbaseScript: string
}
type StatisticsRow = Summary & {
  medianTimeS: number
  inputCount: number
  outputCount: number
  outputSat: string
  p10: number
  p25: number
  p50: number
  p75: number
  p90: number
}

/** A block with all that is known of it. Throws ExplorerError where it is not held. */
export async function readBlock(reader: Reader, heightOrHash: string): Promise<BlockFull> {
  const { height, origin } = await findBlock(reader, heightOrHash)
  return origin === 'rows' ? readHeld(reader, height) : readStatistics(reader, height)
}

async function readHeld(reader: Reader, height: number): Promise<BlockFull> {
  const at = { height }
  const [rows, nextHash, outputsByType, feerates, operations] = await Promise.all([
    readRows<HeldRow>(
      reader,
      `SELECT ${ROWS_SUMMARY_SQL},
  lower(hex(prev_hash)) AS prevHash, lower(hex(merkle_root)) AS merkleRoot, version, bits AS bitsValue, nonce,
  toUnixTimestamp(median_time) AS medianTimeS, stripped_size_bytes AS strippedSizeBytes,
  input_count AS inputCount, output_count AS outputCount, toString(output_sat - coinbase_sat) AS outputSat,
  toString(coinbase_sat) AS coinbaseSat, hex(coinbase_script) AS coinbaseScript
FROM btc_blocks
WHERE height = {height:UInt32}`,
      at,
    ),
    readHash(reader, height + 1),
    readRows<{ type: string; count: number; valueSat: string }>(
      reader,
      `SELECT toString(script_type) AS type, toUInt32(count()) AS count, toString(sum(value_sat)) AS valueSat
FROM btc_outputs
WHERE height = {height:UInt32}
GROUP BY script_type
ORDER BY count DESC, type`,
      at,
    ),
    readRows<{ shares: number[]; unknown: number; txCount: number }>(
      reader,
      `SELECT
  quantilesExactWeighted(0.1, 0.25, 0.5, 0.75, 0.9)(ifNull(fee_sat, 0) / vsize_vb, vsize_vb) AS shares,
  toUInt32(countIf(fee_sat IS NULL)) AS unknown,
  toUInt32(count()) AS txCount
FROM btc_txs
WHERE height = {height:UInt32} AND NOT is_coinbase`,
      at,
    ),
    readLayerOps(reader, height),
  ])
  const [row] = rows
  // Found a moment ago: a reorg took it back in between, and the answer is that of now.
  if (!row) return readBlock(reader, String(height))
  const { bitsValue, medianTimeS, coinbaseScript, ...summary } = row
  const [item] = await complete(reader, [summary])
  const fees = feerates[0]
  const isKnown = fees !== undefined && fees.txCount > 0 && fees.unknown === 0
  const [p10 = 0, p25 = 0, p50 = 0, p75 = 0, p90 = 0] = fees?.shares ?? []
  return {
    // One row in, one item out, with the further columns of the row.
    ...(item as BlockItem & Omit<HeldRow, 'bitsValue' | 'medianTimeS' | 'coinbaseScript' | 'timeS'>),
    nextHash,
    bits: bitsValue.toString(16).padStart(8, '0'),
    difficulty: difficultyOf(bitsValue),
    medianTime: medianTimeS === null ? null : isoOf(medianTimeS),
    coinbaseText: coinbaseText(bytesOf(coinbaseScript)) || null,
    outputsByType,
    feerates: isKnown ? { p10, p25, p50, p75, p90 } : null,
    operations,
    sourceId: 'bitcoin.chain',
  }
}

async function readStatistics(reader: Reader, height: number): Promise<BlockFull> {
  const [[row], prevHash, nextHash] = await Promise.all([
    readRows<StatisticsRow>(
      reader,
      `SELECT ${STATISTICS_SUMMARY_SQL}, toUnixTimestamp(median_time) AS medianTimeS, toUInt32(input_count + 1) AS inputCount,
  output_count AS outputCount, toString(output_sat) AS outputSat,
  feerate_p10 AS p10, feerate_p25 AS p25, feerate_p50 AS p50, feerate_p75 AS p75, feerate_p90 AS p90
FROM btc_block_stats
WHERE height = {height:UInt32}
LIMIT 1`,
      { height },
    ),
    readHash(reader, height - 1),
    readHash(reader, height + 1),
  ])
  if (!row) return readBlock(reader, String(height))
  const { medianTimeS, p10, p25, p50, p75, p90, timeS, ...rest } = row
  return {
    ...rest,
    time: isoOf(timeS),
    protocols: [],
    isIsland: false,
    prevHash,
    nextHash,
    merkleRoot: null,
    version: null,
    bits: null,
    nonce: null,
    difficulty: null,
    medianTime: isoOf(medianTimeS),
    strippedSizeBytes: null,
    coinbaseSat: null,
    coinbaseText: null,
    outputsByType: [],
    feerates: row.txCount > 1 ? { p10, p25, p50, p75, p90 } : null,
    operations: [],
    sourceId: 'bitcoin.getblockstats',
  }
}

async function readHash(reader: Reader, height: number): Promise<string | null> {
  if (height < 0) return null
  const [row] = await readRows<{ hash: string }>(
    reader,
    `SELECT lower(hex(hash)) AS hash FROM btc_blocks WHERE height = {height:UInt32}
UNION ALL
SELECT lower(hex(hash)) AS hash FROM btc_block_stats WHERE height = {height:UInt32}
LIMIT 1`,
    { height },
  )
  return row?.hash ?? null
}
