/** Tables about the endowment and votes would add up wrongly. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openEmptyMetrics, type TestMetrics } from '#metrics/testing.ts'
import { sip031Flows, sipVotes } from '#warehouse/tables/stacksRecords.ts'
import { STACKS_TABLES } from './index.ts'

const ALICE = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
const BOB = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE'
const ENDOWMENT = 'SM1Z6BP8PDKYKXTZXXSKXFEY6NQ7RAM7DAEAYR045'
const START = Date.UTC(2026, 7, 12) / 1000

let site: TestMetrics
before(async () => {
  site = await openEmptyMetrics()
})
after(() => site[Symbol.asyncDispose]())

async function rowsOf(table: string): Promise<Record<string, unknown>[]> {
  const answer = await site.warehouse.guest.query({
    query: STACKS_TABLES[table]!.sql,
    format: 'JSONEachRow',
  })
  return answer.json()
}

test('coins that move within the endowment’s accounts leave one and reach another; what leaves the set is told apart', async () => {
  const flow = (position: number, more: object) => ({
    at: START + position,
    account: ENDOWMENT,
    kind: 'Send',
    detail: '',
    inAsset: '',
    inAmount: 0n,
    outAsset: '',
    outAmount: 0n,
    feeUstx: 0n,
    sender: '',
    recipient: '',
    txid: Buffer.alloc(32, position),
    position,
    source: 'test',
    ...more,
  })
  await site.warehouse.insertRows(sip031Flows, [
    flow(0, { kind: 'Receive', detail: 'claim', inAsset: 'STX', inAmount: 100n }),
    flow(1, { outAsset: 'STX', outAmount: 60n, recipient: BOB }),
    flow(2, { account: BOB, inAsset: 'STX', inAmount: 60n, sender: ENDOWMENT }),
    flow(3, { account: BOB, outAsset: 'STX', outAmount: 20n, recipient: ALICE }),
    flow(4, {
      account: BOB,
      kind: 'Trade Coin',
      outAsset: 'STX',
      outAmount: 5n,
      inAsset: 'aeUSDC',
      inAmount: 3n,
    }),
  ])
  const rows = await rowsOf('sip031-accounts')
  const told = rows.map(row =>
    ['claimed', 'from_set', 'to_set', 'to_others', 'by_calls', 'rest'].map(key => Number(row[key])),
  )
  assert.deepEqual(told, [
    [100, 0, 60, 0, 0, 40],
    [0, 60, 0, 20, 5, 35],
  ])
  const outflows = await rowsOf('sip031-outflows')
  assert.deepEqual(
    outflows.map(({ direction }) => direction),
    ['into a contract', 'yes', 'no'],
  )
})

test('a pool’s voter counts once however often it votes; in the lane of the DAO amounts add up', async () => {
  const ballot = (lane: 'pool' | 'dao', voter: string, power: bigint, position: number, isYes = true) => ({
    sip: 99,
    lane,
    voter,
    voterName: '',
    isYes,
    powerUstx: power,
    txid: Buffer.alloc(32, position),
    signature: '',
    position,
    source: 'test',
  })
  await site.warehouse.insertRows(sipVotes, [
    ballot('pool', ALICE, 500n, 0),
    ballot('pool', ALICE, 500n, 1),
    ballot('pool', BOB, 7n, 2),
    ballot('dao', ALICE, 1n, 3),
    ballot('dao', ALICE, 2n, 4),
    ballot('dao', BOB, 1n, 5, false),
  ])
  const rows = (await rowsOf('sip-recount')).filter(({ name }) => name === 'SIP-099')
  assert.deepEqual(
    rows.map(row => [
      row.lane,
      ...['ballots', 'voters', 'repeating', 'yes_all', 'yes_once', 'no_all'].map(key => Number(row[key])),
    ]),
    [
      ['dao', 3, 2, 1, 3, 3, 1],
      ['pool', 3, 2, 1, 1007, 507, 0],
    ],
  )
})

test('what unlocks adds up to the first mint, a part each 4,383 Bitcoin blocks', async () => {
  const rows = await rowsOf('sip031-unlocks')
  assert.equal(rows.length, 25)
  let total = 0n
  for (const [step, row] of rows.entries()) {
    const part = step === 0 ? 100_000_000_000_000n : 4_166_666_666_666n
    // What whole micro-STX leave over comes with the last one.
    const unlocked = step === 24 ? part + 16n : part
    total += unlocked
    assert.deepEqual(
      [row.burn_height, BigInt(String(row.unlocked)), BigInt(String(row.total)), row.state],
      [907_740 + step * 4383, unlocked, total, 'ahead'],
    )
  }
  assert.equal(total, 200_000_000_000_000n)
})
