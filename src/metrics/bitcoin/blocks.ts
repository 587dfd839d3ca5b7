import { perBlock, perHeldBlock } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { FINE_GRAINS } from '../fineFigures.ts'
import { metric } from '../metric.ts'
import { sourcesSql } from '../sourcesSql.ts'
import { bip, fromBlocks, fromRows, whitePaper } from './common.ts'

export const blocksCount = metric({
  ...fromBlocks,
  id: 'blocks.count',
  name: 'Blocks',
  unit: 'blocks',
  definition: 'Blocks of the best chain whose header time falls on the UTC day.',
  why: 'The pace at which transactions can settle. Difficulty targets 144 a day.',
  how: 'Count of block headers by the UTC date of their time.',
  misleads:
    'Header times are the miner’s word and may be off by up to two hours, so a block near midnight can belong to the neighboring day; by chance alone a day has 120 to 168.',
  ...figuresSql({
    metric: 'blocks.count',
    type: 'Int64',
    chain: perBlock({ value: 'count()', fine: ['hour'] }),
    outside: ['bitcoin.network_daily'],
  }),
  sources: [...fromBlocks.sources, 'bitcoin.network_daily'],
  aggregate: 'sum',
  references: [bip(113, 'Median time-past as endpoint for lock-time calculations')],
})

const intervals = `intervals AS (
    SELECT
      height, block_time, origin,
      if(
        lagInFrame(height) OVER heights + 1 = height,
        toInt64(block_time) - toInt64(lagInFrame(block_time) OVER heights),
        NULL
      ) AS seconds
    FROM btc_block_facts
    WHERE day BETWEEN {from:Date} - 1 AND {to:Date}
    WINDOW heights AS (ORDER BY height ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  )`

export const blocksInterval = metric({
  ...fromBlocks,
  id: 'blocks.interval',
  name: 'Seconds between blocks',
  unit: 's',
  breakdown: { name: 'statistic', values: ['mean', 'median'] },
  headline: 'mean',
  definition:
    'Seconds between neighboring blocks by header time, mean and median over the blocks of the bucket.',
  why: 'How long a sender waits for the next block, and whether hashrate runs ahead of the difficulty.',
  how: 'Header time of a block minus that of the block before; it counts on the day of the later one.',
  misleads:
    'Waiting times are exponential: with a mean of 600 s the median is near 416 s, which is not a speed-up. Header times are rough, so single intervals can be negative.',
  ...figuresSql({
    metric: 'blocks.interval',
    type: 'Float64',
    chain: perBlock({
      with: [intervals],
      from: 'intervals',
      where: 'isNotNull(seconds)',
      takesGrain: true,
      fine: FINE_GRAINS,
      groupKey: true,
      key: "arrayJoin(['mean', 'median'])",
      value:
        "if(key = 'mean', avg(assumeNotNull(seconds)), quantileExactInclusive(0.5)(assumeNotNull(seconds)))",
    }),
  }),
  aggregate: 'recompute',
  references: [whitePaper],
})

export const blocksWeightFill = metric({
  ...fromRows,
  id: 'blocks.weight_fill',
  name: 'Block fullness',
  unit: 'ratio',
  definition:
    'Weight of the blocks of the day as a share of the 4,000,000 weight units that each may have, header and coinbase in.',
  why: 'Whether block space is left. Full blocks create a fee market.',
  how: 'Sum of block weights ÷ (4,000,000 × blocks).',
  misleads:
    'Before segwit (August 2017) the limit was 1 MB of size; that is 4,000,000 weight units of old-style data, so older ratios are comparable, but there was no witness discount. Empty blocks lower it.',
  ...figuresSql({
    metric: 'blocks.weight_fill',
    type: 'Float64',
    chain: perHeldBlock({
      fine: FINE_GRAINS,
      value: 'sum(weight_wu) / (4000000 * count())',
      numerator: 'toFloat64(sum(weight_wu))',
      denominator: 'toFloat64(4000000 * count())',
    }),
  }),
  aggregate: 'recompute',
  references: [bip(141, 'Segregated Witness (consensus layer)')],
})

export const blocksEmpty = metric({
  ...fromBlocks,
  id: 'blocks.empty',
  name: 'Empty blocks',
  unit: 'blocks',
  definition: 'Blocks of the day that hold nothing but their coinbase.',
  why: 'Block space that energy paid for and no one used.',
  how: 'Count of blocks with one transaction.',
  misleads:
    'Most come from miners who start on a new block before validating it, which takes seconds and is not an attack. In 2009 nearly all were empty because there were no transactions.',
  ...figuresSql({
    metric: 'blocks.empty',
    type: 'Int64',
    chain: perBlock({ value: 'countIf(tx_count = 1)', fine: ['hour'] }),
  }),
  aggregate: 'sum',
  references: [
    {
      title: 'mempool.space: why are there empty blocks?',
      url: 'https://mempool.space/docs/faq#why-empty-blocks',
    },
  ],
})

export const blocksStale = metric({
  id: 'blocks.stale',
  name: 'Stale blocks',
  unit: 'blocks',
  definition: 'Valid blocks of the day, by header time, that lost to another block at their height.',
  why: 'Work that bought nothing: it shows how fast blocks travel and how deep reorgs go.',
  how: 'Count of listed stale blocks with a known header time, and of those seen by our own ingest.',
  misleads:
    'No list is complete, so a day without one only means that none was listed. 1,092 of the 1,932 listed have no header and so no time, and are excluded.',
  sql: `SELECT
  toDate(assumeNotNull(block_time)) AS day,
  '' AS key,
  toInt64(uniqExact(hash)) AS value,
  'whole' AS state,
  ${sourcesSql("if(source = 'bitcoin-data.stale-blocks', 'bitcoin-data.stale-blocks', 'bitcoin.chain')")} AS source,
  min(height) AS from_height, max(height) AS to_height, max(seen_at) AS as_of
FROM btc_stale_blocks
WHERE isNotNull(block_time) AND day BETWEEN {from:Date} AND {to:Date}
GROUP BY day
ORDER BY day`,
  sources: ['bitcoin.chain', 'bitcoin-data.stale-blocks'],
  cadence: 'block',
  aggregate: 'sum',
  calendar: 'reported',
  since: { day: '2010-08-15' },
  direction: 'down',
  references: [{ title: 'bitcoin-data/stale-blocks', url: 'https://github.com/bitcoin-data/stale-blocks' }],
})
