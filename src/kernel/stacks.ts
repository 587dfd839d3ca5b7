/** Closed sets of the Stacks vocabulary that codec, tables and pages share. The numbers are those of the wire. */

/** Chain ids: what a transaction's signature commits to. Source: stacks-core `stacks-common/src/libcommon.rs`. */
export const CHAIN_IDS = { mainnet: 1, testnet: 2147483648 } as const

/** Version bytes of addresses. Source: stacks-core `stacks-common/src/address/mod.rs`. */
export const ADDRESS_VERSIONS = {
  mainnetSinglesig: 22,
  mainnetMultisig: 20,
  testnetSinglesig: 26,
  testnetMultisig: 21,
} as const

/** Whose contracts the chain itself made. Source: stacks-core `boot_code_addr`. */
export const BOOT_ADDRESSES = {
  mainnet: 'SP000000000000000000002Q6VF78',
  testnet: 'ST000000000000000000002AMW42H',
} as const

/** Reward cycles of the main network, in Bitcoin heights. Source: stacks-core `stackslib/src/core/mod.rs`. */
export const REWARD_CYCLES = { firstHeight: 666_050, lengthBlocks: 2100, firstOfPox5: 141 } as const

/**
 * Where each version of PoX let go of its locks on the main network, Bitcoin heights.
 * Source: stacks-core `stackslib/src/core/mod.rs` (v1 to v4 unlock heights).
 */
export const POX_UNLOCK_HEIGHTS = {
  pox: 781_552,
  'pox-2': 787_652,
  'pox-3': 840_361,
  'pox-4': 960_230,
} as const

/**
 * Who made the contracts of sBTC: anyone may print the same from a contract of the same name, so these alone count.
 * Source: stacks-sbtc/sbtc `docker/mainnet/sbtc-signer/signer-config.toml`; `docker/sbtc/signer` for the test network.
 */
export const SBTC_DEPLOYERS = {
  mainnet: 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4',
  regtest: 'SN3R84XZYA63QS28932XQF3G1J8R9PC3W76P9CSQS',
} as const

/** Contracts of the sBTC token. */
export const SBTC_TOKENS: readonly string[] = Object.values(SBTC_DEPLOYERS).map(
  deployer => `${deployer}.sbtc-token`,
)

/** Version bytes of transactions; only the highest bit counts. */
export const TRANSACTION_VERSIONS = { mainnet: 0x00, testnet: 0x80 } as const

export const NETWORK_NAMES = ['mainnet', 'testnet', 'devnet', 'mocknet'] as const
export type NetworkName = (typeof NETWORK_NAMES)[number]

export const AUTH_TYPES = { 4: 'Standard', 5: 'Sponsored' } as const
export type AuthType = (typeof AUTH_TYPES)[keyof typeof AUTH_TYPES]

/** How public keys make an address. The non-sequential ones (order-independent multisig) are SIP-027, epoch 2.5 on. */
export const HASH_MODES = {
  0: 'P2PKH',
  1: 'P2SH',
  2: 'P2WPKH',
  3: 'P2WSH',
  5: 'P2SHNonSequential',
  7: 'P2WSHNonSequential',
} as const
export type HashMode = (typeof HASH_MODES)[keyof typeof HASH_MODES]

export const ANCHOR_MODES = { 1: 'onChainOnly', 2: 'offChainOnly', 3: 'any' } as const
export type AnchorMode = (typeof ANCHOR_MODES)[keyof typeof ANCHOR_MODES]

/** `Originator` is epoch 3.4 on: deny for what the origin owns, allow for the rest. */
export const POST_CONDITION_MODES = { 1: 'Allow', 2: 'Deny', 3: 'Originator' } as const
export type PostConditionMode = (typeof POST_CONDITION_MODES)[keyof typeof POST_CONDITION_MODES]

/** `Staking` and `PoX` are epoch 4.0 on. */
export const POST_CONDITION_ASSETS = {
  0: 'STX',
  1: 'Fungible',
  2: 'NonFungible',
  3: 'Staking',
  4: 'PoX',
} as const

export const FUNGIBLE_CODES = {
  1: 'Equal',
  2: 'Greater',
  3: 'GreaterEqual',
  4: 'Less',
  5: 'LessEqual',
} as const
export type FungibleCode = (typeof FUNGIBLE_CODES)[keyof typeof FUNGIBLE_CODES]

