import type { BurnBlockMessage } from '#chains/stacks/index.ts'
import { stxBurnBlocks, stxCommitOutputs, stxPayouts, stxSlotHolders } from '#warehouse/tables/stacksBurn.ts'
import { openColumns } from '../columns.ts'
import { type TableColumns, takeAll } from './writers.ts'

/** Rows of many Bitcoin blocks as Stacks nodes report them. */
export type BurnRows = {
  add(batch: number, block: BurnBlockMessage): void
  take(): TableColumns[]
}

export function openBurnRows(): BurnRows {
  const blocks = openColumns(stxBurnBlocks)
  const payouts = openColumns(stxPayouts)
  const slotHolders = openColumns(stxSlotHolders)
  const commitOutputs = openColumns(stxCommitOutputs)
  return {
    add(batch, block) {
      const at = { batch, height: block.height }
      blocks.add({
        ...at,
        hash: block.hash,
        prevHash: block.parentHash,
        consensusHash: block.consensusHash,
        burnSat: block.burnSat,
        payoutSat: block.payouts?.reduce((sum, { valueSat }) => sum + valueSat, 0n) ?? null,
        payoutCount: block.payouts?.length ?? null,
        slotHolderCount: block.slotHolders?.length ?? null,
        commitCount: block.commits?.length ?? null,
      })
      for (const [payoutIndex, payout] of (block.payouts ?? []).entries())
        payouts.add({ ...at, payoutIndex, ...payout })
      for (const [slotIndex, address] of (block.slotHolders ?? []).entries())
        slotHolders.add({ ...at, slotIndex, address })
      for (const [commitIndex, { txid, apparentSender, outputs }] of (block.commits ?? []).entries())
        for (const [outputIndex, output] of outputs.entries())
          commitOutputs.add({
            ...at,
            commitIndex,
            outputIndex,
            txid,
            ...output,
            apparentSender: apparentSender ?? '',
          })
    },
    take: () => takeAll({ blocks, payouts, slotHolders, commitOutputs }),
  }
}
