/** Tokens with unusual metadata would have no name or symbol. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventIndex, EventFacts, openEvmCodec } from '#chains/evm/index.ts'
import { createEvmSource, openEvmClient, readTokens } from '#chains/evm/node/index.ts'
import { silentLog } from '#kernel/log.ts'
import { NAMED_TOKEN, TOKEN, transferInput } from '#tests/evm/contracts.ts'
import { type Anvil, openAnvil, skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import { openRpcProxy } from '#tests/evm/rpcProxy.ts'
import { recordedLines } from '#tests/recordedEvm.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import catalogEvents from '../../../catalog/evm/events.json' with { type: 'json' }
import { openEvmIngest } from './openEvmIngest.ts'

const events = createEventIndex(EventFacts.parse(catalogEvents))
const FRIEND = '70997970c51812dc3a010c7d01b50e0d17dc79c8'

test(
  'tokens are asked what they are called, and balances are the sums of their transfers',
  skipWithoutAnvil,
  async t => {
    const warehouse = await openTestWarehouse()
    t.after(() => warehouse[Symbol.asyncDispose]())
    await using anvil: Anvil = await openAnvil({ chainId: 1116 })
    const made: string[] = []
    for (const data of [NAMED_TOKEN, TOKEN]) made.push(await anvil.transact({ data, gas: '0x100000' }))
    await anvil.mine()
    const [named = '', nameless = ''] = (
      (await Promise.all(made.map(id => anvil.send('eth_getTransactionReceipt', id)))) as {
        contractAddress: string
      }[]
    ).map(({ contractAddress }) => contractAddress)
    for (const [to, amount] of [
      [named, 5n],
      [nameless, 7n],
      [named, 30n],
    ] as const)
      await anvil.transact({ to, data: transferInput(`0x${FRIEND}`, amount) })
    await anvil.mine()

    const codec = openEvmCodec({ chainId: 1116, headerForm: 'standard', checksumChainId: null })
    await using proxy = await openRpcProxy(anvil.url)
    const source = createEvmSource(
      codec,
      openEvmClient({ chainId: 1116, chainName: 'Core', endpoints: [{ url: proxy.url }] }),
    )
    await using ingest = await openEvmIngest({
      warehouse,
      home: warehouse.home,
      layer: 'core',
      name: 'Core',
      codec,
      events,
      source,
      log: silentLog,
    })
    const rows = async (query: string): Promise<unknown[]> =>
      (await warehouse.guest.query({ query, format: 'JSONEachRow' })).json()
    const tokens = () =>
      rows(`SELECT concat('0x', lower(hex(token))) AS token, name, symbol, decimals, height,
      block_hash = (SELECT hash FROM evm_blocks ORDER BY height DESC LIMIT 1) AS is_of_tip
      FROM evm_tokens ORDER BY name NULLS LAST`)

    // Questions that the node does not answer hold no block up, and are asked again with the next.
    proxy.rewrite = (call, answer) =>
      call.method === 'eth_call'
        ? { id: answer.id, jsonrpc: '2.0', error: { code: -32000, message: 'missing trie node' } }
        : answer
    await ingest.backfill({ from: 0 })
    assert.deepEqual(await tokens(), [])
    assert.deepEqual(await rows('SELECT count() AS count FROM evm_transfers'), [{ count: 3 }])
    proxy.rewrite = undefined
    await anvil.mine()
    await ingest.backfill({ from: 0 })
    const expected = (height: number) => [
      { token: named, name: 'Test Token', symbol: 'TST', decimals: 6, height, is_of_tip: 1 },
      { token: nameless, name: null, symbol: null, decimals: null, height, is_of_tip: 1 },
    ]
    assert.deepEqual(await tokens(), expected(3))
    const calls = proxy.calls.filter(({ method }) => method === 'eth_call').length
    await anvil.transact({ to: named, data: transferInput(`0x${FRIEND}`, 1n) })
    await anvil.mine()
    await ingest.backfill({ from: 0 })
    assert.equal(
      proxy.calls.filter(({ method }) => method === 'eth_call').length,
      calls,
      'each is asked once',
    )

    const account = anvil.account.slice(2).toLowerCase()
    const balances = () =>
      rows(`SELECT concat('0x', lower(hex(token))) AS token, lower(hex(holder)) AS holder, toString(balance) AS balance
      FROM evm_balances WHERE chain = 'core' ORDER BY token = '${named}' DESC, balance`)
    assert.deepEqual(await balances(), [
      { token: named, holder: account, balance: '-36' },
      { token: named, holder: FRIEND, balance: '36' },
      { token: nameless, holder: account, balance: '-7' },
      { token: nameless, holder: FRIEND, balance: '7' },
    ])
    assert.deepEqual(
      await rows(`SELECT height, toString(sum(change) OVER (ORDER BY height, log_index)) AS balance
      FROM evm_balance_changes WHERE lower(hex(holder)) = '${FRIEND}' AND lower(hex(token)) = '${named.slice(2)}'
      ORDER BY height, log_index`),
      [
        { height: 2, balance: '5' },
        { height: 2, balance: '35' },
        { height: 4, balance: '36' },
      ],
    )

    // A reorg takes the last transfer back, and with it what it made of the balance.
    await anvil.send('anvil_reorg', 2, [])
    await anvil.transact({ to: named, data: transferInput(`0x${FRIEND}`, 2n) })
    await anvil.mine()
    await ingest.backfill({ from: 0 })
    assert.deepEqual((await balances()).slice(0, 2), [
      { token: named, holder: account, balance: '-37' },
      { token: named, holder: FRIEND, balance: '37' },
    ])
    // Its answer was of a block that lost: it is asked again when it moves.
    assert.deepEqual((await tokens())[0], { ...expected(5)[0] })
  },
)

test('answers of real tokens are read: texts, 32 bytes of before the standard, texts cut short, none', {
  skip: skipWithoutAnvil.skip || skipWithoutShared.skip,
}, async () => {
  const recorded = new Map(
    (recordedLines('ethereum-eth_call-erc20.jsonl') as { call: string; answer: { result?: string } }[]).map(
      ({ call, answer }) => [call, answer.result] as const,
    ),
  )
  await using anvil = await openAnvil()
  await using proxy = await openRpcProxy(anvil.url)
  proxy.rewrite = (call, answer) => {
    if (call.method !== 'eth_call') return answer
    const { data, to } = call.params[0] as { data: string; to: string }
    return { ...answer, result: recorded.get(`eth_call_data_${data}_to_${to}_latest`) }
  }
  using client = openEvmClient({ chainId: 31_337, chainName: 'Ethereum', endpoints: [{ url: proxy.url }] })
  const found = await readTokens(
    client,
    [
      '0x86fa049857e0209aa7d9e616f7eb3b3b78ecfdb0',
      '0xf763be8b3263c268e9789abfb3934564a7b80054',
      '0xdbdacfc9eb9d42559ac1efbdb40460c728139e6a',
    ],
    0,
  )
  assert.deepEqual(
    found.map(({ name, symbol, decimals }) => [name, symbol, decimals]),
    [
      [null, 'EOS', 18],
      ['ETH', 'ETH', 18],
      [null, null, 0],
    ],
  )
})
