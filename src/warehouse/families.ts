import { type BatchFamily, batchFamily } from './batchFamily.ts'
import { BTC_BATCH_TABLES, btcBatches, btcBlocks, btcIngestStates, btcStaleBlocks } from './tables/bitcoin.ts'
import { EVM_BATCH_TABLES, evmBatches, evmBlocks, evmIngestStates, evmStaleBlocks } from './tables/evm.ts'
import { STX_BATCH_TABLES, stxBatches, stxBlocks, stxIngestStates, stxStaleBlocks } from './tables/stacks.ts'
import {
  STX_BURN_BATCH_TABLES,
  stxBurnBatches,
  stxBurnBlocks,
  stxBurnIngestStates,
  stxBurnStaleBlocks,
} from './tables/stacksBurn.ts'

export const BITCOIN: BatchFamily = batchFamily({
  prefix: 'btc',
  log: btcBatches,
  tables: BTC_BATCH_TABLES,
  blocks: btcBlocks,
  stale: btcStaleBlocks,
  states: btcIngestStates,
})

export const EVM: BatchFamily = batchFamily({
  prefix: 'evm',
  log: evmBatches,
  tables: EVM_BATCH_TABLES,
  blocks: evmBlocks,
  stale: evmStaleBlocks,
  states: evmIngestStates,
})

export const STACKS: BatchFamily = batchFamily({
  prefix: 'stx',
  log: stxBatches,
  tables: STX_BATCH_TABLES,
  blocks: stxBlocks,
  stale: stxStaleBlocks,
  states: stxIngestStates,
})

/** Bitcoin as Stacks nodes report it: its reorgs are its own. */
export const STACKS_BURN: BatchFamily = batchFamily({
  prefix: 'stx_burn',
  log: stxBurnBatches,
  tables: STX_BURN_BATCH_TABLES,
  blocks: stxBurnBlocks,
  stale: stxBurnStaleBlocks,
  states: stxBurnIngestStates,
})

/** Every family that the warehouse holds. */
export const BATCH_FAMILIES: readonly BatchFamily[] = [BITCOIN, EVM, STACKS, STACKS_BURN]
