import type { LayerOp, Network } from '#kernel/bitcoin.ts'

/**
 * A decoded block, column by column: offsets point into `bytes`, nothing is copied that a reader may not need. All hashes
 * are in display order (byte-reversed wire order). The i-th transaction owns the inputs `firstInput[i]` to
 * `firstInput[i + 1]` (excluded) and the outputs likewise; the coinbase is transaction 0.
 */
export type DecodedBlock = DecodedTransactions & {
  /** Signed 32 bit. */
  readonly version: number
  readonly hash: Uint8Array
  readonly prevHash: Uint8Array
  readonly merkleRoot: Uint8Array
  /** Header time, seconds. */
  readonly timeS: number
  readonly bits: number
  readonly nonce: number
  /** From the coinbase (BIP-34, version ≥ 2); null where it cannot be told. */
  readonly height: number | null
  readonly sizeBytes: number
  readonly strippedSizeBytes: number
  readonly weightWu: number
}

/** Transactions alone, in the same columns: those of a block, or a single one. */
export type DecodedTransactions = {
  readonly bytes: Uint8Array
  readonly network: Network
  readonly txs: DecodedTxs
  readonly inputs: DecodedInputs
  readonly outputs: DecodedOutputs
}

export type DecodedTxs = {
  readonly count: number
  /** 32 bytes each. */
  readonly txid: Uint8Array
  /** Hashed when first asked for. */
  readonly wtxid: Uint8Array
  /** Unsigned (BIP-68), unlike a block's. */
  readonly version: Uint32Array
  readonly lockTime: Uint32Array
  /** Where its bytes begin in the block; `count + 1` entries. */
  readonly offset: Uint32Array
  readonly sizeBytes: Uint32Array
  readonly weightWu: Uint32Array
  readonly hasWitness: Uint8Array
  readonly signalsRbf: Uint8Array
  readonly firstInput: Uint32Array
  readonly firstOutput: Uint32Array
}

export type DecodedInputs = {
  readonly count: number
  /** 32 bytes each, display order. Reversed when first asked for. */
  readonly prevTxid: Uint8Array
  readonly prevVout: Uint32Array
  readonly sequence: Uint32Array
  readonly scriptOffset: Uint32Array
  readonly scriptLength: Uint32Array
  /** Where its witness begins (at the item count); 0 without one. */
  readonly witnessOffset: Uint32Array
  readonly witnessLength: Uint32Array
}

export type DecodedOutputs = {
  readonly count: number
  readonly valueSat: BigUint64Array
  readonly scriptOffset: Uint32Array
  readonly scriptLength: Uint32Array
  /** Index into `SCRIPT_TYPES`. */
  readonly scriptType: Uint8Array
}

/** An ord envelope in the witness of an input. */
export type Envelope = {
  readonly txIndex: number
  /** Input index within its transaction. */
  readonly vin: number
  /** Position among the envelopes of the transaction. */
  readonly envelope: number
  /** '' where none is given. */
  readonly contentType: string
  readonly bodyBytes: number
  readonly isBrc20: boolean
  /** First 256 bytes of the body. */
  readonly bodyStart: Uint8Array
}

/** One operation of a layer on Bitcoin. */
export type LayerOperation = {
  readonly txIndex: number
  readonly vout: number
  readonly op: LayerOp
  readonly valueSat: bigint
  readonly details: Readonly<Record<string, string | number | boolean | null>>
  /** Id of the rule that recognised it, with its source. */
  readonly rule: string
}

/** What the scripts and witnesses of a block carry beyond payments. */
export type BlockPayloads = {
  readonly envelopes: readonly Envelope[]
  readonly operations: readonly LayerOperation[]
  /** Bit n is the n-th of `DATA_PROTOCOLS`, one entry a transaction. */
  readonly protocolMask: Uint16Array
  /** Bytes after the 6a of OP_RETURN outputs, one entry a transaction. */
  readonly opReturnBytes: Uint32Array
  readonly opReturnCount: number
  /** Transactions whose first 6a5d output is a runestone, cenotaphs counted; whatever the height. */
  readonly runestoneCount: number
  readonly inscriptionBytes: number
}
