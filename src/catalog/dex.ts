import { z } from 'zod'
import { Slug, Words } from './facts.ts'

const Path = Words
const Paths = z.union([Path, z.array(Path).min(1)])

/** What a figure needs of a print, and where it stands in it. */
export const DEX_NUMBERS = [
  'x',
  'y',
  'amount_in',
  'amount_out',
  'lp_fee',
  'protocol_fee',
  'fee_rate',
  'fee_rebate',
  'reserve_x',
  'reserve_y',
  'shares',
  'minted',
  'burned',
  'amplification',
] as const
export const DEX_TEXTS = ['token_x', 'token_y', 'token_in', 'token_out', 'trader'] as const

const Fields = z.partialRecord(z.enum([...DEX_NUMBERS, ...DEX_TEXTS]), Paths)

const Event = z.strictObject({
  kind: z.enum(['swap', 'add', 'remove', 'create']),
  /** Side that comes in: told by the name of the event, by the token printed, or by the transfers before it. */
  in: z.enum(['x', 'y', 'printed', 'legs']).optional(),
  fields: Fields,
})

const Contract = z.string().regex(/^S[0-9A-Z]{20,50}\.[\w-]+$/, 'must be address.name')

/** One generation of an exchange's contracts, and how its prints read. */
const Source = z.strictObject({
  name: Words,
  contracts: z.array(Contract).default([]),
  /** Names of contracts begin so: templates that are deployed by number. */
  begins: z.array(Contract).default([]),
  curve: z.enum(['product', 'power', 'stable', 'bins']),
  /** Where the pool's name stands; `self`: the contract is the pool. */
  pool: Words,
  /** Who holds what lies in the pool: a contract, the pool, or the contract that prints. */
  holder: z.union([z.literal('self'), z.literal('pool'), Contract]),
  /** Whether tokens and amounts are in the print, or follow from the transfers before it in its transaction. */
  legs: z.enum(['print', 'transfers']),
  /** Whether printed reserves are those after the event or before it; `summed`: none is printed. */
  reserves: z.enum(['after', 'before', 'summed']),
  /** Decimals in which reserves count whatever the token; absent: base units of the token. */
  decimals: z.int().min(0).max(18).optional(),
  /** One in the scale of printed rates of fees. */
  feeScale: z.int().positive().optional(),
  /** Fee that the contract has written in its source. */
  fixedFee: z
    .strictObject({ lp: z.int().nonnegative(), protocol: z.int().nonnegative(), of: z.int().positive() })
    .optional(),
  events: z.record(z.string(), Event),
})

/** How the prints of an exchange on Stacks read: one file a protocol in `catalog/stacks/dex/`. */
export const Dex = z.strictObject({
  protocol: Slug,
  sources: z.array(Source).min(1),
  notCovered: z.array(z.strictObject({ contract: Contract, why: Words })).default([]),
})
export type DexSource = z.infer<typeof Source>
export type DexEvent = z.infer<typeof Event>
export type CatalogDex = z.infer<typeof Dex>

/** Tokens of pools: `catalog/stacks/dex-tokens.json`. */
export const DexTokens = z.strictObject({
  about: Words,
  /** Contracts that stand for STX one to one. */
  stx: z.array(Contract),
  /** Tokens whose price is taken from publishers: as an asset of `prices`, or as a dollar. */
  anchors: z.array(z.strictObject({ token: Words, asset: Words })),
  tokens: z.array(z.strictObject({ token: Words, symbol: Words, decimals: z.int().min(0).max(18) })),
})
export type CatalogDexTokens = z.infer<typeof DexTokens>
