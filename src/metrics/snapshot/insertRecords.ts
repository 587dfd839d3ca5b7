import type { Table } from '#kernel/table.ts'
import { parseCsv, scaled } from '#sources/csv.ts'
import { recordedListings, yieldsRecorded } from '#sources/recorded/defillamaYields.ts'
import {
  cityCoins,
  endowment,
  fastPoolMembers,
  signerManagerCensus,
  sipBallots,
  sipTotals,
} from '#sources/recorded/stacksRecords.ts'
import { FAST_POOL, stackersCensus } from '#sources/stacks.ts'
import type { Warehouse } from '#warehouse/index.ts'
import {
  cityCoinMiners,
  poolMembers,
  recordedStackers,
  signerManagers,
  sip031Flows,
  sipResults,
  sipVotes,
} from '#warehouse/tables/stacksRecords.ts'
import { yieldListings } from '#warehouse/tables/yields.ts'
import { DEVELOPER_RECORDS } from './insertDevelopers.ts'
import { TREASURY_RECORDS } from './insertTreasuries.ts'

type Insert = (warehouse: Warehouse, text: string) => Promise<void>
/** Rows of a recording that are no figures of days, and the table that they belong to. */
export type Records = { readonly table: Table; readonly insert: Insert }

const hexOf = (text: string): Uint8Array => Buffer.from(text.replace(/^0x/, ''), 'hex')
const hexOrNull = (text: string): Uint8Array | null => (text === '' ? null : hexOf(text))
const countOrNull = (text: string): number | null => (text === '' ? null : Number(text))
const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1000)
const isTrue = (text: string): boolean => text === 'true' || text === '1'
/** An amount; an empty cell is nothing. */
const amountOf = (text: string, file: string, digits = 0): bigint => scaled(text, digits, file) ?? 0n

/** By source; each insert is one block: whole or absent. */
export const RECORDS: Readonly<Record<string, Records>> = {
  [sipBallots.id]: { table: sipVotes, insert: insertVotes },
  [sipTotals.id]: { table: sipResults, insert: insertResults },
  [endowment.id]: { table: sip031Flows, insert: insertFlows },
  [fastPoolMembers.id]: { table: poolMembers, insert: insertMembers },
  [stackersCensus.id]: { table: recordedStackers, insert: insertStackers },
  [signerManagerCensus.id]: { table: signerManagers, insert: insertManagers },
  [cityCoins.id]: { table: cityCoinMiners, insert: insertCityCoins },
  ...TREASURY_RECORDS,
  ...DEVELOPER_RECORDS,
  [yieldsRecorded.id]: { table: yieldListings, insert: insertListings },
}

function insertListings(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source } = yieldsRecorded
  return warehouse.insertRows(
    yieldListings,
    recordedListings(text).map(listed => ({ ...listed, source, seenAt: secondsOf(listed.day) })),
  )
}

function insertVotes(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = sipBallots
  const columns = ['sip', 'lane', 'voter', 'voter_name', 'is_yes', 'power_ustx', 'txid', 'signature'] as const
  return warehouse.insertRows(
    sipVotes,
    parseCsv(text, columns, file).map((row, position) => ({
      sip: Number(row.sip),
      // A lane that the table does not have is refused by its encoder.
      lane: row.lane as 'pool',
      voter: row.voter,
      voterName: row.voter_name,
      isYes: isTrue(row.is_yes),
      powerUstx: scaled(row.power_ustx, 0, file),
      txid: hexOrNull(row.txid),
      signature: row.signature,
      position,
      source,
    })),
  )
}

function insertResults(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = sipTotals
  const columns = [
    'sip',
    'lane',
    'yes_stx',
    'no_stx',
    'stated_stx',
    'yes_accounts',
    'no_accounts',
    'closed_burn_height',
    'closed_day',
  ] as const
  return warehouse.insertRows(
    sipResults,
    parseCsv(text, columns, file).map(row => ({
      sip: Number(row.sip),
      lane: row.lane as 'all',
      yesStx: scaled(row.yes_stx, 0, file),
      noStx: scaled(row.no_stx, 0, file),
      statedStx: scaled(row.stated_stx, 0, file),
      yesAccounts: countOrNull(row.yes_accounts),
      noAccounts: countOrNull(row.no_accounts),
      closedBurnHeight: Number(row.closed_burn_height),
      closedDay: row.closed_day,
      source,
    })),
  )
}

