import { bitcoinLayersRecorded, explorersRecorded } from './recorded/bitcoinLocked.ts'
import { cryptofeesRecorded } from './recorded/cryptofees.ts'
import { defillamaDexsRecorded } from './recorded/defillamaDexs.ts'
import { defillamaAdaptersRecorded, defillamaProtocolsRecorded } from './recorded/defillamaProtocols.ts'
import { defillamaStablesRecorded } from './recorded/defillamaStables.ts'
import { defillamaTvlRecorded } from './recorded/defillamaTvl.ts'
import { yieldChartsRecorded, yieldsRecorded } from './recorded/defillamaYields.ts'
import { FEED_RECORDINGS } from './recorded/priceFeeds.ts'
import { TOKEN_RECORDINGS } from './recorded/tokenMarkets.ts'
import type { Recording } from './recording.ts'

/** Recordings of what publishers say of layers, tokens and protocols. */
export const MARKET_RECORDINGS: readonly Recording[] = [
  defillamaTvlRecorded,
  defillamaProtocolsRecorded,
  defillamaAdaptersRecorded,
  defillamaStablesRecorded,
  defillamaDexsRecorded,
  cryptofeesRecorded,
  ...TOKEN_RECORDINGS,
  ...FEED_RECORDINGS,
  bitcoinLayersRecorded,
  explorersRecorded,
  yieldChartsRecorded,
  yieldsRecorded,
]
