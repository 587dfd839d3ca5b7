/** An sBTC deposit would be traced to the wrong holder or not found at all. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { writeMadeChain } from '#metrics/madeChain.testing.ts'
import { decideStacks, writeMadeStacks } from '#metrics/madeStacks.testing.ts'
import { btcLayerOps } from '#warehouse/tables/bitcoin.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { createSbtcExplorer, type SbtcExplorer } from './index.ts'
import {
  ALICE,
  BITCOIN,
  BOB,
  CAROL,
  DAVE,
  FROM_HEIGHT,
  idOf,
  PEG_OPS,
  POOL,
  STACKS_AFTER,
  STACKS_BEFORE,
  STACKS_LOST,
} from './madeSbtc.testing.ts'

let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
let sbtc: SbtcExplorer
before(async () => {
  warehouse = await openTestWarehouse()
  sbtc = createSbtcExplorer(warehouse.reader)
  await writeMadeChain(warehouse, BITCOIN, 1, FROM_HEIGHT)
  await warehouse.insertRows(btcLayerOps, PEG_OPS)
  await writeMadeStacks(warehouse, STACKS_BEFORE, 1)
  // One side of a fork, which then loses against the other.
  await writeMadeStacks(warehouse, STACKS_LOST, 2)
})
after(() => warehouse[Symbol.asyncDispose]())

const OF_ALICE = `${idOf('of alice')}:0`
const stepsOf = async (throughContracts = false) => {
  const { flow } = await sbtc.deposit(OF_ALICE, { throughContracts })
  return flow?.steps.map(({ kind, holder, sat, restSat, rest, from }) => [
    from,
    kind,
    holder,
    sat,
    restSat,
    rest,
  ])
}

test('on the side of a fork that loses, the deposit went another way', async () => {
  assert.deepEqual(await stepsOf(), [
    [null, 'mint', ALICE, '1000', '0', 'moved'],
    [0, 'transfer', BOB, '400', '300', 'held'],
    [0, 'transfer', POOL, '250', '250', 'pooled'],
    [0, 'transfer', DAVE, '350', '350', 'held'],
    [1, 'transfer', CAROL, '100', '0', 'moved'],
    [4, 'transfer', DAVE, '100', '100', 'held'],
  ])
  await decideStacks(warehouse, 2, false, STACKS_LOST)
  await writeMadeStacks(warehouse, STACKS_AFTER, 3)
})

/** Worked by hand: Bob's 500 came before Alice's 400, Carol's burn is 500 to pay, 50 of fee and 30 back. */
const FOLLOWED = [
  [null, 'mint', ALICE, '1000', '40', 'held'],
  [0, 'transfer', BOB, '400', '80', 'held'],
  [0, 'transfer', POOL, '250', '250', 'pooled'],
  [0, 'withdrawal', null, '310', '310', 'waiting'],
  [1, 'transfer', CAROL, '100', '20', 'held'],
  [1, 'withdrawal', null, '220', '0', 'moved'],
  [5, 'returned', BOB, '220', '220', 'held'],
  [4, 'withdrawal', null, '80', '50', 'paid'],
  [7, 'returned', CAROL, '30', '30', 'held'],
]

test('a deposit is followed to the satoshi, first in first out by holder, through payments, refusals and change', async () => {
  assert.deepEqual(await stepsOf(), FOLLOWED)
  const { flow, withdrawals } = await sbtc.deposit(OF_ALICE, {})
  assert.equal(
    flow?.steps.reduce((sum, { restSat }) => sum + BigInt(restSat), 0n),
    1000n,
  )
  assert.equal(flow?.isWhole, true)
  assert.deepEqual(
    withdrawals.map(({ requestId, status }) => [requestId, status]),
    [
      ['3', 'pending'],
      ['2', 'rejected'],
      ['1', 'accepted'],
    ],
  )
})

test('through contracts the same rule holds for what lies in them', async () => {
  const steps = await stepsOf(true)
  assert.ok(steps)
  assert.deepEqual(
    steps.filter(([, , holder]) => holder === POOL || holder === DAVE),
    [
      [0, 'transfer', POOL, '250', '150', 'held'],
      [2, 'transfer', DAVE, '100', '100', 'held'],
    ],
  )
  assert.equal(
    steps.reduce((sum, [, , , , rest]) => sum + Number(rest), 0),
    1000,
  )
})

test('a deposit opens by its output, by any of its transactions, in any letters; several are told apart', async () => {
  const one = await sbtc.deposit(OF_ALICE, {})
  const id = idOf('of alice')
  for (const other of [id, id.toUpperCase(), `0x${id}:0`])
    assert.deepEqual(await sbtc.deposit(other, {}), one)
  await assert.rejects(sbtc.deposit(idOf('mint'), {}), /several deposits/)
  await assert.rejects(sbtc.deposit(`${id}:1`, {}), { code: 'explorer.sbtc_not_found' })
  const { deposit } = one
  assert.deepEqual(
    [deposit.status, deposit.origin, deposit.mintedSat, deposit.depositSat, deposit.feeSat],
    ['minted', 'user', '1000', '1030', '30'],
  )
  assert.deepEqual([deposit.blocksToSweep, deposit.blocksToMint, deposit.secondsToMint], [1, 2, 2 * 600 + 60])
})

