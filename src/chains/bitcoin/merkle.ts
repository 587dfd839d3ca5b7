import type { Hasher } from './hash/hasher.ts'

/**
 * Merkle root of ids in display order, 32 bytes each; in display order too. `isMutated` tells that two equal hashes stood
 * side by side on some level: the same root then also belongs to a block with transactions repeated (CVE-2012-2459), and
 * such a block must be refused. Source: Bitcoin Core `ComputeMerkleRoot`.
 */
export function merkleRoot(hasher: Hasher, ids: Uint8Array): { root: Uint8Array; isMutated: boolean } {
  let level = ids
  let isMutated = false
  while (level.length > 32) {
    isMutated ||= hasEqualPair(level)
    level = hasher.merkleLevel(level)
  }
  return { root: level.slice(), isMutated }
}

function hasEqualPair(level: Uint8Array): boolean {
  for (let at = 0; at + 64 <= level.length; at += 64) {
    let i = 0
    while (i < 32 && level[at + i] === level[at + 32 + i]) i++
    if (i === 32) return true
  }
  return false
}
