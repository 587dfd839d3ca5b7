import { REWARD_CYCLES } from '#kernel/stacks.ts'
import { RANGE } from '../chainFigures.ts'
import { metric } from '../metric.ts'
import { fromStacks, recordedOfStacks, sip, stacksState } from './common.ts'
import { headersOfCycle, pricedSpans, YIELD } from './cycleYield.ts'

const { firstHeight: FIRST, lengthBlocks: LENGTH, firstOfPox5: FIRST_POX5 } = REWARD_CYCLES
const stacking = sip(7, 'Stacking consensus')

/** Figures of a cycle stand on one day each. */
const ofCycles = {
  ...recordedOfStacks,
  cadence: 'block',
  sources: ['stacks.chain'],
  since: { day: '2021-01-14' },
  needs:
    'Requires blocks that fix a reward set: let a Stacks node post to STACKS_OBSERVER_PORT, or load an archive of events.',
  references: [stacking, sip(21, 'Nakamoto: signers and their weights')],
} as const

export const poxCycle = metric({
  ...fromStacks,
  id: 'pox.cycle',
  name: 'Reward cycle',
  unit: 'n',
  definition:
    'Number of the reward cycle that the last Bitcoin block of the UTC day’s Stacks blocks falls into.',
  why: 'The basis of other stacking figures.',
  how: `Bitcoin height less ${FIRST}, by ${LENGTH}, cut to whole cycles.`,
  misleads: 'Rewards of a cycle are paid from its second Bitcoin block on.',
  sql: `SELECT
  h.bucket AS day, '' AS key, intDiv(toInt64(b.burn_height) - ${FIRST}, ${LENGTH}) AS value,
  ${stacksState('h.bucket')} AS state, 'stacks.chain' AS source,
  h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
FROM stx_block_days AS h
INNER JOIN (
  SELECT height, burn_height
  FROM stx_blocks
  WHERE height IN (SELECT to_height FROM stx_block_days)
) AS b ON b.height = h.to_height
WHERE h.bucket ${RANGE}
ORDER BY day`,
  aggregate: 'last',
  references: [stacking],
})

const fromCycles = (value: string): string => `SELECT
  toDate(block_time) AS day, '' AS key, toInt64(${value}) AS value, 'whole' AS state, 'stacks.chain' AS source,
  height AS from_height, height AS to_height, block_time AS as_of
FROM stx_cycles
WHERE ${value} IS NOT NULL AND toDate(block_time) ${RANGE}
ORDER BY day`

export const poxMinThreshold = metric({
  ...ofCycles,
  id: 'pox.min_threshold',
  name: 'STX for a reward slot',
  unit: 'uSTX',
  definition: 'Minimum STX for a reward slot in a reward cycle.',
  why: 'Who can stack solo, and who needs a pool.',
  how: 'As fixed by the node with the reward set. PoX-1 to PoX-4 raise it in steps with the amount stacked.',
  misleads: 'PoX-5 has no slots. Its limit of 50,000 STX per signer is not comparable.',
  sql: fromCycles('threshold_ustx'),
})

export const poxSlotsUsed = metric({
  ...ofCycles,
  id: 'pox.slots_used',
  name: 'Reward slots taken',
  unit: 'n',
  definition: 'Reward slots that are taken in a reward cycle, of 4,000.',
  why: 'How full the reward set is.',
  how: 'Count of the addresses in the reward set, each slot one. None from PoX-5 on.',
  misleads: 'One stacker may hold many slots.',
  sql: fromCycles(`if(cycle >= ${FIRST_POX5}, NULL, slot_count)`),
})

export const poxSignerWeight = metric({
  ...ofCycles,
  id: 'pox.signer_weight',
  name: 'Weight of signers',
  unit: 'ratio',
  breakdown: { name: 'signer', values: [] },
  headline: 'largest',
  definition: 'Share of each signer in the weight that signs the blocks of a reward cycle.',
  why: 'A signer with 30 % can stop the chain: blocks need 70 % of the weight.',
  how: 'Slots of the signer ÷ slots of all in the reward set, by public key; `largest` is the greatest of them.',
  misleads: 'One company may run several keys.',
  sql: `SELECT
  toDate(block_time) AS day, arrayJoin(if(nth = 1, ['largest', signer], [signer])) AS key, weight_share AS value,
  'whole' AS state, 'stacks.chain' AS source, height AS from_height, height AS to_height, block_time AS as_of
FROM (
  SELECT
    block_time, height, weight_share, lower(hex(signing_key)) AS signer,
    row_number() OVER (PARTITION BY cycle, height ORDER BY weight_share DESC, signing_key) AS nth
  FROM stx_signer_weights
  WHERE toDate(block_time) ${RANGE}
)
ORDER BY day, key`,
})

