import type { LayerOp, Network } from '#kernel/bitcoin.ts'
import rule from '../../../../catalog/rules/stacks-operation.json' with { type: 'json' }
import { hexOf } from '../../hex.ts'
import { addressOf } from '../address/address.ts'
import type { DecodedBlock, LayerOperation } from '../block.ts'
import { outputScriptOf } from '../txsOf.ts'
import { type DataOutput, startsWith } from './dataOutput.ts'
import { isEd25519Point } from './ed25519Point.ts'
import { blockCommitOps } from './stacksCommit.ts'

/** Magic bytes: on the main network those of the catalogue (`X2`), `T2` on the public test network, `id` in the node's own tests. */
const MAGICS: Readonly<Record<Network, readonly string[]>> = {
  mainnet: [rule.tag],
  testnet3: ['T2'],
  testnet4: ['T2'],
  signet: ['T2'],
  regtest: ['T2', 'id'],
}

/** Whether an output carries a Stacks operation: output 0, one push, magic and an opcode. */
export function isStacksOutput({ network }: DecodedBlock, { vout, data }: DataOutput): boolean {
  return vout === 0 && data.length >= 3 && MAGICS[network].some(magic => startsWith(data, magic))
}

/**
 * The operation of Stacks that a transaction carries in its first output, and for a block commit its payouts too. What has
 * the magic but no form that the node would parse is `stacks.unknown`, with the reason. Whether the chain accepted an
 * operation (a known key, the right recipients, a pre-STX before it) cannot be told from Bitcoin alone.
 * Source: stacks-network/stacks-core, `stackslib/src/chainstate/burn/operations/`, `burnchains/bitcoin/blocks.rs`.
 */
export function stacksOps(block: DecodedBlock, carrier: DataOutput): LayerOperation[] {
  const payload = carrier.data.subarray(3)
  const opcode = String.fromCharCode(carrier.data[2]!)
  const one = (op: LayerOp, rule: string, details: LayerOperation['details'] | string): LayerOperation[] => [
    typeof details === 'string'
      ? operation(carrier, 'stacks.unknown', rule, { opcode, reason: details })
      : operation(carrier, op, rule, details),
  ]
  switch (opcode) {
    case '[':
      return blockCommitOps(block, carrier, payload)
    case '^':
      return one('stacks.leader_key', 'stacks.leader_key', leaderKey(block, carrier, payload))
    case 'x':
      return one('stacks.stack_stx', 'stacks.stack_stx', stackStx(block, carrier, payload))
    case 'p':
      return one('stacks.pre_stx', 'stacks.pre_stx', preStx(block, carrier))
    case '$':
      return one('stacks.transfer_stx', 'stacks.transfer_stx', transferStx(block, carrier, payload))
    case '#':
      return one('stacks.delegate_stx', 'stacks.delegate_stx', delegateStx(block, carrier, payload))
    case 'v':
      return one('stacks.vote_for_aggregate_key', 'stacks.vote_for_aggregate_key', vote(payload))
    default:
      return one('stacks.unknown', 'stacks.magic', 'opcode')
  }
}

type Details = LayerOperation['details']

/** Consensus hash 20 (ignored by the node), VRF key 32, memo; since Nakamoto the memo begins with the signing key's hash. */
function leaderKey(block: DecodedBlock, { txIndex }: DataOutput, payload: Buffer): Details | string {
  if (payload.length < 52) return 'too short'
  const vrfPublicKey = payload.subarray(20, 52)
  if (!isEd25519Point(vrfPublicKey)) return 'VRF key is no point of the curve'
  if (recipientOf(block, txIndex, 1) === undefined) return 'no second output'
  return {
    consensusHash: hexOf(payload.subarray(0, 20)),
    vrfPublicKey: hexOf(vrfPublicKey),
    memo: hexOf(payload.subarray(52)),
    signingKeyHash: payload.length >= 72 ? hexOf(payload.subarray(52, 72)) : null,
  }
}

