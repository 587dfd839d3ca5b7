import { type Reader, readRows } from '../readRows.ts'
import type { ChainId } from './chains.ts'

/** One statement over what single chains are asked for: blocks, statistics and headers alone, as their own pages show them. */
const SQL = `SELECT DISTINCT chain
FROM (
  SELECT 'bitcoin' AS chain FROM btc_blocks WHERE height = {height:UInt32}
  UNION ALL
  SELECT 'bitcoin' AS chain FROM btc_block_stats WHERE height = {height:UInt32}
  UNION ALL
  SELECT 'stacks' AS chain FROM stx_blocks WHERE height = {height:UInt32}
  UNION ALL
  SELECT chain FROM evm_blocks WHERE height = {height:UInt32}
  UNION ALL
  SELECT chain FROM evm_headers WHERE height = {height:UInt32}
)
ORDER BY chain`

/** The chains that hold a block of this height, in no order that means anything. */
export async function readBlocksAt(reader: Reader, height: number): Promise<ChainId[]> {
  const rows = await readRows<{ chain: ChainId }>(reader, SQL, { height })
  return rows.map(({ chain }) => chain)
}
