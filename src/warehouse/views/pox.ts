import { BOOT_ADDRESSES, POX_UNLOCK_HEIGHTS, REWARD_CYCLES } from '#kernel/stacks.ts'
import { BASE_DATABASE } from '../ddl.ts'
import { type View, view } from '../view.ts'
import { printView } from './prints.ts'

const { firstHeight: FIRST, lengthBlocks: LENGTH } = REWARD_CYCLES
const boot = Object.values(BOOT_ADDRESSES)

/** SQL: the reward cycle that a Bitcoin height of the main network falls into; negative before the first. */
const cycleOf = (height: string): string => `intDiv(toInt64(${height}) - ${FIRST}, ${LENGTH})`

const locked = { path: 'locked', kind: 'u128', doc: 'locked before the operation, micro-STX' } as const

const poxLockPrints = printView('stx_pox_lock_prints', {
  doc: 'One row per operation of PoX-2 to PoX-4 that locks, adds to or prolongs the STX of a stacker.',
  contracts: boot.flatMap(address => ['pox-2', 'pox-3', 'pox-4'].map(name => `${address}.${name}`)),
  events: [
    'stack-stx',
    'stack-extend',
    'stack-increase',
    'delegate-stack-stx',
    'delegate-stack-extend',
    'delegate-stack-increase',
  ],
  fields: {
    stacker: { path: 'stacker', kind: 'text', doc: 'whose STX' },
    locked_ustx: locked,
    lock_amount_ustx: {
      path: 'data.lock-amount',
      kind: 'u128',
      doc: 'new lock, micro-STX; null where it is none',
    },
    total_locked_ustx: {
      path: 'data.total-locked',
      kind: 'u128',
      doc: 'locked in all after an increase, micro-STX; null otherwise',
    },
    start_cycle: {
      path: 'data.start-cycle-id',
      kind: 'u64',
      doc: 'first cycle it counts for; null before PoX-4',
    },
    end_cycle: {
      path: 'data.end-cycle-id',
      kind: 'u64',
      doc: 'first cycle it no longer counts for; null before PoX-4',
    },
    start_burn_height: {
      path: 'data.start-burn-height',
      kind: 'u64',
      doc: 'Bitcoin height from which a lock counts; null otherwise',
    },
    lock_period: { path: 'data.lock-period', kind: 'u64', doc: 'cycles of a lock; null otherwise' },
    extend_count: { path: 'data.extend-count', kind: 'u64', doc: 'cycles that are added; null otherwise' },
    unlock_burn_height: {
      path: 'data.unlock-burn-height',
      kind: 'u64',
      doc: 'Bitcoin height at which it is free again; null where it is not said',
    },
    delegate_to: {
      path: 'data.delegator',
      kind: 'text',
      doc: 'who stacks for it: a pool; empty where nobody',
    },
    signer_key: {
      path: 'data.signer-key',
      kind: 'bytes',
      doc: 'public key of the signer; empty before PoX-4, and for members of a pool',
    },
    pox_version: { path: 'data.pox-addr.version', kind: 'bytes', doc: 'version of the PoX address' },
    pox_hash: { path: 'data.pox-addr.hashbytes', kind: 'bytes', doc: 'hash of the PoX address' },
  },
})

/** Cycles that begin before a version lets go of its locks are the last that its locks count for. */
const lastCycle = Object.entries(POX_UNLOCK_HEIGHTS)
  .map(([name, height]) => `endsWith(contract, '.${name}'), ${Math.floor((height - 1 - FIRST) / LENGTH) + 1}`)
  .join(', ')

const stackers = view('stx_stackers', {
  doc: 'One row per reward cycle of PoX-1 to PoX-4 and stacker: what was locked for it, by the newest operation before.',
  columns: {
    cycle: 'reward cycle',
    stacker: 'whose STX are locked',
    kind: '`solo`, or `pooled`: another one stacks for it; of PoX-1, whose locks do not tell, `unknown`',
    amount_ustx: 'locked, micro-STX',
    delegate_to: 'who stacks for it; empty where nobody or not known',
    signer_key:
      'public key of the signer; empty before PoX-4, and for members of a pool (its commits name the key)',
    pox_version: 'version of the PoX address that is paid; empty where not known',
    pox_hash: 'hash of that address; empty likewise',
    contract: 'the PoX contract',
    operation: 'newest operation that tells it; `lock` of PoX-1',
    height: 'block of that operation',
  },
  sql: `SELECT
  toUInt32(arrayJoin(range(toUInt64(greatest(start_cycle, 0)), toUInt64(greatest(end_cycle, 0))))) AS cycle,
  stacker, kind, amount_ustx, delegate_to, signer_key, pox_version, pox_hash, contract, operation, height
FROM (
  SELECT
    stacker, if(startsWith(event, 'delegate-'), 'pooled', 'solo') AS kind,
    assumeNotNull(coalesce(total_locked_ustx, lock_amount_ustx, locked_ustx, toUInt128(0))) AS amount_ustx,
    delegate_to, signer_key, pox_version, pox_hash, contract, event AS operation, height, event_index,
    assumeNotNull(coalesce(
      toInt64(start_cycle),
      ${cycleOf('start_burn_height')} + 1,
      ${cycleOf('unlock_burn_height')} - toInt64(extend_count),
      toInt64(0)
    )) AS start_cycle,
    if(
      startsWith(contract, '${BOOT_ADDRESSES.mainnet}'),
      least(
        assumeNotNull(coalesce(toInt64(end_cycle), ${cycleOf('unlock_burn_height')}, start_cycle + toInt64(lock_period), toInt64(0))),
        multiIf(${lastCycle}, 1000000)
      ),
      assumeNotNull(coalesce(toInt64(end_cycle), toInt64(0)))
    ) AS end_cycle
  FROM stx_pox_lock_prints
  UNION ALL
  SELECT
    l.stacker, 'unknown', toUInt128(l.amount_ustx), '', '', '', '', '${BOOT_ADDRESSES.mainnet}.pox', 'lock', l.height, l.event_index,
    ${cycleOf('b.burn_height')} + 1,
    least(${cycleOf('l.unlock_height')}, ${Math.floor((POX_UNLOCK_HEIGHTS.pox - 1 - FIRST) / LENGTH) + 1})
  FROM stx_locks AS l
  INNER JOIN (SELECT height, burn_height FROM stx_blocks WHERE burn_height < ${POX_UNLOCK_HEIGHTS.pox}) AS b ON b.height = l.height
  WHERE l.contract IN ('', '${BOOT_ADDRESSES.mainnet}.pox')
)
ORDER BY height DESC, event_index DESC
LIMIT 1 BY cycle, stacker`,
})

