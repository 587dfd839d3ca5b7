import { BOOT_ADDRESSES, POX_UNLOCK_HEIGHTS } from '#kernel/stacks.ts'
import { RANGE } from '../chainFigures.ts'
import { metric } from '../metric.ts'
import { fromStacks, sip, stacksState } from './common.ts'
import { knownSince } from './stocks.ts'

const ACTIVE_FROM = POX_UNLOCK_HEIGHTS['pox-4'] + 1
const MAIN = `contract = '${BOOT_ADDRESSES.mainnet}.pox-5'`
/** A cycle has two distributions, and a year is counted as fifty (pox-5.clar). */
const DISTRIBUTIONS_A_YEAR = 50

const ofBonds = {
  ...fromStacks,
  since: { height: ACTIVE_FROM },
  needs:
    'Needs Stacks blocks from the start of PoX-5 on, without a gap: set STACKS_OBSERVER_PORT and let a node post to it, or load an archive of its events.',
  references: [sip(45, 'PoX-5: Bitcoin staking and emission alignment')],
} as const

/** The days since PoX-5 began with the Bitcoin height at their end; known while nothing since then is missing. */
const DAYS = `${knownSince(`SELECT max(height) AS height FROM stx_blocks WHERE burn_height < ${ACTIVE_FROM} HAVING count() > 0`, 'events')},
  days AS (
    SELECT k.day AS day, k.from_height AS from_height, k.to_height AS to_height, k.as_of AS as_of, k.state AS state, b.burn_height AS burn_height
    FROM known AS k
    INNER JOIN (SELECT height, burn_height FROM stx_blocks WHERE burn_height >= ${ACTIVE_FROM}) AS b ON b.height = k.to_height
    WHERE k.day ${RANGE}
  )`
const COLUMNS = `'stacks.chain' AS source, any(d.from_height) AS from_height, any(d.to_height) AS to_height, any(d.as_of) AS as_of`

export const bondsOpen = metric({
  ...ofBonds,
  id: 'bonds.open',
  name: 'Active bonds',
  unit: 'n',
  definition: 'Bonds of PoX-5 that have begun and not ended at the end of the UTC day.',
  why: 'How many terms bitcoin is staked for at the same time, at most six.',
  how: 'Bonds that were set up, by the Bitcoin heights of their terms.',
  misleads: 'A bond can be open and empty.',
  sql: `WITH
  ${DAYS}
SELECT
  d.day AS day, '' AS key, toInt64(countIf(b.start <= d.burn_height AND b.unlock > d.burn_height)) AS value, any(d.state) AS state,
  ${COLUMNS}
FROM days AS d
LEFT JOIN (
  SELECT start_burn_height AS start, unlock_burn_height AS unlock FROM stx_bonds WHERE ${MAIN}
) AS b ON true
GROUP BY d.day
ORDER BY day`,
  aggregate: 'last',
})

export const bondsLocked = metric({
  ...ofBonds,
  id: 'bonds.locked',
  name: 'Bitcoin in bonds',
  unit: 'sat',
  breakdown: { name: 'form', values: ['bitcoin', 'sbtc'] },
  headline: '*',
  definition:
    'Bitcoin registered for bonds of PoX-5 at the end of the UTC day that is neither taken out nor free, by its form.',
  why: 'Bitcoin that earns on Stacks.',
  how: 'Registrations less early exits, for bonds with an unlock height in the future.',
  misleads:
    'A lock announced to end early is removed immediately, although its coins may still be locked on Bitcoin.',
  sql: `WITH
  ${DAYS},
  terms AS (SELECT bond_index, any(unlock_burn_height) AS unlock FROM stx_bonds WHERE ${MAIN} GROUP BY bond_index),
  changes AS (
    SELECT c.day AS day, c.form AS form, c.sat AS sat, t.unlock AS unlock
    FROM (
      SELECT toDate(block_time) AS day, bond_index, if(is_l1_lock, 'bitcoin', 'sbtc') AS form, toInt64(registered_sat) AS sat
      FROM stx_bond_registrations
      WHERE ${MAIN} AND event = 'register-for-bond'
      UNION ALL
      SELECT
        toDate(block_time), bond_index, if(event = 'unstake-sbtc', 'sbtc', 'bitcoin'),
        -toInt64(coalesce(withdrawn_sat, released_sat, toUInt64(0)))
      FROM stx_bond_exits
      WHERE ${MAIN}
    ) AS c
    INNER JOIN terms AS t ON t.bond_index = c.bond_index
  )
SELECT
  d.day AS day, d.form AS key,
  toInt64(sumIf(ifNull(c.sat, 0), c.form = d.form AND c.day <= d.day AND c.unlock > d.burn_height)) AS value,
  any(d.state) AS state, ${COLUMNS}
FROM (SELECT *, arrayJoin(['bitcoin', 'sbtc']) AS form FROM days) AS d
LEFT JOIN changes AS c ON true
GROUP BY d.day, d.form
ORDER BY day, key`,
  aggregate: 'last',
})

