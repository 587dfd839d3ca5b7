import type { CatalogDex, CatalogDexTokens } from '#catalog/index.ts'
import { Dex, DexTokens } from '#catalog/index.ts'
import alex from '../../catalog/stacks/dex/alex.json' with { type: 'json' }
import arkadiko from '../../catalog/stacks/dex/arkadiko.json' with { type: 'json' }
import bitflow from '../../catalog/stacks/dex/bitflow.json' with { type: 'json' }
import velar from '../../catalog/stacks/dex/velar.json' with { type: 'json' }
import tokensFile from '../../catalog/stacks/dex-tokens.json' with { type: 'json' }

/** Exchanges on Stacks whose prints are read, in the order of their slugs. */
export const DEXES: readonly CatalogDex[] = [alex, arkadiko, bitflow, velar].map(file => Dex.parse(file))

/** Wrappers, anchors of prices and decimals of tokens. */
export const DEX_TOKENS: CatalogDexTokens = DexTokens.parse(tokensFile)

export const DEX_SLUGS: readonly string[] = DEXES.map(({ protocol }) => protocol)
