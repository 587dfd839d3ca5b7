import { HASH_BYTES } from '../constants.ts'
import { sha512Trunc256 } from '../hash.ts'

const LEAF_TAG = 0
const NODE_TAG = 1

/**
 * Merkle root of txids, lower-case hex. Leaves and nodes are tagged, so neither passes for the other; a row of odd length repeats
 * its last entry, the row of leaves also where it has but one. Source: stacks-core `stacks-common/src/util/hash.rs`, `MerkleTree`.
 */
export function merkleRoot(txids: readonly string[]): string {
  if (txids.length === 0) return '00'.repeat(HASH_BYTES)
  let row = txids.map(txid => tagged(LEAF_TAG, Buffer.from(txid, 'hex')))
  do {
    if (row.length % 2 === 1) row.push(row.at(-1)!)
    const next: Buffer[] = []
    for (let i = 0; i < row.length; i += 2) next.push(tagged(NODE_TAG, row[i]!, row[i + 1]!))
    row = next
  } while (row.length > 1)
  return row[0]!.toString('hex')
}

const tagged = (tag: number, ...parts: readonly Buffer[]): Buffer =>
  sha512Trunc256(Buffer.concat([Buffer.of(tag), ...parts]))
