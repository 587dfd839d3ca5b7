import type { Catalog } from '#catalog/index.ts'
import { decimal, parseCsv } from '../csv.ts'
import type { ObservedPrice, Recording } from '../recording.ts'

/** Closes of assets that a token of the catalogue is priced by. */
function* closes(text: string, catalog: Catalog, { file, quote }: { file: string; quote: string }) {
  const assets = new Set(catalog.tokens.map(({ priceAsset }) => priceAsset))
  for (const row of parseCsv(text, ['date', 'symbol', 'close_usd'], file)) {
    const close = decimal(row.close_usd, file)
    if (!assets.has(row.symbol) || close === null || close <= 0) continue
    const price: ObservedPrice = {
      asset: row.symbol,
      quote,
      day: row.date,
      open: null,
      high: null,
      low: null,
      close,
    }
    yield price
  }
}

type Feed = Omit<Recording, 'price' | 'observe' | 'cadenceSeconds' | 'licence'>

const feed = (given: Feed, quote: string): Recording => ({
  ...given,
  licence: 'none stated',
  cadenceSeconds: null,
  price: (text, catalog) => closes(text, catalog, { file: given.file, quote }),
})

/** Daily closes by feed. Bitcoin’s own two recordings and STX of Bybit come before all of them. */
export const FEED_RECORDINGS: readonly Recording[] = [
  feed(
    {
      id: 'yahoo.recorded',
      name: 'BTC by day (Yahoo Finance, as recorded by kittycapital/btc-asset-correlation)',
      url: 'https://github.com/kittycapital/btc-asset-correlation',
      rank: 22,
      about:
        'Close of the UTC day, 2014-09-17 to 2026-07-22; beside another series, on 4,328 days, the median difference is 0.14 %. The last day of the recording may be a part of a day and is left out.',
      file: 'prices-yahoo.csv',
      recordedOn: '2026-07-23',
    },
    'USD',
  ),
  feed(
    {
      id: 'coingecko.closes.recorded',
      name: 'BTC and ETH by day (CoinGecko, as recorded by kittycapital/crypto-history and btc-etf-dashboard)',
      url: 'https://github.com/kittycapital/crypto-history',
      rank: 21,
      about:
        'The price at 00:00 UTC as the close of the day that ended: BTC 2013-04-27 to 2014-09-16 and from 2026-07-24, ETH 2015-08-06 to 2026-08-20. Two recordings of it agree to 0.08 % in the median of 600 days.',
      file: 'prices-coingecko.csv',
      recordedOn: '2026-08-21',
    },
    'USD',
  ),
  feed(
    {
      id: 'binance.recorded',
      name: 'STX, RIF, ORDI and WBTC by day (Binance, as recorded by RobBudaghyan/mark6)',
      url: 'https://github.com/RobBudaghyan/mark6',
      rank: 23,
      about:
        'Close of the last hour of the UTC day on one exchange, in USDT, 2021-01-01 to 2025-06-12. STX beside Bybit, on 1,288 days: median difference 0.08 %.',
      file: 'prices-binance.csv',
      recordedOn: '2025-06-13',
    },
    'USDT',
  ),
  feed(
    {
      id: 'bybit.recorded',
      name: 'Perpetual contracts by day (Bybit, as recorded by jumpotsa/Bybit_Cross_Momentum)',
      url: 'https://github.com/jumpotsa/Bybit_Cross_Momentum',
      rank: 24,
      about:
        'Close of the UTC day of perpetual contracts in USDT, to 2025-11-13: CORE, MERL, ORDI, RIF, ZEUS, DOG. No spot prices: 0.1 % off in the median, single days up to 12 %.',
      file: 'prices-bybit.csv',
      recordedOn: '2025-11-14',
    },
    'USDT',
  ),
]
