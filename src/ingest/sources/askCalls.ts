import {
  type ClarityValue,
  DecodeError,
  encodeValue,
  MessageError,
  openStacksCodec,
  readInfo,
} from '#chains/stacks/index.ts'
import { AssayError } from '#kernel/errors.ts'
import type { ContractCall } from '#sources/live.ts'
import type { Fetched } from './fetchAnswer.ts'

type Asking = {
  /** `/v2/info` of the node or API. */
  readonly url: string
  readonly calls: readonly ContractCall[]
  /** Waits until a further request may be sent. */
  readonly turn: () => Promise<void>
  readonly ask: (url: string, body?: unknown) => Promise<Fetched>
}

type Plain = string | boolean | null | readonly Plain[] | { readonly [name: string]: Plain }

const INFO = '/v2/info'
const MAINNET = 1

/**
 * Asks contracts read-only, all as of the tip that the node names first: `{ tip: { height, id }, answers, faults }`, an answer
 * by the name of its call, numbers as texts. A call that is refused, gone or unreadable is null, and `faults` says why.
 * Source: stacks-core `docs/rpc/openapi.yaml`.
 */
export async function askCalls({ url, calls, turn, ask }: Asking): Promise<Fetched> {
  const info = await ask(url)
  if (info.kind !== 'json') return info
  const refused = (reason: string, { body, status } = info): Fetched => ({
    kind: 'refused',
    code: 'sources.shape',
    reason,
    body,
    status,
  })
  const tip = tipOf(info.json)
  if (typeof tip === 'string') return refused(tip)
  const codec = openStacksCodec()
  const answers: Record<string, Plain> = {}
  const faults: Record<string, string> = {}
  for (const call of calls) {
    await turn()
    const [address = '', name = ''] = call.contract.split('.')
    const path = [address, name, call.function].map(encodeURIComponent).join('/')
    const what = `${call.contract}.${call.function}`
    const fetched = await ask(
      `${url.slice(0, -INFO.length)}/v2/contracts/call-read/${path}?tip=${tip.id.slice(2)}`,
      {
        sender: address,
        arguments: call.arguments.map(argument => `0x${encodeValue(argumentOf(argument)).toString('hex')}`),
      },
    )
    if (fetched.kind !== 'json' && !(fetched.kind === 'failed' && fetched.status === 404)) return fetched
    const answer = fetched.kind === 'json' ? resultOf(fetched.json) : { fault: 'is gone' }
    if ('fault' in answer) {
      answers[call.name] = null
      faults[call.name] = `${what} ${answer.fault}`
      continue
    }
    try {
      answers[call.name] = plain(codec.decodeValue(answer.bytes))
    } catch (thrown) {
      if (!(thrown instanceof DecodeError)) throw thrown
      answers[call.name] = null
      faults[call.name] = `${what}: ${thrown.message}`
    }
  }
  const json = { tip, answers, faults }
  return { ...info, json, body: Buffer.from(JSON.stringify(json)), etag: null, lastModified: null }
}

/** The value that a read-only call returned, or why there is none. */
function resultOf(json: unknown): { readonly bytes: Buffer } | { readonly fault: string } {
  const { okay, result, cause } = (json ?? {}) as { okay?: unknown; result?: unknown; cause?: unknown }
  if (okay === false) return { fault: `refuses: ${String(cause).slice(0, 200)}` }
  if (okay !== true || typeof result !== 'string' || !/^0x(?:[0-9a-f]{2})+$/i.test(result))
    return { fault: 'answered neither a result nor a refusal' }
  return { bytes: Buffer.from(result.slice(2), 'hex') }
}

function tipOf(json: unknown): { readonly height: number; readonly id: string } | string {
  try {
    const { networkId, height, id } = readInfo(json)
    return networkId === MAINNET ? { height, id } : 'The node is not on the main network.'
  } catch (thrown) {
    if (thrown instanceof MessageError || thrown instanceof AssayError) return thrown.message
    throw thrown
  }
}

const argumentOf = (argument: ContractCall['arguments'][number]): ClarityValue =>
  'uint' in argument
    ? { type: 'uint', value: BigInt(argument.uint) }
    : { type: 'principal', value: argument.principal }

/** A value without its types: `(ok …)` and `(some …)` are opened, `err` and `none` are null. */
function plain(value: ClarityValue): Plain {
  switch (value.type) {
    case 'int':
    case 'uint':
      return String(value.value)
    case 'buffer':
      return `0x${Buffer.from(value.value).toString('hex')}`
    case 'optional':
      return value.value === null ? null : plain(value.value)
    case 'response':
      return value.isOk ? plain(value.value) : null
    case 'list':
      return value.items.map(plain)
    case 'tuple':
      return Object.fromEntries(value.fields.map(field => [field.name, plain(field.value)]))
    default:
      return value.value
  }
}
