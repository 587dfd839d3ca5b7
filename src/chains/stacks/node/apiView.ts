import { NodeError } from '../../node/errors.ts'
import type { Pool } from '../../node/pool.ts'
import type { BlockMessage, RewardSet } from '../messages/block.ts'
import type { BurnBlockMessage } from '../messages/burnBlock.ts'
import { type Hex, hex } from '../messages/fields.ts'
import {
  type ApiBlock,
  type ApiPoxOutput,
  readApiBlock,
  readPoxOutput,
  readResults,
  readReward,
  readSigner,
  readSlotHolder,
} from './apiAnswers.ts'
import { type ApiReader, MOST_BLOCKS } from './apiReader.ts'
import { type BlockParts, blockMessageOf } from './blockMessage.ts'
import type { StacksEndpoint } from './endpoint.ts'
import { beginsTenure } from './rawBlock.ts'
import type { StacksPlace, StacksView } from './source.ts'

/** Blocks listed at a look for the tip: a few more than come between two looks. */
const NEWEST = 10
/** Bitcoin blocks whose payouts stand on the first pages. */
const REWARDS = 250
const SIGNERS = 250
const OUTPUTS = 30
const key = hex(33)

/** What the public API adds to a block. */
export type ApiView = StacksView & {
  rewardSetOf(blockId: Hex, signal?: AbortSignal): Promise<BlockParts['rewardSet']>
}

/** Blocks of Stacks as the public API has them. */
export function createApiView(api: ApiReader, pool: Pool<StacksEndpoint>): ApiView {
  /** Headers that were listed on the way down: the block need not be asked for again. */
  const listed = new Map<Hex, ApiBlock>()

  function keep(blocks: readonly ApiBlock[]): void {
    if (listed.size > 5_000) listed.clear()
    for (const block of blocks) listed.set(block.id, block)
  }

  async function* down(from: StacksPlace, signal?: AbortSignal): AsyncGenerator<StacksPlace> {
    let next = from.id
    for (;;) {
      const known = listed.get(next)
      const blocks = known === undefined ? await api.page(next, MOST_BLOCKS, signal) : [known]
      keep(blocks)
      yield* blocks
      const lowest = blocks.at(-1)!
      if (lowest.height <= 1) return
      next = lowest.parentId
    }
  }

  async function headerOf({ id, height }: StacksPlace, signal?: AbortSignal): Promise<ApiBlock> {
    const block = listed.get(id) ?? (await api.block(id, signal))
    if (block === null || block.id !== id)
      throw new NodeError('node.reorged', `Block ${height} of the public API is not ${id} any more.`)
    return block
  }

  async function block(place: StacksPlace, signal?: AbortSignal): Promise<BlockMessage> {
    const header = await headerOf(place, signal)
    const raw = await api.raw(header, signal)
    if (raw !== null) demandAgreement(header, raw)
    const known = raw?.transactions ?? []
    const txids =
      known.length === header.txCount ? known.map(({ txid }) => txid) : await api.txidsOf(header, signal)
    const receipts = await api.receipts(header, txids, signal)
    const transactions = [...known, ...(await api.others(receipts, known, signal))]
    const begins =
      raw?.beginsTenure ??
      (header.tenureHeight === header.height ||
        beginsTenure(transactions.flatMap(({ decoded }) => decoded ?? [])))
    return blockMessageOf({
      source: 'api',
      height: header.height,
      id: header.id,
      parentId: header.parentId,
      headerHash: header.headerHash,
      timeS: header.timeS,
      burn: { height: header.burnHeight, hash: header.burnHash, timeS: header.burnTimeS },
      minerTxid: header.minerTxid,
      tenureHeight: header.tenureHeight,
      raw,
      transactions,
      beginsTenure: begins,
      receipts,
      rewardSet: begins ? await rewardSetOf(header.id, signal) : null,
    })
  }

  async function rewardSetOf(blockId: Hex, signal?: AbortSignal): Promise<BlockParts['rewardSet']> {
    const fixed = (await api.cycles(signal)).find(each => each.blockId === blockId)
    if (fixed === undefined) return null
    const signers: { signingKey: Hex; weight: number; stackedUstx: bigint }[] = []
    for (let offset = 0; ; offset += SIGNERS) {
      const page = await pool.ask(
        (endpoint, until) =>
          endpoint.json(
            `/extended/v2/pox/cycles/${fixed.cycle}/signers?limit=${SIGNERS}&offset=${offset}`,
            readResults(readSigner),
            until,
          ),
        signal,
      )
      signers.push(...(page ?? []).map(each => ({ ...each, signingKey: key(each.signingKey) })))
      if (page === null || page.length < SIGNERS) break
    }
    const set: RewardSet = {
      addresses: [],
      // Sets before PoX-4 have none.
      signers: signers.length === 0 ? null : signers,
      thresholdUstx: null,
      startCycleState: 'null',
      unknown: [],
    }
    return { cycle: fixed.cycle, set, hasAddresses: false }
  }

  async function burnBlock(
    { height, hash }: { readonly height: number; readonly hash: Hex },
    signal?: AbortSignal,
  ): Promise<BurnBlockMessage> {
    const ask = <T>(path: string, read: (json: unknown) => T[]): Promise<T[] | null> =>
      pool.ask((endpoint, until) => endpoint.json(path, read, until), signal)
    const rewards = await ask(`/extended/v1/burnchain/rewards?limit=${REWARDS}`, readResults(readReward))
    const holders = await ask(
      `/extended/v1/burnchain/reward_slot_holders?limit=${REWARDS}`,
      readResults(readSlotHolder),
    )
    const paid = rewards?.filter(each => each.burnHash === hash).toSorted((a, b) => a.index - b.index) ?? []
    const due = holders?.filter(each => each.burnHash === hash).toSorted((a, b) => a.index - b.index) ?? []
    return {
      height,
      hash,
      parentHash: null,
      consensusHash: null,
      // Blocks without payouts are not listed: what was burnt in them is not told.
      burnSat: paid[0]?.burnSat ?? null,
      payouts: paid.length === 0 ? null : paid.map(({ recipient, valueSat }) => ({ recipient, valueSat })),
      slotHolders: due.length === 0 ? null : due.map(({ address }) => address),
      commits: commitsOf(await outputsOf(hash, ask)),
      unknown: [],
    }
  }

  return {
    down,
    block,
    burnBlock,
    rewardSetOf,
    async tip(signal) {
      const blocks = await api.page(undefined, NEWEST, signal)
      keep(blocks)
      return blocks[0]!
    },
    async at(height, signal) {
      const block = await api.block(height, signal)
      if (block !== null && block.height !== height)
        throw new NodeError('node.lied', `The public API gave block ${block.height} for height ${height}.`)
      if (block !== null) keep([block])
      return block
    },
    idAt: async (endpoint, height, signal) =>
      (await endpoint.json(`/extended/v2/blocks/${height}`, readApiBlock, signal))?.id ?? null,
  }
}

