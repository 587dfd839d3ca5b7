import { bool, bytes, date, nullable, oneOf, table, text, time, u16, u32, u64, u128 } from '#kernel/table.ts'

/**
 * What somebody recorded of Stacks that is no figure of a day: ballots, transfers, members. A row is what its source says,
 * in the order in which it says it.
 */
const source = text('source id, as in `sources`')
const position = u32('place of the row in the recording, from 0')

export const sipVotes = table('sip_votes', {
  doc: 'One row per ballot on a Stacks improvement proposal as the proposal’s repository lists it, repeated ballots of one voter included.',
  columns: {
    sip: u16('number of the proposal'),
    lane: oneOf(
      ['pool', 'solo', 'dao', 'signer'],
      'who votes here: members of pools, those who stack alone, holders of liquid STX, signers',
    ),
    voter: text(
      'Stacks address; of solo stackers Bitcoin or Stacks address; of signers public key, some cut short',
    ),
    voterName: text('name of the signer; empty elsewhere and where none is given'),
    isYes: bool('it is in favor'),
    powerUstx: nullable(
      u64('what the list lets it weigh, micro-STX; null for signers, who are counted by heads'),
    ),
    txid: nullable(
      bytes(
        32,
        'transaction that is the ballot, display order, on Bitcoin for solo stackers; null for signers',
      ),
    ),
    signature: text('signature of a signer’s ballot, hexadecimal; empty elsewhere'),
    position,
    source,
  },
  orderBy: ['sip', 'lane', 'voter', 'position'],
})

export const sipResults = table('sip_results', {
  doc: 'One row per lane of a vote whose totals the text of the proposal states, as it states them: they need not add up.',
  columns: {
    sip: u16('number of the proposal'),
    lane: oneOf(
      ['all', 'stacked', 'liquid', 'solo', 'pool', 'dao'],
      'whose STX; `all` is what the text states for all lanes together',
    ),
    yesStx: nullable(u64('in favor, whole STX; null where the text gives the total alone')),
    noStx: nullable(u64('against, whole STX; null likewise')),
    statedStx: nullable(u64('what the text states as their total, whole STX; null where it states none')),
    yesAccounts: nullable(u32('accounts in favor, as stated; null where they are not')),
    noAccounts: nullable(u32('accounts against, as stated; null likewise')),
    closedBurnHeight: u32('Bitcoin height at which the vote closed'),
    closedDay: date('UTC day of that block'),
    source,
  },
  orderBy: ['sip', 'lane'],
})

export const sip031Flows = table('sip031_flows', {
  doc: 'One row per movement of coins at the address of the SIP-031 endowment or at one of eight accounts that it funded, as a wallet history lists it. A transaction may have several rows.',
  columns: {
    at: time('time of its Bitcoin block, UTC'),
    account: text('whose history it is from'),
    kind: text('kind of movement in the words of the list: `Receive`, `Send`, `Trade Coin`, …'),
    detail: text('function that was called, or memo of the transfer; empty without'),
    inAsset: text('coin that came in, in the words of the list; empty where nothing did'),
    inAmount: u128('what came in, base units of that coin; micro-STX for `STX`'),
    outAsset: text('coin that went out; empty where nothing did'),
    outAmount: u128('what went out, base units; fees apart'),
    feeUstx: u64('fee that the account paid, micro-STX'),
    sender: text('who sent it; empty for contract calls'),
    recipient: text('who got it; empty for contract calls'),
    txid: bytes(32, 'Stacks transaction'),
    position,
    source,
  },
  orderBy: ['account', 'at', 'position'],
})

export const poolMembers = table('pool_members', {
  doc: 'One row per member of a stacking pool and run of reward cycles with the same amount.',
  columns: {
    pool: text('pool, as in the catalog'),
    member: text('whose STX'),
    fromCycle: u16('first reward cycle of the run'),
    toCycle: u16('last one'),
    amountUstx: u64('stacked with the pool in each of them, micro-STX'),
    source,
  },
  orderBy: ['pool', 'member', 'from_cycle'],
})

export const recordedStackers = table('recorded_stackers', {
  doc: 'One row per stacker of a census of reward cycles 19 and 20; `stx_stackers` has those that blocks tell of.',
  columns: {
    cycle: u16(
      'reward cycle; of cycle 19 the list has a twelfth of the STX, for a reason that it does not say',
    ),
    stacker: text('whose STX'),
    kind: text('kind in the words of the list'),
    lockedUstx: u64('locked, micro-STX'),
    untilBurnHeight: u32('Bitcoin height at which they are free'),
    source,
  },
  orderBy: ['cycle', 'stacker'],
})

export const signerManagers = table('pox5_signer_managers', {
  doc: 'One row per signer manager of PoX-5 that a census of 2026-08-13 found by its trait, as of Stacks block 8,755,381.',
  columns: {
    contract: text('the manager, as `address.name`'),
    lifecycle: text('`active`, `historical-registered` or `not-yet-registered`'),
    isInCycle141: bool('it is in the signer set of cycle 141'),
    isInCycle142: bool('it is in that of cycle 142, as known then'),
    signerKey: nullable(bytes(33, 'public key that signs; null where none is registered')),
    deployedHeight: nullable(u32('Stacks block that made the contract; null where it is not said')),
    registeredHeight: nullable(u32('Stacks block of its registration; null where it has none')),
    registeredBurnHeight: nullable(u32('Bitcoin height of its registration; null likewise')),
    lastTopic: text('newest event of PoX-5 that names it; empty without'),
    lastHeight: nullable(u32('Stacks block of that event; null without')),
    source,
  },
  orderBy: ['contract'],
})

export const cityCoinMiners = table('citycoin_miners', {
  doc: 'One row per address that mined or stacked MiamiCoin or NewYorkCityCoin of version 2, as of 2022-08-23.',
  columns: {
    city: oneOf(['MIA', 'NYC'], 'which coin'),
    miner: text('the address'),
    userId: u32('its number in the contract'),
    blocksMined: u64('blocks that it bid for'),
    committedUstx: u64('STX that it committed, micro-STX'),
    claimedAmount: u64('coins that it claimed, millionths'),
    stackedAllAmount: u64('coins that it stacked, all cycles together, millionths'),
    stackedNowAmount: u64('coins that it stacked in the cycle of that day, millionths'),
    rewardUstx: u64('STX that stacking its coins brought it, micro-STX'),
    source,
  },
  orderBy: ['city', 'miner'],
})

export const STX_RECORD_TABLES = [
  sipVotes,
  sipResults,
  sip031Flows,
  poolMembers,
  recordedStackers,
  signerManagers,
  cityCoinMiners,
] as const
