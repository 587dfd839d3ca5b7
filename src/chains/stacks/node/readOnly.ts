import { NodeError } from '../../node/errors.ts'
import { encodeValue } from '../clarity/encodeValue.ts'
import type { ClarityValue } from '../clarity/value.ts'
import { openStacksCodec } from '../decode.ts'
import { DecodeError } from '../errors.ts'
import { asFields } from '../messages/fields.ts'
import { openStacksEndpoint, type StacksEndpointConfig, shape } from './endpoint.ts'

/** Calls of read-only functions. */
export type ReadOnlyCalls = Disposable & {
  /**
   * What a function answers as of a block (its index block hash, hex). Null where the contract or the function is not there, or
   * refuses. Throws `NodeError` where the node does not answer, holds no such block, or answers in no known shape.
   */
  call(
    contract: string,
    functionName: string,
    args: readonly ClarityValue[],
    blockId: string,
    signal?: AbortSignal,
  ): Promise<ClarityValue | null>
}

/**
 * Opens calls of read-only functions at a node or at the public API, which has the same path:
 * `POST /v2/contracts/call-read/{address}/{name}/{function}?tip=`. Nothing is sent before the first.
 * Source: stacks-core `docs/rpc/openapi.yaml`. Throws `node.config`.
 */
export function openReadOnlyCalls(config: StacksEndpointConfig): ReadOnlyCalls {
  const endpoint = openStacksEndpoint(config)
  const codec = openStacksCodec()

  return {
    async call(contract, functionName, args, blockId, signal) {
      const [address = '', name = ''] = contract.split('.')
      const what = `${contract}.${functionName}`
      const path = [address, name, functionName].map(encodeURIComponent).join('/')
      const answer = await endpoint.post(
        `/v2/contracts/call-read/${path}?tip=${blockId.replace(/^0x/, '')}`,
        { sender: address, arguments: args.map(arg => `0x${encodeValue(arg).toString('hex')}`) },
        asFields,
        signal,
      )
      if (answer === null)
        throw new NodeError(
          'node.missing',
          `${endpoint.name} holds no block ${blockId} to ask ${what} as of.`,
          {
            hint: 'It is behind, or on another branch: it is asked again later.',
          },
        )
      const { okay, result } = answer
      if (okay === false) return null
      if (okay !== true || typeof result !== 'string' || !/^0x(?:[0-9a-f]{2})+$/i.test(result))
        throw shape(endpoint.name, what, 'neither a result nor a refusal')
      try {
        return codec.decodeValue(Buffer.from(result.slice(2), 'hex'))
      } catch (cause) {
        if (cause instanceof DecodeError) throw shape(endpoint.name, what, cause.message, cause)
        throw cause
      }
    },
    [Symbol.dispose]: () => endpoint[Symbol.dispose](),
  }
}
