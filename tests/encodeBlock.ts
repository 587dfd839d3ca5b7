import type { DecodedBlock, DecodedTransactions } from '#chains/bitcoin/block.ts'
import { witnessItemsOf } from '#chains/bitcoin/witness.ts'

/** Wire bytes of a decoded block, made from its columns alone: what a decode lost would be missing here. */
export function encodeBlock(block: DecodedBlock): Buffer {
  const header = Buffer.alloc(80)
  header.writeInt32LE(block.version, 0)
  header.set(reversed(block.prevHash), 4)
  header.set(reversed(block.merkleRoot), 36)
  header.writeUInt32LE(block.timeS, 68)
  header.writeUInt32LE(block.bits, 72)
  header.writeUInt32LE(block.nonce, 76)
  return Buffer.concat([header, varint(block.txs.count), encodeTransactions(block)])
}

/** The transactions one after the other, without their count. */
export function encodeTransactions(decoded: DecodedTransactions): Buffer {
  return Buffer.concat(Array.from({ length: decoded.txs.count }, (_, tx) => encodeTransaction(decoded, tx)))
}

export type TransactionParts = {
  readonly version?: number
  readonly lockTime?: number
  readonly inputs: readonly {
    /** Display order. */
    readonly txid: string
    readonly vout: number
    readonly scriptSig?: string
    readonly sequence?: number
    readonly witness?: readonly string[]
  }[]
  readonly outputs: readonly { readonly script: string; readonly valueSat: bigint }[]
}

/** Wire bytes of a made transaction; in witness form where an input has a witness. Scripts and witness items are hex. */
export function transactionBytes({ version = 2, lockTime = 0, inputs, outputs }: TransactionParts): Buffer {
  const hasWitness = inputs.some(input => (input.witness?.length ?? 0) > 0)
  const sized = (hex: string): Buffer[] => [varint(hex.length / 2), Buffer.from(hex, 'hex')]
  return Buffer.concat([
    u32(version),
    hasWitness ? Buffer.of(0, 1) : Buffer.alloc(0),
    varint(inputs.length),
    ...inputs.flatMap(({ txid, vout, scriptSig = '', sequence = 0xffffffff }) => [
      reversed(Buffer.from(txid, 'hex')),
      u32(vout),
      ...sized(scriptSig),
      u32(sequence),
    ]),
    varint(outputs.length),
    ...outputs.flatMap(({ script, valueSat }) => [u64(valueSat), ...sized(script)]),
    ...(hasWitness ? inputs : []).flatMap(({ witness = [] }) => [
      varint(witness.length),
      ...witness.flatMap(sized),
    ]),
    u32(lockTime),
  ])
}

/** A CompactSize in its shortest form. */
export function varint(value: number): Buffer {
  if (value < 0xfd) return Buffer.of(value)
  if (value <= 0xffff) return Buffer.of(0xfd, value & 0xff, value >> 8)
  const long = Buffer.alloc(5, 0xfe)
  long.writeUInt32LE(value, 1)
  return long
}

function encodeTransaction(decoded: DecodedTransactions, tx: number): Buffer {
  const { bytes, txs, inputs, outputs } = decoded
  const inputRange = range(txs.firstInput[tx]!, txs.firstInput[tx + 1]!)
  const outputRange = range(txs.firstOutput[tx]!, txs.firstOutput[tx + 1]!)
  const hasWitness = txs.hasWitness[tx] === 1
  const slice = (at: number, length: number): Uint8Array => bytes.subarray(at, at + length)
  return Buffer.concat([
    u32(txs.version[tx]!),
    hasWitness ? Buffer.of(0, 1) : Buffer.alloc(0),
    varint(inputRange.length),
    ...inputRange.flatMap(i => [
      reversed(inputs.prevTxid.subarray(32 * i, 32 * i + 32)),
      u32(inputs.prevVout[i]!),
      varint(inputs.scriptLength[i]!),
      slice(inputs.scriptOffset[i]!, inputs.scriptLength[i]!),
      u32(inputs.sequence[i]!),
    ]),
    varint(outputRange.length),
    ...outputRange.flatMap(o => [
      u64(outputs.valueSat[o]!),
      varint(outputs.scriptLength[o]!),
      slice(outputs.scriptOffset[o]!, outputs.scriptLength[o]!),
    ]),
    ...(hasWitness ? inputRange : []).flatMap(i => {
      const items = witnessItemsOf(decoded, i)
      return [varint(items.length), ...items.flatMap(item => [varint(item.length), item])]
    }),
    u32(txs.lockTime[tx]!),
  ])
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i)

const reversed = (bytes: Uint8Array): Uint8Array => bytes.slice().reverse()

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}
