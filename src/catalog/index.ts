export {
  type CatalogDex,
  type CatalogDexTokens,
  DEX_NUMBERS,
  DEX_TEXTS,
  Dex,
  type DexEvent,
  type DexSource,
  DexTokens,
} from './dex.ts'
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
export type { CatalogProtocol } from './protocol.ts'
export { type Catalog, type CatalogChain, type CatalogEvent, readCatalog } from './readCatalog.ts'
export type { CatalogRule } from './rule.ts'
export {
  APP_TABLES,
  type AppEvents,
  type AppFigure,
  type AppMarket,
  type AppPositions,
  type AppRead,
  operandsOf,
  type StacksApp,
} from './stacksApps.ts'
export { type CatalogToken, TOKEN_KINDS } from './token.ts'
export { RULE_GRADES, type TokenRule, type TokenRules } from './tokenRules.ts'
export { type CatalogTreasury, INSTRUMENT_KINDS, TREASURY_KINDS, type TreasuryKind } from './treasury.ts'
