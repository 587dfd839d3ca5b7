import { REWARD_CYCLES } from '#kernel/stacks.ts'
import { type Reader, readRows } from '../../readRows.ts'

const { firstHeight: FIRST, lengthBlocks: LENGTH } = REWARD_CYCLES

export type PoolRow = {
  cycle: number
  pool: string
  amountUstx: string
  startDay: string | null
  payoutDay: string | null
  poolStackedUstx: string | null
  poolPaidUstx: string | null
  poolSwappedSat: string | null
  poolSwappedForUstx: string | null
}

/** What a member had with a pool by cycle, with what the pool says of the whole cycle. */
export const readPoolRows = (reader: Reader, address: string): Promise<PoolRow[]> =>
  readRows<PoolRow>(
    reader,
    `WITH
  cycles AS (
    SELECT
      entity, day,
      anyIf(amount, metric = 'pox.cycle') AS cycle, anyIf(amount, metric = 'pox.stacked') AS stacked,
      anyIf(amount, metric = 'pox.paid_out') AS paid, anyIf(amount, metric = 'pox.reward') AS swapped,
      anyIf(amount, metric = 'pox.stacked_for_stx') AS swapped_for
    FROM latest_observations
    WHERE metric IN ('pox.cycle', 'pox.stacked', 'pox.paid_out', 'pox.reward', 'pox.stacked_for_stx')
      AND entity IN (SELECT pool FROM pool_members WHERE member = {address:String})
    GROUP BY entity, day
  )
SELECT
  toUInt32(m.cycle) AS cycle, m.pool AS pool, toString(m.amount_ustx) AS amountUstx,
  if(c.cycle IS NULL, NULL, toString(c.day)) AS startDay, if(n.cycle IS NULL, NULL, toString(n.day)) AS payoutDay,
  toString(c.stacked) AS poolStackedUstx, toString(c.paid) AS poolPaidUstx,
  toString(c.swapped) AS poolSwappedSat, toString(c.swapped_for) AS poolSwappedForUstx
FROM (
  SELECT pool, amount_ustx, arrayJoin(range(toUInt64(from_cycle), toUInt64(to_cycle) + 1)) AS cycle
  FROM pool_members
  WHERE member = {address:String}
) AS m
LEFT JOIN cycles AS c ON c.entity = m.pool AND c.cycle = toUInt64(m.cycle)
LEFT JOIN cycles AS n ON n.entity = m.pool AND n.cycle = toUInt64(m.cycle) + 1
ORDER BY cycle`,
    { address },
  )

export type StackerRow = {
  cycle: number
  kind: 'solo' | 'pooled' | 'unknown'
  amountUstx: string
  delegateTo: string
  poxVersion: string
  poxHash: string
  contract: string
}

/** What an address had locked for a cycle by its own operations, PoX-1 to PoX-4. */
export const readStackerRows = (reader: Reader, address: string): Promise<StackerRow[]> =>
  readRows<StackerRow>(
    reader,
    `SELECT cycle, kind, toString(amount_ustx) AS amountUstx, delegate_to AS delegateTo, lower(hex(pox_version)) AS poxVersion,
  lower(hex(pox_hash)) AS poxHash, contract
FROM stx_stackers
WHERE stacker = {address:String}
ORDER BY cycle`,
    { address },
  )

export type DirectRow = {
  cycle: number
  sat: string
  /** At the close of the day of each payout; null where one has no close. */
  usd: number | null
  payouts: string
  /** Bitcoin blocks of the cycle that Stacks nodes told of. */
  blocks: string
}

/** What PoX paid to a Bitcoin address, by cycle. The first block that pays is the second one of a cycle. */
export const readDirectRows = (reader: Reader, recipient: string): Promise<DirectRow[]> =>
  readRows<DirectRow>(
    reader,
    `SELECT p.cycle AS cycle, toString(sum(p.value_sat)) AS sat, count() AS payouts, any(c.block_count) AS blocks,
  if(countIf(u.close IS NULL) > 0, NULL, sum(p.value_sat / 100000000 * u.close)) AS usd
FROM (
  SELECT toUInt32(intDiv(height - 1 - ${FIRST}, ${LENGTH})) AS cycle, height, value_sat
  FROM stx_payouts
  WHERE recipient = {recipient:String} AND height > ${FIRST}
) AS p
LEFT JOIN stx_cycle_rewards AS c ON c.cycle = p.cycle
LEFT JOIN (SELECT height, toNullable(day) AS day FROM btc_block_facts) AS f ON f.height = p.height
LEFT JOIN (SELECT toNullable(day) AS day, toNullable(close) AS close FROM btc_usd_daily) AS u ON u.day = f.day
GROUP BY p.cycle
ORDER BY cycle`,
    { recipient },
  )

/** What all who name the same PoX address had locked, by cycle. */
export const readSharers = (
  reader: Reader,
  { poxVersion, poxHash }: Pick<StackerRow, 'poxVersion' | 'poxHash'>,
): Promise<{ cycle: number; ustx: string }[]> =>
  readRows(
    reader,
    `SELECT cycle, toString(sum(amount_ustx)) AS ustx
FROM stx_stackers
WHERE pox_version = unhex({poxVersion:String}) AND pox_hash = unhex({poxHash:String})
GROUP BY cycle`,
    { poxVersion, poxHash },
  )

