import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric } from '../metric.ts'
import { STACKS_USER_KINDS } from '../rollups/stacksDays.ts'
import { eventsOfNodes, fromStacks, perHeldStacksDay, perStacksDay, sip } from './common.ts'

export const stacksBlocksCount = metric({
  ...fromStacks,
  id: 'blocks.count',
  name: 'Blocks',
  unit: 'blocks',
  definition: 'Blocks of the canonical Stacks chain with a time on the UTC day.',
  why: 'The pace of the chain: with each Bitcoin block before Nakamoto, every few seconds since.',
  how: 'Count by block time: its own since Nakamoto, before that of the Bitcoin block of its tenure.',
  misleads: 'Counts before and after Nakamoto (October 2024) mean different things. Compare tenures.',
  ...figuresSql({ metric: 'blocks.count', type: 'Int64', chain: perStacksDay({ value: 'h.block_count' }) }),
  aggregate: 'sum',
  references: [sip(21, 'Nakamoto: fast and reliable blocks through PoX-assisted block production')],
})

export const stacksBlockTime = metric({
  ...fromStacks,
  id: 'chain.block_time',
  name: 'Seconds between blocks',
  unit: 's',
  breakdown: { name: 'statistic', values: ['mean', 'median'] },
  headline: 'median',
  definition: 'Seconds between neighboring Stacks blocks, mean and median over the blocks of the day.',
  why: 'How long a sender waits for the next block.',
  how: 'Time of a block minus that of the block before; it counts on the day of the later one.',
  misleads: 'Before Nakamoto these are header times of Bitcoin, which are rough and may step back.',
  ...figuresSql({
    metric: 'chain.block_time',
    type: 'Float64',
    chain: perStacksDay({
      key: "arrayJoin(['mean', 'median'])",
      value: "if(key = 'mean', h.interval_sum / nullIf(h.interval_count, 0), h.median_interval)",
    }),
  }),
  aggregate: 'mean',
  direction: 'down',
  references: [eventsOfNodes],
})

export const tenuresCount = metric({
  ...fromStacks,
  id: 'tenures.count',
  name: 'Tenures',
  unit: 'tenures',
  definition: 'Tenures that began on the UTC day: a miner won a Bitcoin block.',
  why: 'How many of about 144 Bitcoin blocks a day a Stacks miner won and used.',
  how: 'Changes of tenure with the cause BlockFound; before Nakamoto each block is a tenure.',
  misleads: 'Fewer than 144 may be Bitcoin’s luck and no fault of Stacks.',
  ...figuresSql({ metric: 'tenures.count', type: 'Int64', chain: perStacksDay({ value: 'h.tenure_count' }) }),
  aggregate: 'sum',
  references: [sip(21, 'Nakamoto: fast and reliable blocks through PoX-assisted block production')],
})

export const tenuresBlocksPer = metric({
  ...fromStacks,
  id: 'tenures.blocks_per',
  name: 'Blocks in a tenure',
  unit: 'blocks/tenure',
  definition: 'Stacks blocks of the day to the tenures that began on it.',
  why: 'How much a miner makes of a Bitcoin block.',
  how: 'Blocks ÷ tenures; 1 by construction before Nakamoto.',
  misleads: 'A tenure that runs over midnight has its blocks on two days.',
  ...figuresSql({
    metric: 'tenures.blocks_per',
    type: 'Float64',
    chain: perStacksDay({
      value: 'h.block_count / nullIf(h.tenure_count, 0)',
      numerator: 'toFloat64(h.block_count)',
      denominator: 'toFloat64(h.tenure_count)',
    }),
  }),
  aggregate: 'recompute',
  references: [sip(21, 'Nakamoto: fast and reliable blocks through PoX-assisted block production')],
})

const USER_KINDS = STACKS_USER_KINDS.map(kind => `'${kind}'`).join(', ')

export const tenuresEmpty = metric({
  ...fromStacks,
  id: 'tenures.empty',
  name: 'Empty tenures',
  unit: 'tenures',
  definition: 'Tenures started on the UTC day with no user transaction in their blocks.',
  why: 'A miner earned a coinbase without including transactions, a sign of low demand or of a passive miner.',
  how: 'From the first block of a tenure to the last before the next tenure, with no payment, call, contract or Bitcoin operation. Excludes the latest tenure and those before a gap.',
  misleads: 'A tenure of a few seconds between two Bitcoin blocks has no time to be filled.',
  ...figuresSql({
    metric: 'tenures.empty',
    type: 'Int64',
    chain: perHeldStacksDay({
      ctes: [
        `starts AS (
    SELECT
      t.height AS height, toDate(t.block_time) AS day, 1 AS one,
      leadInFrame(t.height) OVER (ORDER BY t.height ROWS BETWEEN CURRENT ROW AND 1 FOLLOWING) AS next_height
    FROM stx_tenures AS t
    WHERE t.cause = 'BlockFound' AND toDate(t.block_time) BETWEEN {from:Date} AND {to:Date} + 1
  ),
  spans AS (
    SELECT s.height AS height, s.day AS day, s.next_height AS next_height, 1 AS one
    FROM starts AS s
    ASOF INNER JOIN (SELECT from_height, to_height, 1 AS one FROM stx_coverage) AS c
      ON c.one = s.one AND c.from_height <= s.height
    WHERE s.next_height > s.height AND s.next_height <= c.to_height
  ),
  used AS (
    SELECT DISTINCT p.height AS height, 1 AS is_used
    FROM (
      SELECT DISTINCT height, 1 AS one
      FROM stx_txs
      WHERE kind IN (${USER_KINDS}) AND toDate(block_time) BETWEEN {from:Date} AND {to:Date} + 1
    ) AS x
    ASOF INNER JOIN spans AS p ON p.one = x.one AND p.height <= x.height
    WHERE x.height < p.next_height
  )`,
      ],
      rows: `SELECT s.day AS day, '' AS key, countIf(u.is_used = 0) AS value
    FROM spans AS s
    LEFT JOIN used AS u ON u.height = s.height
    WHERE s.day ${RANGE}
    GROUP BY s.day`,
    }),
  }),
  aggregate: 'sum',
  direction: 'down',
  references: [sip(21, 'Nakamoto: fast and reliable blocks through PoX-assisted block production')],
})
