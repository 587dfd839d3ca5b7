import type { Catalog } from '#catalog/index.ts'
import { decimal, parseCsv } from '../csv.ts'
import { dayBefore } from '../dayBefore.ts'
import type { Observed, Recording } from '../recording.ts'
import { tokensByCoingecko } from './names.ts'

const COLUMNS = ['date', 'id', 'price_usd', 'market_cap_usd', 'volume_24h_usd'] as const

type TokenDay = {
  readonly token: string
  readonly asset: string | undefined
  readonly day: string
  readonly price: number | null
  readonly marketCap: number | null
  readonly volume: number | null
}

/** Rows of tokens that the catalogue names. */
function* tokenDays(text: string, catalog: Catalog, file: string): Iterable<TokenDay> {
  const tokens = tokensByCoingecko(catalog)
  for (const row of parseCsv(text, COLUMNS, file)) {
    const token = tokens.get(row.id)
    if (token === undefined) continue
    yield {
      token: token.id,
      asset: token.priceAsset,
      day: row.date,
      price: decimal(row.price_usd, file),
      marketCap: decimal(row.market_cap_usd, file),
      volume: decimal(row.volume_24h_usd, file),
    }
  }
}

function* figuresOf({ token, day, price, marketCap, volume }: TokenDay): Iterable<Observed> {
  const of = { entity: token, day }
  if (price !== null) yield { ...of, metric: 'token.price', value: price }
  // A market value of nothing is one that is not known.
  if (marketCap !== null && marketCap > 0) yield { ...of, metric: 'token.mcap', value: marketCap }
  if (volume !== null) yield { ...of, metric: 'token.volume', value: volume }
}

const pricesOf = ({ asset, day, price }: TokenDay) =>
  asset === undefined || price === null || price <= 0
    ? []
    : [{ asset, quote: 'USD', day, open: null, high: null, low: null, close: price }]

const endingDays = function* (text: string, catalog: Catalog, file: string): Iterable<TokenDay> {
  for (const one of tokenDays(text, catalog, file)) yield { ...one, day: dayBefore(one.day) }
}

export const coingeckoChartRecorded: Recording = {
  id: 'coingecko.chart.recorded',
  name: 'Prices, market values and volumes of 2021 (CoinGecko, as recorded by hathix/historical-crypto-data)',
  url: 'https://github.com/hathix/historical-crypto-data',
  licence: 'MIT; data CoinGecko',
  rank: 21,
  cadenceSeconds: null,
  about:
    'Daily from 2020-12-31 to 2021-12-30. The recording dates a figure by the 00:00 UTC at which it was taken; here it stands at the day that ended then.',
  file: 'tokens-coingecko-2021.csv',
  recordedOn: '2022-01-01',
  *observe(text, catalog) {
    for (const one of endingDays(text, catalog, this.file)) yield* figuresOf(one)
  },
  *price(text, catalog) {
    for (const one of endingDays(text, catalog, this.file)) yield* pricesOf(one)
  },
}

export const coingeckoMarketsRecorded: Recording = {
  id: 'coingecko.markets.recorded',
  name: 'Markets of tokens at single moments (CoinGecko, as recorded by kittycapital/crypto-heatmap and others)',
  url: 'https://github.com/kittycapital/crypto-heatmap',
  licence: 'none stated; data CoinGecko',
  rank: 25,
  cadenceSeconds: null,
  about:
    'At a moment of the day and no close: 2026-01-11 and -12, 2026-02-18 to -21 with the supply, and 2026-06-12 as a research note quotes it, rounded.',
  file: 'tokens-coingecko-moments.csv',
  recordedOn: '2026-06-12',
  *observe(text, catalog) {
    const tokens = tokensByCoingecko(catalog)
    const columns = ['observed_at', 'id', 'price_usd', 'market_cap_usd', 'volume_24h_usd', 'supply'] as const
    for (const row of parseCsv(text, columns, this.file)) {
      const token = tokens.get(row.id)
      if (token === undefined) continue
      const observedAt = Math.floor(Date.parse(row.observed_at) / 1000)
      const figures = figuresOf({
        token: token.id,
        asset: undefined,
        day: row.observed_at.slice(0, 10),
        price: decimal(row.price_usd, this.file),
        marketCap: decimal(row.market_cap_usd, this.file),
        volume: decimal(row.volume_24h_usd, this.file),
      })
      for (const figure of figures) yield { ...figure, observedAt }
      const supply = decimal(row.supply, this.file)
      if (supply !== null)
        yield {
          metric: 'token.supply',
          entity: token.id,
          day: row.observed_at.slice(0, 10),
          value: supply,
          observedAt,
        }
    }
  },
}

export const coinmarketcapRecorded: Recording = {
  id: 'coinmarketcap.rbtc.recorded',
  name: 'RBTC by day (CoinMarketCap, as recorded by hieulethanh-dev/cryptocurrency)',
  url: 'https://github.com/hieulethanh-dev/cryptocurrency',
  licence: 'none stated',
  rank: 30,
  cadenceSeconds: null,
  about:
    'Close and volume of 743 days from 2018-12-05 to 2020-12-16. A thin market: on 26 days the price is more than a tenth off that of bitcoin.',
  file: 'rbtc-coinmarketcap.csv',
  recordedOn: '2020-12-31',
  *observe(text, catalog) {
    for (const one of tokenDays(text, catalog, this.file)) yield* figuresOf(one)
  },
  *price(text, catalog) {
    for (const one of tokenDays(text, catalog, this.file)) yield* pricesOf(one)
  },
}

export const coinpaprikaRecorded: Recording = {
  id: 'coinpaprika.recorded',
  name: 'Market value of bitcoin on three days (CoinPaprika, as recorded by crypto-data-cc/data)',
  url: 'https://github.com/crypto-data-cc/data',
  licence: 'none stated',
  rank: 30,
  cadenceSeconds: null,
  about: 'Market value and volume of 24 hours at a moment of 2026-10-02, -04 and -10.',
  file: 'btc-coinpaprika.csv',
  recordedOn: '2026-10-10',
  *observe(text, catalog) {
    for (const one of tokenDays(text, catalog, this.file)) yield* figuresOf(one)
  },
}

export const TOKEN_RECORDINGS: readonly Recording[] = [
  coingeckoChartRecorded,
  coingeckoMarketsRecorded,
  coinmarketcapRecorded,
  coinpaprikaRecorded,
]
