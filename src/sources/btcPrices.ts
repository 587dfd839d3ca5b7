import { decimal, parseCsv } from './csv.ts'
import { dayBefore } from './dayBefore.ts'
import type { Recording } from './recording.ts'

export const brkPrices: Recording = {
  id: 'btcusd.brk',
  name: 'BTC/USD daily (bitcoinresearchkit/brk)',
  url: 'https://github.com/bitcoinresearchkit/brk',
  licence: 'MIT',
  rank: 10,
  cadenceSeconds: null,
  about:
    'Open, high, low and close by UTC day, 2010-07-12 to 2026-02-12. The recording dates a day by the 00:00 UTC at which it ended; here it stands at that day, as the closes of four other feeds have it. Before 2012 markets were thin.',
  file: 'btc-usd-ohlc-daily.csv',
  entity: 'bitcoin',
  pair: { asset: 'BTC', quote: 'USD' },
  recordedOn: '2026-06-29',
  *price(text) {
    for (const row of parseCsv(text, ['date', 'open_usd', 'high_usd', 'low_usd', 'close_usd'], this.file)) {
      const close = decimal(row.close_usd, this.file)
      if (close === null || close <= 0) continue
      yield {
        day: dayBefore(row.date),
        open: decimal(row.open_usd, this.file),
        high: decimal(row.high_usd, this.file),
        low: decimal(row.low_usd, this.file),
        close,
      }
    }
  },
}

export const fiatPrices: Recording = {
  id: 'btcusd.typedcypher',
  name: 'BTC/USD daily (typedcypher/historical-bitcoin-prices)',
  url: 'https://github.com/typedcypher/historical-bitcoin-prices',
  licence: 'GPL-3.0 (prices are facts)',
  rank: 11,
  cadenceSeconds: null,
  about:
    'Daily close, 2011-12-31 to 2026-08-21, no day missing. The recording dates a close by the 00:00 UTC at which it was taken; here it stands at the day that ended then. The last one may have been taken later.',
  file: 'btc-fiat-daily.csv',
  entity: 'bitcoin',
  pair: { asset: 'BTC', quote: 'USD' },
  recordedOn: '2026-08-22',
  *price(text) {
    for (const row of parseCsv(text, ['date', 'price_usd'], this.file)) {
      const close = decimal(row.price_usd, this.file)
      if (close !== null && close > 0)
        yield { day: dayBefore(row.date), open: null, high: null, low: null, close }
    }
  },
}
