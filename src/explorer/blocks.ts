import { readIslands } from './islands.ts'
import { PROTOCOL_COUNTS_SQL, protocolCountsOf } from './protocols.ts'
import { isoOf, type Reader, readRows } from './readRows.ts'

/** `rows`: the block is held and decoded; `statistics`: a node’s figures of it are. */
export type BlockOrigin = 'rows' | 'statistics'

export type BlockItem = {
  height: number
  hash: string
  time: string
  txCount: number
  sizeBytes: number | null
  weightWu: number | null
  feeSat: string | null
  subsidySat: string
  medianFeerate: number | null
  pool: string
  poolRule: string
  inscriptionCount: number | null
  runestoneCount: number | null
  protocols: { protocol: string; txCount: number }[]
  origin: BlockOrigin
  isIsland: boolean
}

export type BlockList = { items: BlockItem[]; next: string | null; gaps: { from: number; to: number }[] }

type SummaryRow = Omit<BlockItem, 'time' | 'protocols' | 'isIsland'> & { timeS: number }

export const ROWS_SUMMARY_SQL = `height, lower(hex(hash)) AS hash, toUnixTimestamp(block_time) AS timeS, tx_count AS txCount,
  size_bytes AS sizeBytes, weight_wu AS weightWu, toString(fee_sat) AS feeSat, toString(subsidy_sat) AS subsidySat,
  CAST(NULL, 'Nullable(Float64)') AS medianFeerate, pool, pool_rule AS poolRule,
  CAST(inscription_count, 'Nullable(UInt32)') AS inscriptionCount,
  CAST(runestone_count, 'Nullable(UInt32)') AS runestoneCount, 'rows' AS origin`

export const STATISTICS_SUMMARY_SQL = `height, lower(hex(hash)) AS hash, toUnixTimestamp(block_time) AS timeS, tx_count AS txCount,
  size_bytes AS sizeBytes, weight_wu AS weightWu, toString(fee_sat) AS feeSat, toString(subsidy_sat) AS subsidySat,
  CAST(feerate_p50, 'Nullable(Float64)') AS medianFeerate, '' AS pool, '' AS poolRule,
  CAST(NULL, 'Nullable(UInt32)') AS inscriptionCount,
  CAST(NULL, 'Nullable(UInt32)') AS runestoneCount, 'statistics' AS origin`

type BlocksQuery = { before: number; limit: number; origin: BlockOrigin | undefined }

/**
 * Blocks below `before`, newest first: our own rows, else a node's statistics; or of one origin alone. What is held of
 * neither is a gap.
 */
export async function readBlocks(reader: Reader, { before, limit, origin }: BlocksQuery): Promise<BlockList> {
  const parameters = { before, limit: limit + 1 }
  const below = 'WHERE height < {before:UInt32} ORDER BY height DESC LIMIT {limit:UInt32}'
  const [held, known] = await Promise.all([
    origin === 'statistics'
      ? []
      : readRows<SummaryRow>(reader, `SELECT ${ROWS_SUMMARY_SQL} FROM btc_blocks ${below}`, parameters),
    origin === 'rows'
      ? []
      : readRows<SummaryRow>(
          reader,
          `SELECT ${STATISTICS_SUMMARY_SQL} FROM btc_block_stats ${below.replace('LIMIT', 'LIMIT 1 BY height LIMIT')}`,
          parameters,
        ),
  ])
  const byHeight = new Map([...known, ...held].map(row => [row.height, row]))
  const rows = [...byHeight.values()].sort((a, b) => b.height - a.height)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: await complete(reader, shown),
    next: rows.length > limit && last ? String(last.height) : null,
    gaps: gapsOf(rows.slice(0, limit + 1).map(row => row.height)),
  }
}

/** Adds what the block's transactions and batch tell. */
export async function complete(reader: Reader, rows: readonly SummaryRow[]): Promise<BlockItem[]> {
  const held = rows.filter(row => row.origin === 'rows').map(row => row.height)
  const [islands, byTx] = await Promise.all([readIslands(reader, held), readTxFacts(reader, held)])
  return rows.map(({ timeS, ...row }) => {
    const facts = byTx.get(row.height)
    return {
      ...row,
      time: isoOf(timeS),
      medianFeerate: facts && row.feeSat !== null ? facts.medianFeerate : row.medianFeerate,
      protocols: facts ? protocolCountsOf(facts.counts) : [],
      isIsland: islands.has(row.height),
    }
  })
}

type TxFacts = { height: number; medianFeerate: number | null; counts: (string | number)[] }

async function readTxFacts(reader: Reader, heights: readonly number[]): Promise<Map<number, TxFacts>> {
  if (heights.length === 0) return new Map()
  const rows = await readRows<TxFacts>(
    reader,
    `SELECT
  height,
  if(countIf(NOT is_coinbase) = 0, NULL,
    quantileExactWeightedIf(0.5)(ifNull(fee_sat, 0) / vsize_vb, vsize_vb, NOT is_coinbase)) AS medianFeerate,
  ${PROTOCOL_COUNTS_SQL} AS counts
FROM btc_txs
WHERE height IN {heights:Array(UInt32)}
GROUP BY height`,
    { heights },
  )
  return new Map(rows.map(row => [row.height, row]))
}

/** Runs of missing heights between neighbours of a falling list. */
function gapsOf(heights: readonly number[]): { from: number; to: number }[] {
  return heights.flatMap((height, i) => {
    const next = heights[i + 1]
    return next === undefined || next === height - 1 ? [] : [{ from: next + 1, to: height - 1 }]
  })
}