/** What was earned in a cycle and by what: payouts of PoX-1 to 4, distributions to STX of PoX-5. */
const EARNED = `earned AS (
    SELECT toInt64(cycle) AS cycle, toInt64(payout_sat) AS sat, CAST(NULL AS Nullable(UInt128)) AS ustx
    FROM stx_cycle_rewards
    WHERE block_count = ${LENGTH} AND cycle < ${FIRST_POX5}
    UNION ALL
    SELECT toInt64(cycle), sum(toInt64(stakers_sat)), max(staked_ustx)
    FROM stx_reward_calculations
    WHERE cycle IS NOT NULL
    GROUP BY cycle
    HAVING count() = 2
  )`
/** The day of the first Bitcoin block after the cycle, where a Bitcoin block of it or the Stacks blocks on it tell it. */
const ENDS = `ends AS (
    SELECT intDiv(toInt64(burn_height) - ${FIRST}, ${LENGTH}) - 1 AS cycle, min(burn_time) AS end_time
    FROM stx_blocks
    WHERE burn_height >= ${FIRST}
    GROUP BY cycle
  )`

export const poxReward = metric({
  ...ofCycles,
  id: 'pox.reward',
  name: 'Bitcoin earned by stacking',
  unit: 'sat',
  definition:
    'Bitcoin that stackers of the whole network earned in a reward cycle, on the day on which the next one began.',
  why: 'What miners pay to STX stackers.',
  how: 'PoX-1 to PoX-4: Σ of the payouts of the cycle’s 2,100 Bitcoin blocks, as reported by Stacks nodes; PoX-5: its two distributions to STX-only staking.',
  misleads: 'Excludes bonds and the PoX-5 reserve. Cycles with a missing Bitcoin block have no figure.',
  sql: `WITH
  ${EARNED},
  ${ENDS}
SELECT
  toDate(n.end_time) AS day, '' AS key, e.sat AS value, 'whole' AS state, 'stacks.chain' AS source,
  CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height, n.end_time AS as_of
FROM earned AS e
INNER JOIN ends AS n ON n.cycle = e.cycle
WHERE toDate(n.end_time) ${RANGE}
ORDER BY day`,
})

export const poxYield = metric({
  ...ofCycles,
  id: 'pox.yield',
  name: 'Yield of stacking',
  unit: 'ratio',
  breakdown: { name: 'span', values: ['cycle', 'year'] },
  headline: 'year',
  definition:
    'Value of the bitcoin paid in a reward cycle over the value of the STX stacked in it, per cycle and as a simple annual rate.',
  why: 'The return on stacked STX, before pool fees.',
  how: '(sat ÷ 10⁸ × mean daily BTC close) ÷ (µSTX ÷ 10⁶ × mean daily STX close), means over the UTC days that the cycle touches; a year is × 365 ÷ the days between the headers at both ends of the cycle. µSTX are those of the reward set, from PoX-5 on those of STX-only staking. Dated to the end of the cycle.',
  misleads: 'In dollars, so a falling STX lifts it. Needs prices and headers of the whole cycle.',
  sql: `WITH
  ${EARNED},
  sets AS (SELECT toInt64(cycle) AS cycle, toNullable(any(stacked_ustx)) AS ustx FROM stx_cycles WHERE stacked_ustx > 0 GROUP BY cycle),
  spans AS (
    SELECT
      e.cycle AS cycle, e.sat AS sat, coalesce(e.ustx, s.ustx) AS ustx,
      f.height AS from_height, l.height AS to_height, f.block_time AS start, l.block_time AS end
    FROM earned AS e
    LEFT JOIN sets AS s ON s.cycle = e.cycle
    ${headersOfCycle('e')}
    WHERE toDate(l.block_time) ${RANGE} AND coalesce(e.ustx, s.ustx) > 0
  ),
  ${pricedSpans('cycle')}
SELECT
  toDate(p.end) AS day, ${YIELD},
  'whole' AS state, 'bitcoin.chain' AS source,
  p.from_height AS from_height, p.to_height AS to_height, p.end AS as_of
FROM priced AS p
ORDER BY day, key`,
  sources: ['stacks.chain', 'bitcoin.chain', 'bitcoin.getblockstats', 'stxusdt.bybit'],
})

export const POX_CYCLE_METRICS = [
  poxCycle,
  poxMinThreshold,
  poxSlotsUsed,
  poxSignerWeight,
  poxReward,
  poxYield,
] as const
