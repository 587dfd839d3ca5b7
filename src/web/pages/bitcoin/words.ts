/** What codes of the chain are called in words. */

const SCRIPT_TYPE: Record<string, string> = {
  p2pk: 'public key',
  p2pkh: 'public key hash',
  p2ms: 'bare multisig',
  p2sh: 'script hash',
  v0_p2wpkh: 'segwit key hash',
  v0_p2wsh: 'segwit script hash',
  v1_p2tr: 'taproot',
  anchor: 'anchor',
  op_return: 'OP_RETURN',
  unknown: 'unknown script',
}

export const scriptTypeText = (type: string): string => SCRIPT_TYPE[type] ?? type

const OPERATION: Record<string, string> = {
  'stacks.block_commit': 'Stacks miner commits to a block',
  'stacks.leader_key': 'Stacks miner registers a key',
  'stacks.pox_payout': 'Stacks pays a stacker',
  'stacks.stack_stx': 'STX are stacked from Bitcoin',
  'stacks.pre_stx': 'A Stacks operation is announced',
  'stacks.transfer_stx': 'STX are sent from Bitcoin',
  'stacks.delegate_stx': 'STX are delegated from Bitcoin',
  'stacks.vote_for_aggregate_key': 'Stacks signers vote for a key',
  'stacks.peg': 'sBTC moves in or out',
  'stacks.unknown': 'A Stacks operation of an unknown kind',
  'rootstock.merge_mining': 'The block also mines Rootstock',
  'babylon.stake': 'Bitcoin is staked in Babylon',
  'core.stake': 'Bitcoin is locked for Core',
  'core.merge_mining': 'The miner lends its hashrate to Core',
}

export const operationText = (op: string): string => OPERATION[op] ?? op

/** `parentBlockHeight` → `parent block height`. */
export const fieldText = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()

/** How a pool was recognised: `tag:/F2Pool/` and `address:…` in words. */
export function poolRuleText(rule: string): string {
  const [kind, ...rest] = rule.split(':')
  const text = rest.join(':')
  if (kind === 'tag') return `by its words “${text}” in the coinbase`
  if (kind === 'address') return `by the address ${text} that it pays`
  return rule
}

/** Entity whose colour a protocol or an operation takes. */
export function layerOf(name: string): string | undefined {
  const layer = name.split('.')[0] ?? ''
  return ['stacks', 'rootstock', 'babylon', 'core'].includes(layer) ? layer : undefined
}
