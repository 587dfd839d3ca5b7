/** What each version of Clarity brought, and from where on it is what a contract is read as. */

/** A function is called, an allowance stands within `restrict-assets?` or `as-contract?`, a keyword stands for a value. */
export type WordKind = 'function' | 'allowance' | 'keyword'
export type ClarityWord = {
  readonly word: string
  readonly kind: WordKind
  /** The version that brought it, and the last that has it where a later one dropped it. */
  readonly from: 4 | 6
  readonly to?: 5
}

/**
 * Words that came with Clarity 4 (SIP-033) and Clarity 6 (SIP-044), in the order of their texts. Clarity 5 brought none: it
 * took `at-block` away (SIP-042).
 */
export const CLARITY_WORDS: readonly ClarityWord[] = [
  { word: 'contract-hash?', kind: 'function', from: 4 },
  { word: 'restrict-assets?', kind: 'function', from: 4 },
  { word: 'as-contract?', kind: 'function', from: 4 },
  { word: 'with-stx', kind: 'allowance', from: 4 },
  { word: 'with-ft', kind: 'allowance', from: 4 },
  { word: 'with-nft', kind: 'allowance', from: 4 },
  { word: 'with-stacking', kind: 'allowance', from: 4, to: 5 },
  { word: 'with-all-assets-unsafe', kind: 'allowance', from: 4 },
  { word: 'current-contract', kind: 'keyword', from: 4 },
  { word: 'to-ascii?', kind: 'function', from: 4 },
  { word: 'stacks-block-time', kind: 'keyword', from: 4 },
  { word: 'secp256r1-verify', kind: 'function', from: 4 },
  { word: 'secp256k1-decompress?', kind: 'function', from: 6 },
  { word: 'ed25519-verify', kind: 'function', from: 6 },
  { word: 'get-bitcoin-tx-output?', kind: 'function', from: 6 },
  { word: 'verify-merkle-proof', kind: 'function', from: 6 },
  { word: 'with-staking', kind: 'allowance', from: 6 },
  { word: 'with-pox', kind: 'allowance', from: 6 },
]

/**
 * The version that the main network reads a contract as whose transaction names none: that of the epoch, by the Bitcoin height
 * at which it begins. Newest first. Source: stacks-core `stackslib/src/core/mod.rs`, `ClarityVersion::default_for_epoch`.
 */
export const CLARITY_DEFAULTS = [
  { burnHeight: 960_230, version: 6 },
  { burnHeight: 943_333, version: 5 },
  { burnHeight: 923_222, version: 4 },
  { burnHeight: 867_867, version: 3 },
  { burnHeight: 781_551, version: 2 },
  { burnHeight: 0, version: 1 },
] as const

/** Bitcoin height at which SIP-033 and its rider SIP-034 came into force (epoch 3.3). */
export const SIP033_HEIGHT = 923_222

/** What running a call costs, in the dimensions that a block, from Nakamoto on a tenure, has a budget of (SIP-006). */
export const COST_BUDGETS = ['runtime', 'read_count', 'read_length', 'write_count', 'write_length'] as const
export type CostBudget = (typeof COST_BUDGETS)[number]

/**
 * The budgets of the main network by the Bitcoin height from which they hold, newest first.
 * Source: stacks-core `stackslib/src/core/mod.rs` (`BLOCK_LIMIT_MAINNET_*`).
 */
export const BLOCK_BUDGETS: readonly (Readonly<Record<CostBudget, number>> & {
  readonly burnHeight: number
})[] = [
  {
    burnHeight: 960_230,
    runtime: 5_000_000_000,
    read_count: 30_000,
    read_length: 200_000_000,
    write_count: 15_000,
    write_length: 15_000_000,
  },
  {
    burnHeight: 713_000,
    runtime: 5_000_000_000,
    read_count: 15_000,
    read_length: 100_000_000,
    write_count: 15_000,
    write_length: 15_000_000,
  },
  {
    burnHeight: 0,
    runtime: 5_000_000_000,
    read_count: 7_750,
    read_length: 100_000_000,
    write_count: 7_750,
    write_length: 15_000_000,
  },
]
