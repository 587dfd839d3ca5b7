import { decimal, parseCsv } from './csv.ts'
import type { Recording } from './recording.ts'

export const hashpriceDaily: Recording = {
  id: 'btc-mining-monitor',
  name: 'Hashprice daily (xddai1688-svg/btc-mining-monitor, from mempool.space and Coinbase)',
  url: 'https://github.com/xddai1688-svg/btc-mining-monitor',
  licence: 'none stated',
  rank: 30,
  cadenceSeconds: null,
  about:
    '2025-08-18 to 2026-08-22. The source computes it from the last 144 blocks at the moment of its sample.',
  file: 'hashprice-daily.csv',
  entity: 'bitcoin',
  recordedOn: '2026-08-22',
  *observe(text) {
    for (const row of parseCsv(text, ['date', 'hashprice_usd_ph_day'], this.file)) {
      const value = decimal(row.hashprice_usd_ph_day, this.file)
      if (value !== null) yield { metric: 'miners.hashprice', day: row.date, value }
    }
  },
}

export const foundryHashrate: Recording = {
  id: 'foundry.hashrate',
  name: 'Foundry USA pool hashrate (sha2fiddy/btcpp-demo-2025)',
  url: 'https://github.com/sha2fiddy/btcpp-demo-2025',
  licence: 'MIT',
  rank: 30,
  cadenceSeconds: null,
  about: 'As the pool reports it, 2023-12-01 to 2025-01-31.',
  file: 'foundry-hashrate-daily.csv',
  entity: 'bitcoin',
  recordedOn: '2025-05-09',
  *observe(text) {
    for (const row of parseCsv(text, ['date', 'hashrate_ths'], this.file)) {
      const value = decimal(row.hashrate_ths, this.file)
      if (value !== null)
        yield { metric: 'miners.pool_hashrate', day: row.date, key: 'Foundry USA', value: value / 1e6 }
    }
  },
}
