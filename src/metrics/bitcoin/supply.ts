import { perBlock, runningSum } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { FINE_GRAINS } from '../fineFigures.ts'
import { metric } from '../metric.ts'
import { fromBlocks, fromRows, issuance } from './common.ts'

/** Satoshis that the schedule has made up to a height: 50 BTC, halved every 210,000 blocks. */
export const scheduledSat = (height: string): string =>
  `arraySum(era -> intDiv(5000000000, toInt64(exp2(era))) * greatest(0, least(toInt64(${height}) + 1 - 210000 * era, 210000)), range(33))`

export const supplyScheduled = metric({
  ...fromBlocks,
  id: 'supply.scheduled',
  name: 'Scheduled supply',
  unit: 'sat',
  definition: 'Sum of the block subsidies by height up to the last block of the day.',
  why: 'The coins that the rules allow to exist: the upper bound of everything else.',
  how: '50 BTC a block, halved every 210,000 blocks, genesis included.',
  misleads:
    'Some of it was never claimed and some can never be spent. See supply.spendable for the actual supply.',
  ...figuresSql({
    metric: 'supply.scheduled',
    type: 'Int64',
    chain: perBlock({ value: scheduledSat('max(height)'), fine: FINE_GRAINS }),
  }),
  aggregate: 'last',
  references: [issuance],
})

/** Satoshis that miners claimed as subsidy, by day: coinbase outputs less fees. */
const claimedByDay = `SELECT toDate(block_time) AS day, sum(toInt64(coinbase_sat) - toInt64(assumeNotNull(fee_sat))) AS change
    FROM btc_blocks
    GROUP BY day`

/** SQL: satoshis issued up to the end of each day (`issued_sat`), from genesis to the first gap in the blocks held. */
export const issuedByDay = `SELECT g.day AS day, sum(e.change) OVER (ORDER BY g.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS issued_sat
  FROM btc_days_since_genesis AS g
  LEFT JOIN (
    ${claimedByDay}
  ) AS e ON e.day = g.day
  WHERE g.is_whole`

export const supplyUnclaimed = metric({
  ...fromRows,
  id: 'supply.unclaimed',
  name: 'Unclaimed rewards',
  unit: 'sat',
  definition: 'Rewards that miners might have claimed and did not, up to the end of the day.',
  why: 'Coins that the schedule promises and that will never be.',
  how: 'Subsidy plus fees minus the coinbase outputs, summed over all blocks since genesis.',
  misleads: 'Requires every block since genesis. No data after the first gap.',
  ...figuresSql({
    metric: 'supply.unclaimed',
    type: 'Int64',
    chain: runningSum({
      events: `SELECT toDate(block_time) AS day, sum(toInt64(subsidy_sat) + toInt64(assumeNotNull(fee_sat)) - toInt64(coinbase_sat)) AS change
    FROM btc_blocks
    GROUP BY day`,
    }),
  }),
  aggregate: 'last',
  references: [issuance],
})

export const supplyIssued = metric({
  ...fromRows,
  id: 'supply.issued',
  name: 'Issued supply',
  unit: 'sat',
  definition: 'Coins that miners have claimed as subsidy up to the end of the day.',
  why: 'The supply actually issued.',
  how: 'Coinbase outputs minus fees, summed over all blocks since genesis: scheduled minus unclaimed.',
  misleads: 'It counts coins that can never move: genesis, overwritten coinbases, OP_RETURN values.',
  ...figuresSql({
    metric: 'supply.issued',
    type: 'Int64',
    chain: runningSum({
      events: claimedByDay,
    }),
  }),
  aggregate: 'last',
  references: [issuance],
})

export const supplyUnspendable = metric({
  ...fromRows,
  id: 'supply.unspendable',
  name: 'Unspendable supply',
  unit: 'sat',
  definition: 'Issued coins that are provably unspendable, up to the end of the day.',
  why: 'The provable part of lost coins; keys that were thrown away cannot be seen.',
  how: 'The genesis output, coinbases overwritten before they were spent (BIP-30), and values of scripts that cannot be spent: OP_RETURN, or above 10,000 bytes.',
  misleads: 'Far below actual losses, because it counts only provable ones.',
  ...figuresSql({
    metric: 'supply.unspendable',
    type: 'Int64',
    chain: runningSum({
      events: `SELECT bucket AS day, toInt64(sum(unspendable_sat)) AS change
    FROM btc_band_days
    GROUP BY day`,
    }),
  }),
  aggregate: 'last',
  references: [issuance],
})

/** Running sum of what is unspent, by day. */
const unspentEvents = `SELECT bucket AS day, sum(sat_change) AS change
    FROM btc_band_days
    GROUP BY day`

export const supplySpendable = metric({
  ...fromRows,
  id: 'supply.spendable',
  name: 'Spendable supply',
  unit: 'sat',
  definition: 'Value of all unspent outputs at the end of the day.',
  why: 'The coins that exist and could move: the supply that valuations should use.',
  how: 'Outputs created minus outputs spent or overwritten since genesis: issued minus unspendable, the total_amount of Bitcoin Core.',
  misleads: 'Includes coins with lost keys, which look the same as long-term holdings.',
  ...figuresSql({
    metric: 'supply.spendable',
    type: 'Int64',
    chain: runningSum({ events: unspentEvents }),
  }),
  aggregate: 'last',
  references: [issuance],
})

const INFLATION_DAYS = 365

export const supplyInflation = metric({
  ...fromRows,
  id: 'supply.inflation',
  name: 'Inflation',
  unit: 'ratio',
  definition: 'Coins issued in the 365 days up to the day as a share of all issued.',
  why: 'The rate at which holders are diluted.',
  how: 'Issued at the end of the day minus issued 365 days before, ÷ issued at the end of the day.',
  misleads: 'It looks back: after a halving it takes a year to show the new rate.',
  ...figuresSql({
    metric: 'supply.inflation',
    type: 'Float64',
    chain: runningSum({
      events: claimedByDay,
      also: `sum(e.change) OVER (ORDER BY d.day RANGE BETWEEN ${INFLATION_DAYS - 1} PRECEDING AND CURRENT ROW) AS year_total,
      count() OVER (ORDER BY d.day RANGE BETWEEN ${INFLATION_DAYS} PRECEDING AND CURRENT ROW) > ${INFLATION_DAYS} AS is_year_known`,
      value: 'if(s.is_year_known, s.year_total / s.total, NULL)',
    }),
  }),
  aggregate: 'last',
  references: [issuance],
})
