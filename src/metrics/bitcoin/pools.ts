import { perBlock, perHeldBlock } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric } from '../metric.ts'
import { fromBlocks, fromRows } from './common.ts'

const poolRules = { title: 'mempool/mining-pools', url: 'https://github.com/mempool/mining-pools' }
const POOL = "if(pool = '', 'unknown', pool)"

/** Blocks by pool and bucket, and the share of each. */
const shares = `pool_blocks AS (
    SELECT multiIf({grain:String} = 'week', toMonday(block_time), {grain:String} = 'month', toStartOfMonth(block_time), toDate(block_time)) AS pool_bucket,
      ${POOL} AS pool_name, count() AS pool_count, sum(pool_count) OVER (PARTITION BY pool_bucket) AS bucket_count
    FROM btc_blocks
    WHERE toDate(block_time) BETWEEN {from:Date} AND {to:Date}
    GROUP BY pool_bucket, pool_name
  )`

export const minersPoolShare = metric({
  ...fromRows,
  id: 'miners.pool_share',
  name: 'Blocks by pool',
  unit: 'ratio',
  breakdown: { name: 'pool', values: [] },
  headline: 'unknown',
  definition: 'Share of the bucket’s blocks that carry a pool’s mark.',
  why: 'Who decides which transactions get in.',
  how: 'By the tag in the coinbase, then by the payout address; the rule that matched stands at each block. Blocks without a match are “unknown”.',
  misleads:
    'A tag is the miner’s word. Some pools hand out templates of another (proxies): then several names are one hand. A day’s share is mostly luck.',
  ...figuresSql({
    metric: 'miners.pool_share',
    type: 'Float64',
    chain: perHeldBlock({
      with: [shares],
      from: `btc_blocks AS b INNER JOIN (SELECT pool_bucket, any(bucket_count) AS bucket_count FROM pool_blocks GROUP BY pool_bucket) AS t
        ON t.pool_bucket = multiIf({grain:String} = 'week', toMonday(b.block_time), {grain:String} = 'month', toStartOfMonth(b.block_time), toDate(b.block_time))`,
      takesGrain: true,
      groupKey: true,
      key: POOL,
      value: 'count() / any(t.bucket_count)',
    }),
  }),
  aggregate: 'recompute',
  references: [poolRules],
})

export const minersPoolEmpty = metric({
  ...fromRows,
  id: 'miners.pool_empty',
  name: 'Empty blocks by pool',
  unit: 'ratio',
  breakdown: { name: 'pool', values: [] },
  headline: 'unknown',
  definition: 'Share of a pool’s blocks of the bucket that hold nothing but their coinbase.',
  why: 'Pools that start on a new block before they have checked it leave space unused.',
  how: 'Blocks with one transaction ÷ blocks of the pool.',
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
  references: [poolRules],
})

export const minersPoolConcentration = metric({
  ...fromRows,
  id: 'miners.pool_concentration',
  name: 'Concentration of pools',
  unit: 'HHI',
  definition: 'Sum of the squared shares of pools in the blocks of the bucket.',
  why: 'One number for how few hands build the blocks: 1 is one pool, 0.1 is ten equal ones.',
  how: 'Σ share² over pools, blocks without a known pool counted as one.',
  misleads:
    'A day has too few blocks for it: even equal pools look concentrated. Unknown blocks as one pool make it an upper bound; proxies make it a lower one.',
  ...figuresSql({
    metric: 'miners.pool_concentration',
    type: 'Float64',
    chain: perHeldBlock({
      takesGrain: true,
      value: "arraySum(n -> pow(n / count(), 2), mapValues(sumMap(map(if(pool = '', 'unknown', pool), 1))))",
    }),
  }),
  aggregate: 'recompute',
  direction: 'down',
  references: [],
})

export const minersPoolMajority = metric({
  ...fromRows,
  id: 'miners.pool_majority',
  name: 'Pools over half of the blocks',
  unit: 'pools',
  definition: 'Least number of pools that together found more than half of the bucket’s blocks.',
  why: 'How many would have to agree to leave transactions out, or to rewrite the last blocks.',
  how: 'Pools by blocks, greatest first, until more than half is reached; blocks without a known pool counted as one.',
  misleads: 'Pools are not machines: miners can leave within hours.',
  ...figuresSql({
    metric: 'miners.pool_majority',
    type: 'Int64',
    chain: perHeldBlock({
      takesGrain: true,
      value:
        "arrayFirstIndex(held -> held * 2 > count(), arrayCumSum(arrayReverseSort(mapValues(sumMap(map(if(pool = '', 'unknown', pool), 1))))))",
    }),
  }),
  aggregate: 'recompute',
  direction: 'up',
  references: [],
})

export const minersPoolLuck = metric({
  ...fromBlocks,
  id: 'miners.pool_luck',
  name: 'Luck of all pools',
  unit: 'ratio',
  definition: 'Blocks found in the seven days up to the day ÷ the 1,008 that the difficulty aims at.',
  why: 'Above 1, blocks come faster than planned: hashrate has grown since the last adjustment, or chance was kind.',
  how: 'Blocks of seven whole days ÷ 1,008.',
  misleads:
    'Luck and growth of hashrate cannot be told apart from blocks alone; by chance it lies between 0.94 and 1.06 in 95 of 100 weeks. Luck of a single pool would need its own count of shares.',
  ...figuresSql({
    metric: 'miners.pool_luck',
    type: 'Float64',
    chain: perBlock({
      with: [
        `weeks AS (
    SELECT
      day, origin, height, block_time, week_blocks
    FROM (
      SELECT
        day, any(origin) AS origin, max(height) AS height, max(block_time) AS block_time,
        sum(count()) OVER week AS week_blocks,
        sum(toUInt8(day IN (SELECT day FROM btc_whole_days WHERE basis = 'facts'))) OVER week AS whole_days
      FROM btc_block_facts
      WHERE day BETWEEN {from:Date} - 6 AND {to:Date}
      GROUP BY day
      WINDOW week AS (ORDER BY day RANGE BETWEEN 6 PRECEDING AND CURRENT ROW)
    )
    WHERE whole_days = 7
  )`,
      ],
      from: 'weeks',
      value: 'any(week_blocks) / 1008',
    }),
  }),
  aggregate: 'last',
  references: [],
})