const cycleRewards = view('stx_cycle_rewards', {
  doc: 'One row per reward cycle of the main network up to PoX-4: bitcoin paid out in it, as Stacks nodes report Bitcoin.',
  columns: {
    cycle: 'reward cycle',
    payout_sat: 'paid to reward addresses, satoshis',
    burn_sat: 'burned instead, satoshis',
    block_count: `Bitcoin blocks held of it, of ${LENGTH}`,
    from_height: 'lowest of these Bitcoin heights',
    to_height: 'highest of these Bitcoin heights',
  },
  // The first block that pays is the second one of the cycle (modulo 1), the last one the first of the next.
  sql: `SELECT
  toUInt32(intDiv(height - 1 - ${FIRST}, ${LENGTH})) AS cycle, sum(s.payout_sat) AS payout_sat, sum(s.burn_sat) AS burn_sat,
  count() AS block_count, min(s.height) AS from_height, max(s.height) AS to_height
FROM stx_burn_blocks AS s
WHERE s.height > ${FIRST} AND s.height <= ${FIRST + LENGTH * REWARD_CYCLES.firstOfPox5}
GROUP BY cycle`,
})

const signerShares = view('stx_signer_weights', {
  doc: 'One row per reward cycle and signer: its share of the weight that signs blocks.',
  columns: {
    cycle: 'reward cycle',
    signing_key: 'public key that signs',
    weight: 'weight of its signature: slots',
    weight_share: 'of the weight of all signers',
    stacked_ustx: 'stacked with it, micro-STX',
    stacked_share: 'of what is stacked with all signers',
    height: 'block that fixed the reward set',
    block_time: 'its time, UTC',
  },
  sql: `SELECT
  cycle, signing_key, weight, weight / sum(weight) OVER (PARTITION BY cycle, height) AS weight_share,
  stacked_ustx, stacked_ustx / sum(stacked_ustx) OVER (PARTITION BY cycle, height) AS stacked_share,
  height, block_time
FROM stx_signers`,
})

const blockSignatures = view('stx_block_signatures', {
  doc: 'One row per Nakamoto block and signer: who signed it, with the weight that it had where the reward set of the cycle is held. Filled day by day behind the blocks.',
  columns: {
    height: 'height of the block',
    block_time: 'its time, UTC',
    hash: 'index block hash of the block',
    cycle: 'reward cycle, by the Bitcoin height of its tenure',
    signing_key: 'public key, recovered from the signature',
    weight: 'weight of its signature: slots; null where the set is not held, and for a key that is not in it',
    weight_share: 'of the weight of all signers of the cycle; null likewise',
  },
  sql: `SELECT
  b.height AS height, b.block_time AS block_time, b.hash AS hash, b.cycle AS cycle, b.signing_key AS signing_key,
  w.weight AS weight, w.weight_share AS weight_share
FROM (
  SELECT
    c.height AS height, c.block_time AS block_time, c.hash AS hash,
    toUInt32(intDiv(toInt64(c.burn_height) - ${FIRST}, ${LENGTH})) AS cycle,
    arrayJoin(arrayMap(n -> toFixedString(substring(s.signers, 33 * n + 1, 33), 33), range(intDiv(length(s.signers), 33)))) AS signing_key
  FROM stx_blocks AS c
  INNER JOIN ${BASE_DATABASE}.stx_block_signers AS s FINAL ON s.height = c.height AND s.hash = c.hash
  WHERE c.is_nakamoto AND c.burn_height >= ${FIRST}
) AS b
LEFT JOIN (
  SELECT cycle, signing_key, toNullable(any(weight)) AS weight, toNullable(any(weight_share)) AS weight_share
  FROM stx_signer_weights
  GROUP BY cycle, signing_key
) AS w ON w.cycle = b.cycle AND w.signing_key = b.signing_key`,
})

/** Stacking in PoX-1 to PoX-4, in the order in which views rest on one another. */
export const POX_VIEWS: readonly View[] = [
  poxLockPrints,
  stackers,
  cycleRewards,
  signerShares,
  blockSignatures,
]
