/** The vocabulary of EVM chains that codec, tables and pages share. The order of closed sets is the stored code: append only. */

/** An EVM layer, by the name of its file in `catalog/chains`: which there are, the catalogue says. */
export type EvmLayer = string

/** How the environment variables of a layer begin: `B2_NETWORK`. */
const variableOf = (layer: EvmLayer): string => layer.toUpperCase().replaceAll('-', '_')
/** The environment variable that names the endpoints of a layer: `B2_NETWORK_RPC_URL`. */
export const rpcVariableOf = (layer: EvmLayer): string => `${variableOf(layer)}_RPC_URL`
/** The one that says from which height on it is followed: `B2_NETWORK_START_HEIGHT`. */
export const startVariableOf = (layer: EvmLayer): string => `${variableOf(layer)}_START_HEIGHT`

/**
 * What a transaction is, by its envelope (EIP-2718). `deposit` is the OP Stack's 0x7e, `remasc` Rootstock's payment of
 * miners at the end of each block; `unknown` is a type that the codec does not know and keeps raw; `unsigned` is a
 * system transaction in an ordinary envelope, of any type, that no key signed.
 */
export const EVM_TX_KINDS = [
  'unknown',
  'legacy',
  'access_list',
  'dynamic_fee',
  'blob',
  'set_code',
  'deposit',
  'remasc',
  'unsigned',
] as const
export type EvmTxKind = (typeof EVM_TX_KINDS)[number]

/**
 * How the hash of a block follows from the fields that a node gives. `standard`: keccak256 of the RLP of Ethereum's
 * header; `rootstock`: of Rootstock's; `stated`: by a rule that the fields do not show, so the node is taken at its word.
 */
export const EVM_HEADER_FORMS = ['standard', 'rootstock', 'stated'] as const
export type EvmHeaderForm = (typeof EVM_HEADER_FORMS)[number]

/** How a contract came to be. */
export const EVM_CREATION_KINDS = ['transaction', 'create', 'create2'] as const
export type EvmCreationKind = (typeof EVM_CREATION_KINDS)[number]

/** What a decoded event means, whoever emitted it. */
export const EVM_EVENT_KINDS = [
  'transfer',
  'nft_transfer',
  'multi_transfer',
  'approval',
  'swap',
  'pool_created',
  'liquidity_added',
  'liquidity_removed',
  'supply',
  'withdraw',
  'borrow',
  'repay',
  'liquidation',
  'bridge_in',
  'bridge_out',
  'other',
] as const
export type EvmEventKind = (typeof EVM_EVENT_KINDS)[number]

export const EVM_TOKEN_STANDARDS = ['erc20', 'erc721', 'erc1155'] as const
export type EvmTokenStandard = (typeof EVM_TOKEN_STANDARDS)[number]

/** Which way coins or tokens cross a bridge, seen from the layer. */
export const EVM_BRIDGE_DIRECTIONS = ['in', 'out'] as const
export type EvmBridgeDirection = (typeof EVM_BRIDGE_DIRECTIONS)[number]

/** What somebody does at a lender. */
export const EVM_LENDING_ACTIONS = ['supply', 'withdraw', 'borrow', 'repay', 'liquidation'] as const
export type EvmLendingAction = (typeof EVM_LENDING_ACTIONS)[number]
