import { type BatchFamily, batchFamily } from './batchFamily.ts'
import { BTC_BATCH_TABLES, btcBatches, btcBlocks, btcIngestStates, btcStaleBlocks } from './tables/bitcoin.ts'
import { EVM_BATCH_TABLES, evmBatches, evmBlocks, evmIngestStates, evmStaleBlocks } from './tables/evm.ts'

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

/** Every family that the warehouse holds. */
export const BATCH_FAMILIES: readonly BatchFamily[] = [BITCOIN, EVM]
