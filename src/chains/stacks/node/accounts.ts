import { asFields } from '../messages/fields.ts'
import { openStacksEndpoint, type StacksEndpointConfig, shape } from './endpoint.ts'

/** What principals have of STX at the tip of a node. */
export type StacksAccounts = Disposable & {
  readonly name: string
  tipHeight(signal?: AbortSignal): Promise<number>
  /** STX of a principal, those that PoX locks in, micro-STX. Zero for one that nobody has used. */
  balanceUstx(principal: string, signal?: AbortSignal): Promise<bigint>
}

/**
 * Opens questions about accounts at a node or at the public API, which has the same paths: `GET /v2/accounts/{principal}`,
 * whose `balance` is what is free and whose `locked` is the rest. Nothing is sent before the first.
 * Source: stacks-core `docs/rpc/openapi.yaml`. Throws `node.config`; answers of another form are `node.shape`.
 */
export function openStacksAccounts(config: StacksEndpointConfig): StacksAccounts {
  const endpoint = openStacksEndpoint(config)
  const amountIn = (fields: Record<string, unknown>, name: string, what: string): bigint => {
    const text = fields[name]
    if (typeof text !== 'string' || !/^0x[0-9a-f]{1,32}$/i.test(text))
      throw shape(endpoint.name, what, `\`${name}\` is no hexadecimal amount`)
    return BigInt(text)
  }
  return {
    name: endpoint.name,
    async tipHeight(signal) {
      const info = await endpoint.json('/v2/info', asFields, signal)
      const height = info?.stacks_tip_height
      if (typeof height !== 'number' || !Number.isSafeInteger(height))
        throw shape(endpoint.name, '/v2/info', '`stacks_tip_height` is no height')
      return height
    },
    async balanceUstx(principal, signal) {
      const path = `/v2/accounts/${encodeURIComponent(principal)}`
      const account = await endpoint.json(`${path}?proof=0`, asFields, signal)
      if (account === null) return 0n
      return amountIn(account, 'balance', path) + amountIn(account, 'locked', path)
    },
    [Symbol.dispose]: () => endpoint[Symbol.dispose](),
  }
}
