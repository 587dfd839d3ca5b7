import { figuresSql } from '../figuresSql.ts'
import { metric } from '../metric.ts'
import { eventsOfNodes, fromStacks, perStacksDay, sip } from './common.ts'

export const stacksBlocksCount = metric({
  ...fromStacks,
  id: 'blocks.count',
  name: 'Blocks',
  unit: 'blocks',
  definition: 'Blocks of the canonical Stacks chain whose time falls on the UTC day.',
  why: 'The pace of the chain: with each Bitcoin block before Nakamoto, every few seconds since.',
  how: 'Count by block time: its own since Nakamoto, before that of the Bitcoin block of its tenure.',
  misleads:
    'Counts before and after Nakamoto (October 2024) mean different things: count tenures beside them.',
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
  definition: 'Seconds between neighbouring Stacks blocks, mean and median over the blocks of the day.',
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
