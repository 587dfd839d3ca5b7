import type { Arena } from '#kernel/arena.ts'
import type { Network } from '#kernel/bitcoin.ts'
import type { DecodedBlock, DecodedInputs, DecodedTransactions, DecodedTxs } from './block.ts'
import { coinbaseHeight } from './coinbase.ts'
import { type Columns, clearColumns, createColumns, type InputColumns } from './columns.ts'
import { DecodeError } from './errors.ts'
import type { Hasher } from './hash/hasher.ts'
import { openReader, type Reader, readCount, take } from './reader.ts'
import { LEAST_TX_BYTES, readTransaction } from './readTransaction.ts'

const HEADER_BYTES = 80
/** No block of any network is longer: `MAX_BLOCK_SERIALIZED_SIZE` of Bitcoin Core, which its weight implies (BIP-141). */
const MAX_BYTES = 4_000_000

export type Decoder = {
  /** A whole block, from the first byte of its header to the last byte of its last transaction. */
  decodeBlock(bytes: Uint8Array): DecodedBlock
  /** A single transaction. */
  decodeTransaction(bytes: Uint8Array): DecodedTransactions
}

/**
 * Builds the decoder of wire bytes. Errors: `DecodeError` with the place, for anything that is not exactly one block or
 * one transaction. The result refers to the bytes given: they must not change.
 */
export function createDecoder({
  hasher,
  network,
  arena,
}: {
  hasher: Hasher
  network: Network
  arena: Arena
}): Decoder {
  const columns = createColumns()

  function decodeBlock(given: Uint8Array): DecodedBlock {
    const r = begin(given)
    take(r, HEADER_BYTES, 'block header')
    const txCount = readCount(r, LEAST_TX_BYTES, 'transaction count')
    if (txCount === 0) throw noTransactions()
    const firstTxAt = r.pos
    for (let tx = 0; tx < txCount; tx++) readTransaction(r, columns)
    end(r)
    demandCoinbase(r.bytes, columns)
    return blockOf(r, firstTxAt)
  }

  function decodeTransaction(given: Uint8Array): DecodedTransactions {
    const r = begin(given)
    readTransaction(r, columns)
    end(r)
    return transactionsOf(r.bytes)
  }

  function begin(given: Uint8Array): Reader {
    if (given.length > MAX_BYTES) throw tooLarge(given.length)
    clearColumns(columns)
    return openReader(given)
  }

  function blockOf({ bytes, view }: Reader, firstTxAt: number): DecodedBlock {
    const version = view.getInt32(0, true)
    const hashes = hasher.reversed(bytes.subarray(0, HEADER_BYTES), Uint32Array.of(4, 36))
    const transactions = transactionsOf(bytes)
    const { txs, inputs } = transactions
    let strippedSizeBytes = firstTxAt
    for (let i = 0; i < txs.count; i++) strippedSizeBytes += columns.txs.strippedBytes[i]!
    const script = bytes.subarray(inputs.scriptOffset[0]!, inputs.scriptOffset[0]! + inputs.scriptLength[0]!)
    return {
      ...transactions,
      version,
      hash: hasher.hash256(bytes.subarray(0, HEADER_BYTES)),
      prevHash: hashes.subarray(0, 32),
      merkleRoot: hashes.subarray(32, 64),
      timeS: view.getUint32(68, true),
      bits: view.getUint32(72, true),
      nonce: view.getUint32(76, true),
      height: coinbaseHeight(version, script),
      sizeBytes: bytes.length,
      strippedSizeBytes,
      weightWu: strippedSizeBytes * 3 + bytes.length,
    }
  }

  function transactionsOf(bytes: Uint8Array): DecodedTransactions {
    const { txs, inputs, outputs } = columns
    const count = txs.count
    const u32 = (column: Uint32Array, length: number) => copied(arena.u32(length, 'overwritten'), column)
    const u8 = (column: Uint8Array, length: number) => copied(arena.u8(length, 'overwritten'), column)
    const weightWu = arena.u32(count, 'overwritten')
    for (let i = 0; i < count; i++) weightWu[i] = txs.strippedBytes[i]! * 3 + txs.sizeBytes[i]!
    const valueSat = arena.u64(outputs.count, 'overwritten')
    copied(new Uint32Array(valueSat.buffer, valueSat.byteOffset, 2 * outputs.count), outputs.valueHalves)
    if (isCoinbaseFirst(bytes, columns)) txs.signalsRbf[0] = 0
    const places = {
      count,
      offset: bounded(arena, txs.offset, count, bytes.length),
      sizeBytes: u32(txs.sizeBytes, count),
      weightWu,
      hasWitness: u8(txs.hasWitness, count),
    }
    return {
      bytes,
      network,
      txs: new HashedTxs(hasher, bytes, places, {
        version: u32(txs.version, count),
        lockTime: u32(txs.lockTime, count),
        signalsRbf: u8(txs.signalsRbf, count),
        firstInput: bounded(arena, txs.firstInput, count, inputs.count),
        firstOutput: bounded(arena, txs.firstOutput, count, outputs.count),
      }),
      inputs: new ReadInputs(hasher, bytes, inputs, u32),
      outputs: {
        count: outputs.count,
        valueSat,
        scriptOffset: u32(outputs.scriptOffset, outputs.count),
        scriptLength: u32(outputs.scriptLength, outputs.count),
        scriptType: u8(outputs.scriptType, outputs.count),
      },
    }
  }

  return { decodeBlock, decodeTransaction }
}

