import { ExplorerError } from './errors.ts'
import { type Reader, readRows } from './readRows.ts'

export type FoundBlock = { height: number; hash: string; origin: 'rows' | 'statistics' }

/** The block of a height or a hash. Throws `explorer.block_not_found` with the nearest heights, or `explorer.block_stale`. */
export async function findBlock(reader: Reader, heightOrHash: string): Promise<FoundBlock> {
  const isHeight = /^\d{1,9}$/.test(heightOrHash)
  const parameters = { id: heightOrHash.toLowerCase() }
  const where = isHeight ? 'height = toUInt32({id:String})' : 'hash = toFixedString(unhex({id:String}), 32)'
  const [found] = await readRows<FoundBlock>(
    reader,
    `SELECT height, lower(hex(hash)) AS hash, origin
FROM (
  SELECT height, hash, 'rows' AS origin FROM btc_blocks WHERE ${where}
  UNION ALL
  SELECT height, hash, 'statistics' AS origin FROM btc_block_stats WHERE ${where}
)
ORDER BY origin
LIMIT 1`,
    parameters,
  )
  if (found) return found
  throw isHeight
    ? await heightNotFound(reader, Number(heightOrHash))
    : await hashNotFound(reader, heightOrHash.toLowerCase())
}

async function heightNotFound(reader: Reader, height: number): Promise<ExplorerError> {
  const rows = await readRows<{ height: number }>(
    reader,
    `SELECT height
FROM (
  (SELECT height FROM btc_blocks WHERE height < {height:UInt32} ORDER BY height DESC LIMIT 1)
  UNION DISTINCT
  (SELECT height FROM btc_blocks WHERE height > {height:UInt32} ORDER BY height LIMIT 1)
  UNION DISTINCT
  (SELECT height FROM btc_block_stats WHERE height < {height:UInt32} ORDER BY height DESC LIMIT 1)
  UNION DISTINCT
  (SELECT height FROM btc_block_stats WHERE height > {height:UInt32} ORDER BY height LIMIT 1)
)
ORDER BY height`,
    { height },
  )
  const below = rows.filter(row => row.height < height).at(-1)?.height
  const above = rows.find(row => row.height > height)?.height
  const nearest = [below, above].filter(near => near !== undefined)
  return new ExplorerError('explorer.block_not_found', `Block ${height} is not indexed.`, {
    hint:
      nearest.length > 0 ? `Nearest indexed heights: ${nearest.join(' and ')}.` : 'No block is indexed yet.',
    facts: { height, nearest: nearest.join(',') },
  })
}

async function hashNotFound(reader: Reader, hash: string): Promise<ExplorerError> {
  const [stale] = await readRows<{ height: number; winner: string | null }>(
    reader,
    `SELECT height, lower(hex(winner_hash)) AS winner
FROM btc_stale_blocks
WHERE hash = toFixedString(unhex({hash:String}), 32)
LIMIT 1`,
    { hash },
  )
  if (stale) {
    return new ExplorerError(
      'explorer.block_stale',
      `Block ${hash} is stale: another block won its height.`,
      {
        hint: `Look at height ${stale.height}.`,
        facts: { hash, nearest: String(stale.height) },
      },
    )
  }
  return new ExplorerError('explorer.block_not_found', `No indexed block has the hash ${hash}.`, {
    hint: 'A transaction has its own address: /bitcoin/tx/{txid}.',
    facts: { hash },
  })
}
