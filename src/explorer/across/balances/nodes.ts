import type { EvmClient } from '#chains/evm/node/index.ts'
import type { StacksAccounts } from '#chains/stacks/node/index.ts'
import { sentenceOf } from '#kernel/errors.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import type { NodeBalances } from './index.ts'

/** What a page waits for a node at most. */
const PATIENCE_MS = 1_500
const CALLS_A_REQUEST = 100
/** Addresses that a node of a layer is asked for at once. */
const EVM_MOST = 1_000
/** A question each: the public API takes few a minute. */
const STACKS_MOST = 10

const isHexAmount = (text: unknown): text is string => typeof text === 'string' && /^0x[0-9a-f]+$/i.test(text)

/** Coin of accounts of an EVM layer, all as of one block (`eth_getBalance`). */
export const evmNodeBalances = (chain: EvmLayer, name: string, client: EvmClient): NodeBalances => ({
  chain,
  most: EVM_MOST,
  async read(keys) {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      const tip = await client.call(hexAmount, ['eth_blockNumber'], signal)
      const groups = Array.from({ length: Math.ceil(keys.length / CALLS_A_REQUEST) }, (_, i) =>
        keys.slice(i * CALLS_A_REQUEST, (i + 1) * CALLS_A_REQUEST),
      )
      const amounts = await Promise.all(
        groups.map(group =>
          client.batch(
            results => group.map((key, i) => [key, String(hexAmount(results[i]))] as const),
            group.map(key => ['eth_getBalance', `0x${key}`, `0x${tip.toString(16)}`]),
            signal,
          ),
        ),
      )
      return { height: Number(tip), amounts: new Map(amounts.flat()) }
    } catch (thrown) {
      return { problem: `Couldn't load balances from the ${name} node: ${sentenceOf(thrown)}` }
    }
  },
})

function hexAmount(result: unknown): bigint {
  if (!isHexAmount(result)) throw new TypeError('the answer is no hexadecimal number')
  return BigInt(result)
}

/** STX of principals at the tip of a node or of the public API. */
export const stacksNodeBalances = (accounts: StacksAccounts): NodeBalances => ({
  chain: 'stacks',
  most: STACKS_MOST,
  async read(keys) {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      const [height, ...amounts] = await Promise.all([
        accounts.tipHeight(signal),
        ...keys.map(async key => [key, String(await accounts.balanceUstx(key, signal))] as const),
      ])
      return { height, amounts: new Map(amounts) }
    } catch (thrown) {
      return { problem: `Couldn't load STX balances: ${sentenceOf(thrown)}` }
    }
  },
})