type Places = Pick<DecodedTxs, 'count' | 'offset' | 'sizeBytes' | 'weightWu' | 'hasWitness'>
type OtherColumns = Pick<DecodedTxs, 'version' | 'lockTime' | 'signalsRbf' | 'firstInput' | 'firstOutput'>

/**
 * A class, as `ReadInputs` is: an object literal with a getter of its own gets a hidden class of its own for each block,
 * and every loop over columns then looks each of them up by name.
 */
class HashedTxs implements DecodedTxs {
  readonly count: number
  readonly txid: Uint8Array
  readonly version: Uint32Array
  readonly lockTime: Uint32Array
  readonly offset: Uint32Array
  readonly sizeBytes: Uint32Array
  readonly weightWu: Uint32Array
  readonly hasWitness: Uint8Array
  readonly signalsRbf: Uint8Array
  readonly firstInput: Uint32Array
  readonly firstOutput: Uint32Array
  readonly #hasher: Hasher
  readonly #bytes: Uint8Array
  #wtxid: Uint8Array | undefined

  constructor(hasher: Hasher, bytes: Uint8Array, places: Places, columns: OtherColumns) {
    this.count = places.count
    this.txid = hasher.txids(bytes, places)
    this.version = columns.version
    this.lockTime = columns.lockTime
    this.offset = places.offset
    this.sizeBytes = places.sizeBytes
    this.weightWu = places.weightWu
    this.hasWitness = places.hasWitness
    this.signalsRbf = columns.signalsRbf
    this.firstInput = columns.firstInput
    this.firstOutput = columns.firstOutput
    this.#hasher = hasher
    this.#bytes = bytes
  }

  get wtxid(): Uint8Array {
    this.#wtxid ??= this.#hasher.wtxids(this.#bytes, this, this.txid)
    return this.#wtxid
  }
}

class ReadInputs implements DecodedInputs {
  readonly count: number
  readonly prevVout: Uint32Array
  readonly sequence: Uint32Array
  readonly scriptOffset: Uint32Array
  readonly scriptLength: Uint32Array
  readonly witnessOffset: Uint32Array
  readonly witnessLength: Uint32Array
  readonly #hasher: Hasher
  readonly #bytes: Uint8Array
  readonly #offset: Uint32Array
  #prevTxid: Uint8Array | undefined

  constructor(
    hasher: Hasher,
    bytes: Uint8Array,
    columns: InputColumns,
    copy: (column: Uint32Array, length: number) => Uint32Array,
  ) {
    const { count } = columns
    this.count = count
    this.prevVout = copy(columns.prevVout, count)
    this.sequence = copy(columns.sequence, count)
    this.scriptOffset = copy(columns.scriptOffset, count)
    this.scriptLength = copy(columns.scriptLength, count)
    this.witnessOffset = copy(columns.witnessOffset, count)
    this.witnessLength = copy(columns.witnessLength, count)
    this.#hasher = hasher
    this.#bytes = bytes
    this.#offset = copy(columns.offset, count)
  }

  get prevTxid(): Uint8Array {
    this.#prevTxid ??= this.#hasher.reversed(this.#bytes, this.#offset)
    return this.#prevTxid
  }
}

/** `target`, filled with the first entries of a column that is at least as long. */
function copied<A extends Uint8Array | Uint32Array>(target: A, column: A): A {
  target.set(column.subarray(0, target.length))
  return target
}

/** A copy of the first `count` entries and `last` behind them. */
function bounded(arena: Arena, column: Uint32Array, count: number, last: number): Uint32Array {
  const copy = copied(arena.u32(count + 1, 'overwritten'), column)
  copy[count] = last
  return copy
}

/** A coinbase has one input, and that input spends nothing: a null outpoint. Source: Bitcoin Core `CTransaction::IsCoinBase`. */
function isCoinbaseFirst(bytes: Uint8Array, { txs, inputs }: Columns): boolean {
  const inputCount = txs.count > 1 ? txs.firstInput[1]! : inputs.count
  if (inputCount !== 1 || inputs.prevVout[0] !== 0xffffffff) return false
  const at = inputs.offset[0]!
  for (let i = 0; i < 32; i++) if (bytes[at + i] !== 0) return false
  return true
}

function demandCoinbase(bytes: Uint8Array, columns: Columns): void {
  if (isCoinbaseFirst(bytes, columns)) return
  throw new DecodeError('no_coinbase', 'The first transaction of the block is not a coinbase', {
    what: 'first transaction',
    offset: columns.txs.offset[0]!,
    expected: 'one input with a null outpoint',
  })
}

function end(r: Reader): void {
  const left = r.bytes.length - r.pos
  if (left === 0) return
  throw new DecodeError('trailing', `${left} bytes follow the last transaction`, {
    what: 'end',
    offset: r.pos,
    got: left,
    expected: 0,
  })
}

function noTransactions(): DecodeError {
  return new DecodeError('no_transactions', 'The block holds no transaction', {
    what: 'transaction count',
    offset: HEADER_BYTES,
    got: 0,
    expected: 'at least 1',
  })
}

function tooLarge(got: number): DecodeError {
  return new DecodeError('too_large', `${got} bytes are more than a block can have`, {
    what: 'block',
    offset: 0,
    got,
    expected: `at most ${MAX_BYTES}`,
  })
}
