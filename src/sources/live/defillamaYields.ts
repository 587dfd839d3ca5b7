import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import {
  entitiesByPool,
  figuresOfPool,
  followedOf,
  namesBitcoin,
  type PoolListing,
  ratioOf,
} from '../yieldPools.ts'
import { dayOf, isOver } from './days.ts'
import { Usd } from './shapes.ts'

const shared = {
  url: 'https://defillama.com/yields',
  licence: 'none stated',
  rank: 10,
  requestsPerMinute: 60,
} as const

/** Per cents a year; null where the publisher has none, below zero for what lost. */
const Percent = z.number().nullable()

/** Of some fifteen thousand pools those with bitcoin are used; the figures of the others may be of any shape. */
const Listed = z.object({ pool: z.string().min(1), symbol: z.string() })
const Pool = z.object({
  project: z.string().min(1),
  chain: z.string().min(1),
  tvlUsd: Usd,
  apyBase: Percent,
  apyReward: Percent,
})

/** Pools with bitcoin as of now. */
export const defillamaYields: LiveSource = {
  ...shared,
  id: 'defillama.yields',
  name: 'DefiLlama: yields',
  cadenceSeconds: 3600,
  maxBytes: 60_000_000,
  about:
    'Value, base and reward yield of pools with bitcoin in their symbol at the moment of the answer, day by day as it is asked; those that the catalogue follows are figures, all of them are in yield_listings. A 0 stands for what is not known as for what pays nothing.',
  requests: () => [{ about: 'pools', url: 'https://yields.llama.fi/pools' }],
  read: (_, json, { catalog, seenAt }) => {
    const what = 'Pools of DefiLlama'
    const byId = entitiesByPool(catalog)
    const day = dayOf(seenAt)
    const poolListings: PoolListing[] = []
    const { data } = shaped(z.object({ data: z.array(Listed) }), json, what)
    for (const [i, { pool, symbol }] of data.entries()) {
      if (!byId.has(pool) && !namesBitcoin(symbol)) continue
      const said = shaped(Pool, (json as { data: unknown[] }).data[i], what, `data.${i}`)
      const { project, chain, tvlUsd } = said
      const rates = { apyBase: ratioOf(said.apyBase), apyReward: ratioOf(said.apyReward) }
      poolListings.push({ day, pool, project, chain, symbol, tvlUsd, ...rates })
    }
    const followed = followedOf(catalog, poolListings)
    const observations: EntityFigure[] = poolListings.flatMap(listed => {
      const entity = followed.get(listed.pool)
      return entity === undefined ? [] : [...figuresOfPool(entity, day, listed)]
    })
    return { observations, prices: [], poolListings }
  },
}

const Days = z.object({
  data: z.array(z.object({ timestamp: z.iso.datetime(), tvlUsd: Usd, apyBase: Percent, apyReward: Percent })),
})

/** Pools that the catalogue follows, by day since their first. */
export const defillamaYieldCharts: LiveSource = {
  ...shared,
  id: 'defillama.yield_charts',
  name: 'DefiLlama: yields by day',
  rank: 9,
  cadenceSeconds: 86_400,
  about:
    'Value, base and reward yield of each pool that the catalogue follows by UTC day, the last of each day; the day that is not over is left out. A 0 stands for what is not known as for what pays nothing.',
  requests: catalog =>
    [...entitiesByPool(catalog)].map(([pool, entity]) => ({
      about: entity,
      url: `https://yields.llama.fi/chart/${pool}`,
    })),
  read: ({ about: entity }, json, { seenAt }) => {
    const { data } = shaped(Days, json, `Yields of ${entity}`)
    // Of a day the last counts, in whatever order they come.
    const newest = new Map(
      data
        .toSorted((a, b) => a.timestamp.localeCompare(b.timestamp))
        .map(said => [said.timestamp.slice(0, 10), said]),
    )
    const observations = [...newest].flatMap(([day, { tvlUsd, apyBase, apyReward }]) =>
      isOver(day, seenAt)
        ? [
            ...figuresOfPool(entity, day, {
              tvlUsd,
              apyBase: ratioOf(apyBase),
              apyReward: ratioOf(apyReward),
            }),
          ]
        : [],
    )
    return { observations, prices: [] }
  },
}
