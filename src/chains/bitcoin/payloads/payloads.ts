import { Arena } from '#kernel/arena.ts'
import { DATA_PROTOCOLS, type DataProtocol, SCRIPT_TYPES } from '#kernel/bitcoin.ts'
import merge from '../../../../catalog/rules/rootstock-merge-mining.json' with { type: 'json' }
import type { BlockPayloads, DecodedBlock, Envelope, LayerOperation } from '../block.ts'
import { outputScriptOf } from '../txsOf.ts'
import { babylonStakeOp } from './babylon.ts'
import { coreMergeMiningOp, coreStakeOp } from './core.ts'
import { isCounterpartyData, isCounterpartyMultisig } from './counterparty.ts'
import { type DataOutput, dataOf, startsWith } from './dataOutput.ts'
import { envelopesOf } from './envelopes.ts'
import { rootstockOp } from './rootstock.ts'
import { sbtcSweepOp } from './sbtc.ts'
import { isStacksOutput, stacksOps } from './stacks.ts'

const OP_RETURN = SCRIPT_TYPES.indexOf('op_return')
const OP_13 = 0x5d
const P2MS = SCRIPT_TYPES.indexOf('p2ms')
const FIRST_RUNES_HEIGHT = 840_000

/** Bit of a protocol in `protocolMask`. */
export const bitOf = (protocol: DataProtocol): number => 1 << DATA_PROTOCOLS.indexOf(protocol)
const COUNTERPARTY = bitOf('counterparty')
const OTHER = bitOf('other')
const STAKED = bitOf('core') | bitOf('babylon')

/**
 * What the scripts and witnesses of a block carry beyond payments. Protocols of a transaction, by their rules: `stacks`,
 * `rootstock`, `babylon`, `core` where an operation of theirs was found; `runes` a 6a5d output (main network: from height
 * 840,000); `inscription` and `brc-20` an ord envelope; `counterparty` its prefix under ARC4, in OP_RETURN or bare
 * multisig; `omni` an OP_RETURN that starts `omni` (class C); `other` any OP_RETURN with bytes that matched nothing and is
 * no witness commitment. `opentimestamps` is never set: its commitment is a plain 32-byte hash, as many others are. Not
 * covered: Omni classes A and B, Counterparty in checksig outputs or tapscript.
 */
export function payloadsOf(block: DecodedBlock, arena = new Arena()): BlockPayloads {
  const { txs, outputs } = block
  const { firstOutput, hasWitness } = txs
  const { scriptType, scriptOffset, scriptLength } = outputs
  const envelopes: Envelope[] = []
  const operations: LayerOperation[] = []
  const protocolMask = arena.u16(txs.count)
  const opReturnBytes = arena.u32(txs.count)
  let opReturnCount = 0
  let runestoneCount = 0
  for (let tx = 0; tx < txs.count; tx++) {
    let mask = 0
    let isRunestone = false
    const end = firstOutput[tx + 1]!
    for (let o = firstOutput[tx]!; o < end; o++) {
      const type = scriptType[o]
      if (type === P2MS && isCounterpartyMultisig(outputScriptOf(block, o), firstInputTxid(block, tx)))
        mask |= COUNTERPARTY
      if (type !== OP_RETURN) continue
      const length = scriptLength[o]!
      opReturnCount += 1
      opReturnBytes[tx]! += length - 1
      if (length >= 2 && block.bytes[scriptOffset[o]! + 1] === OP_13) {
        isRunestone = true
        continue
      }
      const data = dataOf(block, o)
      const carrier = data && { txIndex: tx, vout: o - firstOutput[tx]!, data }
      mask |= carrier === undefined ? (length > 1 ? OTHER : 0) : readCarrier(block, carrier, mask, operations)
    }
    if (isRunestone) {
      runestoneCount += 1
      const isActive =
        block.network !== 'mainnet' || block.height === null || block.height >= FIRST_RUNES_HEIGHT
      mask |= isActive ? bitOf('runes') : OTHER
    }
    if (hasWitness[tx] === 1) {
      for (const envelope of envelopesOf(block, tx)) {
        mask |= bitOf('inscription')
        if (envelope.isBrc20) mask |= bitOf('brc-20')
        envelopes.push(envelope)
      }
    }
    protocolMask[tx] = mask
  }
  const rootstock = rootstockOp(block)
  if (rootstock !== undefined) {
    operations.push(rootstock)
    protocolMask[0]! |= bitOf('rootstock')
  }
  return {
    envelopes,
    operations,
    protocolMask,
    opReturnBytes,
    opReturnCount,
    runestoneCount,
    inscriptionBytes: envelopes.reduce((sum, envelope) => sum + envelope.bodyBytes, 0),
  }
}

/**
 * Appends the operations that an OP_RETURN with one push carries; returns the protocols it belongs to. A transaction
 * stakes once: `mask` tells what it was found to be so far.
 */
function readCarrier(
  block: DecodedBlock,
  carrier: DataOutput,
  mask: number,
  operations: LayerOperation[],
): number {
  const { txIndex, data } = carrier
  if (isStacksOutput(block, carrier)) {
    operations.push(...stacksOps(block, carrier))
    return bitOf('stacks')
  }
  const hasStaked = (mask & STAKED) !== 0
  const stake = hasStaked ? undefined : (coreStakeOp(block, carrier) ?? babylonStakeOp(block, carrier))
  const found = coreMergeMiningOp(carrier) ?? stake ?? sbtcSweepOp(block, carrier)
  if (found !== undefined) {
    operations.push(found)
    return bitOf(
      found.op.startsWith('core.') ? 'core' : found.op.startsWith('babylon.') ? 'babylon' : 'stacks',
    )
  }
  if (startsWith(data, 'omni')) return bitOf('omni')
  if (data.length === 0 || (txIndex === 0 && isCoinbaseMark(data))) return 0
  return isCounterpartyData(data, firstInputTxid(block, txIndex)) ? COUNTERPARTY : OTHER
}

/** The witness commitment (BIP-141), and Rootstock's tag, which the coinbase as a whole is searched for. */
function isCoinbaseMark(data: Buffer): boolean {
  return (data.length >= 36 && data.readUInt32BE(0) === 0xaa21a9ed) || startsWith(data, merge.tag)
}

function firstInputTxid({ txs, inputs }: DecodedBlock, tx: number): Uint8Array {
  const first = txs.firstInput[tx]!
  return inputs.prevTxid.subarray(32 * first, 32 * first + 32)
}
