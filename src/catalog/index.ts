export type {
  CatalogDexTokens,
  CatalogExchange,
  DexEvent,
  DexSource,
} from './dex.ts'
export { ALL_ECOSYSTEMS, type BotRule, type CatalogEcosystem, pageOfEcosystem } from './ecosystem.ts'
export { CatalogError } from './errors.ts'
export { type EvmLayerFacts, readEvmLayers } from './evmLayer.ts'
export type { CatalogOrigin } from './facts.ts'
export { filesIn, readFacts } from './file.ts'
export {
  type CatalogLayer,
  GRADES,
  type Grade,
  LAYER_FAMILIES,
  LAYER_STATUSES,
  MEMORY_FIELDS,
  NO_GRADES,
  TRUST_CATEGORIES,
} from './layer.ts'
export { type CatalogIndex, INDEX_WEIGHTINGS, type IndexWeighting } from './marketIndex.ts'
export type { CatalogCollection } from './nftCollections.ts'
export {
  type CatalogBitcoin,
  type CatalogOpportunity,
  type CatalogYieldProject,
  CUSTODIES,
  type Custody,
  STRATEGIES,
  type Strategy,
  type YieldFacts,
} from './opportunity.ts'
export type { CatalogProtocol } from './protocol.ts'
export {
  type Catalog,
  type CatalogChain,
  type CatalogEvent,
  readCatalog,
  readStacksApps,
} from './readCatalog.ts'
export type { CatalogRule } from './rule.ts'
export {
  type CatalogSignal,
  SIGNAL_FAMILIES,
  type SignalRule,
  type SignalSide,
  TRANSFORM_KINDS,
  type TransformKind,
  thresholdOf,
} from './signal.ts'
export {
  APP_TABLES,
  type AppEvents,
  type AppFigure,
  type AppMarket,
  type AppPositions,
  type AppRead,
  operandsOf,
  printingContracts,
  type StacksApp,
} from './stacksApps.ts'
export { type CatalogToken, TOKEN_KINDS } from './token.ts'
export { RULE_GRADES, type TokenRule, type TokenRules } from './tokenRules.ts'
export { type CatalogTreasury, INSTRUMENT_KINDS, TREASURY_KINDS, type TreasuryKind } from './treasury.ts'
