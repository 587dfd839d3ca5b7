import type { EvmHeaderForm } from '#kernel/evm.ts'
import { checksumAddress, parseAddress } from './address.ts'
import { type EvmBlock, readBlock } from './block.ts'
import { type Blooms, openBlooms } from './bloom.ts'
import { type CheckOptions, checkBlock, type Proofs } from './check.ts'
import { inField } from './errors.ts'
import { decodeStandardHeader } from './header.ts'
import type { Hex } from './hex.ts'
import { decodeTransaction } from './rawTransaction.ts'
import { type EvmReceipt, readReceipt } from './receipt.ts'
import { RlpWriter } from './rlp/writer.ts'
import { decodeRootstockHeader } from './rootstock/header.ts'
import { type MergedMining, mergedMiningOf } from './rootstock/mergedMining.ts'
import { withBlockLogIndex, withSignedChainId } from './rootstock/quirks.ts'
import { recoverAuthority } from './sender.ts'
import {
  type Authorization,
  type EvmTransaction,
  readTransaction,
  type TransactionBody,
} from './transaction.ts'

/** What of a chain the codec has to know. */
export type EvmChain = {
  readonly chainId: number
  readonly headerForm: EvmHeaderForm
  /** The chain id where addresses carry it in their checksum (EIP-1191); null for EIP-55. */
  readonly checksumChainId: number | null
}

/** Answers of a node about one block, as parsed JSON. */
export type BlockAnswers = { readonly block: unknown; readonly receipts?: unknown }

export type EvmCodec = {
  readonly chain: EvmChain
  /** Reads a block with its transactions and, where given, receipts. Throws `DecodeError` with the field that is wrong. */
  readBlock(answers: BlockAnswers): EvmBlock
  /** Recomputes hashes, roots, filters and senders. Throws `CheckError` at the first contradiction. */
  checkBlock(block: EvmBlock, options?: CheckOptions): Proofs
  readTransaction(answer: unknown): EvmTransaction
  readReceipt(answer: unknown): EvmReceipt
  /** A raw transaction; its sender is recovered. Throws `DecodeError` with the offset. */
  decodeTransaction(bytes: Uint8Array): TransactionBody
  /** A raw header, in the form of the chain. Throws `DecodeError` with the offset. */
  decodeHeader(bytes: Uint8Array): EvmBlock['header']
  /** What the Bitcoin proof of a Rootstock block says; null on other chains, and where its header does not hash. */
  mergedMining(block: Pick<EvmBlock, 'header'>): MergedMining | null
  recoverAuthority(authorization: Authorization): Hex | null
  readonly blooms: Blooms
  checksum(address: Hex): Hex
  /** @throws AddressError */
  parseAddress(text: string): Hex
}

/** Opens the codec of one chain. It holds memory only; nothing needs closing. */
export function openEvmCodec(chain: EvmChain): EvmCodec {
  const writer = new RlpWriter()
  const blooms = openBlooms()
  const isRootstock = chain.headerForm === 'rootstock'
  const signed = (tx: EvmTransaction): EvmTransaction =>
    isRootstock ? withSignedChainId(tx, chain.chainId, writer) : tx

  return {
    chain,
    blooms,
    readBlock({ block, receipts }) {
      const read = inField('block', () => readBlock(block, receipts, isRootstock))
      if (!isRootstock) return read
      return {
        ...read,
        transactions: read.transactions.map(signed),
        receipts: read.receipts && withBlockLogIndex(read.receipts),
      }
    },
    checkBlock: (block, options = {}) => checkBlock(block, chain.headerForm, { writer, blooms }, options),
    readTransaction: answer => signed(readTransaction(answer)),
    readReceipt,
    decodeTransaction: bytes => decodeTransaction(bytes, writer),
    decodeHeader: bytes => (isRootstock ? decodeRootstockHeader(bytes, writer) : decodeStandardHeader(bytes)),
    mergedMining({ header }) {
      if (header.form !== 'rootstock') return null
      return mergedMiningOf(header, writer)
    },
    recoverAuthority: authorization => recoverAuthority(authorization, writer),
    checksum: address => checksumAddress(address, chain.checksumChainId),
    parseAddress: text => parseAddress(text, chain.checksumChainId),
  }
}
