import { NodeError } from '../../node/errors.ts'
import { createHttpClient, HTTP_LIMITS, type HttpLimits } from '../../node/http.ts'
import { encodeValue } from '../clarity/encodeValue.ts'
import type { ClarityValue } from '../clarity/value.ts'
import { openStacksCodec } from '../decode.ts'
import { DecodeError } from '../errors.ts'

export type ReadOnlyConfig = {
  /** A node's RPC address, or the public API, which has the same path. */
  readonly url: string
  /** Sent as `x-api-key`. */
  readonly apiKey?: string | undefined
  readonly limits?: Partial<HttpLimits> | undefined
}

/** Calls of read-only functions. */
export type ReadOnlyCalls = Disposable & {
  /**
   * What a function answers as of a block (its index block hash, hex). Null where the contract or the function is not there, or
   * refuses. Throws `NodeError` where the node does not answer, knows no such block, or answers in no known shape.
   */
  call(
    contract: string,
    functionName: string,
    args: readonly ClarityValue[],
    blockId: string,
    signal?: AbortSignal,
  ): Promise<ClarityValue | null>
}

const MOST_BYTES = 4 * 2 ** 20

/**
 * Opens calls of read-only functions at one address: `POST /v2/contracts/call-read/{address}/{name}/{function}?tip=`.
 * Nothing is sent before the first. Source: stacks-core `docs/rpc/openapi.yaml`. Throws `node.config`.
 */
export function openReadOnlyCalls(config: ReadOnlyConfig): ReadOnlyCalls {
  const url = URL.parse(config.url)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new NodeError('node.config', 'The address of a Stacks node is no http address.', {
      hint: 'Write it as http://127.0.0.1:20443 or https://api.hiro.so.',
    })
  const http = createHttpClient(
    url,
    { ...HTTP_LIMITS, maxBytes: MOST_BYTES, ...config.limits },
    {
      whenRefused: 'Start the node with its RPC interface (`rpc_bind`), or correct its address.',
      whenUnreachable: 'Check the host name of the Stacks node or API, and the network.',
    },
  )
  const codec = openStacksCodec()
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'assay',
    ...(config.apiKey !== undefined && { 'x-api-key': config.apiKey }),
  }
  const shape = (what: string, why: string, cause?: unknown): NodeError =>
    new NodeError('node.shape', `${http.name} answered ${what} in a shape we do not know: ${why}`, {
      hint: 'Is this the address of a Stacks node or of the public API?',
      cause,
    })

  return {
    async call(contract, functionName, args, blockId, signal) {
      const [address = '', name = ''] = contract.split('.')
      const what = `${contract}.${functionName}`
      const { status, body } = await http.send({
        method: 'POST',
        path: `/v2/contracts/call-read/${[address, name, functionName].map(encodeURIComponent).join('/')}?tip=${blockId.replace(/^0x/, '')}`,
        what,
        headers,
        body: JSON.stringify({
          sender: address,
          arguments: args.map(arg => `0x${encodeValue(arg).toString('hex')}`),
        }),
        signal,
      })
      const text = body.toString('utf8')
      // A node answers 404 for a block that it does not hold, and for a contract that was not there as of it.
      if (status === 404 && /no such contract|contract not found|NoSuchContract/i.test(text)) return null
      if (status !== 200)
        throw new NodeError(
          status === 429 ? 'node.rate_limited' : 'node.http',
          `${http.name} answered ${what} with status ${status}: ${text.slice(0, 200).replaceAll(/\s+/g, ' ').trim()}`,
          {
            hint: status === 429 ? 'It is asked again later.' : 'Is the block held by this node?',
            facts: { status },
          },
        )
      let answer: { okay?: unknown; result?: unknown }
      try {
        answer = JSON.parse(text)
      } catch (cause) {
        throw shape(what, 'no JSON, or JSON that ends too early', cause)
      }
      if (answer?.okay === false) return null
      if (
        answer?.okay !== true ||
        typeof answer.result !== 'string' ||
        !/^0x(?:[0-9a-f]{2})+$/i.test(answer.result)
      )
        throw shape(what, 'neither a result nor a refusal')
      try {
        return codec.decodeValue(Buffer.from(answer.result.slice(2), 'hex'))
      } catch (cause) {
        if (cause instanceof DecodeError) throw shape(what, cause.message, cause)
        throw cause
      }
    },
    [Symbol.dispose]: () => http[Symbol.dispose](),
  }
}
