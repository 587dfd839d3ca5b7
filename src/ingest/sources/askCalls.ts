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
 * Asks contracts read-only, all as of the tip that the node names first: `{ tip: { height, id }, answers }`, an answer by
 * the name of its call, numbers as texts. Refused whole where one answer is none; an optional call that is refused is null.
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
    if (fetched.kind === 'failed' && fetched.status === 404 && call.isOptional) {
      answers[call.name] = null
      continue
    }
    if (fetched.kind !== 'json') return fetched
    const { okay, result, cause } = fetched.json as { okay?: unknown; result?: unknown; cause?: unknown }
    if (okay === false && call.isOptional) {
      answers[call.name] = null
      continue
    }
    if (okay === false) return refused(`${what} refuses: ${String(cause).slice(0, 200)}.`, fetched)
    if (okay !== true || typeof result !== 'string' || !/^0x(?:[0-9a-f]{2})+$/i.test(result))
      return refused(`${what}: neither a result nor a refusal.`, fetched)
    try {
      answers[call.name] = plain(codec.decodeValue(Buffer.from(result.slice(2), 'hex')))
    } catch (thrown) {
      if (!(thrown instanceof DecodeError)) throw thrown
      return refused(`${what}: ${thrown.message}`, fetched)
    }
  }
  const json = { tip, answers }
  return { ...info, json, body: Buffer.from(JSON.stringify(json)), etag: null, lastModified: null }
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
