export {
  HASH160_BYTES,
  MEMO_BYTES,
  MOST_MULTISIG_KEYS,
  MOST_UINT,
  SIGNATURE_BYTES,
} from '#kernel/stacksRules.ts'

export const HASH_BYTES = 32
export const CONSENSUS_HASH_BYTES = 20
export const PUBLIC_KEY_BYTES = 33
export const VRF_PROOF_BYTES = 80
export const COINBASE_BYTES = 32

/** Longest transaction, and longest Stacks 2.x block, that a node reads. Source: stacks-core `MAX_TRANSACTION_LEN`. */
export const MOST_TRANSACTION_BYTES = 2 * 1024 * 1024
/** Longest message, and so longest Nakamoto block, that a node reads. Source: stacks-core `MAX_PAYLOAD_LEN`. */
export const MOST_BLOCK_BYTES = 1 + 16 * 1024 * 1024
