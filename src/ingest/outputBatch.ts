import type { Bytes } from '#kernel/bytes.ts'

/** The outputs of many transactions as the prevout cache takes them: typed arrays only. */
export type OutputBatch = {
  readonly txCount: number
  /** Eight words of four bytes a txid, as they lie in memory. */
  readonly txidWords: Uint32Array
  /** One entry a transaction. */
  readonly height: Uint32Array
  readonly timeS: Uint32Array
  /** `txCount + 1` entries. */
  readonly firstOutput: Uint32Array
  /** Low and high word of each output's satoshis. */
  readonly valueWords: Uint32Array
  /** Index into `SCRIPT_TYPES`. */
  readonly scriptType: Uint8Array
  readonly scripts: Bytes
  /** Where each script begins; one more entry ends the last. */
  readonly scriptOffsets: Uint32Array
}

/** Four bytes each as words, without a copy; the bytes must begin at a multiple of four. */
export const wordsOf = (bytes: Uint8Array | BigUint64Array): Uint32Array =>
  new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
