import type { EvmEventKind } from '#kernel/evm.ts'
import { AbiError, DecodeError } from '../errors.ts'
import { bytesOf, type Hex } from '../hex.ts'
import { keccakHex } from '../keccak.ts'
import type { EvmLog } from '../logs.ts'
import { type AbiValue, decodeAbi } from './decode.ts'
import { type AbiParameter, parseSignature } from './types.ts'
import { isWord, readWord } from './words.ts'

/** An entry of the catalogue of events. */
export type EventDefinition = {
  /** `uniswap-v2.swap` */
  readonly id: string
  readonly kind: EvmEventKind
  /** `Transfer(address indexed from, address indexed to, uint256 value)` */
  readonly signature: string
  /**
   * What its arguments mean: a role of the kind (`from`, `amount`, …) to the name of an argument, `emitter` for the
   * contract itself, or a sum of arguments (`amount0In - amount0Out`).
   */
  readonly roles: Readonly<Record<string, string>>
  /** Only where these arguments have these values: one event may mean two things. */
  readonly when?: Readonly<Record<string, boolean | string>> | undefined
  /** Only of these contracts, lower case; of every contract where none is named. */
  readonly emitters?: readonly Hex[] | undefined
}

export type DecodedEvent = {
  readonly id: string
  readonly kind: EvmEventKind
  /** The event's own name. */
  readonly name: string
  readonly emitter: Hex
  /** Arguments by name, in the order of the signature. An indexed argument of no fixed length is its hash. */
  readonly args: Readonly<Record<string, AbiValue>>
  /** Arguments by what they mean. */
  readonly roles: Readonly<Record<string, AbiValue>>
}

export type EventIndex = {
  /** All signatures it knows, by the first topic: what a filter asks a node for. */
  readonly topics: readonly Hex[]
  /** What a log says; null where the catalogue does not know it, or its data are not what the signature promises. */
  decode(log: Pick<EvmLog, 'address' | 'topics' | 'data'>): DecodedEvent | null
}

type Prepared = {
  readonly definition: EventDefinition
  readonly name: string
  readonly inputs: readonly AbiParameter[]
  readonly indexed: readonly AbiParameter[]
  readonly plain: readonly AbiParameter[]
  /** Its data are words alone. */
  readonly isFlat: boolean
  readonly roles: readonly (readonly [role: string, terms: readonly Term[]])[]
  readonly emitters: ReadonlySet<string> | null
}
type Term = { readonly sign: 1n | -1n; readonly argument: string }

/** Throws `AbiError` for a signature that is none, a role of an argument that is not there, or an id used twice. */
export function createEventIndex(definitions: readonly EventDefinition[]): EventIndex {
  const byTopic = new Map<Hex, Prepared[]>()
  const ids = new Set<string>()
  for (const definition of definitions) {
    if (ids.has(definition.id))
      throw new AbiError('event', `The event ${definition.id} is defined twice.`, {})
    ids.add(definition.id)
    const { topic, prepared } = prepare(definition)
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), prepared])
  }
  // A definition for named contracts is the more exact one.
  for (const list of byTopic.values())
    list.sort((a, b) => Number(a.emitters === null) - Number(b.emitters === null))
  return {
    topics: [...byTopic.keys()],
    decode(log) {
      const [first] = log.topics
      const candidates = first === undefined ? undefined : byTopic.get(first)
      if (candidates === undefined) return null
      for (const candidate of candidates) {
        if (candidate.indexed.length !== log.topics.length - 1) continue
        if (candidate.emitters !== null && !candidate.emitters.has(log.address)) continue
        const args = argumentsOf(candidate, log)
        if (args !== null && holds(candidate.definition.when, args))
          return decoded(candidate, log.address, args)
      }
      return null
    },
  }
}

