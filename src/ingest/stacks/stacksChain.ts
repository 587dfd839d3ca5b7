import type { ArchivePart, BurnBlockMessage, StacksCodec } from '#chains/stacks/index.ts'
import type { Log } from '#kernel/log.ts'
import { type BatchFamily, STACKS, STACKS_BURN, type Warehouse } from '#warehouse/index.ts'
import { type StxOrigin, stxStaleBlocks } from '#warehouse/tables/stacks.ts'
import type { Range } from '../batchLog.ts'
import { openBurnRows } from '../rows/stacks/burnRows.ts'
import type { PrintCatalogue } from '../rows/stacks/eventRows.ts'
import { BlockTree } from './blockTree.ts'
import { BurnChain } from './burnChain.ts'
import { createFacts } from './facts.ts'
import { HeldBlocks } from './heldBlocks.ts'
import {
  finalRangesOf,
  readHashes,
  readHeldBlocks,
  readHeldBurnBlocks,
  readSettled,
  readWithoutReceipts,
} from './readHeld.ts'
import { openReaders, type Reading } from './reading/openReaders.ts'
import type { BlockHead, RawMessage, ReadMessage, ToldMessage } from './reading/readMessage.ts'

/** What taking in some messages has come to. */
export type Applied = {
  readonly messages: number
  /** Blocks whose rows were written. */
  readonly blocks: number
  readonly rowCount: number
  /** Blocks that were held already. */
  readonly duplicates: number
  /** Messages that could not be read: kept as they came. */
  readonly refused: number
  /** Messages of paths that nothing is known of: kept as they came. */
  readonly unknown: number
  /** Blocks that compete with what is settled: not followed, a line about each is kept. */
  readonly tooDeep: number
}

export type StacksChain = AsyncDisposable & {
  /** Takes in messages, all or none: readers see what follows from them once this returns. */
  apply(messages: readonly (RawMessage | ToldMessage)[], origin: StxOrigin): Promise<Applied>
  /** Which of these blocks are held, canonical or set aside. */
  held(places: readonly Placed[]): Promise<Set<string>>
  /** Which of these blocks readers see without how their transactions ended: a source that tells it tells more. */
  withoutReceipts(places: readonly Placed[]): Promise<Set<string>>
  /** The same of Bitcoin blocks. */
  heldBurn(places: readonly Placed[]): Promise<Set<string>>
  /** Reads part of an archive, while another may be taken in. */
  readPart(part: ArchivePart): Promise<Reading>
  /** Takes in what was read, in the order of arrival, and uses it up. */
  takeIn(reading: Reading, origin: StxOrigin): Promise<Applied>
  /** Reads again what is held and deletes what a stop or a failure has left behind. */
  recover(): Promise<void>
  /** Height of the canonical tip that may still change; undefined before the first block. */
  tip(): { readonly height: number; readonly id: string } | undefined
  burnTip(): number | undefined
  /** Stretches of canonical blocks that link to one another. */
  ranges(): readonly Range[]
}

type Placed = { readonly height: number; readonly id: string }

export type StacksChainDeps = {
  readonly warehouse: Warehouse
  readonly codec: StacksCodec
  readonly prints: PrintCatalogue
  readonly log: Log
  readonly now: () => number
  /** Threads that read large groups of messages; 0: read in place. */
  readonly threads?: number
  /** Bitcoin blocks after which nothing changes any more. */
  readonly depth?: number
  /** Heights that settled batches are put together by. */
  readonly mergeHeights?: number
}

/** Bitcoin reorgs of more than 100 blocks are not followed, as in Bitcoin ingest. */
const DEPTH = 100
const MERGE_HEIGHTS = 1000

