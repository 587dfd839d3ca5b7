/** A place in a chain: height and hash (hex, display order). */
export type BlockRef = { readonly height: number; readonly hash: string }

/** `bytes` stay as they are until the next block is asked for. */
export type RawBlock = BlockRef & { readonly bytes: Uint8Array }

/**
 * A best chain that blocks can be asked of: a node by RPC or REST, or the chain of most work in a set of files. Answers
 * are what the source claims; ingest checks each block against them.
 */
export type BlockSource = {
  readonly origin: 'rpc' | 'rest' | 'blk_files'
  /** For sentences: `the node at http://127.0.0.1:8332`. */
  readonly name: string
  /** The newest block of the source's best chain. */
  tip(signal?: AbortSignal): Promise<BlockRef>
  /** The hash at a height of the best chain; null beyond its ends. */
  hashAt(height: number, signal?: AbortSignal): Promise<string | null>
  /** Work of the best chain's blocks above a height; null where the source cannot tell. */
  workAbove(height: number, signal?: AbortSignal): Promise<bigint | null>
  /** Header times (seconds) of a stretch of the best chain, lowest first; fewer where the source ends. */
  headerTimes(fromHeight: number, toHeight: number, signal?: AbortSignal): Promise<number[]>
  /** The blocks of a stretch of the best chain in order of height, bounded in memory by a small read-ahead. */
  blocks(fromHeight: number, toHeight: number, signal?: AbortSignal): AsyncIterable<RawBlock>
}
