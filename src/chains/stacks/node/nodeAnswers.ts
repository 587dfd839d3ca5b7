import { blockIdOf } from '../block/nakamotoBlock.ts'
import { parseRewardSet, type RewardSet } from '../messages/block.ts'
import { asFields, type Hex, hash, hex, listOf, need, text, u32 } from '../messages/fields.ts'

/** Answers of a Stacks node's RPC. Source: stacks-core `docs/rpc/openapi.yaml`, `stackslib/src/net/api`. */

const hash20 = hex(20)

/** `/v2/info`. */
export type NodeInfo = {
  /** Chain id: 1 on the main network. */
  readonly networkId: number
  readonly height: number
  readonly id: Hex
  readonly consensusHash: Hex
  readonly burnHeight: number
}

export function readInfo(json: unknown): NodeInfo {
  const info = asFields(json)
  const headerHash = need(info, 'stacks_tip', hash)
  const consensusHash = need(info, 'stacks_tip_consensus_hash', hash20)
  return {
    networkId: need(info, 'network_id', u32),
    height: need(info, 'stacks_tip_height', u32),
    id: `0x${blockIdOf(headerHash.slice(2), consensusHash.slice(2))}`,
    consensusHash,
    burnHeight: need(info, 'burn_block_height', u32),
  }
}

/** `/v3/sortitions/consensus/{hash}`: the Bitcoin block of a tenure. */
export type Sortition = {
  readonly burnHeight: number
  readonly burnHash: Hex
  readonly burnTimeS: number
  readonly consensusHash: Hex
}

export const readSortitions = listOf((json): Sortition => {
  const sortition = asFields(json)
  return {
    burnHeight: need(sortition, 'burn_block_height', u32),
    burnHash: need(sortition, 'burn_block_hash', hash),
    burnTimeS: need(sortition, 'burn_header_timestamp', u32),
    consensusHash: need(sortition, 'consensus_hash', hash20),
  }
})

/** `/v3/tenures/blocks/…`: the blocks of a tenure, the newest first; none where a Bitcoin block elected nobody. */
export type TenureBlocks = {
  readonly consensusHash: Hex
  readonly burnHeight: number
  readonly burnHash: Hex
  readonly blocks: readonly TenureBlock[]
}
export type TenureBlock = {
  readonly height: number
  readonly id: Hex
  readonly headerHash: Hex
  /** Of a block before Nakamoto the node puts it together of the wrong parts: not to be used. */
  readonly parentId: Hex
  readonly isNakamoto: boolean
}

export function readTenureBlocks(json: unknown): TenureBlocks {
  const tenure = asFields(json)
  return {
    consensusHash: need(tenure, 'consensus_hash', hash20),
    burnHeight: need(tenure, 'burn_block_height', u32),
    burnHash: need(tenure, 'burn_block_hash', hash),
    blocks: need(
      tenure,
      'stacks_blocks',
      listOf((item): TenureBlock => {
        const block = asFields(item)
        return {
          height: need(block, 'height', u32),
          id: need(block, 'block_id', hash),
          headerHash: need(block, 'block_hash', hash),
          parentId: need(block, 'parent_block_id', hash),
          isNakamoto: need(block, 'header_type', text) === 'nakamoto',
        }
      }),
    ),
  }
}

/** `/v3/stacker_set/{cycle}`. */
export const readStackerSet = (json: unknown): RewardSet =>
  need(asFields(json), 'stacker_set', parseRewardSet)
