import { BOOT_ADDRESSES, REWARD_CYCLES } from '#kernel/stacks.ts'
import { NEWEST_BURN_BLOCKS } from './pox.ts'
import { type StacksTable, stx } from './table.ts'

const { firstHeight: FIRST, lengthBlocks: LENGTH } = REWARD_CYCLES
/** Bitcoin blocks at the end of a cycle in which the next one is prepared (SIP-007). */
const PREPARE = 100
const MAIN = `contract = '${BOOT_ADDRESSES.mainnet}.pox-5'`
const NO_PRINTS = 'No PoX-5 events in the indexed blocks.'

export const cyclesTable: StacksTable = {
  title: 'Reward cycles',
  sub: `The current cycle, those with a known reward set, and the next. A cycle has ${LENGTH.toLocaleString('en')} Bitcoin blocks, the last ${PREPARE} prepare the next`,
  empty: 'No cycle has an indexed block.',
  columns: [
    { key: 'cycle', label: 'Cycle', form: 'count' },
    { key: 'state', label: 'State', form: 'text' },
    { key: 'from_height', label: 'From Bitcoin block', form: 'count' },
    { key: 'prepare_height', label: 'Prepare phase from', form: 'count' },
    { key: 'blocks_to_prepare', label: 'Blocks to it', form: 'count' },
    { key: 'blocks_left', label: 'Blocks to its end', form: 'count' },
    { key: 'stacked', label: 'Stacked', form: 'amount' },
    { key: 'signer_count', label: 'Signers', form: 'count' },
    {
      key: 'signed',
      label: 'Signatures of all signers',
      form: 'figure',
      unit: 'ratio',
      title:
        'Mean over the indexed blocks of the cycle: signatures in a block ÷ signers. Blocks carry the signatures needed, rarely all',
    },
    { key: 'threshold', label: 'STX for a slot', form: 'amount', isOptional: true },
    { key: 'slot_count', label: 'Slots taken', form: 'count', isOptional: true },
  ],
  sql: `WITH
  (
    SELECT max(height) FROM (
    ${NEWEST_BURN_BLOCKS}
    )
  ) AS tip,
  intDiv(toInt64(tip) - ${FIRST}, ${LENGTH}) AS now_cycle,
  cycles AS (
    SELECT toInt64(cycle) AS cycle FROM stx_cycles WHERE cycle <= now_cycle + 1
    UNION DISTINCT
    SELECT arrayJoin([now_cycle, now_cycle + 1]) WHERE tip >= ${FIRST}
  )
SELECT
  c.cycle AS cycle,
  multiIf(c.cycle > now_cycle, 'next', c.cycle < now_cycle, 'over', toInt64(tip) >= prepare_height, 'prepares the next', 'under way') AS state,
  ${FIRST} + ${LENGTH} * c.cycle AS from_height, ${FIRST} + ${LENGTH} * (c.cycle + 1) - ${PREPARE} AS prepare_height,
  if(c.cycle = now_cycle AND prepare_height > tip, prepare_height - tip, NULL) AS blocks_to_prepare,
  if(c.cycle = now_cycle, ${FIRST} + ${LENGTH} * (c.cycle + 1) - tip, NULL) AS blocks_left,
  ${stx('s.stacked', 'stacked')}, s.signers AS signer_count, b.signatures / nullIf(s.signers, 0) AS signed,
  ${stx('s.least', 'threshold')}, s.slots AS slot_count
FROM cycles AS c
LEFT JOIN (
  SELECT
    toInt64(cycle) AS cycle, max(stacked_ustx) AS stacked, max(signer_count) AS signers, max(threshold_ustx) AS least,
    max(slot_count) AS slots
  FROM stx_cycles GROUP BY cycle
) AS s ON s.cycle = c.cycle
LEFT JOIN (
  SELECT intDiv(toInt64(burn_height) - ${FIRST}, ${LENGTH}) AS cycle, toNullable(avg(signer_signature_count)) AS signatures
  FROM stx_blocks
  WHERE signer_signature_count IS NOT NULL AND burn_height >= ${FIRST} + ${LENGTH} * (now_cycle - 12)
  GROUP BY cycle
) AS b ON b.cycle = c.cycle
ORDER BY cycle DESC
LIMIT 13`,
}

export const distributionsTable: StacksTable = {
  title: 'Distributions of PoX-5',
  sub: 'Miner rewards and how they were split: bonds first, then STX-only stakers, the rest to the reserve',
  empty: NO_PRINTS,
  columns: [
    { key: 'time', label: 'Time', form: 'time' },
    { key: 'cycle', label: 'Cycle', form: 'count' },
    { key: 'gross_sat', label: 'Received, sat', form: 'count' },
    { key: 'bonds_sat', label: 'To bonds, sat', form: 'count' },
    { key: 'stakers_sat', label: 'To STX-only, sat', form: 'count' },
    { key: 'reserve_deposit_sat', label: 'To the reserve, sat', form: 'count' },
    { key: 'reserve_balance_sat', label: 'Reserve after, sat', form: 'count' },
    { key: 'staked', label: 'STX-only stake', form: 'amount' },
    { key: 'txid', label: 'Transaction', form: 'txid', isOptional: true },
  ],
  sql: `SELECT
  c.block_time AS time, c.cycle AS cycle, c.gross_sat AS gross_sat, c.bonds_sat AS bonds_sat, c.stakers_sat AS stakers_sat,
  c.reserve_deposit_sat AS reserve_deposit_sat, c.reserve_balance_sat AS reserve_balance_sat,
  ${stx('c.staked_ustx', 'staked')}, lower(hex(c.txid)) AS txid
FROM stx_reward_calculations AS c
WHERE c.${MAIN}
ORDER BY c.height DESC, c.event_index DESC
LIMIT 100`,
}
