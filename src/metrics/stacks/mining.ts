import { perHeldBlock } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { fromStacks, perStacksDay, sip } from './common.ts'

const COMMITS = `commits AS (
    SELECT height, block_time, value_sat
    FROM btc_layer_ops
    WHERE op = 'stacks.block_commit'
  )`

/** Figures of the commits in the Bitcoin blocks that are held. */
const onBitcoin = {
  ...fromStacks,
  sources: ['bitcoin.chain'],
  since: { height: 666_050 },
  needs: 'No day since the Stacks launch has all Bitcoin blocks indexed: set BITCOIN_RPC_URL to a node.',
  references: [sip(1, 'Burn election'), sip(7, 'Stacking consensus')],
} as const

const perBlockWithCommits = { with: [COMMITS], from: 'commits', fine: ['block', 'hour'] } as const

export const minersBid = metric({
  ...onBitcoin,
  id: 'miners.bid',
  name: 'Bids of miners',
  unit: 'sat',
  definition: 'Bitcoin that Stacks miners committed in block commits of the UTC day, by header time.',
  why: 'The cost of mining Stacks, and the PoX payout to stackers.',
  how: 'Sum of the outputs of block commits that pay stackers or a burn address; fees to Bitcoin’s miners are l1.fees.',
  misleads: 'Every commit counts, those that the node did not accept too.',
  ...figuresSql({
    metric: 'miners.bid',
    type: 'Int64',
    chain: perHeldBlock({ ...perBlockWithCommits, value: 'sum(value_sat)' }),
  }),
  aggregate: 'sum',
})

export const minersSpend = metric({
  ...onBitcoin,
  id: 'miners.spend',
  name: 'Bids by miner',
  unit: 'sat',
  breakdown: { name: 'miner', values: [] },
  headline: SUM_OF_KEYS,
  definition: 'Bitcoin that each Stacks miner committed in block commits of the UTC day, by header time.',
  why: 'How each miner bids: steadily, in bursts, or by the fees of the day.',
  how: 'miners.bid by the Bitcoin address that the node takes for the miner.',
  misleads: 'One miner may commit from several addresses; an address without a text is “unknown”.',
  ...figuresSql({
    metric: 'miners.spend',
    type: 'Int64',
    chain: perHeldBlock({
      with: [
        `senders AS (
    SELECT height, block_time, value_sat, if(JSONExtractString(details_json, 'sender') = '', 'unknown', JSONExtractString(details_json, 'sender')) AS sender
    FROM btc_layer_ops
    WHERE op = 'stacks.block_commit'
  )`,
      ],
      from: 'senders',
      key: 'sender',
      groupKey: true,
      value: 'sum(value_sat)',
    }),
  }),
  aggregate: 'sum',
})

export const minersCommits = metric({
  ...onBitcoin,
  id: 'miners.commits',
  name: 'Block commits',
  unit: 'tx',
  definition: 'Block commits of Stacks miners in the Bitcoin blocks of the UTC day.',
  why: 'How many bid for a tenure.',
  how: 'Count of transactions with the mark of a block commit.',
  misleads: 'One miner may commit from several addresses.',
  ...figuresSql({
    metric: 'miners.commits',
    type: 'Int64',
    chain: perHeldBlock({ ...perBlockWithCommits, value: 'count()' }),
  }),
  aggregate: 'sum',
})

export const minersActive = metric({
  ...onBitcoin,
  id: 'miners.active',
  name: 'Miners that bid',
  unit: 'n',
  definition: 'Distinct senders of block commits in the Bitcoin blocks of the bucket.',
  why: 'The level of competition. A single miner sets the price of a tenure.',
  how: 'Distinct Bitcoin addresses that the node treats as the miner. Weeks and months are counted directly.',
  misleads: 'One miner may commit from several addresses.',
  ...figuresSql({
    metric: 'miners.active',
    type: 'Int64',
    chain: perHeldBlock({
      with: [
        `senders AS (
    SELECT height, block_time, JSONExtractString(details_json, 'sender') AS sender
    FROM btc_layer_ops
    WHERE op = 'stacks.block_commit'
  )`,
      ],
      from: 'senders',
      value: 'uniqExact(sender)',
      takesGrain: true,
    }),
  }),
  aggregate: 'distinct',
  direction: 'up',
})

export const minersHhi = metric({
  ...onBitcoin,
  id: 'miners.hhi',
  name: 'Concentration of bids',
  unit: 'HHI',
  definition:
    'Sum of the squared shares of commits in the total bid of a Bitcoin block, mean over the blocks of the day.',
  why: 'Whether one miner can outbid the rest: 1 is one bidder, 0.2 five equal ones.',
  how: 'Σ bid² ÷ (Σ bid)² over the commits of each Bitcoin block, then the mean of blocks with a commit.',
  misleads: 'Measured over commits, not entities, so a split bid looks like two miners.',
  ...figuresSql({
    metric: 'miners.hhi',
    type: 'Float64',
    chain: perHeldBlock({
      with: [
        COMMITS,
        `shares AS (
    SELECT height, block_time, sum(pow(value_sat, 2)) / pow(sum(value_sat), 2) AS hhi
    FROM commits
    GROUP BY height, block_time
    HAVING sum(value_sat) > 0
  )`,
      ],
      from: 'shares',
      fine: ['block', 'hour'],
      value: 'avg(hhi)',
    }),
  }),
  aggregate: 'mean',
  direction: 'down',
})

export const stacksMinersReward = metric({
  ...fromStacks,
  id: 'miners.reward',
  name: 'Rewards of miners',
  unit: 'uSTX',
  breakdown: { name: 'part', values: ['coinbase', 'fees'] },
  headline: 'coinbase',
  definition:
    'STX paid out to miners on the UTC day: coinbases and fees of tenures 100 Bitcoin blocks before.',
  why: 'Miner income for their bids.',
  how: 'Matured rewards as nodes report them in the block that pays them.',
  misleads: 'Paid about 17 hours after the tenure was won: do not divide by the bids of the same day.',
  ...figuresSql({
    metric: 'miners.reward',
    type: 'Int64',
    chain: perStacksDay({
      key: "arrayJoin(['coinbase', 'fees'])",
      value: "if(key = 'coinbase', h.coinbase_ustx, h.reward_fee_ustx)",
      needs: ['miner_rewards'],
    }),
  }),
  aggregate: 'sum',
  references: [sip(1, 'Burn election')],
})