/** The chain of Stacks and Bitcoin under it, as nodes tell them, in the warehouse. */
export function createStacksChain(deps: StacksChainDeps): StacksChain {
  const {
    warehouse,
    codec,
    prints,
    log,
    now,
    threads = 0,
    depth = DEPTH,
    mergeHeights = MERGE_HEIGHTS,
  } = deps
  const blocks = new HeldBlocks(warehouse, STACKS, now)
  const burnBlocks = new HeldBlocks(warehouse, STACKS_BURN, now)
  const tree = new BlockTree()
  const burn = new BurnChain()
  const facts = createFacts()
  const readers = openReaders({ codec, prints, threads })
  const burnRows = openBurnRows()
  /** Messages whose rows are not written yet. */
  const waiting = new Map<string, Waiting>()
  const waitingBurn = new Map<string, BurnBlockMessage>()
  const lateBurn: BurnBlockMessage[] = []
  const weights = new Map<string, number>()
  /** Settled blocks that are told again with more than is held. */
  const again = new Map<string, BlockHead>()
  let counts = noCounts()

  async function recover(): Promise<void> {
    waiting.clear()
    waitingBurn.clear()
    lateBurn.length = 0
    again.clear()
    weights.clear()
    burnRows.take()
    facts.clear()
    await blocks.recover()
    await burnBlocks.recover()
    const heldBurn = await readHeldBurnBlocks(warehouse, burnBlocks.log, depth)
    for (const { node, batch } of heldBurn) burnBlocks.place(node.hash, batch)
    burn.reset(
      heldBurn.map(({ node }) => node),
      new Set(heldBurn.filter(({ isLive }) => isLive).map(({ node }) => node.hash)),
    )
    const held = await readHeldBlocks(warehouse, blocks.log, depth)
    for (const { node, batch, weight } of held) {
      blocks.place(node.id, batch)
      weights.set(node.id, weight)
    }
    const live = held.filter(({ isLive }) => isLive)
    tree.reset(
      finalRangesOf(blocks.log, held),
      // What is live comes first, as it did.
      [...live, ...held.filter(({ isLive }) => !isLive)].map(({ node }) => node),
      new Set(live.map(({ node }) => node.id)),
    )
    // A stop between the two logs may have left the one behind the other.
    await show('observer')
  }

  function take(message: ReadMessage, index: number): void {
    const { path, receivedAtMs } = message
    const seenAt = Math.floor((receivedAtMs ?? now()) / 1000)
    counts.messages += 1
    switch (message.kind) {
      case 'block':
        takeBlock(message, seenAt, index)
        return
      case 'burn_block':
        takeBurnBlock(message.block)
        return
      case 'microblocks':
        facts.microblocks(message.microblocks, seenAt)
        return
      case 'mempool':
        facts.mempool(message.transactions, seenAt)
        for (const { json, reason } of message.unread) facts.keep(path, json, seenAt, reason)
        return
      case 'mempool_drop':
        facts.drop(message.drop, seenAt)
        return
      case 'refused':
        refuse(path, message.json, seenAt, message.reason)
        return
      case 'kept':
        if (!message.isKnown) {
          counts.unknown += 1
          log.warn(`A message to ${path} is stored, because the path is unknown.`, { path })
        }
        facts.keep(path, message.json, seenAt, message.isKnown ? '' : 'unknown path')
    }
  }

  function refuse(path: string, json: string, seenAt: number, reason: string): void {
    counts.refused += 1
    log.warn(`A message to ${path} could not be read and is stored: ${reason}`, { path })
    facts.keep(path, json, seenAt, reason)
  }

  function takeBlock(message: Extract<ReadMessage, { kind: 'block' }>, seenAt: number, index: number): void {
    const { head, fault, path } = message
    const { id, parentId, height, burnHeight, burnHash, weight } = head
    const known = weights.get(id)
    if (known !== undefined && known >= weight) {
      counts.duplicates += 1
      return
    }
    if (fault !== null) {
      refuse(path, fault.json, seenAt, fault.reason)
      return
    }
    if (known !== undefined) blocks.replace({ id, height })
    weights.set(id, weight)
    waiting.set(id, { head, index })
    tree.add({ id, parentId, height, burnHeight, burnHash })
  }

  function takeBurnBlock(block: BurnBlockMessage): void {
    const { hash, parentHash, height } = block
    if (height < burn.floor) lateBurn.push(block)
    else if (burn.add({ hash, parentHash, height })) waitingBurn.set(hash, block)
    else counts.duplicates += 1
  }

  /** Bitcoin blocks at settled heights: those of a gap are taken in, others come too late or again. */
  async function sortOutLateBurn(): Promise<void> {
    const held = await readHashes(
      warehouse,
      STACKS_BURN,
      lateBurn.map(({ height }) => height),
    )
    for (const block of lateBurn.splice(0)) {
      const winner = held.get(block.height)
      if (winner === block.hash) counts.duplicates += 1
      else if (winner !== undefined) counts.tooDeep += 1
      else if (burn.add(block)) waitingBurn.set(block.hash, block)
    }
  }

  /** Blocks at settled heights: known ones are duplicates unless they tell more, others come too late. */
  async function sortOutFinal(): Promise<void> {
    const late = [...waiting.values()].filter(({ head }) => tree.isFinal(head.height))
    const held = await readSettled(
      warehouse,
      late.map(({ head }) => head.height),
    )
    for (const one of late) {
      const block = one.head
      const settled = held.get(block.height)
      const winner = settled?.id
      forget(block.id)
      if (winner === block.id) {
        if (settled === undefined || settled.weight >= block.weight) counts.duplicates += 1
        else {
          // It stays settled: its rows alone are written anew.
          waiting.set(block.id, one)
          again.set(block.id, block)
          blocks.replace(block, settled.batch)
        }
        continue
      }
      counts.tooDeep += 1
      log.warn(`Block ${block.id} competes with settled height ${block.height} and is not followed.`, {
        height: block.height,
      })
      await warehouse.insertRows(stxStaleBlocks, [
        {
          height: block.height,
          hash: Buffer.from(block.id.slice(2), 'hex'),
          blockTime: block.timeS,
          winnerHash: winner === undefined ? null : Buffer.from(winner.slice(2), 'hex'),
          source: 'too late',
          seenAt: Math.floor(now() / 1000),
        },
      ])
    }
  }

  function forget(id: string): void {
    waiting.delete(id)
    weights.delete(id)
    tree.remove(id)
  }

  async function heldOf(
    family: BatchFamily,
    places: readonly Placed[],
    isOpen: (id: string) => boolean,
  ): Promise<Set<string>> {
    const settled = await readHashes(
      warehouse,
      family,
      places.filter(({ id }) => !isOpen(id)).map(({ height }) => height),
    )
    return new Set(
      places.filter(({ id, height }) => isOpen(id) || settled.get(height) === id).map(({ id }) => id),
    )
  }

  /** Chooses, writes and shows. */
  async function show(origin: StxOrigin, reading?: Reading): Promise<void> {
    await burnBlocks.show({
      blocks: [...burn.nodes()].map(({ hash, parentHash, height }) => ({
        id: hash,
        parentId: parentHash ?? '',
        height,
      })),
      canonical: burn.canonical,
      rows: async runs => {
        for (const { batch, ids } of runs) for (const id of ids) burnRows.add(batch, waitingBurn.get(id)!)
        return burnRows.take()
      },
      origin,
    })
    waitingBurn.clear()
    counts.rowCount += await blocks.show({
      blocks: [...tree.nodes(), ...again.values()],
      canonical: new Set([...tree.choose(burn.isOrphaned), ...again.keys()]),
      rows: async runs =>
        reading?.rowsOf(
          runs.map(({ batch, ids }) => ({ batch, messages: ids.map(id => waiting.get(id)!.index) })),
        ) ?? [],
      origin,
    })
    counts.blocks += waiting.size
    waiting.clear()
    for (const id of again.keys()) blocks.release(id)
    again.clear()
    await settle()
  }

  /** Nothing changes below the last Bitcoin blocks. */
  async function settle(): Promise<void> {
    const tip = tree.tip()
    if (tip !== undefined) {
      const lost = new Set(tree.settle(tip.burnHeight - depth).flatMap(({ id }) => blocks.release(id) ?? []))
      for (const { id } of [...tree.nodes()]) if (lost.has(blocks.batchOf(id) ?? -1)) forget(id)
      for (const id of weights.keys())
        if (tree.get(id) === undefined) {
          weights.delete(id)
          blocks.release(id)
        }
      await blocks.dropLost([...lost], 'another branch is settled')
      await blocks.merge(Math.min(...[...tree.nodes()].map(({ height }) => height)), mergeHeights)
    }
    if (burn.tip === undefined) return
    const before = new Set([...burn.nodes()].map(({ hash }) => hash))
    const lost = burn.settle(burn.tip - depth).flatMap(({ hash }) => burnBlocks.batchOf(hash) ?? [])
    for (const hash of before) if (!burn.has(hash)) burnBlocks.release(hash)
    const inUse = new Set([...burn.nodes()].map(({ hash }) => burnBlocks.batchOf(hash)))
    const unused = lost.filter(batch => !inUse.has(batch))
    await burnBlocks.dropLost(unused, 'another branch is settled')
    await burnBlocks.merge(burn.floor, mergeHeights)
  }

  async function takeIn(reading: Reading, origin: StxOrigin): Promise<Applied> {
    using group = reading
    counts = noCounts()
    for (const [index, message] of group.read.entries()) take(message, index)
    await sortOutLateBurn()
    await sortOutFinal()
    await show(origin, group)
    await facts.write(warehouse)
    return counts
  }

  return {
    recover,
    tip: () => tree.tip(),
    burnTip: () => burn.tip,
    held: places => heldOf(STACKS, places, id => weights.has(id)),
    withoutReceipts: places => readWithoutReceipts(warehouse, places),
    heldBurn: places => heldOf(STACKS_BURN, places, hash => burn.has(hash)),
    ranges: () => blocks.log.ranges(),
    takeIn,
    readPart: part => readers.readPart(part),
    apply: (messages, origin) => takeIn(readers.read(messages), origin),
    [Symbol.asyncDispose]: () => readers[Symbol.asyncDispose](),
  }
}

/** A block whose rows are not written yet. `index` is the position of its message in the group. */
type Waiting = { readonly head: BlockHead; readonly index: number }

const noCounts = () => ({
  messages: 0,
  blocks: 0,
  rowCount: 0,
  duplicates: 0,
  refused: 0,
  unknown: 0,
  tooDeep: 0,
})