/** µSTX 16, cycles 1, then optionally signer key 33, most µSTX 16, authorisation id 4. */
function stackStx(block: DecodedBlock, { txIndex }: DataOutput, payload: Buffer): Details | string {
  if (payload.length < 17) return 'too short'
  const rewardScript = recipientOf(block, txIndex, 1)
  if (rewardScript === undefined) return 'no second output'
  return {
    amountUstx: unsigned(payload, 0, 16),
    cycles: payload[16]!,
    signerKey: payload.length >= 50 ? hexOf(payload.subarray(17, 50)) : null,
    maxAmountUstx: payload.length >= 66 ? unsigned(payload, 50, 16) : null,
    authId: payload.length >= 70 ? payload.readUInt32BE(66) : null,
    rewardAddress: addressOf(rewardScript, block.network),
    preStxTxid: preStxTxid(block, txIndex),
  }
}

function preStx(block: DecodedBlock, { txIndex }: DataOutput): Details | string {
  const script = recipientOf(block, txIndex, 1)
  return script === undefined ? 'no second output' : { sender: addressOf(script, block.network) }
}

/** µSTX 16, memo of at most 61. */
function transferStx(block: DecodedBlock, { txIndex }: DataOutput, payload: Buffer): Details | string {
  if (payload.length < 16) return 'too short'
  if (payload.length > 77) return 'memo too long'
  const script = recipientOf(block, txIndex, 1)
  if (script === undefined) return 'no second output'
  return {
    amountUstx: unsigned(payload, 0, 16),
    memo: hexOf(payload.subarray(16)),
    recipient: addressOf(script, block.network),
    preStxTxid: preStxTxid(block, txIndex),
  }
}

/** µSTX 16, option byte and reward output 4, option byte and last height 8. Recipients are counted behind the carrier. */
function delegateStx(block: DecodedBlock, { txIndex }: DataOutput, payload: Buffer): Details | string {
  if (payload.length < 22) return 'too short'
  const [hasReward, hasHeight] = [payload[16]!, payload[21]!]
  if (hasReward > 1 || hasHeight > 1) return 'option byte'
  if (hasHeight === 1 && payload.length < 30) return 'too short'
  const delegate = recipientOf(block, txIndex, 1)
  if (delegate === undefined) return 'no second output'
  const reward = hasReward === 1 ? recipientOf(block, txIndex, 1 + payload.readUInt32BE(17)) : undefined
  return {
    amountUstx: unsigned(payload, 0, 16),
    delegateTo: addressOf(delegate, block.network),
    rewardAddress: reward === undefined ? null : addressOf(reward, block.network),
    untilBurnHeight: hasHeight === 1 ? unsigned(payload, 22, 8) : null,
    preStxTxid: preStxTxid(block, txIndex),
  }
}

/** Signer index 2, aggregate key 33, round 4, cycle 8; exactly. */
function vote(payload: Buffer): Details | string {
  if (payload.length !== 47) return 'length'
  return {
    signerIndex: payload.readUInt16BE(0),
    aggregateKey: hexOf(payload.subarray(2, 35)),
    round: payload.readUInt32BE(35),
    rewardCycle: unsigned(payload, 39, 8),
  }
}

/** Stacking, transfers and delegations spend output 1 of the pre-STX that names their sender. */
function preStxTxid({ txs, inputs }: DecodedBlock, txIndex: number): string | null {
  const first = txs.firstInput[txIndex]!
  return inputs.prevVout[first] === 1 ? hexOf(inputs.prevTxid.subarray(32 * first, 32 * first + 32)) : null
}

/** Script of an output of a transaction, or undefined where it has no such output. */
function recipientOf(block: DecodedBlock, txIndex: number, vout: number): Uint8Array | undefined {
  const output = block.txs.firstOutput[txIndex]! + vout
  return output < block.txs.firstOutput[txIndex + 1]! ? outputScriptOf(block, output) : undefined
}

/** A big-endian integer as decimal text: µSTX amounts exceed what JSON numbers hold. */
function unsigned(payload: Buffer, at: number, byteCount: number): string {
  return BigInt(`0x${hexOf(payload.subarray(at, at + byteCount))}`).toString()
}

function operation(
  { txIndex, vout }: DataOutput,
  op: LayerOp,
  rule: string,
  details: LayerOperation['details'],
): LayerOperation {
  return { txIndex, vout, op, valueSat: 0n, details, rule }
}