/** `MaybeSent` is epoch 3.4 on. */
export const NON_FUNGIBLE_CODES = { 16: 'Sends', 17: 'DoesNotSend', 18: 'MaybeSent' } as const
export type NonFungibleCode = (typeof NON_FUNGIBLE_CODES)[keyof typeof NON_FUNGIBLE_CODES]

export const POX_CODES = { 48: 'WillNotPerform', 49: 'MayPerform', 50: 'WillPerform' } as const
export type PoxCode = (typeof POX_CODES)[keyof typeof POX_CODES]

/** By the byte of the wire. */
export const PAYLOAD_KINDS = [
  'token_transfer',
  'smart_contract',
  'contract_call',
  'poison_microblock',
  'coinbase',
  'coinbase_to_alt_recipient',
  'versioned_smart_contract',
  'tenure_change',
  'nakamoto_coinbase',
] as const

/**
 * Why a tenure changed, by the byte of the wire. The text of SIP-034 numbers the last five otherwise; the node decides what is
 * on chain, and its numbers are these. Source: stacks-core `stacks-codec/src/transaction.rs`.
 */
export const TENURE_CHANGE_CAUSES = [
  'BlockFound',
  'Extended',
  'ExtendedRuntime',
  'ExtendedReadCount',
  'ExtendedReadLength',
  'ExtendedWriteCount',
  'ExtendedWriteLength',
] as const
export type TenureChangeCause = (typeof TENURE_CHANGE_CAUSES)[number]

/** Versions of the language that a contract can name. Source: stacks-core `ClarityVersion`. */
export const CLARITY_VERSIONS = [1, 2, 3, 4, 5, 6] as const

/** What a transaction is: by its payload, an operation made on Bitcoin, or of a kind that was not known when it was read. */
export const STACKS_TX_KINDS = [...PAYLOAD_KINDS, 'bitcoin_op', 'unknown'] as const
export type StacksTxKind = (typeof STACKS_TX_KINDS)[number]

/** How a transaction ended, in the node's words; `problematic_skipped` is epoch 4.0 on. */
export const STACKS_TX_STATUSES = [
  'success',
  'abort_by_response',
  'abort_by_post_condition',
  'problematic_skipped',
  'unknown',
] as const
export type StacksTxStatus = (typeof STACKS_TX_STATUSES)[number]

/** From whom a block came: a node's events, a node's RPC, the public API. */
export const STACKS_BLOCK_SOURCES = ['events', 'node', 'api'] as const
export type StacksBlockSource = (typeof STACKS_BLOCK_SOURCES)[number]

/** Parts of a block that its source may not tell. Events of a node lack none of them. */
export const STACKS_BLOCK_PARTS = [
  /** How transactions ended, what they returned and cost, and which contracts were made. */
  'receipts',
  'events',
  /** How many events were rolled back with their transaction. */
  'rolled_back_events',
  'miner_rewards',
  /** The Bitcoin transaction of the commit that won. */
  'miner_txid',
  'tenure_height',
  /** Consensus hash, signatures of miner and signers, the microblock that it stands on. */
  'header',
  /** Reward set of the cycle that the block fixed. */
  'reward_set',
  /** Reward addresses of that set. */
  'reward_addresses',
  'contract_interfaces',
  /** Which PoX contract locked. */
  'lock_contracts',
  /** What was asked for on Bitcoin. */
  'bitcoin_ops',
  /** Operations made on Bitcoin, and what microblocks carried. */
  'other_transactions',
] as const
export type StacksBlockPart = (typeof STACKS_BLOCK_PARTS)[number]

export const STACKS_ASSET_STANDARDS = ['stx', 'ft', 'nft'] as const
/** What a token’s contract follows, by what it answers. */
export const STACKS_TOKEN_STANDARDS = ['sip-010', 'sip-009', 'sip-013', 'none'] as const
export type StacksTokenStandard = (typeof STACKS_TOKEN_STANDARDS)[number]
export const STACKS_TRANSFER_ACTIONS = ['transfer', 'mint', 'burn'] as const

/** What a Clarity value is, once optionals and responses are opened. */
export const CLARITY_KINDS = [
  'int',
  'uint',
  'bool',
  'buffer',
  'string-ascii',
  'string-utf8',
  'principal',
  'none',
  'list',
] as const
export type ClarityKind = (typeof CLARITY_KINDS)[number]

/** Least value, in US dollars, of the side of a pool that a price is told in: below it anyone could set the price. */
export const LIQUIDITY_FLOOR_USD = 1_000
