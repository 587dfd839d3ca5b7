import { FACTS_SOURCE, perHeldBlock, RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric } from '../metric.ts'
import { sourcesSql } from '../sourcesSql.ts'
import { fromBlocks, fromRows } from './common.ts'
import { mergedProxies, POOL, PROXY_RULE, poolReferences } from './poolNames.ts'

const ofPools = { ...fromRows, switches: [mergedProxies] } as const

export const minersPoolShare = metric({
  ...ofPools,
  id: 'miners.pool_share',
  name: 'Blocks by pool',
  unit: 'ratio',
  breakdown: { name: 'pool', values: [] },
  headline: 'unknown',
  definition: 'Share of the bucket’s blocks that carry a pool’s mark.',
  why: 'Who decides which transactions get in.',
  how: `By the tag in the coinbase, then by the payout address. Each block shows the rule that matched. Blocks without a match are “unknown”. ${PROXY_RULE}`,
  misleads:
    'Tags are self-reported. Some pools use another pool’s templates (proxies), so several names can be one operator. A day’s share is mostly luck.',
  ...figuresSql({
    metric: 'miners.pool_share',
    type: 'Float64',
    chain: perHeldBlock({
      takesGrain: true,
      groupKey: true,
      key: POOL,
      value: 'count() / sum(count()) OVER (PARTITION BY day)',
    }),
  }),
  aggregate: 'recompute',
  references: poolReferences,
})

export const minersPoolEmpty = metric({
  ...ofPools,
  id: 'miners.pool_empty',
  name: 'Empty blocks by pool',
  unit: 'ratio',
  breakdown: { name: 'pool', values: [] },
  headline: 'unknown',
  definition: 'Share of a pool’s blocks of the bucket that hold nothing but their coinbase.',
  why: 'Pools that start on a new block before they have checked it leave space unused.',
  how: `Blocks with one transaction ÷ blocks of the pool. ${PROXY_RULE}`,
  misleads: 'A handful of blocks a day: read it by month. In the first year all blocks were nearly empty.',
  ...figuresSql({
    metric: 'miners.pool_empty',
    type: 'Float64',
    chain: perHeldBlock({
      groupKey: true,
      key: POOL,
      value: 'countIf(tx_count = 1) / count()',
      numerator: 'toFloat64(countIf(tx_count = 1))',
      denominator: 'toFloat64(count())',
    }),
  }),
  aggregate: 'recompute',
  direction: 'down',
  references: poolReferences,
})

export const minersPoolConcentration = metric({
  ...ofPools,
  id: 'miners.pool_concentration',
  name: 'Concentration of pools',
  unit: 'HHI',
  definition: 'Sum of the squared shares of pools in the blocks of the bucket.',
  why: 'One number for how few hands build the blocks: 1 is one pool, 0.1 is ten equal ones.',
  how: `Σ share² over pools, with blocks without a known pool counted as one pool. ${PROXY_RULE}`,
  misleads:
    'A day has too few blocks for it: even equal pools look concentrated. Unknown blocks as one pool make it an upper bound; proxies make it a lower one.',
  ...figuresSql({
    metric: 'miners.pool_concentration',
    type: 'Float64',
    chain: perHeldBlock({
      takesGrain: true,
      value: `arraySum(n -> pow(n / count(), 2), mapValues(sumMap(map(${POOL}, 1))))`,
    }),
  }),
  aggregate: 'recompute',
  direction: 'down',
  references: [
    {
      title: 'US Department of Justice: Herfindahl–Hirschman index',
      url: 'https://www.justice.gov/atr/herfindahl-hirschman-index',
    },
    ...poolReferences,
  ],
})

export const minersPoolMajority = metric({
  ...ofPools,
  id: 'miners.pool_majority',
  name: 'Pools over half of the blocks',
  unit: 'pools',
  definition: 'Least number of pools that together found more than half of the bucket’s blocks.',
  why: 'How many would have to agree to leave transactions out, or to rewrite the last blocks.',
  how: `Number of pools, largest first, until they have more than half of the blocks. Blocks without a known pool count as one pool. ${PROXY_RULE}`,
  misleads: 'Pools are not machines: miners can leave within hours.',
  ...figuresSql({
    metric: 'miners.pool_majority',
    type: 'Int64',
    chain: perHeldBlock({
      takesGrain: true,
      value: `arrayFirstIndex(held -> held * 2 > count(), arrayCumSum(arrayReverseSort(mapValues(sumMap(map(${POOL}, 1))))))`,
    }),
  }),
  aggregate: 'recompute',
  direction: 'up',
  references: [
    {
      title: 'Srinivasan, Lee: quantifying decentralization',
      url: 'https://news.earn.com/quantifying-decentralization-e39db233c28e',
    },
    ...poolReferences,
  ],
})