function insertFlows(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = endowment
  const columns = [
    'time_utc',
    'account',
    'type',
    'detail',
    'in_symbol',
    'in_base_units',
    'out_symbol',
    'out_base_units',
    'fee_ustx',
    'sender',
    'recipient',
    'txid',
  ] as const
  return warehouse.insertRows(
    sip031Flows,
    parseCsv(text, columns, file).map((row, position) => ({
      at: secondsOf(row.time_utc),
      account: row.account,
      kind: row.type,
      detail: row.detail,
      inAsset: row.in_symbol,
      inAmount: amountOf(row.in_base_units, file),
      outAsset: row.out_symbol,
      outAmount: amountOf(row.out_base_units, file),
      feeUstx: amountOf(row.fee_ustx, file),
      sender: row.sender,
      recipient: row.recipient,
      txid: hexOf(row.txid),
      position,
      source,
    })),
  )
}

function insertMembers(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = fastPoolMembers
  return warehouse.insertRows(
    poolMembers,
    parseCsv(text, ['member', 'from_cycle', 'to_cycle', 'amount_ustx'], file).map(row => ({
      pool: FAST_POOL,
      member: row.member,
      fromCycle: Number(row.from_cycle),
      toCycle: Number(row.to_cycle),
      amountUstx: amountOf(row.amount_ustx, file),
      source,
    })),
  )
}

function insertStackers(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = stackersCensus
  return warehouse.insertRows(
    recordedStackers,
    parseCsv(text, ['cycle', 'address', 'type', 'locked_ustx', 'until_burn_height'], file).map(row => ({
      cycle: Number(row.cycle),
      stacker: row.address,
      kind: row.type,
      lockedUstx: amountOf(row.locked_ustx, file),
      untilBurnHeight: Number(row.until_burn_height),
      source,
    })),
  )
}

function insertManagers(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = signerManagerCensus
  const columns = [
    'contract',
    'lifecycle',
    'in_current_cycle_141',
    'in_next_cycle_142',
    'signer_key',
    'registered_stacks_block',
    'registered_bitcoin_height',
    'deployed_stacks_block',
    'last_topic',
    'last_stacks_block',
  ] as const
  return warehouse.insertRows(
    signerManagers,
    parseCsv(text, columns, file).map(row => ({
      contract: row.contract,
      lifecycle: row.lifecycle,
      isInCycle141: isTrue(row.in_current_cycle_141),
      isInCycle142: isTrue(row.in_next_cycle_142),
      signerKey: hexOrNull(row.signer_key),
      deployedHeight: countOrNull(row.deployed_stacks_block),
      registeredHeight: countOrNull(row.registered_stacks_block),
      registeredBurnHeight: countOrNull(row.registered_bitcoin_height),
      lastTopic: row.last_topic,
      lastHeight: countOrNull(row.last_stacks_block),
      source,
    })),
  )
}

function insertCityCoins(warehouse: Warehouse, text: string): Promise<void> {
  const { id: source, file } = cityCoins
  const columns = [
    'city',
    'address',
    'user_id',
    'blocks_mined',
    'stx_committed',
    'coins_claimed',
    'coins_stacked_all_time',
    'coins_stacked_this_cycle',
    'stacking_rewards',
  ] as const
  return warehouse.insertRows(
    cityCoinMiners,
    parseCsv(text, columns, file).map(row => ({
      city: row.city as 'MIA',
      miner: row.address,
      userId: Number(row.user_id),
      blocksMined: amountOf(row.blocks_mined, file),
      committedUstx: amountOf(row.stx_committed, file, 6),
      claimedAmount: amountOf(row.coins_claimed, file, 6),
      stackedAllAmount: amountOf(row.coins_stacked_all_time, file, 6),
      stackedNowAmount: amountOf(row.coins_stacked_this_cycle, file, 6),
      rewardUstx: amountOf(row.stacking_rewards, file, 6),
      source,
    })),
  )
}
