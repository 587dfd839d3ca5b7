import { decimal, parseCsv } from './csv.ts'
import { dayBefore } from './dayBefore.ts'
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
] as const

/**
 * Days on which the exchange was closed. The file has invented flows or zeros for them, and for DEFI on no other day, so
 * that fund is left out.
 */
const CLOSED: ReadonlySet<string> = new Set([
  '2025-11-27',
  '2025-12-25',
  '2026-01-01',
  '2026-01-19',
  '2026-04-03',
  '2026-05-25',
  '2026-07-03',
])

export const etfFlows: Recording = {
  id: 'etf.flows',
  name: 'US spot Bitcoin ETF flows (kittycapital/btc-etf-dashboard; Farside, bitbo)',
  url: 'https://github.com/kittycapital/btc-etf-dashboard',
  licence: 'none stated',
  rank: 20,
  cadenceSeconds: null,
  about:
    'Net flow by fund and trading day since its first one, 2024-01-11 to 2026-08-21. Funds report by the evening of the next day, and the file writes 0 until then: a 0 of the day before it was recorded is left out.',
  file: 'us-spot-etf-flows-daily.csv',
  entity: 'bitcoin',
  recordedOn: '2026-08-22',
  *observe(text) {
    const columns = ['date', ...ETF_FUNDS.map(fund => `${fund}_flow_musd` as const)] as const
    const begun = new Set<string>()
    for (const row of parseCsv(text, columns, this.file)) {
      if (CLOSED.has(row.date)) continue
      const isReportedByAll = row.date < dayBefore(this.recordedOn)
      for (const fund of ETF_FUNDS) {
        const value = decimal(row[`${fund}_flow_musd`], this.file)
        if (value !== null && value !== 0) begun.add(fund)
        // A 0 before the first flow is of a fund that did not exist yet.
        if (value === null || !begun.has(fund) || (value === 0 && !isReportedByAll)) continue
        yield { metric: 'etf.flow', day: row.date, key: fund.toUpperCase(), value: Math.round(value * 1e6) }
      }
    }
  },
}
