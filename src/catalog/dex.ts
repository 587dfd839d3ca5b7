import { z } from 'zod'
import { Words } from './facts.ts'

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
  'factor',
  'midpoint_over',
  'midpoint_under',
  'bin_price',
] as const
export const DEX_TEXTS = ['token_x', 'token_y', 'token_in', 'token_out', 'trader'] as const

const Fields = z.partialRecord(z.enum([...DEX_NUMBERS, ...DEX_TEXTS]), Paths)

const Event = z.strictObject({
  /** `set`: nothing moves, a term of the pool is another. */
  kind: z.enum(['swap', 'add', 'remove', 'create', 'set']),
  /** Side that comes in: told by the name of the event, by the token printed, or by the transfers before it. */
  in: z.enum(['x', 'y', 'printed', 'legs']).optional(),
  fields: Fields,
})

const Contract = z.string().regex(/^S[0-9A-Z]{20,50}\.[\w-]+$/, 'must be address.name')

/** Where a print says how a bin stands after it; `at`: the print is of that bin. */
const BinPlaces = z
  .strictObject({
    bin: Path.optional(),
    at: z.int().nonnegative().optional(),
    x: Path,
    y: Path,
    shares: Path.optional(),
    price: Path.optional(),
  })
  .refine(({ bin, at }) => (bin === undefined) !== (at === undefined), 'must have either bin or at')

/** One generation of an exchange's contracts, and how its prints read. */
const Source = z
  .strictObject({
    name: Words,
    contracts: z.array(Contract).default([]),
    /** Names of contracts begin so: templates that are deployed by number. */
    begins: z.array(Contract).default([]),
    curve: z.enum(['product', 'power', 'stable', 'bins']),
    /** Where the pool's name stands; `self`: the contract is the pool. */
    pool: Words,
    /** The contract that gives the pools their numbers in prints of others beside it. */
    numberedBy: Contract.optional(),
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
    /** Functions whose arguments, by their positions, are the factors of the pools that a call goes through, in their order. */
    factorArgs: z.record(z.string(), z.array(z.int().nonnegative()).min(1)).optional(),
    /** How a stable pool takes its amplification: Ann = `times` · A; `scaled`: over reserves in the same decimals. */
    amplification: z
      .strictObject({
        times: z.int().positive(),
        scaled: z.boolean(),
        /** Names of pools that begin so follow a rate that no print states. */
        except: z.array(Contract).default([]),
      })
      .optional(),
    /** How the bins of a concentrated pool are told; numbers of bins are unsigned, `center` is what a signed one counts from. */
    bins: z
      .strictObject({
        center: z.int().nonnegative(),
        /** The active bin after the print, as a signed number: the first of these that is there. */
        active: z.array(Path).min(1),
        /** Basis points between two bins. */
        step: Path,
        places: z.array(BinPlaces).min(1),
      })
      .optional(),
    events: z.record(z.string(), Event),
  })
  .refine(({ contracts, begins }) => contracts.length + begins.length > 0, {
    path: ['contracts'],
    error: 'must name a contract, or how the names of contracts begin',
  })
  .refine(({ curve, bins }) => (curve === 'bins') === (bins !== undefined), {
    path: ['bins'],
    error: 'must be told of pools of the curve "bins", and of no others',
  })

const PoolToken = z.strictObject({ token: Words, symbol: Words, decimals: z.int().min(0).max(18) })

/** How the prints of an exchange on Stacks read: `exchange` of its file in `catalog/stacks/apps/`. */
export const Exchange = z.strictObject({
  sources: z.array(Source).min(1),
  notCovered: z.array(z.strictObject({ contract: Contract, why: Words })).default([]),
  /** Contracts of its own that stand for STX one to one. */
  stx: z.array(Contract).default([]),
  /** Tokens of its pools that `dex-tokens.json` does not have, read from the sources of their contracts. */
  tokens: z.array(PoolToken).default([]),
})
export type DexSource = z.infer<typeof Source>
export type DexEvent = z.infer<typeof Event>
/** An exchange by its slug. */
export type CatalogExchange = z.infer<typeof Exchange> & { readonly protocol: string }

/** Tokens of pools: `catalog/stacks/dex-tokens.json`. */
export const DexTokens = z.strictObject({
  about: Words,
  /** Contracts that stand for STX one to one. */
  stx: z.array(Contract),
  /** Tokens whose price is taken from publishers: as an asset of `prices`, or as a dollar. */
  anchors: z.array(z.strictObject({ token: Words, asset: Words })).min(1),
  tokens: z.array(PoolToken).min(1),
})
export type CatalogDexTokens = z.infer<typeof DexTokens>

/** Tokens of pools with those that exchanges name in their own files; where both have one, the common file speaks. */
export function withTokensOf(
  exchanges: readonly CatalogExchange[],
  { stx, tokens, ...common }: CatalogDexTokens,
): CatalogDexTokens {
  const known = new Set(tokens.map(({ token }) => token))
  const own = exchanges.flatMap(exchange => exchange.tokens).filter(({ token }) => !known.has(token))
  return {
    ...common,
    stx: [...new Set([...stx, ...exchanges.flatMap(exchange => exchange.stx)])],
    tokens: [...tokens, ...new Map(own.map(token => [token.token, token])).values()],
  }
}
