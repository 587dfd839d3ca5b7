import { type Reader, readRows } from './readRows.ts'

/** Which of the heights are held as islands only: blocks without their neighbours. */
export async function readIslands(reader: Reader, heights: readonly number[]): Promise<Set<number>> {
  if (heights.length === 0) return new Set()
  const ranges = await readRows<{ low: number; high: number; isIsland: boolean }>(
    reader,
    `SELECT
  any(from_height) AS low,
  any(to_height) AS high,
  any(is_island) AS isIsland
FROM btc_batches
WHERE from_height <= {high:UInt32} AND to_height >= {low:UInt32}
GROUP BY batch
HAVING argMax(is_live, seq)`,
    { low: Math.min(...heights), high: Math.max(...heights) },
  )
  const holds = (height: number, isIsland: boolean) =>
    ranges.some(range => range.isIsland === isIsland && range.low <= height && height <= range.high)
  return new Set(heights.filter(height => holds(height, true) && !holds(height, false)))
}
