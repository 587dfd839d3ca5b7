import { Arena } from '#kernel/arena.ts'
import type { Network } from '#kernel/bitcoin.ts'
import { type AddressTexts, createAddressTexts } from './address/addressTexts.ts'
import type { BlockPayloads, DecodedBlock } from './block.ts'
import { type CheckOptions, checkBlock } from './check.ts'
import { createDecoder, type Decoder } from './decode.ts'
import { openHasher } from './hash/hasher.ts'
import { merkleRoot } from './merkle.ts'
import { payloadsOf } from './payloads/payloads.ts'

export { addressOf, scriptOf } from './address/address.ts'
export { paymentScriptOf } from './address/scripts.ts'
export type {
  BlockPayloads,
  DecodedBlock,
  DecodedTransactions,
  Envelope,
  LayerOperation,
} from './block.ts'
export { coinbaseText } from './coinbase.ts'
export { AddressError, CheckError, DecodeError } from './errors.ts'
export { difficultyOf, medianTimePast, targetOf } from './header.ts'
export { type MiningPool, type PoolMatch, poolOf } from './pools.ts'
export { scriptTypeOf } from './scriptType.ts'
export { sigopCost } from './sigops.ts'
export { type BlockSummary, summaryOf } from './summary.ts'
export { type TxInputJson, type TxJson, type TxOutputJson, txOf, txsOf } from './txsOf.ts'
export { witnessItemsOf } from './witness.ts'

export type BitcoinCodec = Decoder & {
  readonly network: Network
  payloads(block: DecodedBlock): BlockPayloads
  /** Address text of every output of a block, null where there is none. */
  readonly addressTexts: AddressTexts
  checkBlock(block: DecodedBlock, options?: CheckOptions): void
  /** Merkle root of ids in display order, and whether a level repeats a hash (CVE-2012-2459). */
  merkleRoot(ids: Uint8Array): { root: Uint8Array; isMutated: boolean }
}

/**
 * Opens the codec of one network: compiles its hashing once. It holds memory only; nothing needs closing. With `arena`,
 * what it decodes lies there: whoever resets it is done with all of that.
 */
export function openBitcoinCodec({
  network,
  arena = new Arena(),
}: {
  network: Network
  arena?: Arena
}): BitcoinCodec {
  const hasher = openHasher(arena)
  return {
    network,
    ...createDecoder({ hasher, network, arena }),
    payloads: block => payloadsOf(block, arena),
    addressTexts: createAddressTexts(hasher, network),
    checkBlock: (block, options) => checkBlock(hasher, block, options),
    merkleRoot: ids => merkleRoot(hasher, ids),
  }
}
