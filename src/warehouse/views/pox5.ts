import { BOOT_ADDRESSES } from '#kernel/stacks.ts'
import type { View } from '../view.ts'
import { type PrintField, type PrintView, printView } from './prints.ts'

/**
 * What PoX-5 prints, a table a subject. No event of the main network was recorded when this was written: topics and fields
 * are those of the contract's source. Source: stacks-core `stackslib/src/chainstate/stacks/boot/pox-5.clar`; SIP-045.
 */
const pox5 = (name: string, rest: Omit<PrintView, 'contracts'>): View =>
  printView(name, { ...rest, contracts: Object.values(BOOT_ADDRESSES).map(address => `${address}.pox-5`) })

const field =
  (kind: PrintField['kind']) =>
  (path: string, doc: string): PrintField => ({ path, kind, doc })
const n = field('u64')
const ustx = field('u128')
const wide = field('u128')
const who = field('text')
const bytes = field('bytes')
const yes = field('bool')

const staker = who('staker', 'whose stake')
const signer = who('signer', 'signer manager that it is staked with')
const oldSigner = who('old-signer', 'signer manager before; empty where it did not change hands')
const bond = n('bond-index', 'number of the bond')
const firstCycle = n('first-reward-cycle', 'first reward cycle')
const unlockCycle = n('unlock-cycle', 'reward cycle in which it is free')
const unlockHeight = n('unlock-burn-height', 'Bitcoin height at which it is free')

