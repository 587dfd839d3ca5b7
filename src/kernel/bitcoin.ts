/** Closed sets of the Bitcoin vocabulary that codec, tables and pages share. The order is the stored code: append only. */

/** Output types, named as in `metrics.md`. */
export const SCRIPT_TYPES = [
  'unknown',
  'p2pk',
  'p2pkh',
  'p2ms',
  'p2sh',
  'v0_p2wpkh',
  'v0_p2wsh',
  'v1_p2tr',
  'anchor',
  'op_return',
] as const
export type ScriptType = (typeof SCRIPT_TYPES)[number]

/** Protocols that a transaction may carry data for; bit n of `protocolMask` is the n-th name. Order is the priority. */
export const DATA_PROTOCOLS = [
  'stacks',
  'rootstock',
  'babylon',
  'core',
  'runes',
  'brc-20',
  'inscription',
  'counterparty',
  'omni',
  'opentimestamps',
  'other',
] as const
export type DataProtocol = (typeof DATA_PROTOCOLS)[number]

/** What a layer does on Bitcoin. */
export const LAYER_OPS = [
  'stacks.block_commit',
  'stacks.leader_key',
  'stacks.pox_payout',
  'stacks.stack_stx',
  'stacks.pre_stx',
  'stacks.transfer_stx',
  'stacks.delegate_stx',
  'stacks.vote_for_aggregate_key',
  'stacks.peg',
  'stacks.unknown',
  'rootstock.merge_mining',
  'babylon.stake',
  'core.stake',
  'core.merge_mining',
] as const
export type LayerOp = (typeof LAYER_OPS)[number]

export const NETWORKS = ['mainnet', 'testnet3', 'testnet4', 'signet', 'regtest'] as const
export type Network = (typeof NETWORKS)[number]

/** Satoshis of the block subsidy at `height` (halving each 210,000 blocks; 150 on regtest). Source: Bitcoin Core GetBlockSubsidy. */
export function subsidySat(height: number, network: Network = 'mainnet'): bigint {
  const halvings = Math.floor(height / (network === 'regtest' ? 150 : 210_000))
  return halvings >= 64 ? 0n : 5_000_000_000n >> BigInt(halvings)
}
