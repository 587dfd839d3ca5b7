import { HOLDER_BANDS } from '#warehouse/tables/rollups.ts'
import { fineFrom, perBlock, perBucket, perDay, runningSum } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { FINE_GRAINS, fineTxs } from '../fineFigures.ts'
import { metric } from '../metric.ts'
import { blockchainChart, coinMetrics, coreGetblockstats, fromBlocks, fromRows, recorded } from './common.ts'

/** Satoshi-seconds in a coin-day. */
const SAT_SECONDS = '8640000000000'
const withInputs = '\n    INNER JOIN btc_input_days AS i ON i.bucket = r.bucket'
const agesKnown = (value: string) => `if(any(i.unknown_age_input_count) > 0, NULL, ${value})`

export const coinDaysDestroyed = metric({
  ...fromRows,
  id: 'coin.days_destroyed',
  name: 'Coin days destroyed',
  unit: 'coin-days',
  definition: 'Coins spent on the day times the days that each had lain still.',
  why: 'Weighs movement by age, so old coins that move count for more than coins that circulate.',
  how: 'Σ satoshis ÷ 10⁸ × seconds since the output was made ÷ 86,400, by header time and never below 0.',
  misleads: 'An exchange that moves its cold store looks like a wave of selling.',
  ...figuresSql({
    metric: 'coin.days_destroyed',
    type: 'Float64',
    chain: perDay({
      table: 'btc_band_days',
      join: withInputs,
      isSum: true,
      value: agesKnown(`toFloat64(sum(r.sat_seconds)) / ${SAT_SECONDS}`),
    }),
  }),
  aggregate: 'sum',
  references: [coinMetrics],
})

export const coinDormancy = metric({
  ...fromRows,
  id: 'coin.dormancy',
  name: 'Dormancy',
  unit: 'days',
  definition: 'Mean days that a coin spent in the bucket had lain still.',
  why: 'Coin days destroyed without the volume: how old the money is that moves.',
  how: 'Coin days destroyed ÷ coins moved, both summed over the bucket.',
  misleads: 'One old hoard moves the mean of a quiet day by years.',
  ...figuresSql({
    metric: 'coin.dormancy',
    type: 'Float64',
    chain: perDay({
      table: 'btc_band_days',
      join: withInputs,
      isSum: true,
      value: agesKnown(`toFloat64(sum(r.sat_seconds)) / ${SAT_SECONDS} / nullIf(sum(r.spent_sat) / 1e8, 0)`),
      numerator: agesKnown(`toFloat64(sum(r.sat_seconds)) / ${SAT_SECONDS}`),
      denominator: 'sum(r.spent_sat) / 1e8',
    }),
  }),
  aggregate: 'recompute',
  references: [
    {
      title: 'Smith: Bitcoin average dormancy, a measure of turnover and trading activity',
      url: 'https://arxiv.org/abs/1712.10287',
    },
  ],
})

export const valueTransferred = metric({
  ...fromBlocks,
  id: 'value.transferred',
  name: 'Value transferred',
  unit: 'sat',
  definition: 'Value of all outputs of the day’s transactions, the coinbase left out.',
  why: 'The upper bound of what changed hands on the chain.',
  how: 'Sum of output values by the UTC date of the header time.',
  misleads: 'Change and internal transfers count in full, so most of it is not payments.',
  ...figuresSql({
    metric: 'value.transferred',
    type: 'Int64',
    chain: perBlock({ value: 'sum(output_sat)', fine: FINE_GRAINS }),
    outside: ['bitcoin.network_daily'],
  }),
  sources: [...fromBlocks.sources, 'bitcoin.network_daily'],
  aggregate: 'sum',
  references: [coreGetblockstats],
})

export const valueTransferredAdjusted = metric({
  ...fromRows,
  id: 'value.transferred_adjusted',
  name: 'Value transferred, adjusted',
  unit: 'sat',
  definition:
    'Value of outputs of the day’s transactions, without those that pay a script among the same transaction’s inputs.',
  why: 'Nearer to what was paid: change that returns to its sender is left out.',
  how: 'Sum of output values minus outputs whose script is also an input script of the transaction. Excludes the coinbase.',
  misleads:
    'Change to a fresh address stays in, and most wallets do that; moves between one owner’s addresses stay in too.',
  ...figuresSql({
    metric: 'value.transferred_adjusted',
    type: 'Int64',
    chain: perDay({
      table: 'btc_tx_buckets',
      where: "r.grain = 'day'",
      value: 'r.adjusted_sat',
      fine: fineFrom(FINE_GRAINS, {
        ...fineTxs,
        value: 'if(countIf(isNull(returned_sat)) > 0, NULL, sum(output_sat - returned_sat))',
      }),
    }),
  }),
  aggregate: 'sum',
  references: [coinMetrics],
})

