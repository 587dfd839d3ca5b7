import type { StacksPostCondition } from '#http/contract.ts'
import { exactStx, grouped } from '../../format/figure.ts'
import { assetText, principalText } from './principal.ts'

/** What codes of Stacks are called in words. */

const KIND: Record<string, string> = {
  token_transfer: 'payment',
  contract_call: 'contract call',
  smart_contract: 'new contract',
  versioned_smart_contract: 'new contract',
  poison_microblock: 'report of a miner’s fork',
  coinbase: 'coinbase',
  coinbase_to_alt_recipient: 'coinbase to another',
  nakamoto_coinbase: 'coinbase',
  tenure_change: 'change of tenure',
  bitcoin_op: 'made on Bitcoin',
  unknown: 'of an unknown kind',
}
export const kindText = (kind: string): string => KIND[kind] ?? kind

const SOURCES: Readonly<Record<string, string>> = {
  events: 'the events of a node',
  node: 'a node’s RPC',
  api: 'the public API',
}
const PARTS: Readonly<Record<string, string>> = {
  receipts: 'how transactions ended and what they cost',
  events: 'events',
  rolled_back_events: 'how many events were rolled back',
  miner_rewards: 'rewards of miners',
  miner_txid: 'the commit that won',
  tenure_height: 'the height of its tenure',
  header: 'consensus hash, signatures and the microblock below',
  reward_set: 'the reward set that it fixed',
  reward_addresses: 'the addresses of the reward set that it fixed',
  contract_interfaces: 'interfaces of the contracts made',
  lock_contracts: 'which PoX contract locked',
  bitcoin_ops: 'requests on Bitcoin',
  other_transactions: 'operations on Bitcoin and transactions in microblocks',
}

/** From whom a block came and what it lacks for that. */
export const sourceText = ({ source, lacks }: { source: string; lacks: readonly string[] }): string => {
  const from = SOURCES[source] ?? source
  return lacks.length === 0
    ? from
    : `${from}, which does not report ${lacks.map(part => PARTS[part] ?? part).join(', ')}`
}

const COMPARED: Record<string, string> = {
  Equal: 'exactly',
  Greater: 'more than',
  GreaterEqual: 'at least',
  Less: 'less than',
  LessEqual: 'at most',
}

const NFT_CODE: Record<string, string> = { Sends: 'sends', DoesNotSend: 'keeps', MaybeSent: 'may send' }
const POX_CODE: Record<string, string> = {
  WillNotPerform: 'changes nothing of its stacking',
  MayPerform: 'may change its stacking',
  WillPerform: 'changes its stacking',
}

/** A post-condition as a sentence. Codes that are new stand as they are. */
export function conditionText({
  assetType,
  principal,
  code,
  asset,
  amount,
  tokenRepr,
}: StacksPostCondition): string {
  const who = principal === 'origin' ? 'The sender' : principalText(principal)
  const verb = assetType === 'Staking' ? 'locks' : 'sends'
  if (assetType === 'NonFungible') {
    const token = `${assetText(asset)} ${tokenRepr}`
    return `${who} ${NFT_CODE[code] ?? code} ${token}`
  }
  if (assetType === 'PoX') return `${who} ${POX_CODE[code] ?? code}`
  const much = asset === '' ? exactStx(amount) : `${grouped(amount)} ${assetText(asset)}`
  return `${who} ${verb} ${COMPARED[code] ?? code} ${much}`
}