export const POX5_VIEWS: readonly View[] = [
  pox5('stx_bonds', {
    doc: 'One row per bond that was set up in PoX-5: its terms.',
    events: ['setup-bond'],
    fields: {
      bond_index: bond,
      target_rate_bps: n('target-rate', 'yield a year that it aims at, hundredths of a percent'),
      stx_value_ratio: n('stx-value-ratio', 'micro-STX that are worth 100 satoshis, for this bond'),
      min_ustx_ratio_bps: n(
        'min-ustx-ratio',
        'STX that must be staked along, hundredths of a percent of the bitcoin',
      ),
      early_unlock_bytes: bytes('early-unlock-bytes', 'script part by which a lock on Bitcoin may end early'),
      first_cycle: firstCycle,
      start_burn_height: n('bond-start-height', 'Bitcoin height at which it begins'),
      unlock_cycle: unlockCycle,
      unlock_burn_height: unlockHeight,
    },
  }),
  pox5('stx_bond_allowances', {
    doc: 'One row per staker that was admitted to a bond of PoX-5.',
    events: ['add-to-allowlist'],
    fields: { bond_index: bond, staker, max_sat: n('max-sats', 'most that it may put in, satoshis') },
  }),
  pox5('stx_bond_registrations', {
    doc: 'One row per registration for a bond of PoX-5, or change of one.',
    events: ['register-for-bond', 'update-bond-registration'],
    fields: {
      bond_index: bond,
      staker,
      signer,
      old_signer: oldSigner,
      amount_ustx: ustx('amount-ustx', 'STX staked along, micro-STX'),
      registered_sat: n('sats-total', 'bitcoin put in, satoshis; null for a change'),
      changed_sat: n('amount-sats', 'bitcoin that it holds, satoshis; null for a registration'),
      first_cycle: firstCycle,
      cycle_count: n('num-cycles', 'cycles left; null for a registration'),
      unlock_cycle: unlockCycle,
      unlock_burn_height: unlockHeight,
      is_l1_lock: yes('is-l1-lock', 'bitcoin locked on Bitcoin itself; false: sBTC'),
      lockup_kind: who('btc-lockup.type', '`l1` or `l2`; empty for a change'),
      lockup_outputs: field('repr')(
        'btc-lockup.txs',
        'outputs on Bitcoin that lock it, as readable text; empty for sBTC',
      ),
    },
  }),
  pox5('stx_bond_exits', {
    doc: 'One row per satoshis that left a bond of PoX-5 early: sBTC taken out, or a lock on Bitcoin announced to end.',
    events: ['unstake-sbtc', 'announce-l1-early-exit'],
    fields: {
      bond_index: bond,
      staker,
      signer,
      withdrawn_sat: n('amount-withdrawn-sats', 'sBTC taken out, satoshis; null for a lock on Bitcoin'),
      left_sat: n('new-amount-sats', 'sBTC that stays in, satoshis; null likewise'),
      released_sat: n('amount-sats-released', 'bitcoin released on Bitcoin, satoshis; null for sBTC'),
    },
  }),
  pox5('stx_stakes', {
    doc: 'One row per stake of STX in PoX-5: made, changed or ended.',
    events: ['stake', 'stake-update', 'unstake'],
    fields: {
      staker,
      signer,
      old_signer: oldSigner,
      amount_ustx: ustx('amount-ustx', 'staked, micro-STX'),
      increase_ustx: ustx('amount-increase', 'added by a change, micro-STX; null otherwise'),
      cycle_count: n('num-cycles', 'cycles of the stake; null where it ends'),
      extend_count: n('cycles-to-extend', 'cycles added by a change; null otherwise'),
      first_cycle: firstCycle,
      // The contract calls it prev-unlock-height and puts a cycle into it.
      prev_unlock_cycle: n(
        'prev-unlock-height',
        'reward cycle in which it would have been free; null unless changed',
      ),
      unlock_cycle: unlockCycle,
      unlock_burn_height: unlockHeight,
    },
  }),
  pox5('stx_reward_calculations', {
    doc: 'One row per distribution of PoX-5: amount received and how it was split.',
    events: ['calculate-rewards'],
    fields: {
      cycle: n('stx-cycle', 'reward cycle'),
      burn_height: n('calculation-height', 'Bitcoin height up to which rewards are counted'),
      bonds: field('repr')('bond-periods', 'bonds that take part, as readable text'),
      gross_sat: n('gross-accrued-rewards', 'sBTC received since the last one, satoshis'),
      bonds_sat: n('total-bond-rewards', 'to bonds, satoshis'),
      stakers_sat: n('total-stx-staker-rewards', 'to STX-only stakers, satoshis'),
      reserve_deposit_sat: n('reserve-deposit', 'to the reserve, satoshis'),
      reserve_balance_sat: n('reserve-balance', 'reserve afterwards, satoshis'),
      staked_ustx: ustx('cycle-staked-ustx', 'STX-only stake in the cycle, micro-STX'),
      accrued_per_ustx: wide(
        'accrued-rewards-per-ustx',
        'satoshis per micro-STX of this distribution × 10¹⁸',
      ),
      cumulative_per_ustx: wide('cumulative-rewards-per-ustx', 'the same, of the cycle so far'),
    },
  }),
  pox5('stx_bond_distributions', {
    doc: 'One row per bond and distribution of PoX-5: what the bond got.',
    events: ['bond-distribution'],
    fields: {
      bond_index: bond,
      target_sat: n('target-yield', 'what it aims at in this distribution, satoshis'),
      rewards_sat: n('bond-rewards', 'what it got, satoshis'),
      staked_sat: n('bond-staked-sats', 'bitcoin in it, satoshis'),
      accrued_per_sat: wide('accrued-rewards-per-sat', 'satoshis per satoshi of this distribution × 10¹⁸'),
      cumulative_per_sat: wide('cumulative-rewards-per-sat', 'the same, so far'),
    },
  }),
  pox5('stx_reward_claims', {
    doc: 'One row per claim of rewards in PoX-5: by a signer, or by a staker from its signer.',
    events: ['claim-rewards', 'claim-staker-rewards-for-signer'],
    fields: {
      cycle: n('reward-cycle', 'reward cycle'),
      signer: who('signer-manager', 'signer manager'),
      staker: who('staker', 'staker; empty where the signer claims'),
      bond_index: n(
        'bond-index',
        'bond that a staker claims from; null for STX, and where the signer claims',
      ),
      stx_rewards_sat: n('stx-rewards.earned', 'for STX-only staking, satoshis; null for a staker'),
      bond_rewards_sat: n('bond-totals', 'for bonds, satoshis; null for a staker'),
      signer_claimed_sat: n('total-rewards', 'claimed by the signer in all, satoshis; null for a staker'),
      staker_claimed_sat: n('rewards-claimed', 'claimed by the staker, satoshis; null for a signer'),
    },
  }),
  pox5('stx_signer_keys', {
    doc: 'One row per signer key that was registered, granted or whose grant was revoked in PoX-5.',
    events: ['register-signer', 'grant-signer-key', 'revoke-signer-grant'],
    fields: {
      signer_key: bytes('signer-key', 'public key, compressed'),
      signer: who('signer', 'signer manager that registers; empty for a grant'),
      signer_manager: who('signer-manager', 'signer manager that a grant is for; empty for a registration'),
      auth_id: wide('auth-id', 'number of the authorization; null unless granted'),
    },
  }),
  pox5('stx_pox_admin', {
    doc: 'One row per act of the administrators of PoX-5.',
    events: ['set-bond-admin', 'set-pause-admin', 'pause-rewards'],
    fields: {
      old_admin: who('old-admin', 'administrator before; empty for a pause'),
      new_admin: who('new-admin', 'administrator from then on; empty for a pause'),
    },
  }),
]
