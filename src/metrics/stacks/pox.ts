import { FAST_POOL } from '#sources/stacks.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric } from '../metric.ts'
import { recordedOfStacks, sip } from './common.ts'
import { headersOfCycle, pricedSpans, YIELD } from './cycleYield.ts'

const stacking = sip(7, 'Stacking consensus')

/** What blocks say of a cycle stands on the day of the block that fixed its reward set; others' counts on its first day. */
const fromCycles = (column: string, metricId: string): string => `WITH
  candidates AS (
    SELECT
      toDate(block_time) AS day, '' AS key, toInt64(${column}) AS value, 'whole' AS state, 'stacks.chain' AS source,
      toNullable(height) AS from_height, toNullable(height) AS to_height, block_time AS as_of, 0 AS rank
    FROM stx_cycles
    WHERE ${column} IS NOT NULL AND toDate(block_time) ${RANGE}
    UNION ALL
    SELECT
      o.day, o.key, toInt64(o.amount), 'whole', o.source, NULL, NULL, o.observed_at, 1
    FROM latest_observations AS o
    WHERE o.metric = '${metricId}' AND o.entity = {entity:String} AND o.day ${RANGE}
  )
SELECT day, key, value, state, source, from_height, to_height, as_of
FROM candidates
ORDER BY day, key, rank
LIMIT 1 BY day, key`

const ofNetwork = {
  ...recordedOfStacks,
  sources: ['stacks.chain', 'stacks.pox', 'stacksgov.sip-012'],
  needs:
    'With internet, the public API is polled for the current cycle. Blocks that fix a reward set have every cycle: let a Stacks node post to STACKS_OBSERVER_PORT, or load an archive of events.',
  since: { day: '2021-01-14' },
  references: [stacking, sip(12, 'Burn height selection for a network-upgrade to introduce new cost limits')],
  misleads:
    'One count per cycle. The only recorded one between PoX-1 and PoX-4 is the census of cycle 20 (November 2021). A node’s count for the current cycle is on each day it was polled.',
} as const

export const poxStacked = metric({
  ...ofNetwork,
  id: 'pox.stacked',
  name: 'STX stacked',
  unit: 'uSTX',
  definition: 'STX locked by stackers in a reward cycle, all of them together.',
  why: 'How much STX backs the signers.',
  how: 'STX stacked by the signers of the reward set (from PoX-4 on), a node’s report for the current cycle, or a census of stackers.',
  sql: fromCycles('stacked_ustx', 'pox.stacked'),
})

export const poxStackers = metric({
  ...ofNetwork,
  id: 'pox.stackers',
  name: 'Stackers',
  unit: 'addresses',
  definition: 'Addresses with STX locked in a reward cycle.',
  why: 'How many addresses stack for themselves or for a pool.',
  how: 'Count from a census of stackers. Pool members count as the pool’s one address unless they lock their own.',
  sources: ['stacksgov.sip-012'],
  ...figuresSql({ metric: 'pox.stackers', type: 'Int64', outside: ['stacksgov.sip-012'] }),
})

export const poxSigners = metric({
  ...ofNetwork,
  id: 'pox.signers',
  name: 'Signers',
  unit: 'n',
  definition: 'Signers in the reward set of a cycle, from PoX-4 on.',
  why: 'How many hands sign the blocks.',
  how: 'Count of the signers that the node put into the reward set.',
  misleads: 'One company may run several keys; weights differ by far.',
  sql: `SELECT
  toDate(block_time) AS day, '' AS key, toInt64(signer_count) AS value, 'whole' AS state,
  'stacks.chain' AS source, height AS from_height, height AS to_height, block_time AS as_of
FROM stx_cycles
WHERE signer_count IS NOT NULL AND toDate(block_time) ${RANGE}
ORDER BY day`,
  sources: ['stacks.chain'],
})

const ofPool = {
  ...recordedOfStacks,
  entityKind: 'pool',
  entities: [FAST_POOL],
  sources: ['friedger.stacking'],
  needs: 'Comes with the bundled snapshot.',
  since: { day: '2021-03-20' },
  references: [{ title: 'friedger/stacking', url: 'https://github.com/friedger/stacking' }, stacking],
  misleads: 'One pool, not the network; its members come and go.',
} as const

export const poolStacked = metric({
  ...ofPool,
  id: 'pox.stacked',
  name: 'STX stacked with the pool',
  unit: 'uSTX',
  definition: 'STX that members of the pool have stacked in a reward cycle.',
  why: 'How a large pool has grown, cycle by cycle: the only record of its length.',
  how: 'As the pool publishes it; on the day on which the cycle began.',
  ...figuresSql({ metric: 'pox.stacked', type: 'Int64', outside: ['friedger.stacking'] }),
})

