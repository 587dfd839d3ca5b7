import type { BlockMessage, StacksCodec, StacksEvent } from '#chains/stacks/index.ts'
import { addEvents, type PrintCatalogue } from './eventRows.ts'
import { addTransactions, NO_COST } from './txRows.ts'
import { openUnknowns, type Unknowns } from './unknowns.ts'
import { openWriters, type Place, type TableColumns, takeAll, type Writers } from './writers.ts'

/** Rows of many blocks, column by column. */
export type StacksRows = {
  /** Adds the rows of one block, all or none. Throws `ingest.txid`, `ingest.value`. */
  add(batch: number, block: BlockMessage): void
  readonly rowCount: number
  /** The columns of every table that has rows. The rows start anew. */
  take(): TableColumns[]
}

/** Turns messages of blocks into rows. The rows of a block follow from its message and the catalogue alone. */
export function openStacksRows(codec: StacksCodec, prints: PrintCatalogue): StacksRows {
  const writers = openWriters()
  const all = Object.values(writers)

  function addBlock(batch: number, block: BlockMessage): void {
    const place = { batch, height: block.height, blockTime: block.timeS }
    const unknowns = openUnknowns(writers, place)
    const lacks = new Set(block.lacks)
    const committed = block.events.filter(({ isCommitted }) => isCommitted)
    const totals = addTransactions(writers, unknowns, codec, place, block, byTxid(committed))
    addEvents(writers, unknowns, codec, prints, place, block)
    addRewards(writers, place, block)
    addCycle(writers, unknowns, place, block)
    for (const { name, json } of block.unknown) unknowns.add('field', name, null, json)
    const { parentMicroblock, signerSignatures } = block
    writers.blocks.add({
      ...place,
      hash: block.id,
      prevHash: block.parentId,
      headerHash: block.headerHash,
      isNakamoto: totals.isNakamoto,
      consensusHash: block.consensusHash,
      tenureHeight: block.tenureHeight,
      burnHeight: block.burnHeight,
      burnHash: block.burnHash,
      burnTime: block.burnTimeS,
      minerTxid: block.minerTxid,
      txCount: block.transactions.length,
      failedTxCount: lacks.has('receipts') ? null : totals.failed,
      bitcoinOpCount: totals.bitcoinOps,
      unknownTxCount: totals.unknown,
      microblockTxCount: totals.inMicroblocks,
      contractCount: lacks.has('receipts') ? null : totals.contracts,
      eventCount: lacks.has('events') ? null : committed.length,
      rolledBackEventCount: lacks.has('rolled_back_events') ? null : block.events.length - committed.length,
      feeUstx: totals.feeUstx,
      minerRewardUstx: lacks.has('miner_rewards')
        ? null
        : block.minerRewards.reduce((sum, reward) => sum + totalOf(reward), 0n),
      ...(lacks.has('receipts') ? NO_COST : totals.cost),
      parentMicroblockHash: parentMicroblock?.hash ?? null,
      parentMicroblockSequence: parentMicroblock?.sequence ?? null,
      signerSignatureCount: signerSignatures?.length ?? null,
      signerBitvec: block.signerBitvec ?? '',
      minerSignature: block.minerSignature ?? NOTHING,
      signerSignatures: signerSignatures === null ? NOTHING : Buffer.concat(signerSignatures),
      cycle: block.cycle,
      source: block.source,
      lacks: block.lacks.join(','),
    })
  }

  return {
    get rowCount() {
      return all.reduce((sum, { rowCount }) => sum + rowCount, 0)
    },
    add(batch, block) {
      const counts = all.map(({ rowCount }) => rowCount)
      try {
        addBlock(batch, block)
      } catch (thrown) {
        for (const [i, writer] of all.entries()) writer.cut(counts[i]!)
        throw thrown
      }
    },
    take: () => takeAll(writers),
  }
}

const NOTHING = new Uint8Array(0)

function byTxid(events: readonly StacksEvent[]): Map<string, StacksEvent[]> {
  const found = new Map<string, StacksEvent[]>()
  for (const event of events) {
    const of = found.get(event.txid)
    if (of === undefined) found.set(event.txid, [event])
    else of.push(event)
  }
  return found
}

type Reward = BlockMessage['minerRewards'][number]
const totalOf = (reward: Reward): bigint =>
  reward.coinbaseUstx + reward.txFeesUstx + reward.streamedConfirmedUstx + reward.streamedProducedUstx

function addRewards({ minerRewards }: Writers, place: Place, block: BlockMessage): void {
  for (const [rewardIndex, reward] of block.minerRewards.entries())
    minerRewards.add({
      ...place,
      rewardIndex,
      recipient: reward.recipient,
      miner: reward.miner ?? '',
      coinbaseUstx: reward.coinbaseUstx,
      txFeeUstx: reward.txFeesUstx,
      streamedConfirmedUstx: reward.streamedConfirmedUstx,
      streamedProducedUstx: reward.streamedProducedUstx,
      fromHeaderHash: reward.fromHeaderHash,
      fromHash: reward.fromId,
    })
}

function addCycle(
  writers: Writers,
  unknowns: Unknowns,
  place: Place,
  { cycle, rewardSet, lacks }: BlockMessage,
): void {
  if (cycle === null || rewardSet === null) return
  const { addresses, signers } = rewardSet
  for (const { name, json } of rewardSet.unknown) unknowns.add('field', `reward_set.${name}`, null, json)
  writers.cycles.add({
    ...place,
    cycle,
    thresholdUstx: rewardSet.thresholdUstx,
    slotCount: lacks.includes('reward_addresses') ? null : addresses.length,
    signerCount: signers?.length ?? null,
    stackedUstx: signers?.reduce((sum, { stackedUstx }) => sum + stackedUstx, 0n) ?? null,
    startState: rewardSet.startCycleState,
  })
  const slots = new Map<string, number>()
  for (const address of addresses) slots.set(address, (slots.get(address) ?? 0) + 1)
  for (const [address, slotCount] of slots) writers.rewardSlots.add({ ...place, cycle, address, slotCount })
  for (const signer of signers ?? []) writers.signers.add({ ...place, cycle, ...signer })
}
