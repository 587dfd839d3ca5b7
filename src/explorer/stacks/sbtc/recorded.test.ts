/** A real sBTC deposit or withdrawal would show wrong amounts, times or votes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { createStacksChain, type StacksChain } from '#ingest/stacks/stacksChain.ts'
import { silentLog } from '#kernel/log.ts'
import { recordedMessages } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import prints from '../../../../catalog/stacks/prints.json' with { type: 'json' }
import { createSbtcExplorer, type SbtcExplorer } from './index.ts'

/** The six blocks of the signers’ test network, through ingest as a node’s messages come. */
let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
let sbtc: SbtcExplorer
let chain: StacksChain
const messages = skipWithoutShared.skip ? [] : [...recordedMessages('regtest-sbtc-new_block.jsonl')]
before(async () => {
  warehouse = await openTestWarehouse()
  sbtc = createSbtcExplorer(warehouse.reader)
  chain = createStacksChain({
    warehouse,
    codec: openStacksCodec(),
    prints: parsePrintCatalogue(prints),
    log: silentLog,
    now: () => 1_800_000_000_000,
  })
  await chain.recover()
  // The key rotation is of another run of the network, below all others: it comes first.
  const inOrder = messages.toSorted(([, a], [, b]) => heightOf(a) - heightOf(b))
  for (const [path, json] of inOrder) await take(path, json)
})
after(() => warehouse[Symbol.asyncDispose]())

const heightOf = (message: object): number => (message as { block_height: number }).block_height
const take = (path: string, json: unknown) =>
  chain.apply([{ path, json: JSON.stringify(json), receivedAtMs: null }], 'observer')

const DEPOSIT = `${'00'.repeat(32)}:4294967295`

test(
  'a recorded deposit is on the list and opens, and what only Bitcoin could tell is left open',
  skipWithoutShared,
  async () => {
    const { items } = await sbtc.deposits({})
    assert.deepEqual(
      items.map(({ id, mintedSat }) => [id, mintedSat]),
      [[DEPOSIT, '123654789']],
    )
    const { deposit, flow } = await sbtc.deposit(DEPOSIT, {})
    const { status, sweepTxid, sweepHeight, mintHeight, mintBurnHeight, mintTime } = deposit
    assert.deepEqual(
      { status, sweepTxid, sweepHeight, mintHeight, mintBurnHeight, mintTime },
      {
        status: 'minted',
        sweepTxid: '02'.repeat(32),
        sweepHeight: 42,
        mintHeight: 227,
        mintBurnHeight: 136,
        mintTime: '2024-08-30T20:45:20Z',
      },
    )
    // Neither the deposit’s Bitcoin block nor the mint’s own event was recorded: no delay, no fee, nobody to follow.
    for (const open of [
      deposit.depositSat,
      deposit.feeSat,
      deposit.blocksToMint,
      deposit.secondsToMint,
      deposit.recipient,
      flow,
    ])
      assert.equal(open, null)
  },
)

test(
  'a recorded withdrawal tells who asked, what was taken, and no votes where none are recorded',
  skipWithoutShared,
  async () => {
    const { withdrawal } = await sbtc.withdrawal('1')
    const {
      sender,
      amountSat,
      maxFeeSat,
      feeSat,
      recipient,
      requestTime,
      settledTime,
      signerCount,
      votesNotFor,
    } = withdrawal
    assert.deepEqual(
      { sender, amountSat, maxFeeSat, feeSat, recipient, requestTime, settledTime, signerCount, votesNotFor },
      {
        sender: 'SN2V7WTJ7BHR03MPHZ1C9A9ZR6NZGR4WM8HT4V67Y',
        amountSat: '22500',
        maxFeeSat: '3000',
        feeSat: '2500',
        recipient: 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8',
        requestTime: '2024-08-30T20:46:20Z',
        settledTime: '2024-08-30T20:49:20Z',
        signerCount: 3,
        // The recording has a bitmap of 0, which says nothing of votes.
        votesNotFor: null,
      },
    )
    const { signers, deposits, withdrawals } = await sbtc.summary()
    assert.deepEqual([signers?.count, signers?.threshold, signers?.height], [3, 2, 47])
    // Blocks since the launch are missing: that none waits and none was rejected is not known.
    assert.deepEqual(deposits, { minted: 1, waiting: null })
    // The recording rejects the same request in a later block: what was accepted stays accepted.
    assert.deepEqual(withdrawals, { pending: null, accepted: 1, rejected: null })
  },
)

test('messages that come again change nothing', skipWithoutShared, async () => {
  const before = await sbtc.summary()
  for (const [path, json] of messages) await take(path, json)
  assert.deepEqual(await sbtc.summary(), before)
})