export const poolStackers = metric({
  ...ofPool,
  id: 'pox.stackers',
  name: 'Members of the pool',
  unit: 'addresses',
  definition: 'Members of the pool with STX stacked in a reward cycle.',
  why: 'How many take part through one pool.',
  how: 'As the pool publishes it.',
  ...figuresSql({ metric: 'pox.stackers', type: 'Int64', outside: ['friedger.stacking'] }),
})

export const poolCycle = metric({
  ...ofPool,
  id: 'pox.cycle',
  name: 'Reward cycle',
  unit: 'n',
  definition: 'Number of the reward cycle that began on the day.',
  why: 'The basis of the pool’s other figures.',
  how: 'Cycle n begins with Bitcoin block 666,050 + 2,100 n.',
  ...figuresSql({ metric: 'pox.cycle', type: 'Int64', outside: ['friedger.stacking'] }),
})

export const poolStackedForStx = metric({
  ...ofPool,
  id: 'pox.stacked_for_stx',
  name: 'STX stacked for a payout in STX',
  unit: 'uSTX',
  definition: 'STX of pool members who take their reward in STX.',
  why: 'The STX that earned the swapped bitcoin. Other members take bitcoin.',
  how: 'As the pool publishes it, from cycle 98 on.',
  ...figuresSql({ metric: 'pox.stacked_for_stx', type: 'Int64', outside: ['friedger.stacking'] }),
})

export const poolPaidOut = metric({
  ...ofPool,
  id: 'pox.paid_out',
  name: 'Paid out by the pool',
  unit: 'uSTX',
  definition: 'STX that the pool paid to its members for a reward cycle.',
  why: 'Stacking return, in the locked coin.',
  how: 'As the pool publishes it: bitcoin rewards swapped to STX.',
  ...figuresSql({ metric: 'pox.paid_out', type: 'Int64', outside: ['friedger.stacking'] }),
})

export const poolReward = metric({
  ...ofPool,
  id: 'pox.reward',
  name: 'Bitcoin earned by the pool',
  unit: 'sat',
  definition: 'Bitcoin of a reward cycle that the pool swapped for its members.',
  why: 'Stacking return before the swap.',
  how: 'As the pool publishes it, from cycle 98 on.',
  ...figuresSql({ metric: 'pox.reward', type: 'Int64', outside: ['friedger.stacking'] }),
})

export const poolYield = metric({
  ...ofPool,
  id: 'pox.yield',
  name: 'Yield of stacking with the pool',
  unit: 'ratio',
  breakdown: { name: 'span', values: ['cycle', 'year'] },
  headline: 'year',
  definition:
    'Value of the bitcoin of a reward cycle to the value of the STX stacked, per cycle and as a simple year.',
  why: 'The actual return of a stacker.',
  how: '(sat ÷ 10⁸ × mean daily BTC close) ÷ (µSTX ÷ 10⁶ × mean daily STX close), means over the UTC days that the cycle touches; the STX are those of the members whose bitcoin was swapped; a year is × 365 ÷ the days between the headers at both ends of the cycle. Cycles without the headers at both ends have none.',
  misleads: 'After the pool’s fee and for its members alone; in dollars, so a falling STX lifts it.',
  sql: `WITH
  cycles AS (
    SELECT
      day, source, max(observed_at) AS as_of,
      maxIf(amount, metric = 'pox.cycle') AS cycle,
      maxIf(amount, metric = 'pox.stacked_for_stx') AS ustx,
      maxIf(amount, metric = 'pox.reward') AS sat
    FROM latest_observations
    WHERE entity = {entity:String} AND metric IN ('pox.cycle', 'pox.stacked_for_stx', 'pox.reward')
    GROUP BY day, source
    HAVING sat > 0 AND ustx > 0
  ),
  spans AS (
    SELECT
      c.day AS day, c.source AS source, c.as_of AS as_of, c.ustx AS ustx, c.sat AS sat,
      f.height AS from_height, l.height AS to_height, f.block_time AS start, l.block_time AS end
    FROM cycles AS c
    ${headersOfCycle('c')}
    WHERE c.day ${RANGE}
  ),
  ${pricedSpans('day', 'source', 'as_of')}
SELECT
  p.day AS day, ${YIELD},
  'whole' AS state, p.source AS source,
  p.from_height AS from_height, p.to_height AS to_height, p.as_of AS as_of
FROM priced AS p
ORDER BY day, key`,
  sources: ['friedger.stacking', 'bitcoin.getblockstats', 'stxusdt.bybit'],
})
