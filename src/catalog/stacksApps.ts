import { z } from 'zod'
import { Exchange } from './dex.ts'
import { Slug, Words } from './facts.ts'
import { Protocol } from './protocol.ts'

const Contract = z.string().regex(/^S[0-9A-Z]{27,40}\.[a-zA-Z][\w-]{0,127}$/, 'must be address.name')
const Path = z.string().regex(/^[\w-]+(?:\.[\w-]+)*$/, 'must be names with dots between them')
/** A text that goes into a statement as it stands. */
const Plain = z.string().regex(/^[\w .-]*$/, 'must be letters, digits, spaces, dots and dashes')

/** How a coin of an asset is priced: as another asset that has closes, times an exchange rate where one is named; or a dollar. */
const Price = z.union([
  z.strictObject({ asset: z.enum(['STX', 'BTC']), times: Plain.optional() }),
  z.strictObject({ usd: z.literal(1) }),
])

/** The borrow rate by utilisation as a contract was told it: points, and `per` of both. */
const Curve = z.strictObject({
  kind: z.literal('points'),
  per: z.int().positive(),
  utilisation: z.array(z.int().nonnegative()).min(2),
  rate: z.array(z.int().nonnegative()).min(2),
  /** Share of the interest that stays with the protocol, in `per`. */
  reserveFactor: z.int().nonnegative(),
  from: Words,
})

const Market = z.strictObject({
  id: Plain,
  asset: Contract,
  collateral: Contract.optional(),
  isDeprecated: z.literal(true).optional(),
  /** Its rate stands for the application in a single number; the first one unless one says so. */
  isMain: z.literal(true).optional(),
  curve: Curve.optional(),
})

/** A token that stands for staked STX: its contracts, of one that grows in number also of its shares. */
const StakedToken = z.strictObject({
  key: Plain,
  contracts: z.array(Contract).min(1),
  /** Its worth in STX grows; others pay rewards apart. */
  isGrowing: z.literal(true).optional(),
})

export const APP_TABLES = ['lend', 'cdp', 'lst', 'vault'] as const

const Kind = z.strictObject({
  /** The contract’s word for it; empty where it prints none. */
  event: Plain,
  kind: z.string().regex(/^[a-z_]+$/),
  /** A field by which prints without a word are told apart. */
  has: Path.optional(),
  /** Column of the view → field of the print. All of them must be there and be of the type of the column. */
  fields: z.record(z.string(), Path),
})

const Events = z.strictObject({
  table: z.enum(APP_TABLES),
  version: Plain,
  product: Plain.optional(),
  contracts: z.array(Contract).min(1),
  /** The asset that a contract deals in, where its prints do not name it. */
  assets: z.record(Contract, Contract).optional(),
  kinds: z.array(Kind).min(1),
  /** Words of other prints of these contracts, which mean nothing here: settings, transfers. */
  others: z.array(Plain).optional(),
})

const Argument = z.union([z.strictObject({ principal: z.string() }), z.strictObject({ uint: z.string() })])

const Read = z.strictObject({
  name: Plain,
  contract: Contract,
  function: z.string().regex(/^[a-z][\w-]*$/),
  arguments: z.array(Argument).optional(),
  /** It may refuse: its figures are left out then. */
  isOptional: z.literal(true).optional(),
  /** Of an older generation, which is asked apart and may be gone. */
  isDeprecated: z.literal(true).optional(),
})

const Whole = z.string().regex(/^[1-9]\d*$/)
/** Numbers of answers: the name of a read, then the fields that lead to it; a minus takes it away. */
const Operands = z.array(z.string().regex(/^-?[\w-]+(?:\.[\w-]+)*$/)).min(1)
const named = { metric: z.string(), key: Plain.optional(), entity: Slug.optional() }
const Figure = z.union([
  /** A whole number: the sum, times another one, over a third, rounded down as contracts do. */
  z.strictObject({ ...named, amount: Operands, times: Operands.optional(), over: Operands.optional() }),
  /** The sum, over another sum, over `per`. */
  z.strictObject({ ...named, ratio: Operands, over: Operands.optional(), per: Whole.optional() }),
  /** The rate of a kinked model in 1e12ths at its own utilisation; with `reserve` (1e8ths) what lenders get of it. */
  z.strictObject({
    ...named,
    kinked: z.strictObject({
      base: Path,
      slope1: Path,
      slope2: Path,
      kink: Path,
      debt: Path,
      assets: Path,
      reserve: Path.optional(),
    }),
  }),
])

/** How accounts stand is known from prints, and when they may be liquidated from answers. */
const Positions = z.discriminatedUnion('kind', [
  /** Each vault prints what it holds and owes, in dollars; `cdp.liquidation_ratio` by symbol says what it needs. */
  z.strictObject({ kind: z.literal('vaults'), version: Plain }),
  /** Shares of the debt of a market against one collateral; `lend.liquidation_ltv` by both says what they need. */
  z.strictObject({ kind: z.literal('shares'), market: Plain, collateral: Contract }),
  /**
   * Collateral and debt in many assets, by their numbers; what a mix needs is the term of the smallest group whose mask
   * has all of it, by the read that answers the groups.
   */
  z.strictObject({
    kind: z.literal('groups'),
    version: Plain,
    read: Plain,
    assets: z.array(
      z.strictObject({ id: z.int().min(0).max(63), market: Plain, isShare: z.literal(true).optional() }),
    ),
  }),
])

/** What an application on Stacks prints and answers, and what it means: `catalog/stacks/apps/<protocol>.json`. */
export const StacksApp = z.strictObject({
  protocol: Slug,
  about: Words,
  /** What `catalog/protocols` says of others, where it has no file of this application. */
  profile: Protocol.omit({ slug: true }).optional(),
  assets: z
    .record(
      Contract,
      z.strictObject({ symbol: Plain, decimals: z.int().nonnegative(), price: Price.optional() }),
    )
    .default({}),
  markets: z.array(Market).default([]),
  events: z.array(Events).default([]),
  exchange: Exchange.optional(),
  positions: Positions.optional(),
  tokens: z.array(StakedToken).optional(),
  /** How the contracts begin that hold what is stacked. */
  stakers: z.array(Contract).optional(),
  reads: z.array(Read).default([]),
  figures: z.array(Figure).default([]),
})
export type StacksApp = z.infer<typeof StacksApp>
export type AppEvents = StacksApp['events'][number]
export type AppRead = StacksApp['reads'][number]
export type AppFigure = StacksApp['figures'][number]
export type AppPositions = NonNullable<StacksApp['positions']>
export type AppMarket = StacksApp['markets'][number]

/** The contracts whose prints an application's file reads: whole names, and how the names of others begin. */
export const printingContracts = ({
  exchange,
  events,
}: StacksApp): { readonly contracts: readonly string[]; readonly begins: readonly string[] } => ({
  contracts: [...(exchange?.sources ?? []), ...events].flatMap(({ contracts }) => contracts),
  begins: (exchange?.sources ?? []).flatMap(({ begins }) => begins),
})

/** The numbers of answers that a figure is made of: the name of a read, then the fields that lead to each. */
export function operandsOf(figure: AppFigure): readonly string[] {
  if ('amount' in figure) return [...figure.amount, ...(figure.times ?? []), ...(figure.over ?? [])]
  if ('ratio' in figure) return [...figure.ratio, ...(figure.over ?? [])]
  return Object.values(figure.kinked).filter(path => path !== undefined)
}
