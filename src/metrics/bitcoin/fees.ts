import { fineFrom, perBlock, perBucket, perHeldBlock, perStatistics } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { FINE_GRAINS, fineTxs } from '../fineFigures.ts'
import { metric } from '../metric.ts'
import { coinMetrics, coreGetblockstats, fromBlocks, fromRows } from './common.ts'

export const feesTotal = metric({
  ...fromBlocks,
  id: 'fees.total',
  name: 'Fees paid',
  unit: 'sat',
  definition: 'Fees of all transactions in the blocks of the day, excluding the subsidy.',
  why: 'What users pay for block space, and the part of miner revenue that must pay for security once the subsidy is gone.',
  how: 'Inputs minus outputs of each transaction, summed over the blocks whose header time falls on the UTC day.',
  misleads:
    'A single mistaken fee can outweigh a day. Read it with the median. Out-of-band fees are not included.',
  ...figuresSql({
    metric: 'fees.total',
    type: 'Int64',
    chain: perBlock({ value: 'if(countIf(isNull(fee_sat)) > 0, NULL, sum(fee_sat))', fine: FINE_GRAINS }),
    outside: ['bitcoin.network_daily', 'blockchain.com'],
  }),
  sources: [...fromBlocks.sources, 'bitcoin.network_daily', 'blockchain.com'],
  aggregate: 'sum',
  references: [coreGetblockstats],
})

const feesKnown = (expression: string) => `if(countIf(isNull(fee_sat)) > 0, NULL, ${expression})`

const medianFee = fineFrom(FINE_GRAINS, {
  ...fineTxs,
  value: feesKnown(
    'intDiv(quantileExactLow(0.5)(assumeNotNull(fee_sat)) + quantileExactHigh(0.5)(assumeNotNull(fee_sat)), 2)',
  ),
})

export const feesMedianTx = metric({
  ...fromRows,
  id: 'fees.median_tx',
  name: 'Median fee of a transaction',
  unit: 'sat',
  definition: 'Median over the transactions of the bucket of the fee that each paid.',
  why: 'What a typical user paid, unaffected by outliers.',
  how: 'Middle value of inputs minus outputs over all transactions but the coinbase; of an even number the mean of the two middle ones, truncated.',
  misleads: 'It follows the mix of sizes as much as the price: read the fee rate for the price of space.',
  ...figuresSql({
    metric: 'fees.median_tx',
    type: 'Int64',
    chain: perBucket({ table: 'btc_tx_buckets', value: 'r.median_fee_sat', fine: medianFee }),
  }),
  aggregate: 'recompute',
  references: [coreGetblockstats],
})

const PERCENTILES = ['p10', 'p25', 'p50', 'p75', 'p90'] as const

const rates = fineFrom(FINE_GRAINS, {
  ...fineTxs,
  value: `arrayMap(rate -> ${feesKnown('rate')}, quantilesExactWeighted(0.1, 0.25, 0.5, 0.75, 0.9)(assumeNotNull(fee_sat) / vsize_vb, vsize_vb))`,
  spread: PERCENTILES,
})

export const feesRate = metric({
  ...fromRows,
  id: 'fees.rate',
  name: 'Fee rate',
  unit: 'sat/vB',
  breakdown: { name: 'percentile', values: PERCENTILES },
  headline: 'p50',
  definition: 'Percentiles of the fee rate over the virtual bytes of the bucket’s transactions, pooled.',
  why: 'The price paid for block space, and the spread between urgent and patient users.',
  how: 'Each transaction at its own rate, fee ÷ virtual size, weighted by its size; excludes the coinbase.',
  misleads:
    'Not the package rate, so a parent paid for by its child looks cheap. It shows in hindsight what was enough, not what is needed now.',
  ...figuresSql({
    metric: 'fees.rate',
    type: 'Float64',
    chain: perBucket({
      table: 'btc_tx_buckets',
      join: `\n    ARRAY JOIN [${PERCENTILES.map(p => `('${p}', r.feerate_${p})`).join(', ')}] AS rate`,
      key: 'rate.1',
      value: 'rate.2',
      fine: rates,
    }),
  }),
  aggregate: 'recompute',
  references: [coreGetblockstats],
})

export const feesBlockRate = metric({
  ...fromBlocks,
  id: 'fees.block_rate',
  name: 'Fee rate, mean of blocks',
  unit: 'sat/vB',
  breakdown: { name: 'percentile', values: PERCENTILES },
  headline: 'p50',
  definition:
    'Mean over the blocks of the day of the fee rate percentiles that a node states for each block.',
  why: 'The price of block space on days with node statistics only.',
  how: 'Bitcoin Core’s feerate_percentiles of each block, by weight and truncated to whole sat/vB, averaged over the day’s blocks.',
  misleads:
    'Not the percentiles of the day: a mean of blocks weighs an empty block like a full one, and truncation takes up to 1 sat/vB off each. Never compare it with fees.rate unsaid.',
  ...figuresSql({
    metric: 'fees.block_rate',
    type: 'Float64',
    chain: perStatistics({
      fine: FINE_GRAINS,
      with: [
        `rates AS (
    SELECT height, block_time, rate
    FROM btc_block_stats
    ARRAY JOIN [${PERCENTILES.map(p => `('${p}', feerate_${p})`).join(', ')}] AS rate
  )`,
      ],
      from: 'rates',
      groupKey: true,
      key: 'rate.1',
      value: 'avg(rate.2)',
      numerator: 'toFloat64(sum(rate.2))',
      denominator: 'toFloat64(count())',
    }),
  }),
  sources: ['bitcoin.getblockstats'],
  aggregate: 'recompute',
  references: [coreGetblockstats],
})

export const feesShare = metric({
  ...fromRows,
  id: 'fees.share',
  name: 'Fees in the miners’ revenue',
  unit: 'ratio',
  definition: 'Fees of the day as a share of what miners claimed in their coinbases.',
  why: 'How far the chain’s security is paid by its users rather than by new coins.',
  how: 'Sum of fees ÷ sum of the coinbase outputs.',
  misleads:
    'It jumps at each halving without users paying more. A miner who claims less than allowed raises it.',
  ...figuresSql({
    metric: 'fees.share',
    type: 'Float64',
    chain: perHeldBlock({
      fine: FINE_GRAINS,
      value: feesKnown('sum(fee_sat) / sum(coinbase_sat)'),
      numerator: feesKnown('toFloat64(sum(fee_sat))'),
      denominator: 'toFloat64(sum(coinbase_sat))',
    }),
  }),
  aggregate: 'recompute',
  references: [coinMetrics],
})

export const feesShareClaimable = metric({
  ...fromBlocks,
  id: 'fees.share_claimable',
  name: 'Fee share of claimable revenue',
  unit: 'ratio',
  definition: 'Fees of the day as a share of fees plus subsidy.',
  why: 'Same as fees.share, for days with node statistics only.',
  how: 'Sum of fees ÷ (sum of fees + sum of the subsidy by height).',
  misleads:
    'It assumes that miners claim all they may; a few have claimed less, so the true share is a little higher.',
  ...figuresSql({
    metric: 'fees.share_claimable',
    type: 'Float64',
    chain: perBlock({
      fine: FINE_GRAINS,
      value: feesKnown('sum(fee_sat) / sum(fee_sat + subsidy_sat)'),
      numerator: feesKnown('toFloat64(sum(fee_sat))'),
      denominator: feesKnown('toFloat64(sum(fee_sat + subsidy_sat))'),
    }),
  }),
  aggregate: 'recompute',
  references: [coreGetblockstats, coinMetrics],
})
