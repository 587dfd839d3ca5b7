import { z } from 'zod'
import { Origin, Slug, Words } from './facts.ts'

/** By what the constituents of an index are weighted: circulating market value, nothing, fees of 30 days. */
export const INDEX_WEIGHTINGS = ['cap', 'equal', 'fees'] as const
export type IndexWeighting = (typeof INDEX_WEIGHTINGS)[number]

/** An index of tokens: whom it may hold, and by which rules. */
export const MarketIndex = z
  .strictObject({
    id: Slug,
    name: Words,
    sentence: Words,
    /** The rule by which its members were chosen. */
    universe: Words,
    weighting: z.enum(INDEX_WEIGHTINGS),
    /** Largest weight of one constituent; where fewer than 1 ÷ this are eligible, each may have its equal part. */
    maxWeight: z.number().positive().max(1),
    /** Days for which a token must have had a price. */
    minAgeDays: z.int().min(1).max(1000),
    /** Least median of its daily trading volumes within 30 days, US dollars; 0: volumes are not asked for. */
    volumeFloorUsd: z.number().nonnegative(),
    /** What buying or selling costs in the net figures, hundredths of a percent of the amount. */
    costBps: z.number().nonnegative().max(1000),
    members: z
      .array(
        z.strictObject({
          /** In `catalog/tokens`. */
          token: Slug,
          /** Why it belongs to the universe. */
          why: Words,
          /** The layer in `catalog/layers` whose fees weigh it. */
          feesOf: Slug.optional(),
        }),
      )
      .min(2),
    origin: Origin,
  })
  .refine(
    ({ members }) => new Set(members.map(({ token }) => token)).size === members.length,
    'must name each member once',
  )
  .refine(
    ({ weighting, members }) => weighting !== 'fees' || members.every(({ feesOf }) => feesOf !== undefined),
    'must name the layer of each member, as fees weigh them',
  )
export type CatalogIndex = z.infer<typeof MarketIndex>
