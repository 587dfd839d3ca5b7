import { decimal, parseCsv } from '../csv.ts'
import type { Observed, Recording } from '../recording.ts'
import { entitiesByPool, figuresOfPool, type PoolListing, ratioOf } from '../yieldPools.ts'

const shared = {
  licence: 'MIT (2023 Dune); data DefiLlama',
  url: 'https://github.com/PaulApivat/pipe-defillama-data-to-dune',
  rank: 20,
  cadenceSeconds: null,
} as const

export const yieldChartsRecorded: Recording = {
  ...shared,
  id: 'defillama.yield_charts.recorded',
  name: 'DefiLlama: yields of 49 pools by day (PaulApivat/pipe-defillama-data-to-dune)',
  about:
    'Value, base and reward yield of 49 pools with bitcoin on Arbitrum, Base and Ethereum by day, 2023-04-13 to 2025-10-06; of none is every day there. A 0 stands for what was not known as for what paid nothing, and the largest of 19,299 % a year is real in the source. Pools that the catalog follows are taken.',
  file: 'yield-charts.csv',
  recordedOn: '2025-10-06',
  *observe(text, catalog) {
    const followed = entitiesByPool(catalog)
    for (const row of parseCsv(text, ['date', 'pool', 'tvl_usd', 'apy_base', 'apy_reward'], this.file)) {
      const entity = followed.get(row.pool)
      if (entity !== undefined)
        yield* figuresOfPool(entity, row.date, {
          tvlUsd: decimal(row.tvl_usd, this.file) ?? 0,
          apyBase: ratioOf(decimal(row.apy_base, this.file)),
          apyReward: ratioOf(decimal(row.apy_reward, this.file)),
        })
    }
  },
}

export const yieldsRecorded: Recording = {
  ...shared,
  id: 'defillama.yields.recorded',
  name: 'DefiLlama: lists of pools with bitcoin on eight days (PaulApivat/pipe-defillama-data-to-dune)',
  about:
    'Pools of DEXs with BTC in their symbol as DefiLlama listed them on eight days from 2025-09-26 to 2025-10-06, of three of them 49 pools alone. Lenders and vaults are not in it, nor any pool of Stacks, Rootstock or Core. Whole in `yield_listings`; pools that the catalog follows are figures too.',
  file: 'yield-listings.csv',
  recordedOn: '2025-10-06',
  *observe(text, catalog): Iterable<Observed> {
    const followed = entitiesByPool(catalog)
    for (const { day, pool, ...listed } of recordedListings(text)) {
      const entity = followed.get(pool)
      if (entity !== undefined)
        for (const figure of figuresOfPool(entity, day, listed))
          yield { ...figure, observedAt: Date.parse(day) / 1000 }
    }
  },
}

/** The pools of the recorded lists. Throws `sources.shape`. */
export const recordedListings = (text: string): PoolListing[] => {
  const { file } = yieldsRecorded
  const columns = ['date', 'pool', 'project', 'chain', 'symbol', 'tvl_usd', 'apy_base', 'apy_reward'] as const
  return parseCsv(text, columns, file).map(row => ({
    day: row.date,
    pool: row.pool,
    project: row.project,
    chain: row.chain,
    symbol: row.symbol,
    tvlUsd: decimal(row.tvl_usd, file) ?? 0,
    apyBase: ratioOf(decimal(row.apy_base, file)),
    apyReward: ratioOf(decimal(row.apy_reward, file)),
    isOutlier: null,
  }))
}