export type StakeRow = {
  event: 'stake' | 'stake-update' | 'unstake'
  amountUstx: string
  firstCycle: string | null
  unlockCycle: string | null
  burnHeight: number
  signer: string
}

/** Stakes of STX in PoX-5, in their order. */
export const readStakeRows = (reader: Reader, address: string): Promise<StakeRow[]> =>
  readRows<StakeRow>(
    reader,
    `SELECT s.event AS event, toString(ifNull(s.amount_ustx, 0)) AS amountUstx, toString(s.first_cycle) AS firstCycle,
  toString(s.unlock_cycle) AS unlockCycle, b.burn_height AS burnHeight, s.signer AS signer
FROM stx_stakes AS s
INNER JOIN (SELECT height, burn_height FROM stx_blocks WHERE height IN (SELECT height FROM stx_stakes)) AS b ON b.height = s.height
WHERE s.staker = {address:String}
ORDER BY s.height, s.event_index`,
    { address },
  )

export type BondRow = {
  event: string
  bondIndex: string
  /** What it put in, or took out. */
  sat: string
  firstCycle: string | null
  unlockCycle: string | null
  targetBps: string | null
  burnHeight: number
}

/** Bitcoin put into bonds of PoX-5 and taken out early, in their order. */
export const readBondRows = (reader: Reader, address: string): Promise<BondRow[]> =>
  readRows<BondRow>(
    reader,
    `SELECT r.event AS event, toString(r.bond_index) AS bondIndex, toString(r.sat) AS sat, toString(t.first_cycle) AS firstCycle,
  toString(t.unlock_cycle) AS unlockCycle, toString(t.target_rate_bps) AS targetBps, b.burn_height AS burnHeight
FROM (
  SELECT event, bond_index, ifNull(registered_sat, 0) AS sat, height, event_index
  FROM stx_bond_registrations WHERE staker = {address:String} AND event = 'register-for-bond'
  UNION ALL
  SELECT event, bond_index, coalesce(withdrawn_sat, released_sat, toUInt64(0)), height, event_index
  FROM stx_bond_exits WHERE staker = {address:String}
) AS r
LEFT JOIN (
  SELECT bond_index, any(first_cycle) AS first_cycle, any(unlock_cycle) AS unlock_cycle, any(target_rate_bps) AS target_rate_bps
  FROM stx_bonds GROUP BY bond_index
) AS t ON t.bond_index = r.bond_index
INNER JOIN (SELECT height, burn_height FROM stx_blocks) AS b ON b.height = r.height
ORDER BY r.height, r.event_index`,
    { address },
  )

export type ClaimRow = {
  cycle: string
  bondIndex: string | null
  sat: string
  day: string
  signer: string
}

/** What a staker claimed in PoX-5, in sBTC. */
export const readClaimRows = (reader: Reader, address: string): Promise<ClaimRow[]> =>
  readRows<ClaimRow>(
    reader,
    `SELECT toString(cycle) AS cycle, toString(bond_index) AS bondIndex, toString(ifNull(staker_claimed_sat, 0)) AS sat,
  toString(toDate(block_time)) AS day, signer
FROM stx_reward_claims AS c
WHERE staker = {address:String} AND cycle IS NOT NULL AND event = 'claim-staker-rewards-for-signer'
ORDER BY height, event_index`,
    { address },
  )

/** When cycles began, by the header of their first Bitcoin block, else by Stacks blocks on it; seconds since 1970. */
export async function readCycleStarts(
  reader: Reader,
  cycles: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const heights = cycles.map(cycle => FIRST + LENGTH * cycle)
  const rows = await readRows<{ height: number; timeS: number }>(
    reader,
    `SELECT height, min(timeS) AS timeS
FROM (
  SELECT height, toUnixTimestamp(block_time) AS timeS FROM btc_block_facts WHERE height IN {heights:Array(UInt32)}
  UNION ALL
  SELECT burn_height, toUnixTimestamp(min(burn_time)) FROM stx_blocks WHERE burn_height IN {heights:Array(UInt32)} GROUP BY burn_height
)
GROUP BY height`,
    { heights },
  )
  return new Map(rows.map(({ height, timeS }) => [(height - FIRST) / LENGTH, timeS]))
}

export type Closes = { btc: ReadonlyMap<string, number>; stx: ReadonlyMap<string, number> }

/** Closes of bitcoin and STX by day, over a span of days. */
export async function readCloses(reader: Reader, from: string, to: string): Promise<Closes> {
  const rows = await readRows<{ day: string; asset: string; close: number }>(
    reader,
    `SELECT toString(b.day) AS day, 'BTC' AS asset, b.close AS close FROM btc_usd_daily AS b WHERE b.day BETWEEN {from:Date} AND {to:Date}
UNION ALL
SELECT toString(x.day), x.asset, x.close FROM usd_closes AS x WHERE x.asset = 'STX' AND x.day BETWEEN {from:Date} AND {to:Date}`,
    { from, to },
  )
  const of = (asset: string) =>
    new Map(rows.filter(row => row.asset === asset).map(row => [row.day, row.close]))
  return { btc: of('BTC'), stx: of('STX') }
}
