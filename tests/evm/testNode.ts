import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { CheckError, openEvmCodec } from '#chains/evm/index.ts'
import { createEvmSource, type EndpointConfig, NodeError, openEvmClient } from '#chains/evm/node/index.ts'
import { FACTORY, LOGGER, logsInput, TOKEN, transferInput } from '#tests/evm/contracts.ts'
import { type Anvil, openAnvil } from '#tests/evm/openAnvil.ts'
import { openRpcProxy, type RpcProxy } from '#tests/evm/rpcProxy.ts'

export const codec = openEvmCodec({ chainId: 31_337, headerForm: 'standard', checksumChainId: null })
export const FRIEND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

export const clientOf = (...endpoints: (string | EndpointConfig)[]) =>
  openEvmClient({
    chainId: 31_337,
    chainName: 'the test chain',
    endpoints: endpoints.map(one => (typeof one === 'string' ? { url: one } : one)),
  })

export const sourceOf = (...endpoints: (string | EndpointConfig)[]) =>
  createEvmSource(codec, clientOf(...endpoints))

export const refusal = (code: string, words: RegExp) => (thrown: unknown) => {
  assert.ok(thrown instanceof NodeError || thrown instanceof CheckError, String(thrown))
  assert.equal(thrown.code, code, thrown.message)
  assert.match(thrown.message, words)
  return true
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

export let anvil: Anvil
export let proxy: RpcProxy
export let token = ''
export let factory = ''
export let logger = ''

export const undo = () => {
  proxy.intercept = undefined
  proxy.rewrite = undefined
  proxy.calls.length = 0
  proxy.requestCount = 0
}

/** Opens the node with its contracts for the tests of a suite, and a proxy before it. */
export function setUpTestNode(): void {
  before(async () => {
    anvil = await openAnvil()
    proxy = await openRpcProxy(anvil.url)
    const made: string[] = []
    for (const data of [TOKEN, FACTORY, LOGGER]) made.push(await anvil.transact({ data }))
    await anvil.mine()
    const receipts = (await Promise.all(made.map(id => anvil.send('eth_getTransactionReceipt', id)))) as {
      contractAddress: string
    }[]
    ;[token, factory, logger] = receipts.map(({ contractAddress }) => contractAddress) as [
      string,
      string,
      string,
    ]
    await anvil.transact({ to: factory, data: TOKEN, gas: '0x100000' })
    await anvil.transact({ to: FRIEND, value: '0x123' })
    await anvil.transact({ to: token, data: transferInput(FRIEND, 77n) })
    await anvil.transact({ to: token, data: transferInput(FRIEND, 0n) })
    await anvil.transact({ to: FRIEND, gasPrice: '0x77359400', accessList: [] })
    await anvil.mine()
    for (let i = 0; i < 28; i++) {
      await anvil.transact({ to: logger, data: logsInput(i), gas: '0x100000' })
      await anvil.mine()
    }
  })
  after(async () => {
    await proxy[Symbol.asyncDispose]()
    await anvil[Symbol.asyncDispose]()
  })
}
