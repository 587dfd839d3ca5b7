import { signersOf } from '#chains/stacks/index.ts'
import { REWARD_CYCLES } from '#kernel/stacks.ts'
import { type Reader, readRows } from '../readRows.ts'

/** Who signed a block, among those who could. */
export type BlockSigners = {
  /** Reward cycle whose signers sign it. */
  cycle: number
  /** Part of the weight of all signers that signed it; null where the reward set of the cycle, or its signatures, are not held. */
  weightShare: number | null
  /** Whether the reward set of the cycle is held: without it nobody’s weight is known, nor who did not sign. */
  isSetHeld: boolean
  /** Whether the source of the block tells its signatures. */
  isTold: boolean
  /** The heaviest first. */
  signers: { key: string; weight: number | null; weightShare: number | null; hasSigned: boolean }[]
}

type Row = { key: string; weight: number; share: number }

/**
 * The signers of a Nakamoto block: keys recovered from the signatures of its header, beside the reward set of its cycle. Null for
 * a block from before signers. From Nakamoto on a cycle’s signers sign from its first Bitcoin block on.
 */
export async function readBlockSigners(
  reader: Reader,
  { height, burnHeight, isNakamoto }: { height: number; burnHeight: number; isNakamoto: boolean },
): Promise<BlockSigners | null> {
  const { firstHeight, lengthBlocks } = REWARD_CYCLES
  if (!isNakamoto || burnHeight < firstHeight) return null
  const cycle = Math.floor((burnHeight - firstHeight) / lengthBlocks)
  const [headers, set] = await Promise.all([
    readRows<{ header: string; signatures: string }>(
      reader,
      `SELECT lower(hex(header_hash)) AS header, base64Encode(signer_signatures) AS signatures
FROM stx_blocks
WHERE height = {height:UInt32}`,
      { height },
    ),
    readRows<Row>(
      reader,
      `SELECT lower(hex(signing_key)) AS key, weight, weight_share AS share
FROM stx_signer_weights
WHERE cycle = {cycle:UInt32}
ORDER BY weight DESC, key
LIMIT 1 BY key`,
      { cycle },
    ),
  ])
  const [header] = headers
  const signatures = Buffer.from(header?.signatures ?? '', 'base64')
  const signed = new Set(keysOf(signersOf(Buffer.from(header?.header ?? '', 'hex'), signatures)))
  const known = new Set(set.map(({ key }) => key))
  const isTold = signatures.length > 0
  const total = set.reduce((sum, { weight }) => sum + weight, 0)
  const of = set.reduce((sum, { key, weight }) => sum + (signed.has(key) ? weight : 0), 0)
  return {
    cycle,
    weightShare: isTold && total > 0 ? of / total : null,
    isSetHeld: set.length > 0,
    isTold,
    signers: isTold
      ? [
          ...set.map(({ key, weight, share }) => ({
            key,
            weight,
            weightShare: share,
            hasSigned: signed.has(key),
          })),
          // Keys that are not in the set, or of whose set nothing is held.
          ...[...signed]
            .filter(key => !known.has(key))
            .sort()
            .map(key => ({ key, weight: null, weightShare: null, hasSigned: true })),
        ]
      : [],
  }
}

const KEY_BYTES = 33
const keysOf = (keys: Uint8Array): string[] =>
  Array.from({ length: keys.length / KEY_BYTES }, (_, n) =>
    Buffer.from(keys.subarray(n * KEY_BYTES, (n + 1) * KEY_BYTES)).toString('hex'),
  )
