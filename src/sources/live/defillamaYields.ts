import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import {
  doubtedDays,
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
const Listed = z.looseObject({ pool: z.string().min(1), symbol: z.string() })
const Pool = z.looseObject({ project: z.string().min(1), chain: z.string().min(1), tvlUsd: Usd })
/** Set by the publisher where a rate is far from what the pool and its like pay. */
const Outlier = z.boolean().nullish()
const MARKED = 'its publisher marks its rates as an outlier'

/** Pools with bitcoin as of now. */
export const defillamaYields: LiveSource = {
  ...shared,
  id: 'defillama.yields',
  name: 'DefiLlama: yields',
  cadenceSeconds: 3600,
  maxBytes: 60_000_000,
  about:
    'Value, base and reward yield of pools with bitcoin in their symbol at the moment of the answer, day by day as it is asked; those that the catalog follows are figures, all of them are in yield_listings. Rates of pools that DefiLlama marks as outliers are left out. A 0 stands for what is not known as for what pays nothing.',
  requests: () => [{ about: 'pools', url: 'https://yields.llama.fi/pools' }],
  read: (_, json, { catalog, seenAt }) => {
    const what = 'Pools of DefiLlama'
    const byId = entitiesByPool(catalog)
    const day = dayOf(seenAt)
    const poolListings: PoolListing[] = []
    const { data } = shaped(z.object({ data: z.array(z.unknown()) }), json, what)
    const parts = createParts(what)
    for (const { entry, at } of parts.entries(Listed, data, 'data')) {
      const { pool, symbol } = entry
      if (!byId.has(pool) && !namesBitcoin(symbol)) continue
      const listed = parts.read(Pool, entry, at)
      if (listed === undefined) continue
      const { project, chain, tvlUsd } = listed
      const isOutlier = parts.read(Outlier, listed.outlier, `${at}.outlier`) ?? null
      if (isOutlier) parts.refuse(`${at}.outlier`, MARKED)
      const rateOf = (field: 'apyBase' | 'apyReward') =>
        isOutlier ? null : ratioOf(parts.read(Percent, listed[field], `${at}.${field}`))
      const rates = { apyBase: rateOf('apyBase'), apyReward: rateOf('apyReward') }
      poolListings.push({ day, pool, project, chain, symbol, tvlUsd, ...rates, isOutlier })
    }
    const followed = followedOf(catalog, poolListings)
    const observations: EntityFigure[] = poolListings.flatMap(listed => {
      const entity = followed.get(listed.pool)
      return entity === undefined ? [] : [...figuresOfPool(entity, day, listed)]
    })
    return parts.answer({ observations, prices: [], poolListings })
  },
}

const Days = z.object({ data: z.array(z.unknown()) })
const Day = z.object({
  timestamp: z.iso.datetime(),
  tvlUsd: z.unknown(),
  apyBase: z.unknown(),
  apyReward: z.unknown(),
})

/** Pools that the catalogue follows, by day since their first. */
export const defillamaYieldCharts: LiveSource = {
  ...shared,
  id: 'defillama.yield_charts',
  name: 'DefiLlama: yields by day',
  rank: 9,
  cadenceSeconds: 86_400,
  about:
    'Value, base and reward yield of each pool that the catalog follows by UTC day, the last of each day; the day that is not over is left out, as are rates of days on which their publisher’s list marks the pool as an outlier. A 0 stands for what is not known as for what pays nothing.',
  requests: catalog =>
    [...entitiesByPool(catalog)].map(([pool, entity]) => ({
      about: entity,
      url: `https://yields.llama.fi/chart/${pool}`,
      pool,
    })),
  read: ({ about: entity }, json, { seenAt, marks = [] }) => {
    const what = `Yields of ${entity}`
    const parts = createParts(what)
    const list = shaped(Days, json, what).data
    const entries = parts.entries(Day, list, 'data')
    const read = new Set(entries.map(({ at }) => at))
    // An entry that cannot be read may be the last of the day beside it.
    const isBesideUnread = (at: string): boolean => {
      const index = Number(at.slice('data.'.length))
      return [index - 1, index + 1].some(i => i >= 0 && i < list.length && !read.has(`data.${i}`))
    }
    const isUnsure = new Set(
      entries.filter(({ at }) => isBesideUnread(at)).map(({ entry }) => entry.timestamp.slice(0, 10)),
    )
    // The chart has no mark of its own.
    const isDoubted = doubtedDays(marks)
    const samples = entries.map(({ entry, at }) => {
      const isOutlier = isDoubted(entry.timestamp.slice(0, 10))
      if (isOutlier) parts.refuse(at, MARKED)
      const rateOf = (field: 'apyBase' | 'apyReward') =>
        isOutlier ? null : ratioOf(parts.read(Percent, entry[field], `${at}.${field}`))
      const tvlUsd = parts.read(Usd, entry.tvlUsd, `${at}.tvlUsd`)
      return { time: entry.timestamp, tvlUsd, apyBase: rateOf('apyBase'), apyReward: rateOf('apyReward') }
    })
    // Of a day the last counts, in whatever order they come.
    const newest = new Map(
      samples.toSorted((a, b) => a.time.localeCompare(b.time)).map(one => [one.time.slice(0, 10), one]),
    )
    const observations = [...newest].flatMap(([day, sample]): EntityFigure[] =>
      isOver(day, seenAt) && !isUnsure.has(day) ? [...figuresOfPool(entity, day, sample)] : [],
    )
    return parts.answer({ observations, prices: [] })
  },
}