test('what is swept and not minted stands first; lists go on where a part of them ended', async () => {
  const first = await sbtc.deposits({ limit: 1 })
  assert.deepEqual(
    first.items.map(({ id, status, depositSat }) => [id, status, depositSat]),
    [
      [`${idOf('of dave')}:0`, 'swept', '700'],
      [OF_ALICE, 'minted', '1030'],
    ],
  )
  const rest = await sbtc.deposits({ limit: 1, before: first.next ?? '' })
  assert.deepEqual(
    rest.items.map(({ id }) => id),
    [`${idOf('of bob')}:0`],
  )
  assert.equal(rest.next, null)
  const asked = [await sbtc.withdrawals({ limit: 1 }), await sbtc.withdrawals({ limit: 1, before: '1.3' })]
  assert.deepEqual(
    asked.map(({ items, next }) => [items[0]?.requestId, next]),
    [
      ['3', '1.3'],
      ['2', '0.2'],
    ],
  )
  assert.deepEqual((await sbtc.deposits({ origin: 'miner' })).items, [])
  assert.deepEqual(
    (await sbtc.withdrawals({ of: CAROL })).items.map(({ requestId }) => requestId),
    ['1'],
  )
})

test('a withdrawal tells its payment, its delay, and how the signers voted', async () => {
  const { withdrawal } = await sbtc.withdrawal('1')
  assert.deepEqual(
    [withdrawal.status, withdrawal.feeSat, withdrawal.paidSat, withdrawal.isPaidAsAsked],
    ['accepted', '50', '500', true],
  )
  assert.deepEqual(
    [withdrawal.votesNotFor, withdrawal.signerCount, withdrawal.blocksToPayment, withdrawal.secondsToPayment],
    [2, 14, 2, 2 * 600 - 60],
  )
  assert.match(withdrawal.recipient ?? '', /^1/)
  // A bitmap of 0 is no record of votes, least of all that everybody was for what was rejected.
  const { withdrawal: rejected } = await sbtc.withdrawal('2')
  assert.deepEqual([rejected.status, rejected.votesNotFor, rejected.signerCount], ['rejected', null, 14])
  for (const none of ['99', '9e9', '-1', ''])
    await assert.rejects(sbtc.withdrawal(none), { code: 'explorer.sbtc_not_found' })
})

test('the summary counts what waits, and gives delays with how many they rest on', async () => {
  const { deposits, withdrawals, signers, typical } = await sbtc.summary()
  assert.deepEqual(deposits, { minted: 2, waiting: 1 })
  assert.deepEqual(withdrawals, { pending: 1, accepted: 1, rejected: 1 })
  assert.deepEqual([signers?.count, signers?.threshold], [14, 10])
  assert.deepEqual(
    typical.waits.map(({ what, count, median, p90 }) => [what, count, median, p90]),
    [
      ['deposit_fee_sat', 2, 10, 30],
      ['deposit_to_mint_blocks', 2, 2, 2],
      ['deposit_to_mint_seconds', 2, 1260, 1260],
      ['deposit_to_sweep_blocks', 2, 1, 1],
      ['request_to_payment_blocks', 1, 2, 2],
      ['request_to_payment_seconds', 1, 1140, 1140],
      ['withdrawal_fee_sat', 1, 50, 50],
    ],
  )
})

test('what is neither a transaction nor an address is refused with what to write', async () => {
  for (const asked of [
    "'; DROP TABLE stx_blocks --",
    'zz',
    `${'a'.repeat(64)}:x`,
    'SP000',
    `${'a'.repeat(63)}`,
    `${ALICE}.1bad`,
  ]) {
    await assert.rejects(sbtc.deposits({ of: asked }), { code: 'explorer.sbtc_of' })
    await assert.rejects(sbtc.deposit(asked, {}), { code: 'explorer.sbtc_of' })
  }
})

test('what a holder had before the blocks that are held goes first', async () => {
  // Without the first mint Bob paid 600 and 220 with 400 that came: 420 must have been his before.
  await decideStacks(warehouse, 1, false, STACKS_BEFORE)
  const [one, two, mint, ...later] = STACKS_BEFORE
  assert.ok(one && two && mint?.txs?.[0])
  const [, , ...ofAlice] = mint.txs[0].events
  const blocks = [one, two, { ...mint, txs: [{ name: 'mint', events: ofAlice }] }, ...later]
  await writeMadeStacks(warehouse, blocks, 4)
  const steps = await stepsOf()
  assert.deepEqual(
    steps?.filter(([, kind, holder]) => kind === 'transfer' && holder === CAROL).map(([, , , sat]) => sat),
    ['180'],
  )
})
