import { AGE_BANDS } from '#warehouse/tables/rollups.ts'
import { perBlock, perStockDay, runningSum } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { FINE_GRAINS } from '../fineFigures.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { coinMetrics, coreGetblockstats, fromBlocks, fromRows, onPricedDays, txOutSetInfo } from './common.ts'

export const utxoCount = metric({
  ...fromRows,
  id: 'utxo.count',
  name: 'Unspent outputs',
  unit: 'outputs',
  definition: 'Unspent outputs at the end of the day, excluding provably unspendable ones.',
  why: 'The state that every node must store.',
  how: 'Outputs created minus outputs spent or overwritten since genesis; genesis and OP_RETURN outputs never enter.',
  misleads:
    'Most growth since 2023 is dust of token protocols. Samples from blockchain.com are taken at varying hours.',
  ...figuresSql({
    metric: 'utxo.count',
    type: 'Int64',
    chain: runningSum({
      events: `SELECT bucket AS day, sum(output_change) AS change
    FROM btc_band_days
    GROUP BY day`,
    }),
    outside: ['blockchain.com.utxo'],
  }),
  sources: ['bitcoin.chain', 'blockchain.com.utxo'],
  aggregate: 'last',
  references: [txOutSetInfo],
})

export const utxoChange = metric({
  ...fromBlocks,
  id: 'utxo.change',
  name: 'Change of unspent outputs',
  unit: 'outputs',
  definition: 'Outputs created minus outputs spent on the day.',
  why: 'Whether the UTXO set grows or is consolidated. Available with node statistics.',
  how: 'Outputs of all transactions minus inputs but the coinbase’s: utxo_increase of Bitcoin Core.',
  misleads: 'Unspendable outputs count as created, so the sum is higher than the growth of the set.',
  ...figuresSql({
    metric: 'utxo.change',
    type: 'Int64',
    chain: perBlock({ value: 'toInt64(sum(output_count)) - toInt64(sum(input_count))', fine: FINE_GRAINS }),
  }),
  aggregate: 'sum',
  references: [coreGetblockstats],
})

/** Bands by powers of ten: `1e5` holds 100,000 to 999,999 sat. */
const VALUE_BANDS = ['0', ...Array.from({ length: 16 }, (_, n) => `1e${n}`)]
const VALUE_BAND = "if(value_band = 0, '0', concat('1e', toString(value_band - 1)))"

export const utxoByValue = metric({
  ...fromRows,
  id: 'utxo.by_value',
  name: 'Unspent outputs by value',
  unit: 'outputs',
  breakdown: { name: 'value', values: VALUE_BANDS },
  headline: SUM_OF_KEYS,
  definition: 'Unspent outputs at the end of the day by the power of ten of their value in satoshis.',
  why: 'How much of the set is dust that costs more to spend than it holds.',
  how: 'Running sums by band; 1e5 means 100,000 to 999,999 sat.',
  misleads: 'An output is no holder: one owner has many, one exchange address has thousands of owners.',
  ...figuresSql({
    metric: 'utxo.by_value',
    type: 'Int64',
    chain: runningSum({
      keys: VALUE_BANDS,
      events: `SELECT bucket AS day, ${VALUE_BAND} AS key, sum(output_change) AS change
    FROM btc_band_days
    GROUP BY day, key`,
    }),
  }),
  aggregate: 'last',
  references: [txOutSetInfo],
})

const AGES = AGE_BANDS.map(({ name }) => name)

export const utxoAgeBands = metric({
  ...fromRows,
  id: 'utxo.age_bands',
  name: 'Supply by age',
  unit: 'sat',
  breakdown: { name: 'age', values: AGES },
  headline: SUM_OF_KEYS,
  definition: 'Value of unspent outputs at the end of the day, by age.',
  why: 'Who is holding: young bands swell when old coins are sold, old ones in quiet years.',
  how: 'Outputs by creation day, less those spent up to the end of the day. Age is in full days, with a month as 30 and a year as 365.',
  misleads:
    'Age is that of the output, not of its ownership, so moving coins to oneself resets it. Lost coins stay in the oldest band.',
  ...figuresSql({
    metric: 'utxo.age_bands',
    type: 'Int64',
    chain: perStockDay({ table: 'btc_age_days', key: 'CAST(r.age AS String)', value: 'r.value_sat' }),
  }),
  aggregate: 'last',
  references: [coinMetrics],
})

export const capRealisedBands = metric({
  ...fromRows,
  id: 'cap.realised_bands',
  name: 'Realized cap by age',
  unit: 'USD',
  breakdown: { name: 'age', values: AGES },
  headline: SUM_OF_KEYS,
  definition: 'Unspent value at the close of the day when each coin last moved, by the days since then.',
  why: 'Who holds the value: the share of young coins shows how much has entered recently.',
  how: 'As utxo.age_bands, with each coin at the close of its creation day.',
  misleads: 'As cap.realised and utxo.age_bands. Coins created before the first price count as 0.',
  ...figuresSql({
    metric: 'cap.realised_bands',
    type: 'Float64',
    chain: perStockDay({
      table: 'btc_age_days',
      key: 'CAST(r.age AS String)',
      value: onPricedDays('r.realised_usd'),
    }),
  }),
  sources: ['bitcoin.chain', 'btcusd.brk', 'btcusd.typedcypher'],
  aggregate: 'last',
  references: [coinMetrics],
})