const ALL = 'all pools'
/** Blocks that a week has at the pace the difficulty aims at. */
const WEEK_BLOCKS = 1008
const WEEK = 7
/** The four weeks before the week tell what a pool may expect. */
const SPAN = 35

export const minersPoolLuck = metric({
  ...fromBlocks,
  id: 'miners.pool_luck',
  name: 'Luck of pools',
  unit: 'ratio',
  breakdown: { name: 'pool', values: [] },
  headline: ALL,
  switches: [mergedProxies],
  definition: 'Blocks that a pool, or all of them, found in the seven days up to the day ÷ blocks expected.',
  why: 'Above 1, a pool earned more than its part: a streak that will not last, or machines that have joined it.',
  how: `Seven whole days. All pools: expected are the ${WEEK_BLOCKS.toLocaleString('en')} that the difficulty aims at. A pool: its share of the blocks of the 28 days before × ${WEEK_BLOCKS.toLocaleString('en')}; null where it found none in them. ${PROXY_RULE}`,
  misleads:
    'Blocks alone cannot separate luck from changes in hashrate. By chance, all pools together are between 0.94 and 1.06 in 95 of 100 weeks, a pool with a tenth of the blocks between 0.8 and 1.2, and one with a hundredth between 0.4 and 1.7. Share counts of pools would be better, but are not public for all of them.',
  ...figuresSql({
    metric: 'miners.pool_luck',
    type: 'Float64',
    chain: {
      ctes: [
        `found AS (
    SELECT
      day, '${ALL}' AS name, count() AS blocks, min(height) AS first, max(height) AS last, max(block_time) AS as_of,
      ${FACTS_SOURCE} AS source
    FROM btc_block_facts
    WHERE day BETWEEN {from:Date} - ${WEEK - 1} AND {to:Date}
    GROUP BY day
    UNION ALL
    SELECT
      toDate(block_time) AS day, ${POOL} AS name, count(), min(height), max(height), max(block_time),
      'bitcoin.chain'
    FROM btc_blocks
    WHERE toDate(block_time) BETWEEN {from:Date} - ${SPAN - 1} AND {to:Date}
    GROUP BY day, name
  )`,
        `whole AS (
    SELECT
      basis, day,
      count() OVER (PARTITION BY basis ORDER BY day RANGE BETWEEN ${WEEK - 1} PRECEDING AND CURRENT ROW) = ${WEEK} AS is_whole_week,
      count() OVER (PARTITION BY basis ORDER BY day RANGE BETWEEN ${SPAN - 1} PRECEDING AND CURRENT ROW) = ${SPAN} AS is_whole_span
    FROM btc_whole_days
    WHERE basis IN ('facts', 'rows')
  )`,
        `windows AS (
    SELECT
      f.day + ahead AS end_day, f.name AS name,
      sumIf(f.blocks, ahead < ${WEEK}) AS found_blocks,
      sumIf(f.blocks, ahead >= ${WEEK}) AS earlier_blocks,
      sum(earlier_blocks) OVER (PARTITION BY end_day, name = '${ALL}') AS all_earlier_blocks,
      min(f.first) AS first, max(f.last) AS last, max(f.as_of) AS as_of, ${sourcesSql('f.source')} AS source
    FROM found AS f
    ARRAY JOIN range(${SPAN}) AS ahead
    WHERE name != '${ALL}' OR ahead < ${WEEK}
    GROUP BY end_day, name
  )`,
      ],
      select: `SELECT
      l.end_day AS day, l.name AS key,
      if(
        key = '${ALL}', l.found_blocks / ${WEEK_BLOCKS},
        l.found_blocks / nullIf(${WEEK_BLOCKS} * l.earlier_blocks / l.all_earlier_blocks, 0)
      ) AS value,
      'whole' AS state, l.source AS source, l.first AS from_height, l.last AS to_height, l.as_of AS as_of
    FROM windows AS l
    INNER JOIN whole AS w ON w.day = l.end_day AND w.basis = if(l.name = '${ALL}', 'facts', 'rows')
    WHERE l.end_day ${RANGE} AND if(l.name = '${ALL}', w.is_whole_week, w.is_whole_span)`,
      isRatio: false,
    },
  }),
  aggregate: 'last',
  references: [
    { title: 'mempool.space: pools’ luck, blocks of a week ÷ 1,008', url: 'https://mempool.space/mining' },
    ...poolReferences,
  ],
})