function prepare(definition: EventDefinition): { topic: Hex; prepared: Prepared } {
  const { name, inputs, canonical } = parseSignature(definition.signature)
  const named = inputs.map((input, i) => ({ ...input, name: input.name || String(i) }))
  const known = new Set(['emitter', ...named.map(input => input.name)])
  if (known.size !== named.length + 1)
    throw new AbiError('event', `The event ${definition.id} has two arguments of one name.`, {
      id: definition.id,
    })
  const roles = Object.entries(definition.roles).map(([role, text]) => [role, terms(text)] as const)
  for (const [role, list] of roles)
    for (const { argument } of list)
      if (!known.has(argument))
        throw new AbiError(
          'event',
          `The event ${definition.id} has no argument ${argument} for its ${role}.`,
          {
            id: definition.id,
          },
        )
  for (const argument of Object.keys(definition.when ?? {}))
    if (!known.has(argument))
      throw new AbiError('event', `The event ${definition.id} has no argument ${argument} to hold on.`, {
        id: definition.id,
      })
  const indexed = named.filter(input => input.isIndexed)
  if (indexed.length > 3)
    throw new AbiError('event', `The event ${definition.id} has more than three indexed arguments.`, {})
  return {
    topic: keccakHex(canonical),
    prepared: {
      definition,
      name,
      inputs: named,
      indexed,
      plain: named.filter(input => !input.isIndexed),
      isFlat: named.every(input => input.isIndexed || isWord(input.type)),
      roles,
      emitters: definition.emitters === undefined ? null : new Set(definition.emitters),
    },
  }
}

/** `amount0In - amount0Out` → +amount0In, −amount0Out. */
function terms(text: string): Term[] {
  const found = [...text.matchAll(/([+-]?)\s*([A-Za-z_$][\w$]*)\s*/g)]
  if (found.length === 0 || found.map(([whole]) => whole).join('') !== text.trimStart())
    throw new AbiError('event', `"${text}" is no sum of arguments.`, { text })
  return found.map(([, sign, argument]) => ({ sign: sign === '-' ? -1n : 1n, argument: argument! }))
}

function argumentsOf(
  { inputs, plain, isFlat }: Prepared,
  { topics, data }: Pick<EvmLog, 'topics' | 'data'>,
): Record<string, AbiValue> | null {
  const values = isFlat ? null : decodedData(plain, data)
  if (isFlat ? data.length < 2 + 64 * plain.length : values === null) return null
  const args: Record<string, AbiValue> = {}
  let topicAt = 1
  let plainAt = 0
  for (const { name, type, isIndexed } of inputs) {
    let value: AbiValue | undefined
    if (!isIndexed) {
      value = values === null ? readWord(type, data, 2 + 64 * plainAt) : values[plainAt]
      plainAt += 1
    } else {
      const topic = topics[topicAt++]!
      // Of what is no single word, the topic is the hash.
      value = isWord(type) ? readWord(type, topic, 2) : topic
    }
    if (value === undefined) return null
    args[name] = value
  }
  return args
}

function decodedData(plain: readonly AbiParameter[], data: Hex): AbiValue[] | null {
  try {
    return decodeAbi(
      plain.map(({ type }) => type),
      bytesOf(data),
    )
  } catch (thrown) {
    if (thrown instanceof DecodeError) return null
    throw thrown
  }
}

const holds = (when: EventDefinition['when'], args: Readonly<Record<string, AbiValue>>): boolean =>
  when === undefined || Object.entries(when).every(([name, value]) => args[name] === value)

function decoded(
  { definition, name, roles }: Prepared,
  emitter: Hex,
  args: Record<string, AbiValue>,
): DecodedEvent {
  const meaning: Record<string, AbiValue> = {}
  for (const [role, list] of roles) meaning[role] = meant(list, emitter, args)
  return { id: definition.id, kind: definition.kind, name, emitter, args, roles: meaning }
}

function meant(list: readonly Term[], emitter: Hex, args: Readonly<Record<string, AbiValue>>): AbiValue {
  const [only] = list
  if (list.length === 1 && only!.sign === 1n)
    return only!.argument === 'emitter' && args.emitter === undefined ? emitter : args[only!.argument]!
  let sum = 0n
  for (const { sign, argument } of list) {
    const value = args[argument]
    if (typeof value === 'bigint') sum += sign * value
  }
  return sum
}