export const valueEstimated = metric({
  ...recorded,
  id: 'value.estimated',
  name: 'Transfer volume as blockchain.com estimates it',
  unit: 'USD',
  definition:
    'Estimate of blockchain.com of the value transferred on the day, change taken out by a rule that it does not publish.',
  why: 'A long history to set our own adjusted figure against.',
  how: 'As published.',
  misleads: 'The method is unpublished and cannot be checked.',
  ...figuresSql({ metric: 'value.estimated', type: 'Float64', outside: ['blockchain.com'] }),
  sources: ['blockchain.com'],
  aggregate: 'sum',
  since: { day: '2010-08-28' },
  references: [blockchainChart('estimated-transaction-volume-usd')],
})

const addressRule =
  'An address is the hash160 for both P2PK and P2PKH, else the script. Coinbase outputs count, OP_RETURN outputs do not.'

export const addressesActive = metric({
  ...fromRows,
  id: 'addresses.active',
  name: 'Active addresses',
  unit: 'addresses',
  definition: 'Distinct addresses in inputs or outputs of the bucket’s transactions.',
  why: 'The breadth of use, as far as a chain of pseudonyms shows it.',
  how: `Exact count of distinct addresses, counted anew for each week and month. ${addressRule}`,
  misleads:
    'Addresses are free: one person has many, an exchange serves millions from few, and anybody can make a thousand for the price of dust.',
  ...figuresSql({
    metric: 'addresses.active',
    type: 'Int64',
    chain: perBucket({
      table: 'btc_active_buckets',
      value: 'if(r.unknown_input_count > 0, NULL, r.address_count)',
    }),
  }),
  aggregate: 'distinct',
  references: [coinMetrics],
})

export const addressesUsed = metric({
  ...recorded,
  id: 'addresses.used',
  name: 'Addresses used as blockchain.com counts them',
  unit: 'addresses',
  definition: 'Unique addresses used on the day by the rule of blockchain.com.',
  why: 'A long history of the breadth of use, under its own name because its method differs.',
  how: 'As published.',
  misleads:
    'Not comparable with addresses.active: Coin Metrics, who count as we do, had 43 % more in the mean of 2019 to 2021.',
  ...figuresSql({ metric: 'addresses.used', type: 'Int64', outside: ['blockchain.com'] }),
  sources: ['blockchain.com'],
  aggregate: 'mean',
  since: { day: '2010-01-01' },
  references: [blockchainChart('n-unique-addresses')],
})

export const addressesNew = metric({
  ...fromRows,
  id: 'addresses.new',
  name: 'New addresses',
  unit: 'addresses',
  definition: 'Addresses that were first seen on the day.',
  why: 'Growth, rather than turnover, of the addresses in use.',
  how: `Addresses in an input or output of the day and of no day before. ${addressRule}`,
  misleads: 'Wallets take a fresh address for each receipt: it is mostly a count of payments received.',
  ...figuresSql({
    metric: 'addresses.new',
    type: 'Int64',
    chain: {
      ctes: [],
      select: `SELECT
      d.day AS day, '' AS key,
      sumIf(h.change, h.band = 'seen') AS value,
      if(any(d.is_whole), 'whole', if(d.day >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial', 'incomplete')) AS state,
      'bitcoin.chain' AS source,
      toUInt32(0) AS from_height, any(d.to_height) AS to_height, any(d.as_of) AS as_of
    FROM btc_days_since_genesis AS d
    LEFT JOIN btc_holder_days AS h ON h.bucket = d.day
    WHERE d.day BETWEEN {from:Date} AND {to:Date}
    GROUP BY d.day`,
      isRatio: false,
    },
  }),
  aggregate: 'sum',
  references: [coinMetrics],
})

const BALANCE_BANDS = HOLDER_BANDS.filter(band => band !== 'seen')

export const addressesFunded = metric({
  ...fromRows,
  id: 'addresses.funded',
  name: 'Addresses with a balance',
  unit: 'addresses',
  breakdown: { name: 'balance', values: BALANCE_BANDS },
  headline: '>0',
  definition: 'Addresses that hold at least so many BTC at the end of the day.',
  why: 'How widely the coins are spread, as far as addresses show.',
  how: `Balances by running sums of what each address received and spent since genesis; the bands nest. ${addressRule}`,
  misleads: 'Addresses are no people: custodians pool millions of owners, and careful owners split.',
  ...figuresSql({
    metric: 'addresses.funded',
    type: 'Int64',
    chain: runningSum({
      keys: BALANCE_BANDS,
      events: `SELECT bucket AS day, CAST(band AS String) AS key, sum(change) AS change
    FROM btc_holder_days
    WHERE band != 'seen'
    GROUP BY day, key`,
    }),
  }),
  aggregate: 'last',
  references: [coinMetrics],
})
