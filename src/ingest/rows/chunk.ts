import type { Network } from '#kernel/bitcoin.ts'
import type { ColumnsOf } from '#kernel/table.ts'
import type {
  btcBlocks,
  btcInputs,
  btcInscriptions,
  btcLayerOps,
  btcOutputs,
  btcTxs,
} from '#warehouse/tables/bitcoin.ts'

/** Raw blocks on their way to a decoder: block i is `bytes.subarray(offsets[i], offsets[i + 1])`. */
export type ChunkJob = {
  readonly bytes: Uint8Array<SharedArrayBuffer>
  readonly offsets: Uint32Array<ArrayBuffer>
  /** What the source says; −1 where only the coinbase may tell. */
  readonly heights: Int32Array<ArrayBuffer>
  readonly network: Network
  readonly checksWork: boolean
  /** Blocks to leave out because a later check refused them. */
  readonly without: readonly number[]
  /** Memory for the columns. Shared, as the raw bytes are: the garbage collector counts what is handed over as new. */
  readonly memory: SharedArrayBuffer
}

/**
 * Decoded blocks as the rows of all tables, column by column. Batch numbers are 0, and everything that takes a prevout is
 * null so far: staging and `prevouts.ts` fill them in.
 */
export type Chunk = {
  readonly bytes: Uint8Array<SharedArrayBuffer>
  readonly offsets: Uint32Array<ArrayBuffer>
  /** One entry a block in the rows, in order. */
  readonly placed: readonly PlacedBlock[]
  readonly refused: readonly RefusedBlock[]
  /** Valid blocks whose height nobody knows: in no row. */
  readonly unplaced: readonly UnplacedBlock[]
  /** First transaction of each block, first input and output of each transaction; one more entry ends the last. */
  readonly firstTx: Uint32Array
  readonly firstInput: Uint32Array
  readonly firstOutput: Uint32Array
  readonly blocks: ColumnsOf<typeof btcBlocks>
  readonly txs: ColumnsOf<typeof btcTxs>
  readonly inputs: ColumnsOf<typeof btcInputs>
  readonly outputs: ColumnsOf<typeof btcOutputs>
  readonly inscriptions: ColumnsOf<typeof btcInscriptions>
  readonly layerOps: ColumnsOf<typeof btcLayerOps>
  /** Room for the scripts of prevouts. */
  readonly room: ScriptRoom
  /** The memory that all of this lies in; goes around. `neededBytes`: what would have held it all. */
  readonly memory: SharedArrayBuffer
  readonly neededBytes: number
}

/** Where the scripts of prevouts go: as they come, then in the order of rows. One entry an input. */
export type ScriptRoom = {
  readonly start: Uint32Array
  readonly length: Uint32Array
  readonly offsets: Uint32Array
  readonly asTheyCome: Uint8Array
  readonly inOrder: Uint8Array
}

export type PlacedBlock = {
  /** Position in the job. */
  readonly index: number
  readonly height: number
  readonly hash: string
  readonly prevHash: string
  readonly timeS: number
}

export type RefusedBlock = {
  readonly index: number
  readonly height: number | null
  /** Zeros where the bytes do not even hold a header. */
  readonly hash: string
  readonly code: string
  readonly reason: string
}

export type UnplacedBlock = { readonly index: number; readonly hash: string; readonly txCount: number }

/** Rows over all tables: what a batch is bounded by. */
export const rowCountOf = (chunk: Chunk): number =>
  chunk.blocks.rowCount +
  chunk.txs.rowCount +
  chunk.inputs.rowCount +
  chunk.outputs.rowCount +
  chunk.inscriptions.rowCount +
  chunk.layerOps.rowCount

/** Bytes of a block within its chunk. */
export const blockBytes = (chunk: ChunkJob | Chunk, index: number): Uint8Array =>
  chunk.bytes.subarray(chunk.offsets[index], chunk.offsets[index + 1])

/** All memory of a value made of typed arrays, to hand it to another thread. */
export function buffersOf(value: unknown, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  if (value instanceof ArrayBuffer) found.add(value)
  else if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) found.add(value.buffer)
  } else if (typeof value === 'object' && value !== null) {
    for (const part of Object.values(value)) buffersOf(part, found)
  }
  return found
}
