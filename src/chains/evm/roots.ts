import type { EvmBlock } from './block.ts'
import type { Hex } from './hex.ts'
import { rootstockRoot } from './rootstock/trie.ts'
import { orderedRoot } from './trie.ts'

/**
 * Whether a block's list of transactions or receipts, each in the bytes that the chain hashes, has the root `expected`.
 * Rootstock changed the form of its trie at Wasabi; a root tells by itself which one it is.
 */
export function rootMatches({ header }: EvmBlock, values: readonly Uint8Array[], expected: Hex): boolean {
  const wanted = expected.slice(2)
  if (header.form === 'standard') return orderedRoot(values).toString('hex') === wanted
  return (
    rootstockRoot(values, 'unitrie').toString('hex') === wanted ||
    rootstockRoot(values, 'orchid').toString('hex') === wanted
  )
}
