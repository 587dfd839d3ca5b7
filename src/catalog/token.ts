import { z } from 'zod'
import { Origin, Slug, Words } from './facts.ts'

export const TOKEN_KINDS = ['coin', 'governance', 'btc', 'stable', 'staked', 'meme'] as const

/** A coin or token: of which kind, where it lives, and under which names publishers price it. */
export const Token = z.strictObject({
  id: Slug,
  symbol: Words,
  name: Words,
  kind: z.enum(TOKEN_KINDS),
  /** Of a token that stands for bitcoin: who holds the bitcoin, and what it is a claim on. */
  custody: Words.optional(),
  claimOn: Slug.optional(),
  /** Slugs of `catalog/layers`; `bitcoin`, `stacks` and `ethereum` besides. */
  deployments: z
    .array(z.strictObject({ layer: Slug, contract: Words, decimals: z.int().min(0).max(36).nullable() }))
    .default([]),
  ids: z.strictObject({
    coingecko: Words.optional(),
    /** `coingecko:…` or `chain:0x…`, as coins.llama.fi takes it. */
    defillama: Words.optional(),
    /** Feed of its price in US dollars at Pyth, hexadecimal. */
    pyth: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
    /** Id in DefiLlama's list of stablecoins. */
    defillamaStable: Words.optional(),
  }),
  /** Asset under which daily prices are kept: `BTC`. */
  priceAsset: Words.optional(),
  origin: Origin,
})
export type CatalogToken = z.infer<typeof Token>
