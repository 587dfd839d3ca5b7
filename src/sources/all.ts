import { assessments } from './assessments.ts'
import { BITCOIN_RECORDINGS, BITCOIN_SOURCES } from './bitcoin.ts'
import { defillamaTvl } from './defillama.ts'
import { LAYER_RECORDINGS, LAYER_SOURCES } from './layers.ts'
import type { LiveSource } from './live.ts'
import { MARKET_RECORDINGS } from './market.ts'
import type { Recording } from './recording.ts'
import type { SourceDeclaration } from './source.ts'
import { STACKS_RECORDINGS, stacksChain } from './stacks.ts'

/** Recorded series of every chain. */
export const RECORDINGS: readonly Recording[] = [
  ...BITCOIN_RECORDINGS,
  ...STACKS_RECORDINGS,
  ...LAYER_RECORDINGS,
  ...MARKET_RECORDINGS,
]

/** Publishers that are asked again and again. */
export const LIVE_SOURCES: readonly LiveSource[] = [defillamaTvl]

/** Every source that figures may come from. */
export const SOURCES: readonly SourceDeclaration[] = [
  ...BITCOIN_SOURCES,
  stacksChain,
  ...STACKS_RECORDINGS,
  ...LAYER_SOURCES,
  ...MARKET_RECORDINGS,
  assessments,
  ...LIVE_SOURCES,
]