async function outputsOf(
  hash: Hex,
  ask: (path: string, read: (json: unknown) => ApiPoxOutput[]) => Promise<ApiPoxOutput[] | null>,
): Promise<ApiPoxOutput[]> {
  const outputs: ApiPoxOutput[] = []
  for (;;) {
    const page = await ask(
      `/extended/v2/burn-blocks/${hash}/pox-transactions?limit=${OUTPUTS}&offset=${outputs.length}`,
      readResults(readPoxOutput),
    )
    outputs.push(...(page ?? []))
    if (page === null || page.length < OUTPUTS) return outputs
  }
}

/** Null where none is told: older APIs know none, and a block without commits looks the same. */
function commitsOf(outputs: readonly ApiPoxOutput[]): BurnBlockMessage['commits'] {
  if (outputs.length === 0) return null
  return [...Map.groupBy(outputs, ({ txid }) => txid)].map(([txid, paid]) => ({
    txid,
    apparentSender: null,
    outputs: paid.map(({ recipient, valueSat, vout }) => ({ recipient, valueSat, vout })),
  }))
}

/** The bytes prove themselves; what the API says beside them must go with them. */
export function demandAgreement(
  header: ApiBlock,
  raw: {
    readonly height: number
    readonly parentId: Hex | null
    readonly headerHash: Hex
    readonly timeS: number | null
  },
): void {
  const differs =
    (raw.parentId !== null && raw.parentId !== header.parentId && 'its parent') ||
    (raw.headerHash !== header.headerHash && 'the hash of its header') ||
    (raw.timeS !== null && raw.timeS !== header.timeS && 'its time') ||
    (raw.timeS !== null && raw.height !== header.height && 'its height')
  if (differs)
    throw new NodeError(
      'node.lied',
      `The public API and the bytes of block ${header.id} differ in ${differs}.`,
      {
        hint: 'The block was not stored. Ask another endpoint.',
      },
    )
}
