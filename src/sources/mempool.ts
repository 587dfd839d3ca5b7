import { decimal, parseCsv, scaled } from './csv.ts'
import { lastOfDay, type Recording } from './recording.ts'

const blockSpace = {
  url: 'https://github.com/prateekposwal/block-space-economics',
  licence: 'MIT',
  cadenceSeconds: null,
  recordedOn: '2026-08-22',
} as const

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000)

export const mempoolFees: Recording = {
  ...blockSpace,
  id: 'mempool.space.fees',
  name: 'Recommended fee rates (mempool.space, as recorded by block-space-economics)',
  rank: 20,
  about: '2026-08-01 to 2026-08-22, a sample in about 70 minutes; a day shows its last one. Whole sat/vB.',
  file: 'mempool-fee-snapshots-2026.csv',
  entity: 'bitcoin',
  *observe(text) {
    const rates = ['fastest', 'half_hour', 'hour', 'economy', 'minimum'] as const
    const columns = ['time_utc', 'mempool_tx', ...rates.map(rate => `${rate}_sat_vb` as const)] as const
    for (const row of lastOfDay(
      parseCsv(text, columns, this.file).map(row => ({ ...row, at: row.time_utc })),
    )) {
      const day = row.at.slice(0, 10)
      const observedAt = secondsOf(row.at)
      const count = scaled(row.mempool_tx, 0, this.file)
      if (count !== null) yield { metric: 'mempool.count', day, amount: count, observedAt }
      for (const rate of rates) {
        const value = decimal(row[`${rate}_sat_vb`], this.file)
        if (value !== null) yield { metric: 'mempool.fee_ladder', day, key: rate, value, observedAt }
      }
    }
  },
}

export const mempoolSize: Recording = {
  ...blockSpace,
  id: 'mempool.space.size',
  name: 'Mempool size (mempool.space, as recorded by block-space-economics)',
  rank: 21,
  about: '2026-08-13 to 2026-08-22, hourly; a day shows its last sample.',
  file: 'mempool-size-snapshots-2026.csv',
  entity: 'bitcoin',
  *observe(text) {
    const rows = parseCsv(text, ['time_utc', 'mempool_tx', 'mempool_vbytes'], this.file)
    for (const row of lastOfDay(rows.map(row => ({ ...row, at: row.time_utc })))) {
      const day = row.at.slice(0, 10)
      const observedAt = secondsOf(row.at)
      yield { metric: 'mempool.count', day, amount: BigInt(row.mempool_tx), observedAt }
      yield { metric: 'mempool.vbytes', day, amount: BigInt(row.mempool_vbytes), observedAt }
    }
  },
}

export const mempoolBytes: Recording = {
  id: 'blockchain.com.mempool',
  name: 'Mempool size in bytes (blockchain.com, as carried by laura00san/BC4)',
  url: 'https://www.blockchain.com/explorer/charts/mempool-size',
  licence: 'none stated',
  rank: 30,
  cadenceSeconds: null,
  about:
    'One sample a day, 2019-05-01 to 2022-04-30; its hour is unknown and may belong to the next UTC day.',
  file: 'mempool-size-samples.csv',
  entity: 'bitcoin',
  recordedOn: '2022-05-09',
  *observe(text) {
    for (const row of parseCsv(text, ['date', 'mempool_bytes'], this.file)) {
      const amount = scaled(row.mempool_bytes, 0, this.file)
      if (amount !== null) yield { metric: 'mempool.bytes', day: row.date, amount }
    }
  },
}

export const lightning: Recording = {
  ...blockSpace,
  id: 'mempool.space.lightning',
  name: 'Lightning network (mempool.space, as recorded by block-space-economics)',
  rank: 20,
  about: '2026-06-16 to 2026-08-14: public channels and nodes; no figures between 2026-06-18 and 2026-07-29.',
  file: 'lightning-2026.csv',
  entity: 'bitcoin',
  *observe(text) {
    const columns = ['dataset_time_utc', 'captured_utc', 'nodes', 'channels', 'capacity_btc'] as const
    for (const row of lastOfDay(
      parseCsv(text, columns, this.file).map(row => ({ ...row, at: row.dataset_time_utc })),
    )) {
      const day = row.at.slice(0, 10)
      const observedAt = secondsOf(row.captured_utc)
      const capacity = scaled(row.capacity_btc, 8, this.file)
      yield { metric: 'lightning.nodes', day, amount: BigInt(row.nodes), observedAt }
      yield { metric: 'lightning.channels', day, amount: BigInt(row.channels), observedAt }
      if (capacity !== null) yield { metric: 'lightning.capacity', day, amount: capacity, observedAt }
    }
  },
}

export const utxoCounts: Recording = {
  id: 'blockchain.com.utxo',
  name: 'Unspent outputs (blockchain.com, as carried by JamilAbbas-Hub/bitcoin_trend_prediction)',
  url: 'https://www.blockchain.com/explorer/charts/utxo-count',
  licence: 'none stated',
  rank: 30,
  cadenceSeconds: null,
  about:
    '2018-05-15 to 2021-05-14, a sample in about 18 hours; a day shows its last one. Times taken for UTC.',
  file: 'utxo-count-samples.csv',
  entity: 'bitcoin',
  recordedOn: '2021-05-28',
  *observe(text) {
    const rows = parseCsv(text, ['time_utc', 'utxo_count'], this.file)
    for (const row of lastOfDay(rows.map(row => ({ ...row, at: row.time_utc })))) {
      yield { metric: 'utxo.count', day: row.at.slice(0, 10), amount: BigInt(row.utxo_count) }
    }
  },
}