export const bondsYield = metric({
  ...ofBonds,
  id: 'bonds.yield',
  name: 'Yield of bonds',
  unit: 'ratio',
  breakdown: { name: 'bond', values: [] },
  headline: 'all',
  definition:
    'Distributions to PoX-5 bonds on the UTC day ÷ the bitcoin in them, as a simple annual rate, with each bond’s target rate.',
  why: 'The return on staked bitcoin, in bitcoin.',
  how: `Rewards ÷ staked satoshis × ${DISTRIBUTIONS_A_YEAR}, the distributions per year in the contract; \`all\` is over all bonds, \`target of\` is a bond’s target rate.`,
  misleads: 'A distribution comes about once a week: days between have none. A bond gets its target at most.',
  sql: `WITH
  paid AS (
    SELECT
      toDate(p.block_time) AS day, toString(p.bond_index) AS bond, sum(p.rewards_sat) AS sat, sum(p.staked_sat) AS staked,
      any(t.target_rate_bps) AS target, min(p.height) AS from_height, max(p.height) AS to_height, max(p.block_time) AS as_of
    FROM stx_bond_distributions AS p
    LEFT JOIN (SELECT bond_index, target_rate_bps FROM stx_bonds WHERE ${MAIN}) AS t ON t.bond_index = p.bond_index
    WHERE p.${MAIN} AND toDate(p.block_time) ${RANGE}
    GROUP BY day, bond
  )
SELECT
  day, figure.1 AS key, sum(figure.2) / nullIf(sum(figure.3), 0) AS value, ${stacksState('day', 'events')} AS state,
  'stacks.chain' AS source, min(from_height) AS from_height, max(to_height) AS to_height, max(as_of) AS as_of
FROM (
  SELECT
    day, from_height, to_height, as_of,
    arrayJoin([
      ('all', toFloat64(sat) * ${DISTRIBUTIONS_A_YEAR}, toFloat64(staked)),
      (concat('bond ', bond), toFloat64(sat) * ${DISTRIBUTIONS_A_YEAR}, toFloat64(staked)),
      (concat('target of bond ', bond), toFloat64(target), toFloat64(10000))
    ]) AS figure
  FROM paid
)
GROUP BY day, key
ORDER BY day, key`,
  calendar: 'reported',
  aggregate: 'mean',
  direction: 'up',
})

export const poxReserveDeposit = metric({
  ...ofBonds,
  id: 'pox.reserve_deposit',
  name: 'Put into the reserve of PoX-5',
  unit: 'sat',
  definition: 'Bitcoin that the distributions of the UTC day put into the reserve.',
  why: 'Miner payments that neither bonds nor stakers receive.',
  how: 'From the contract’s print with each distribution: 15% of what bonds leave, or all of it if there is no STX-only staking.',
  misleads: 'Part of no yield.',
  sql: `SELECT
  toDate(block_time) AS day, '' AS key, toInt64(sum(reserve_deposit_sat)) AS value, ${stacksState('day', 'events')} AS state,
  'stacks.chain' AS source, min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of
FROM stx_reward_calculations
WHERE ${MAIN} AND toDate(block_time) ${RANGE}
GROUP BY day
ORDER BY day`,
  calendar: 'reported',
  aggregate: 'sum',
})

export const BOND_METRICS = [bondsOpen, bondsLocked, bondsYield, poxReserveDeposit] as const
