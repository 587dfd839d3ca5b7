import { decimal, parseCsv } from '../csv.ts'
import type { Recording } from '../recording.ts'

export const cryptofeesRecorded: Recording = {
  id: 'cryptofees.recorded',
  name: 'Fees of Bitcoin in USD (cryptofees.info, as kept by dmihal/crypto-fees)',
  url: 'https://github.com/dmihal/crypto-fees',
  licence: 'MIT',
  rank: 30,
  cadenceSeconds: null,
  about:
    'Fees of all transactions by day of 2021, in dollars at the publisher’s price. Beside Bitcoin Core’s fees at the close of the day, on 142 days: median 0.2 % below, at most 7.5 % off.',
  file: 'fees-bitcoin-daily.csv',
  entity: 'bitcoin',
  recordedOn: '2022-01-01',
  *observe(text) {
    for (const row of parseCsv(text, ['date', 'fees_24h_usd'], this.file)) {
      const value = decimal(row.fees_24h_usd, this.file)
      if (value !== null) yield { metric: 'fees.chain_usd', day: row.date, value }
    }
  },
}
