/** Blocks, transactions and names of Stacks would open wrongly or not at all. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CATALOG_DIR, testCatalog } from '#catalog/testing.ts'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { openStacksIngest } from '#ingest/stacks/index.ts'
import { silentLog } from '#kernel/log.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import prints from '../../../catalog/stacks/prints.json' with { type: 'json' }
import { createStacksExplorer, type StacksExplorer } from './index.ts'
import { readSentences } from './sentences/index.ts'

/** Recorded blocks of the main network, as they come with the program. */
const ARCHIVE = fileURLToPath(new URL('../../../snapshot/stacks/mainnet-messages.tsv.zst', import.meta.url))
const POX = 'SP000000000000000000002Q6VF78.pox'

let warehouse: Warehouse & AsyncDisposable
let explorer: StacksExplorer
let home = ''
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'assay-explorer-'))
  warehouse = await openTestWarehouse()
  await using ingest = await openStacksIngest({
    warehouse,
    codec: openStacksCodec(),
    prints: parsePrintCatalogue(prints),
    home,
    log: silentLog,
  })
  await ingest.ingestArchive(ARCHIVE)
  explorer = createStacksExplorer(warehouse.reader, () => readSentences(CATALOG_DIR), await testCatalog())
})
after(async () => {
  await warehouse[Symbol.asyncDispose]()
  await rm(home, { recursive: true, force: true })
})

test('a block opens by its height and by its id, and says what it paid', async () => {
  const block = await explorer.block('51451')
  assert.deepEqual(await explorer.block(block.hash), block)
  assert.deepEqual([block.txCount, block.failedTxCount, block.burnHeight], [26, 4, 726_368])
  assert.deepEqual([block.isPrevHeld, block.nextHeight], [false, null])
  assert.equal(
    block.rewards.reduce((sum, { coinbaseUstx }) => sum + BigInt(coinbaseUstx), 0n),
    1_000_000_000n,
  )
})

test('every transaction of every block opens, and holds as many events as its block says', async () => {
  for (let before: number | undefined; ; ) {
    const { items, next } = await explorer.blocks({ limit: 20, ...(before !== undefined && { before }) })
    for (const { height, eventCount } of items) {
      const { items: txs } = await explorer.blockTxs(String(height), { limit: 200 })
      const opened = await Promise.all(txs.map(({ txid }) => explorer.tx(txid)))
      const events = opened.reduce(
        (sum, tx) => sum + tx.transfers.length + tx.prints.length + tx.locks.length,
        0,
      )
      assert.equal(events, eventCount, `block ${height}`)
    }
    if (next === null) break
    before = Number(next)
  }
})

test('a call of a contract whose interface is held names its arguments', async () => {
  const { txs } = await explorer.contract(POX)
  const call = txs.find(({ functionName }) => functionName === 'stack-stx')
  assert.ok(call)
  const { args } = await explorer.tx(call.txid)
  assert.deepEqual(
    [...new Set(args.map(({ name }) => name))],
    ['amount-ustx', 'pox-addr', 'start-burn-ht', 'lock-period'],
  )
  assert.deepEqual(
    args.filter(({ name }) => name === 'pox-addr').map(({ path }) => path),
    ['hashbytes', 'version'],
  )
})

test('transactions say what they did by what really moved, and failed ones what they tried', async () => {
  const { items } = await explorer.blockTxs('51451', { limit: 200 })
  const said = items.map(({ sentence }) => sentence.text)
  for (const text of [
    'Sent 7,200 STX to SP221…SYD7V with the memo “Acct”',
    'Registered the name ware.btc',
    // The price is no argument: it is what left the buyer, commission and royalty in it.
    'Bought Wasteland Apes #7400 for 49.632 STX',
    'Tried to buy Wasteland Apes #7400: rolled back, since a post-condition did not hold',
    'Listed Stacks Punks #2846 for 29 STX on Gamma',
  ])
    assert.ok(said.includes(text), text)
  const call = items.find(({ functionName }) => functionName === 'buy-in-ustx')!
  const opened = await explorer.tx(call.txid)
  assert.deepEqual(opened.sentence, call.sentence)
  assert.ok(opened.transfers.some(({ words }) => words === 'Wasteland Apes #7400'))
})

test('a name leads to who has it, and stands beside the address', async () => {
  const { items } = await explorer.blockTxs('51451', { limit: 200 })
  const registered = items.find(({ sentence }) => sentence.text === 'Registered the name ware.btc')!
  const { owner, isPrimary } = await explorer.name('WARE.btc')
  assert.deepEqual([owner, isPrimary, registered.senderName], [registered.sender, true, 'ware.btc'])
  assert.deepEqual(
    (await explorer.address(owner)).names.map(({ name }) => name),
    ['ware.btc'],
  )
  await assert.rejects(explorer.name('nobody.btc'), { code: 'explorer.name_not_found' })
})

test('a contract lists what its interface offers, with or without arguments, and its calls', async () => {
  const pox = await explorer.contract(POX)
  const reward = pox.functions.find(({ name }) => name === 'get-pox-info')
  assert.deepEqual([reward?.isReadOnly, reward?.args], [true, []])
  assert.equal(
    pox.functions.reduce((sum, { callCount }) => sum + (callCount ?? 0), 0),
    pox.txs.filter(({ kind }) => kind === 'contract_call').length,
  )
  assert.match(pox.sourceCode ?? '', /define-public \(stack-stx/)
})

test('a contract that was called and whose making is not held opens without source', async () => {
  const { items } = await explorer.blockTxs('51451', {})
  const called = items.find(({ functionName }) => functionName === 'buy-in-ustx')
  const contract = await explorer.contract(called?.contract ?? '')
  assert.deepEqual([contract.made, contract.sourceCode], [null, null])
  assert.ok(contract.functions.some(({ name }) => name === 'buy-in-ustx'))
})

test('of blocks that are missing in between no count is zero', async () => {
  const { functions, indexedHours } = await explorer.contract(POX)
  // The newest run of the recorded blocks is a single one.
  assert.equal(indexedHours, 0)
  const called = functions.find(({ name }) => name === 'stack-stx')
  assert.ok(called?.callCount)
  assert.deepEqual(
    functions.filter(({ callCount, failedCallCount }) => callCount === 0 || failedCallCount === 0),
    [],
  )
  const { items } = await explorer.blockTxs('15', {})
  const payment = items.find(({ kind }) => kind === 'token_transfer')!
  const { txCount, failedTxCount, feeUstx } = await explorer.address(payment.recipient!)
  assert.deepEqual([txCount, failedTxCount, feeUstx], [null, null, null])
})

test('an address shows what it sent and received; a wrong one is told from one that is not held', async () => {
  const { items } = await explorer.blockTxs('15', {})
  const payment = items.find(({ kind }) => kind === 'token_transfer')!
  const account = await explorer.address(payment.recipient!)
  assert.ok(BigInt(account.receivedUstx ?? 0) >= BigInt(payment.amountUstx!))
  await assert.rejects(explorer.address('SP000'), { code: 'explorer.address' })
  await assert.rejects(explorer.address('SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'), {
    code: 'explorer.address_not_found',
  })
})

test('what is not held says what is near, and a block that lost names the height', async () => {
  await assert.rejects(explorer.block('100'), {
    code: 'explorer.block_not_found',
    facts: { height: 100, nearest: '47,120' },
  })
  await assert.rejects(explorer.tx('00'.repeat(32)), { code: 'explorer.tx_not_found' })
})
