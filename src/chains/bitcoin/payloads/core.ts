import { hash } from 'node:crypto'
import { SCRIPT_TYPES } from '#kernel/bitcoin.ts'
import hashPower from '../../../../catalog/rules/core-hash-power.json' with { type: 'json' }
import stake from '../../../../catalog/rules/core-stake.json' with { type: 'json' }
import { hexOf } from '../../hex.ts'
import { hash160Of, p2shScript, witnessScript } from '../address/scripts.ts'
import type { DecodedBlock, LayerOperation } from '../block.ts'
import { outputScriptOf } from '../txsOf.ts'
import { type DataOutput, startsWith } from './dataOutput.ts'

const CHAIN_IDS: readonly number[] = [1114, 1115, 1116]
const STAKE_BYTES = 48
const LST_STAKE_BYTES = 28
const TIMELOCKED_TYPES: readonly string[] = ['p2sh', 'v0_p2wsh']

/**
 * A stake on Core: OP_RETURN `SAT+`, version, chain id (1116 main network, 1115 and 1114 test networks), then for version 1
 * delegator, validator, relayer fee and the redeem script or its lock time; for version 2 (lstBTC) delegator and fee. The
 * staked output is the one that the redeem script hashes to (`isVerified`), else the first P2SH or P2WSH output. Not
 * covered: the stake of version 2, whose wallet is known to the chain only (`valueSat` 0); whether the stake was relayed.
 * Source: CoreDAO documentation, "Self-Custodial Bitcoin Staking Design"; core-genesis-contract `BitcoinStake.sol`.
 */
export function coreStakeOp(
  block: DecodedBlock,
  { txIndex, vout, data }: DataOutput,
): LayerOperation | undefined {
  if (data.length < LST_STAKE_BYTES || !startsWith(data, stake.tag)) return undefined
  const version = data[4]!
  const chainId = data.readUInt16BE(5)
  if (!CHAIN_IDS.includes(chainId) || (block.network === 'mainnet' && chainId !== 1116)) return undefined
  const delegator = `0x${hexOf(data.subarray(7, 27))}`
  if (version === 2) {
    const details = { version, chainId, delegator, feeCore: data[27]! }
    return { txIndex, vout, op: 'core.stake', valueSat: 0n, details, rule: 'core.sat_plus' }
  }
  if (version !== 1 || data.length < STAKE_BYTES) return undefined
  const script = data.subarray(STAKE_BYTES)
  const staked = stakedOutput(block, txIndex, script)
  if (staked === undefined) return undefined
  return {
    txIndex,
    vout: staked.vout,
    op: 'core.stake',
    valueSat: staked.valueSat,
    details: {
      version,
      chainId,
      delegator,
      validator: `0x${hexOf(data.subarray(27, 47))}`,
      feeCore: data[47]!,
      lockTime: lockTimeOf(script),
      isVerified: staked.isVerified,
    },
    rule: 'core.sat_plus',
  }
}

/**
 * A miner's delegation of hash power to Core: a coinbase output OP_RETURN `CORE`, version 1, validator 20, reward address
 * 20. Source: CoreDAO documentation, "Delegating hash"; core-genesis-contract `BtcLightClient.sol`.
 */
export function coreMergeMiningOp({ txIndex, vout, data }: DataOutput): LayerOperation | undefined {
  if (txIndex !== 0 || data.length !== 45 || !startsWith(data, hashPower.tag) || data[4] !== 1)
    return undefined
  return {
    txIndex,
    vout,
    op: 'core.merge_mining',
    valueSat: 0n,
    details: {
      validator: `0x${hexOf(data.subarray(5, 25))}`,
      rewardAddress: `0x${hexOf(data.subarray(25))}`,
    },
    rule: 'core.coinbase_tag',
  }
}

function stakedOutput(block: DecodedBlock, txIndex: number, redeemScript: Buffer) {
  const { txs, outputs } = block
  const first = txs.firstOutput[txIndex]!
  const possible = Array.from({ length: txs.firstOutput[txIndex + 1]! - first }, (_, vout) => vout).filter(
    vout => TIMELOCKED_TYPES.includes(SCRIPT_TYPES[outputs.scriptType[first + vout]!]!),
  )
  const p2sh = hexOf(p2shScript(hash160Of(redeemScript)))
  const p2wsh = hexOf(witnessScript(0, hash('sha256', redeemScript, 'buffer')))
  const verified = possible.find(vout => [p2sh, p2wsh].includes(hexOf(outputScriptOf(block, first + vout))))
  const vout = verified ?? possible[0]
  if (vout === undefined) return undefined
  return { vout, valueSat: outputs.valueSat[first + vout]!, isVerified: verified !== undefined }
}

/** Lock time of `04 <lock time> CLTV DROP …`, or of the four bytes alone; null for anything else. */
function lockTimeOf(script: Buffer): number | null {
  if (script.length === 4) return script.readUInt32LE(0)
  const isTimelock = script.length > 7 && script[0] === 4 && script[5] === 0xb1 && script[6] === 0x75
  return isTimelock ? script.readUInt32LE(1) : null
}
