import { isPassing, NodeError } from '../../node/errors.ts'
import type { StacksCodec } from '../decode.ts'
import type { BlockMessage } from '../messages/block.ts'
import type { BurnBlockMessage } from '../messages/burnBlock.ts'
import type { Hex } from '../messages/fields.ts'
import type { ApiBlock } from './apiAnswers.ts'
import type { ApiReader } from './apiReader.ts'
import { type ApiView, demandAgreement } from './apiView.ts'
import { type BlockParts, blockMessageOf, type Receipts } from './blockMessage.ts'
import type { NodePlace, NodeReader } from './nodeReader.ts'
import type { RawBlock } from './rawBlock.ts'
import type { StacksPlace, StacksView } from './source.ts'

/** The public API beside a node, for what its RPC does not tell. */
export type Beside = { readonly api?: ApiReader | undefined; readonly apiView?: ApiView | undefined }

/** Blocks of Stacks as a node's RPC has them: bytes that prove themselves, receipts of the public API where there is one. */
export function createNodeView(node: NodeReader, codec: StacksCodec, { api, apiView }: Beside): StacksView {
  const listed = new Map<Hex, NodePlace>()

  function keep(place: NodePlace): NodePlace {
    if (listed.size > 5_000) listed.clear()
    listed.set(place.id, place)
    return place
  }

  async function first(
    from: Pick<NodePlace, 'id' | 'consensusHash'>,
    signal?: AbortSignal,
  ): Promise<NodePlace> {
    for await (const place of node.down(from, signal)) return keep(place)
    throw new NodeError('node.reorged', `A Stacks node has no block ${from.id} any more.`)
  }

  async function* down(from: StacksPlace, signal?: AbortSignal): AsyncGenerator<StacksPlace> {
    const known = listed.get(from.id) ?? (await placeAt(from.height, signal))
    if (known?.id !== from.id)
      throw new NodeError(
        'node.reorged',
        `Block ${from.height} of the Stacks node is not ${from.id} any more.`,
      )
    for await (const place of node.down(known, signal)) yield keep(place)
  }

  async function placeAt(height: number, signal?: AbortSignal): Promise<NodePlace | null> {
    const found = await node.at(height, signal)
    return found === null ? null : (listed.get(found.id) ?? (await first(found, signal)))
  }

  async function block(place: StacksPlace, signal?: AbortSignal): Promise<BlockMessage> {
    const known = listed.get(place.id) ?? (await placeAt(place.height, signal))
    if (known?.id !== place.id)
      throw new NodeError(
        'node.reorged',
        `Block ${place.height} of the Stacks node is not ${place.id} any more.`,
      )
    const raw = await node.raw(known, signal)
    const { burnHeight, burnHash, burnTimeS } = await node.sortition(known.consensusHash, signal)
    if (burnHash !== known.burnHash)
      throw new NodeError('node.reorged', `Bitcoin changed under block ${place.height} of the Stacks node.`)
    const beside = await receiptsOf(known, raw, signal)
    const rewardSet = raw.beginsTenure ? await rewardSetOf(place.id, signal) : null
    return blockMessageOf({
      source: beside === null ? 'node' : 'api',
      height: place.height,
      id: place.id,
      parentId: place.parentId,
      headerHash: raw.headerHash,
      timeS: raw.timeS ?? burnTimeS,
      burn: { height: burnHeight, hash: burnHash, timeS: burnTimeS },
      minerTxid: beside?.header.minerTxid ?? null,
      tenureHeight: beside?.header.tenureHeight ?? null,
      raw,
      transactions: [...raw.transactions, ...(beside?.others ?? [])],
      beginsTenure: raw.beginsTenure,
      receipts: beside?.receipts ?? null,
      rewardSet,
    })
  }

  /** What the API adds; null where it is away, or does not have the block yet: a later message may hold more. */
  async function receiptsOf(
    place: NodePlace,
    raw: RawBlock,
    signal?: AbortSignal,
  ): Promise<{ header: ApiBlock; receipts: Receipts; others: RawBlock['transactions'] } | null> {
    if (api === undefined) return null
    try {
      const header = await api.block(place.id, signal)
      if (header === null) return null
      demandAgreement(header, raw)
      const inBlock = new Set(raw.transactions.map(({ txid }) => txid))
      const txids = header.txCount === inBlock.size ? [...inBlock] : await api.txidsOf(header, signal)
      const receipts = await api.receipts(header, txids, signal)
      const others = await api.others(receipts, raw.transactions, signal)
      return { header, receipts, others }
    } catch (thrown) {
      if (isPassing(thrown) || (thrown instanceof NodeError && AWAY.has(thrown.code))) return null
      throw thrown
    }
  }

  async function rewardSetOf(id: Hex, signal?: AbortSignal): Promise<BlockParts['rewardSet']> {
    if (apiView === undefined) return undefined
    try {
      const told = await apiView.rewardSetOf(id, signal)
      if (told === null || told === undefined) return told
      const set = await node.rewardSet(told.cycle, signal)
      return set === null ? told : { cycle: told.cycle, set, hasAddresses: true }
    } catch (thrown) {
      if (isPassing(thrown)) return undefined
      throw thrown
    }
  }

  async function burnBlock(
    burn: { readonly height: number; readonly hash: Hex },
    signal?: AbortSignal,
  ): Promise<BurnBlockMessage> {
    const [here, below] = [
      await node.burnBlock(burn.height, signal),
      await node.burnBlock(burn.height - 1, signal),
    ]
    const told = await apiView?.burnBlock(burn, signal).catch(thrown => {
      if (isPassing(thrown)) return undefined
      throw thrown
    })
    return {
      ...burn,
      parentHash: below?.burnHash ?? null,
      consensusHash: here?.burnHash === burn.hash ? here.consensusHash : null,
      burnSat: told?.burnSat ?? null,
      payouts: told?.payouts ?? null,
      slotHolders: told?.slotHolders ?? null,
      commits: told?.commits ?? null,
      unknown: [],
    }
  }

  return {
    down,
    block,
    burnBlock,
    tip: async signal => {
      const { id, consensusHash } = await node.info(signal)
      return listed.get(id) ?? first({ id, consensusHash }, signal)
    },
    at: placeAt,
    async idAt(endpoint, height, signal) {
      const bytes = await endpoint.bytes(`/v3/blocks/height/${height}`, signal)
      return bytes === null ? null : `0x${codec.decodeNakamotoBlock(bytes).header.blockId}`
    },
  }
}

/** The API does not have the block as the node has it, or not yet. */
const AWAY: ReadonlySet<string> = new Set(['node.reorged', 'node.gap', 'node.wrong_chain'])
