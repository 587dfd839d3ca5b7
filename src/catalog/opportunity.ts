import { z } from 'zod'
import { Day, Incident, Origin, Slug, Words } from './facts.ts'

/** What is done with the bitcoin. */
export const STRATEGIES = ['lend', 'lp', 'staking', 'basis', 'vault'] as const
export type Strategy = (typeof STRATEGIES)[number]

/** Whose keys stand behind a bitcoin on another chain. */
export const CUSTODIES = ['own key', 'several parties', 'one party', 'unknown'] as const
export type Custody = (typeof CUSTODIES)[number]

/** A page or a file that says so, and the day on which it was read. */
const Evidence = z.strictObject({ url: z.url(), date: Day })

/** How one gets out, in words; days that it takes and its price only where the evidence states them. */
const Exit = z.strictObject({
  how: Words,
  waitDays: z.number().nonnegative().optional(),
  /** Hundredths of a per cent of what is taken out. */
  feeBps: z.number().nonnegative().optional(),
  evidence: Evidence,
})

/** An audit as far as it is told: without `when` nobody says of which month. */
const Audit = z.strictObject({
  when: z
    .string()
    .regex(/^\d{4}(-\d{2}){1,2}$/, 'must be a month or a day: 2025-10 or 2025-10-23')
    .optional(),
  by: Words.optional(),
  what: Words,
  url: z.url(),
})

/** A bitcoin under the symbol that lists of pools have it by: who holds what it stands for. */
export const Bitcoin = z.strictObject({
  id: Slug,
  /** In capitals, as DefiLlama writes it. */
  symbol: z.string().regex(/^[A-Z0-9.]+$/, 'must be in capitals, as lists of pools write it'),
  name: Words,
  /** The token of the catalogue that it is: then that file says who holds the bitcoin. */
  token: Slug.optional(),
  custody: Words.optional(),
  custodyKind: z.enum(CUSTODIES),
  /** From the token to bitcoin on Bitcoin. */
  redeem: Exit.optional(),
  /** The way out is measured from withdrawals on our own rows. */
  isRedeemMeasured: z.literal(true).optional(),
  origin: Origin,
})
export type CatalogBitcoin = z.infer<typeof Bitcoin>

/** An application that offers yields, under the name that lists of pools have it by. */
export const YieldProject = z.strictObject({
  id: Slug,
  name: Words,
  strategy: z.enum(STRATEGIES),
  /** The application of the catalogue that it is: then audits and incidents are in that file. */
  protocol: Slug.optional(),
  website: z.url().optional(),
  audits: z.array(Audit).default([]),
  incidents: z.array(Incident).default([]),
  exit: Exit.optional(),
  /** In which rewards beside fees and interest are paid: the asset of its daily prices. */
  rewardAsset: Words.optional(),
  origin: Origin,
})
export type CatalogYieldProject = z.infer<typeof YieldProject>

/** A figure that our own rows or contract answers have of it. */
const Figure = z.strictObject({ metric: Words, entity: Slug, key: z.string() })

/** One way to earn with bitcoin. */
export const Opportunity = z.strictObject({
  id: Slug,
  name: Words,
  /** A file of `catalog/yield-projects`. */
  project: Slug,
  /** A file of `catalog/layers`, or another chain by its name in lists of pools. */
  layer: Words,
  /** Symbols of what is put in; those that are bitcoins have a file in `catalog/bitcoins`. */
  coins: z.array(Words).min(1),
  /** Its id in DefiLlama’s list of pools. */
  pool: z.uuid().optional(),
  /** Under which names lists of pools may have it, where its id there is not known: the largest such pool is it. */
  listed: z.strictObject({ projects: z.array(Words).min(1), chain: Words, symbol: Words }).optional(),
  /** Contract by which it is known on its layer: its pool or vault, the receipt of a deposit, or what tells its market’s figures. */
  contract: z
    .string()
    .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address of an EVM chain')
    .optional(),
  /** Price of a share in the coin that was put in: what it really earned follows from it. */
  share: Figure.optional(),
  /** Annual rate that contracts promise, a ratio. */
  rate: Figure.optional(),
  /** What lies in it, in base units of a coin with 8 decimals. */
  size: Figure.optional(),
  /** Most that may be put in, bitcoin, where somebody states it. */
  capacity: z.strictObject({ btc: z.number().positive(), evidence: Evidence }).optional(),
  /** Day on which a programme of rewards ends by the word of whoever pays them. */
  rewardsEnd: z.strictObject({ day: Day, evidence: Evidence }).optional(),
  /** Of its own, where it is not that of the project. */
  exit: Exit.optional(),
  origin: Origin,
})
export type CatalogOpportunity = z.infer<typeof Opportunity>

/** What the catalogue says of yields on bitcoin. */
export type YieldFacts = {
  /** In the order of their ids, like the others. */
  readonly opportunities: readonly CatalogOpportunity[]
  readonly yieldProjects: readonly CatalogYieldProject[]
  readonly bitcoins: readonly CatalogBitcoin[]
}
