/** An account’s movements would be missing or listed twice. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sip031Flows } from '#warehouse/tables/stacksRecords.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { readRecordedMovements } from './recorded.ts'

const ENDOWMENT = 'SM1Z6BP8PDKYKXTZXXSKXFEY6NQ7RAM7DAEAYR045'
const BOB = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE'
const POOL = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B.pool'
const START = Date.UTC(2025, 7, 12) / 1000

let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
before(async () => {
  warehouse = await openTestWarehouse()
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
  await warehouse.insertRows(sip031Flows, [
    flow(1, { outAsset: 'STX', outAmount: 60n, recipient: BOB }),
    flow(2, { account: BOB, inAsset: 'STX', inAmount: 60n, sender: ENDOWMENT }),
    flow(3, { account: BOB, outAsset: 'STX', outAmount: 20n, recipient: POOL, detail: "'grant" }),
    flow(4, { account: BOB, inAsset: 'STX', inAmount: 3n, sender: POOL }),
    flow(5, { account: BOB, outAsset: 'STX', outAmount: 5n, inAsset: 'aeUSDC', inAmount: 2n ** 100n }),
  ])
})
after(() => warehouse[Symbol.asyncDispose]())

const told = async (principal: string) =>
  (await readRecordedMovements(warehouse.reader, principal)).map(
    ({ receivedAmount, sender, sentAmount, recipient }) => [receivedAmount, sender, sentAmount, recipient],
  )

test('an account of the histories has its own movements, newest first, each once', async () => {
  assert.deepEqual(await told(ENDOWMENT), [[null, null, '60', BOB]])
  assert.deepEqual(await told(BOB), [
    [String(2n ** 100n), null, '5', null],
    ['3', POOL, null, null],
    [null, null, '20', POOL],
    ['60', ENDOWMENT, null, null],
  ])
})

test('whoever else got coins or gave some has them from the other side', async () => {
  assert.deepEqual(await told(POOL), [
    [null, null, '3', BOB],
    ['20', BOB, null, null],
  ])
  const [, first] = await readRecordedMovements(warehouse.reader, POOL)
  assert.deepEqual(first, {
    time: '2025-08-12T00:00:03Z',
    kind: 'Send',
    purpose: 'grant',
    sentAsset: null,
    sentAmount: null,
    recipient: null,
    receivedAsset: 'STX',
    receivedAmount: '20',
    sender: BOB,
    txid: '03'.repeat(32),
  })
  assert.deepEqual(await told('SP000000000000000000002Q6VF78.sip-031'), [])
})
