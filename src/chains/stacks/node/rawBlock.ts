import { NodeError } from '../../node/errors.ts'
import { checkEpoch2Block, checkNakamotoBlock } from '../block/check.ts'
import { type BitVector, blockIdOf } from '../block/nakamotoBlock.ts'
import type { StacksCodec } from '../decode.ts'
import { DecodeError } from '../errors.ts'
import type { Hex } from '../messages/fields.ts'
import type { DecodedTransaction } from '../transaction/transaction.ts'

/** A block as its bytes tell it: its id and the merkle root of its transactions are recomputed. */
export type RawBlock = {
  readonly isNakamoto: boolean
  readonly height: number
  readonly id: Hex
  readonly headerHash: Hex
  /** Index block hash of the block below; null before Nakamoto, where the bytes name its header alone. */
  readonly parentId: Hex | null
  readonly parentHeaderHash: Hex | null
  readonly consensusHash: Hex
  /** UTC seconds; null before Nakamoto. */
  readonly timeS: number | null
  readonly minerSignature: Buffer | null
  readonly signerSignatures: readonly Buffer[] | null
  readonly signerBitvec: string | null
  readonly parentMicroblock: { readonly hash: Hex; readonly sequence: number } | null
  readonly transactions: readonly RawTx[]
  /** A miner begins a tenure with this block: rewards are paid, and operations on Bitcoin carried out, in such blocks alone. */
  readonly beginsTenure: boolean
}

/** `decoded` is null for a transaction of a kind that no rule here knows: its txid is not proved. */
export type RawTx = {
  readonly txid: Hex
  readonly raw: Buffer
  readonly decoded: DecodedTransaction | null
}

const NO_HASH = '00'.repeat(32)
const ZEROS: Hex = `0x${NO_HASH}`

/** Decodes and proves a Nakamoto block that was asked for by its id. Throws `node.lied`, `DecodeError`, `CheckError`. */
export function proveNakamotoBlock(codec: StacksCodec, bytes: Buffer, id: Hex, name: string): RawBlock {
  const block = decoded(name, id, () => codec.decodeNakamotoBlock(bytes))
  checkNakamotoBlock(block)
  const { header } = block
  demandId(name, id, `0x${header.blockId}`)
  return {
    isNakamoto: true,
    height: Number(header.chainLength),
    id,
    headerHash: `0x${header.blockHash}`,
    parentId: `0x${header.parentBlockId}`,
    parentHeaderHash: null,
    consensusHash: `0x${header.consensusHash}`,
    timeS: Number(header.timeS),
    minerSignature: Buffer.from(header.minerSignature),
    signerSignatures: header.signerSignatures.map(signature => Buffer.from(signature)),
    signerBitvec: bitvecText(header.poxTreatment),
    parentMicroblock: null,
    transactions: rawTxsOf(bytes, block.transactions),
    beginsTenure: beginsTenure(block.transactions),
  }
}

/** The same for a block before Nakamoto, whose id needs the consensus hash of its tenure. */
export function proveEpoch2Block(
  codec: StacksCodec,
  bytes: Buffer,
  { id, consensusHash }: { readonly id: Hex; readonly consensusHash: Hex },
  name: string,
): RawBlock {
  const block = decoded(name, id, () => codec.decodeEpoch2Block(bytes))
  const { header } = block
  if (header.work > 0n) checkEpoch2Block(block)
  demandId(name, id, `0x${blockIdOf(header.blockHash, consensusHash.slice(2))}`)
  return {
    isNakamoto: false,
    height: Number(header.work),
    id,
    headerHash: `0x${header.blockHash}`,
    parentId: null,
    parentHeaderHash: `0x${header.parentBlock}`,
    consensusHash,
    timeS: null,
    minerSignature: null,
    signerSignatures: null,
    signerBitvec: null,
    parentMicroblock:
      `0x${header.parentMicroblock}` === ZEROS
        ? null
        : { hash: `0x${header.parentMicroblock}`, sequence: header.parentMicroblockSequence },
    transactions: rawTxsOf(bytes, block.transactions),
    beginsTenure: true,
  }
}

function decoded<T>(name: string, id: Hex, decode: () => T): T {
  try {
    return decode()
  } catch (thrown) {
    if (!(thrown instanceof DecodeError)) throw thrown
    throw new NodeError(
      'node.shape',
      `${name} gave bytes for block ${id} that are no block: ${thrown.message}`,
      {
        hint: 'The answer may have been cut short; it is asked again, and others are.',
        cause: thrown,
        facts: { id, reason: thrown.code },
      },
    )
  }
}

function demandId(name: string, asked: Hex, got: Hex): void {
  if (got === asked) return
  throw new NodeError('node.lied', `${name} gave block ${got} where ${asked} was asked for.`, {
    hint: 'The block was not stored. Ask another node.',
    facts: { asked, got },
  })
}

/** Whether a miner begins a tenure with these transactions. */
export const beginsTenure = (transactions: readonly DecodedTransaction[]): boolean =>
  transactions.some(({ payload }) => payload.kind === 'tenure_change' && payload.cause === 'BlockFound')

/** Transactions stand one after the other at the end of a block. */
function rawTxsOf(bytes: Buffer, transactions: readonly DecodedTransaction[]): RawTx[] {
  let at = bytes.length - transactions.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return transactions.map(tx => {
    const raw = bytes.subarray(at, at + tx.sizeBytes)
    at += tx.sizeBytes
    return { txid: `0x${tx.txid}`, raw, decoded: tx }
  })
}

/** As nodes write it in JSON: the bytes of the wire in hexadecimal. */
function bitvecText({ length, bytes }: BitVector): string {
  const head = Buffer.alloc(6)
  head.writeUInt16BE(length, 0)
  head.writeUInt32BE(bytes.length, 2)
  return head.toString('hex') + Buffer.from(bytes).toString('hex')
}
