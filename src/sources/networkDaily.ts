import { decimal, parseCsv, scaled } from './csv.ts'
import type { Recording } from './recording.ts'

/** The same node's statistics summed by day: they reach a little further than the rows we have block by block. */
export const coreDaily: Recording = {
  id: 'bitcoin.network_daily',
  name: 'Bitcoin Core getblockstats summed by day (m-marqx/BTC-RPC-Data)',
  url: 'https://github.com/m-marqx/BTC-RPC-Data',
  licence: 'MIT',
  rank: 5,
  cadenceSeconds: null,
  about:
    'Whole UTC days by header time in five stretches between 2009 and 2026; coinbase conventions of Bitcoin Core.',
  file: 'network-daily.csv',
  entity: 'bitcoin',
  recordedOn: '2026-02-01',
  *observe(text) {
    const columns = ['date', 'blocks', 'tx_count', 'fees_sat', 'output_value_sat', 'utxo_increase'] as const
    for (const row of parseCsv(text, columns, this.file)) {
      const { date: day } = row
      const blocks = BigInt(row.blocks)
      yield { metric: 'blocks.count', day, amount: blocks }
      yield { metric: 'tx.count', day, amount: BigInt(row.tx_count) - blocks }
      yield { metric: 'fees.total', day, amount: BigInt(row.fees_sat) }
      yield { metric: 'value.transferred', day, amount: BigInt(row.output_value_sat) }
    }
  },
}

export const blockchainCom: Recording = {
  id: 'blockchain.com',
  name: 'blockchain.com charts, as carried by public repositories',
  url: 'https://www.blockchain.com/explorer/charts',
  licence: 'none stated (figures); MIT or none (repositories)',
  rank: 30,
  cadenceSeconds: null,
  about:
    'Days by header time, coinbase transactions counted; columns end at different dates. Four days of June and July 2021 have blocks on the neighboring day. Addresses are counted by a rule of its own.',
  file: 'network-daily-blockchaincom.csv',
  entity: 'bitcoin',
  recordedOn: '2026-05-14',
  *observe(text) {
    const columns = [
      'date',
      'tx_count',
      'active_addresses',
      'fees_btc',
      'hashrate_ths',
      'difficulty',
      'est_transfer_usd',
    ] as const
    for (const row of parseCsv(text, columns, this.file)) {
      const { date: day } = row
      const txs = scaled(row.tx_count, 0, this.file)
      const addresses = scaled(row.active_addresses, 0, this.file)
      const fees = scaled(row.fees_btc, 8, this.file)
      const hashrate = decimal(row.hashrate_ths, this.file)
      const difficulty = decimal(row.difficulty, this.file)
      const transfer = decimal(row.est_transfer_usd, this.file)
      if (txs !== null) yield { metric: 'tx.count_with_coinbase', day, amount: txs }
      if (addresses !== null) yield { metric: 'addresses.used', day, amount: addresses }
      if (fees !== null) yield { metric: 'fees.total', day, amount: fees }
      if (hashrate !== null && hashrate > 0)
        yield { metric: 'miners.hashrate', day, key: '1d', value: hashrate / 1e6 }
      if (difficulty !== null && difficulty > 0) yield { metric: 'miners.difficulty', day, value: difficulty }
      if (transfer !== null) yield { metric: 'value.estimated', day, value: transfer }
    }
  },
}
