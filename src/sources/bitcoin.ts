import { brkPrices, fiatPrices } from './btcPrices.ts'
import { etfFlows } from './etfFlows.ts'
import { lightning, mempoolBytes, mempoolFees, mempoolSize, utxoCounts } from './mempool.ts'
import { foundryHashrate, hashpriceDaily } from './mining.ts'
import { blockchainCom, coreDaily } from './networkDaily.ts'
import type { Recording } from './recording.ts'
import type { SourceDeclaration } from './source.ts'
import { UNRECORDED } from './unrecorded.ts'

/** Our own rows, decoded and checked from blocks. */
export const bitcoinChain: SourceDeclaration = {
  id: 'bitcoin.chain',
  name: 'Bitcoin blocks',
  url: 'https://bitcoin.org/bitcoin.pdf',
  licence: 'public chain data',
  rank: 0,
  cadenceSeconds: 3600,
  about:
    'Blocks decoded and checked here: header, merkle root, witness commitment; each input with the output it spends.',
}

export const getblockstats: SourceDeclaration = {
  id: 'bitcoin.getblockstats',
  name: 'Bitcoin Core getblockstats (m-marqx/BTC-RPC-Data)',
  url: 'https://github.com/m-marqx/BTC-RPC-Data',
  licence: 'MIT',
  rank: 1,
  cadenceSeconds: null,
  about:
    'A node’s own figures of 68,118 blocks in five stretches between 2009 and 2026-02-01. Core leaves the coinbase out of inputs, values, sizes and weights, and counts it in transactions and outputs.',
}

export const difficultyEpochs: SourceDeclaration = {
  id: 'electrum.checkpoints',
  name: 'Difficulty epochs (spesmilo/electrum and bitcoinj checkpoints)',
  url: 'https://github.com/spesmilo/electrum',
  licence: 'MIT; Apache-2.0',
  rank: 2,
  cadenceSeconds: null,
  about:
    'Compact target of each epoch; both sources agree on 436 of 436. Start times are missing for some above 878,976.',
}

export const staleBlocks: SourceDeclaration = {
  id: 'bitcoin-data.stale-blocks',
  name: 'Stale blocks (bitcoin-data/stale-blocks)',
  url: 'https://github.com/bitcoin-data/stale-blocks',
  licence: 'MIT',
  rank: 10,
  cadenceSeconds: null,
  about:
    '1,932 stale blocks as the list has them; 1,092 without a header, so without a time; a sample only after 2026-02.',
}

export const BITCOIN_RECORDINGS: readonly Recording[] = [
  brkPrices,
  fiatPrices,
  coreDaily,
  blockchainCom,
  hashpriceDaily,
  foundryHashrate,
  mempoolFees,
  mempoolSize,
  mempoolBytes,
  lightning,
  utxoCounts,
  etfFlows,
]

export const BITCOIN_SOURCES: readonly SourceDeclaration[] = [
  bitcoinChain,
  getblockstats,
  difficultyEpochs,
  staleBlocks,
  ...BITCOIN_RECORDINGS,
  ...UNRECORDED,
]
