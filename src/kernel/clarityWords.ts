/**
 * Words that a version of Clarity brought, as they stand in source.
 * Sources: SIP-033 (Clarity 4), SIP-044 (Clarity 6); Clarity 5 (SIP-039) repairs and adds none.
 */
export const CLARITY_WORDS = {
  4: [
    'contract-hash?',
    'restrict-assets?',
    'as-contract?',
    'with-stx',
    'with-ft',
    'with-nft',
    'with-stacking',
    'with-all-assets-unsafe',
    'current-contract',
    'to-ascii?',
    'stacks-block-time',
    'secp256r1-verify',
  ],
  6: [
    'secp256k1-decompress?',
    'ed25519-verify',
    'get-bitcoin-tx-output?',
    'verify-merkle-proof',
    'with-staking',
    'with-pox',
  ],
} as const

/** Version of Clarity → word, one row each. */
export const WORDS_BY_VERSION: readonly (readonly [version: number, word: string])[] = Object.entries(
  CLARITY_WORDS,
).flatMap(([version, words]) => words.map(word => [Number(version), word] as const))
