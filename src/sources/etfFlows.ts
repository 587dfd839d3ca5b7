import { decimal, parseCsv } from './csv.ts'
import type { Recording } from './recording.ts'

/** US spot Bitcoin funds by ticker. */
export const ETF_FUNDS = [
  'ibit',
  'fbtc',
  'bitb',
  'arkb',
  'btco',
  'ezbc',
  'brrr',
  'hodl',
  'btcw',
  'msbt',
  'gbtc',
  'btc',
  'defi',
] as const

export const etfFlows: Recording = {
  id: 'etf.flows',
  name: 'US spot Bitcoin ETF flows (kittycapital/btc-etf-dashboard; Farside, bitbo)',
  url: 'https://github.com/kittycapital/btc-etf-dashboard',
  licence: 'none stated',
  rank: 20,
  cadenceSeconds: null,
  about: 'Net flow by fund and trading day, 2024-01-11 to 2026-08-21; the last days may lack late reporters.',
  file: 'us-spot-etf-flows-daily.csv',
  entity: 'bitcoin',
  recordedOn: '2026-08-22',
  *observe(text) {
    const columns = ['date', ...ETF_FUNDS.map(fund => `${fund}_flow_musd` as const)] as const
    for (const row of parseCsv(text, columns, this.file)) {
      for (const fund of ETF_FUNDS) {
        const value = decimal(row[`${fund}_flow_musd`], this.file)
        if (value !== null)
          yield { metric: 'etf.flow', day: row.date, key: fund.toUpperCase(), value: Math.round(value * 1e6) }
      }
    }
  },
}
