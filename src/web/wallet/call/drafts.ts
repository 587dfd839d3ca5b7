import type { ClarityType } from '#kernel/clarityType.ts'
import { demandUint, StacksInputError } from '#kernel/stacksRules.ts'
import type { ClarityInput } from '../clarity.ts'
import { validateStacksAddress } from '../crypto.ts'

/** What stands in the fields of one value while it is typed; `choice` is what was chosen of the forms that a value may have. */
export type Draft =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'choice'; readonly choice: string; readonly inner: Readonly<Record<string, Draft>> }
  | { readonly kind: 'list'; readonly items: readonly Draft[] }
  | { readonly kind: 'tuple'; readonly fields: Readonly<Record<string, Draft>> }

/** Sentences by the place of the field they are about: `0`, `0.amount`, `1.3`. */
export type Faults = Map<string, string>

/** Empty fields for a value of the type. */
export function draftOf(type: ClarityType): Draft {
  switch (type.type) {
    case 'bool':
      return { kind: 'choice', choice: '', inner: {} }
    case 'optional':
      return { kind: 'choice', choice: 'none', inner: { some: draftOf(type.inner) } }
    case 'response':
      return { kind: 'choice', choice: 'ok', inner: { ok: draftOf(type.ok), err: draftOf(type.err) } }
    case 'list':
      return { kind: 'list', items: [] }
    case 'tuple':
      return {
        kind: 'tuple',
        fields: Object.fromEntries(type.fields.map(field => [field.name, draftOf(field.type)])),
      }
    default:
      return { kind: 'text', text: '' }
  }
}

/** The value that the fields mean; undefined where they mean none, and why is in `faults`. */
export function argumentOf(
  type: ClarityType,
  draft: Draft,
  at: string,
  faults: Faults,
): ClarityInput | undefined {
  try {
    switch (type.type) {
      case 'bool':
        return boolOf(draft)
      case 'optional': {
        if (draft.kind !== 'choice' || draft.choice !== 'some') return { type: 'none' }
        return wrapped('some', argumentOf(type.inner, draft.inner.some ?? draftOf(type.inner), at, faults))
      }
      case 'response': {
        const isOk = draft.kind === 'choice' && draft.choice === 'ok'
        const inner = isOk ? type.ok : type.err
        const held = draft.kind === 'choice' ? draft.inner[isOk ? 'ok' : 'err'] : undefined
        return wrapped(isOk ? 'ok' : 'err', argumentOf(inner, held ?? draftOf(inner), at, faults))
      }
      case 'list': {
        const items = draft.kind === 'list' ? draft.items : []
        if (items.length > type.most) throw fault(`At most ${type.most} items fit.`)
        const value = items.map((item, i) => argumentOf(type.item, item, `${at}.${i}`, faults))
        return value.every(isHere) ? { type: 'list', value } : undefined
      }
      case 'tuple': {
        const drafts = draft.kind === 'tuple' ? draft.fields : {}
        const fields = type.fields.map(({ name, type: inner }) => {
          const value = argumentOf(inner, drafts[name] ?? draftOf(inner), `${at}.${name}`, faults)
          return value && ([name, value] as const)
        })
        return fields.every(isHere) ? { type: 'tuple', value: Object.fromEntries(fields) } : undefined
      }
      default:
        return leafOf(type, draft.kind === 'text' ? draft.text : '')
    }
  } catch (thrown) {
    if (!(thrown instanceof StacksInputError)) throw thrown
    faults.set(at, thrown.message)
    return undefined
  }
}

const isHere = <T>(one: T | undefined): one is T => one !== undefined

const wrapped = (type: 'some' | 'ok' | 'err', value: ClarityInput | undefined): ClarityInput | undefined =>
  value && { type, value }

function boolOf(draft: Draft): ClarityInput {
  const choice = draft.kind === 'choice' ? draft.choice : ''
  if (choice === 'true' || choice === 'false') return { type: choice }
  throw fault('Choose true or false.')
}

type Leaf = Exclude<ClarityType, { type: 'bool' | 'optional' | 'response' | 'list' | 'tuple' }>

function leafOf(type: Leaf | ClarityType, text: string): ClarityInput {
  const typed = text.trim()
  switch (type.type) {
    case 'uint':
      return { type: 'uint', value: demandUint(needed(typed, 'a whole number, 0 or above')) }
    case 'int':
      return { type: 'int', value: demandInt(needed(typed, 'a whole number')) }
    case 'principal':
      return principalOf(needed(typed, 'an address (SP…), or a contract (SP….name)'))
    case 'trait': {
      const value = principalOf(needed(typed, 'a contract (SP….name)'))
      if (value.type !== 'contract') throw fault('A contract is needed here: SP….name.', typed)
      return value
    }
    case 'buffer':
      return { type: 'buffer', value: demandHex(needed(typed, 'bytes in hex; 0x for none'), type.most) }
    case 'string-ascii':
      if (!/^[\t\n\r -~]*$/.test(text))
        throw fault('Only ASCII fits: letters without accents, digits, marks of a keyboard.', text)
      demandLength(text.length, type.most, 'characters')
      return { type: 'ascii', value: text }
    case 'string-utf8':
      demandLength([...text].length, type.most, 'characters')
      return { type: 'utf8', value: text }
    default:
      throw fault('The interface does not specify this type. Call it with another program.')
  }
}

function needed(typed: string, what: string): string {
  if (typed === '') throw fault(`Needed: ${what}.`)
  return typed
}

const LEAST_INT = -(1n << 127n)
const MOST_INT = (1n << 127n) - 1n

function demandInt(typed: string): bigint {
  const isWhole = /^-?\d{1,39}$/.test(typed)
  if (!isWhole || BigInt(typed) < LEAST_INT || BigInt(typed) > MOST_INT)
    throw fault(`"${typed}" is no whole number from −2^127 to 2^127 − 1.`, typed)
  return BigInt(typed)
}

function demandHex(typed: string, mostBytes: number): string {
  const hex = typed.replace(/^0x/i, '').toLowerCase()
  if (!/^(?:[0-9a-f]{2})*$/.test(hex))
    throw fault('Bytes are written in hex: pairs of 0–9 and a–f, such as 0x00ff.', typed)
  demandLength(hex.length / 2, mostBytes, 'bytes')
  return hex
}

function demandLength(length: number, most: number, of: string): void {
  if (length > most) throw fault(`${length} ${of}; at most ${most} fit.`, length)
}

const CONTRACT_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,126}$/

/** A principal of the main network, checksum and all. Throws `StacksInputError`. */
export function principalOf(typed: string): ClarityInput & { type: 'address' | 'contract'; value: string } {
  const [address = '', name, ...more] = typed.split('.')
  if (/^S[TN]/.test(address))
    throw fault('This address is of a test network; those of the main network begin with SP or SM.', typed)
  if (!/^S[PM]/.test(address) || !validateStacksAddress(address))
    throw fault('This is no Stacks address: a letter is missing, too many or mistyped.', typed)
  if (name === undefined) return { type: 'address', value: address }
  if (more.length > 0 || !CONTRACT_NAME.test(name))
    throw fault(
      'The name of the contract begins with a letter; letters, digits, - and _ follow, under 128 in all.',
      typed,
    )
  return { type: 'contract', value: `${address}.${name}` }
}

/** What is wrong with a field, in words for who typed it. */
export const fault = (message: string, got: string | number = ''): StacksInputError =>
  new StacksInputError('argument', message, got)
