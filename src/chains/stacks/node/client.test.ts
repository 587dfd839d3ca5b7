/** Balances, names and broadcasts that need a Stacks node would fail without a clear reason. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { rejectionOf, STACKS_REJECTIONS } from '#kernel/stacksRejections.ts'
import { type NodeCalls, openNodeCalls } from '#tests/stacks/openNodeCalls.ts'
import { openStacksClient, RejectedError, type StacksClient, stacksBaseUrl } from './index.ts'

const ADDRESS = 'SP000000000000000000002Q6VF78'
const CONTRACT = `${ADDRESS}.pox-4`

let node: NodeCalls
let client: StacksClient
before(async () => {
  node = await openNodeCalls()
  client = openStacksClient({ url: node.url, referrer: 'https://assay.test/some/page' })
})
after(async () => {
  client[Symbol.dispose]()
  await node[Symbol.asyncDispose]()
})

test('each call of the specification is asked as real nodes have it, names the product and tells our origin alone', async () => {
  node.asked.length = 0
  const page = { limit: 5, offset: 10 }
  assert.equal(await client.broadcast(Uint8Array.of(0, 255)), 'ab'.repeat(32))
  assert.equal(await client.feeTransfer(), 1)
  assert.equal((await client.feeTransaction('00', 200)).estimations[0]?.fee, 180)
  assert.equal((await client.account(ADDRESS)).nonce, 3)
  assert.deepEqual(await client.balances(ADDRESS), {
    stx: { balance: '16', locked: '0' },
    fungible_tokens: { 'SP.t::t': '5' },
  })
  assert.equal((await client.contractInterface(CONTRACT)).functions[0]?.name, 'delegate')
  assert.equal((await client.callRead(CONTRACT, 'get?', ADDRESS, ['0x09'])).result, '0x03')
  assert.equal((await client.info()).stacks_tip_height, 8)
  assert.equal((await client.blockTimes()).mainnet.target_block_time, 600)
  assert.equal((await client.pox()).contract_id, CONTRACT)
  assert.equal((await client.rewards('bc1q', page)).results.length, 1)
  assert.equal((await client.rewardsTotal('bc1q')).reward_amount, '7')
  assert.equal((await client.rewardSlotHolders('bc1q', page)).total, 1)
  assert.equal((await client.dataVar(CONTRACT, 'owner')).data, '0x09')
  assert.equal((await client.mapEntry(CONTRACT, 'stakes', '0x0c')).data, '0x09')
  assert.equal((await client.nameInfo('a.btc')).address, ADDRESS)
  assert.deepEqual((await client.namesOf(ADDRESS)).names, ['a.btc'])
  assert.equal((await client.zonefile('a.btc')).zonefile, '$ORIGIN a.btc')
  assert.equal(node.asked.length, 18)
  for (const { headers, path } of node.asked) {
    assert.equal(headers['x-hiro-product'], 'assay', path)
    assert.equal(headers.referer, 'https://assay.test/', path)
  }
  const [sent] = node.asked
  assert.deepEqual(
    [sent?.headers['content-type'], [...(sent?.body ?? [])]],
    ['application/octet-stream', [0, 255]],
  )
  const mapEntry = node.asked.find(({ path }) => path.includes('map_entry'))
  assert.equal(mapEntry?.body.toString(), '"0x0c"')
  assert.ok(node.asked.some(({ path }) => path.endsWith('/get%3F')))
})

test('where the call of balances is gone, its successors answer the same', async () => {
  node.instead.set(`GET /extended/v1/address/${ADDRESS}/balances`, { status: 410, body: { error: 'gone' } })
  assert.deepEqual(await client.balances(ADDRESS), {
    stx: { balance: '17', locked: '2' },
    fungible_tokens: { 'SP.t::t': '6' },
  })
  node.instead.clear()
})

test('a name that is not there, other statuses and other forms are told in the words of the specification', async () => {
  node.instead.set('GET /v1/names/nobody.btc', { status: 404, body: {} })
  node.instead.set('GET /v1/names/broken.btc', { status: 500, body: {} })
  node.instead.set('GET /v1/names/odd.btc', { status: 200, body: { addr: 1 } })
  await assert.rejects(client.nameInfo('nobody.btc'), { code: 'node.name', message: 'Name not found' })
  await assert.rejects(client.nameInfo('broken.btc'), { message: 'Bad response status: 500' })
  await assert.rejects(client.nameInfo('odd.btc'), { code: 'node.shape' })
  assert.equal(stacksBaseUrl('mainnet'), 'https://api.mainnet.hiro.so')
  assert.throws(() => stacksBaseUrl('simnet'), {
    message: 'Invalid network name provided. Must be one of the following: mainnet, testnet, devnet, mocknet',
  })
})

test('each of the 25 reasons for a rejection has a sentence of its own, and a new one shows its raw name', async () => {
  const reasons = Object.keys(STACKS_REJECTIONS)
  assert.equal(reasons.length, 25)
  assert.equal(new Set(reasons.map(reason => rejectionOf(reason).what)).size, 25)
  for (const reason of [...reasons, 'SomethingNew']) {
    const body = { error: 'transaction rejected', reason, txid: 'cd'.repeat(32) }
    node.instead.set('POST /v2/transactions', { status: 400, body })
    await assert.rejects(client.broadcast(Uint8Array.of(1)), (thrown: unknown) => {
      assert.ok(thrown instanceof RejectedError)
      assert.equal(thrown.reason, reason)
      assert.ok(thrown.message.startsWith(rejectionOf(reason).what))
      return thrown.hint === rejectionOf(reason).todo
    })
  }
  assert.match(rejectionOf('SomethingNew').what, /SomethingNew/)
  for (const hostile of ['<b>bold</b>', 'a b', 'x'.repeat(65), ''])
    assert.equal(rejectionOf(hostile).what, 'The node rejected the transaction.')
  node.instead.set('POST /v2/transactions', { status: 502, body: 'bad gateway' })
  await assert.rejects(client.broadcast(Uint8Array.of(1)), { message: 'Bad response status: 502' })
  node.instead.clear()
})
