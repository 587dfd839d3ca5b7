import { AbiError } from '../errors.ts'

/** A type of Solidity's ABI. */
export type AbiType =
  | { readonly kind: 'uint' | 'int'; readonly bits: number }
  | { readonly kind: 'address' | 'bool' | 'string' | 'bytes' }
  | { readonly kind: 'fixedBytes'; readonly byteLength: number }
  | { readonly kind: 'array'; readonly of: AbiType; readonly length: number | null }
  | { readonly kind: 'tuple'; readonly parts: readonly AbiParameter[] }

export type AbiParameter = { readonly name: string; readonly type: AbiType; readonly isIndexed: boolean }

/** What stands in the head: bytes of a type whose length is known, 32 for the offset of one whose length is not. */
export function headBytes(type: AbiType): number {
  if (isDynamic(type)) return 32
  if (type.kind === 'array') return headBytes(type.of) * (type.length ?? 0)
  if (type.kind === 'tuple') return type.parts.reduce((sum, part) => sum + headBytes(part.type), 0)
  return 32
}

export function isDynamic(type: AbiType): boolean {
  if (type.kind === 'bytes' || type.kind === 'string') return true
  if (type.kind === 'array') return type.length === null || isDynamic(type.of)
  return type.kind === 'tuple' && type.parts.some(part => isDynamic(part.type))
}

/** The type as a selector hashes it: no names, no spaces. */
export function canonical(type: AbiType): string {
  switch (type.kind) {
    case 'uint':
    case 'int':
      return `${type.kind}${type.bits}`
    case 'fixedBytes':
      return `bytes${type.byteLength}`
    case 'array':
      return `${canonical(type.of)}[${type.length ?? ''}]`
    case 'tuple':
      return `(${type.parts.map(part => canonical(part.type)).join(',')})`
    default:
      return type.kind
  }
}

export type AbiSignature = {
  readonly name: string
  readonly inputs: readonly AbiParameter[]
  /** `Transfer(address,address,uint256)` */
  readonly canonical: string
}

/**
 * Reads `Transfer(address indexed from, address indexed to, uint256 value)`, with or without `event` or `function` in
 * front. Throws `AbiError` with the place of what it does not understand.
 */
export function parseSignature(text: string): AbiSignature {
  const cursor: Cursor = { text, at: 0 }
  skip(cursor)
  const name = word(cursor)
  const named = name === 'event' || name === 'function' || name === 'error' ? word(cursor) : name
  if (named === '') throw fault(cursor, 'a name')
  const inputs = parameters(cursor)
  skip(cursor)
  if (cursor.at !== text.length) throw fault(cursor, 'the end')
  return {
    name: named,
    inputs,
    canonical: `${named}(${inputs.map(input => canonical(input.type)).join(',')})`,
  }
}

/** Reads a type alone: `(uint256 amount, address[] to)[2]`. */
export function parseType(text: string): AbiType {
  const cursor: Cursor = { text, at: 0 }
  const type = typeAt(cursor)
  skip(cursor)
  if (cursor.at !== text.length) throw fault(cursor, 'the end')
  return type
}

type Cursor = { readonly text: string; at: number }

const fault = ({ text, at }: Cursor, wanted: string): AbiError =>
  new AbiError('signature', `"${text}" is no signature: at ${at} there should be ${wanted}.`, { text, at })

function skip(cursor: Cursor): void {
  while (cursor.text[cursor.at] === ' ') cursor.at += 1
}

function word(cursor: Cursor): string {
  skip(cursor)
  const [found = ''] = /^[A-Za-z_$][\w$]*/.exec(cursor.text.slice(cursor.at)) ?? []
  cursor.at += found.length
  return found
}

function expect(cursor: Cursor, mark: string): void {
  skip(cursor)
  if (cursor.text[cursor.at] !== mark) throw fault(cursor, `"${mark}"`)
  cursor.at += 1
}

function parameters(cursor: Cursor): AbiParameter[] {
  expect(cursor, '(')
  const found: AbiParameter[] = []
  skip(cursor)
  if (cursor.text[cursor.at] === ')') {
    cursor.at += 1
    return found
  }
  for (;;) {
    const type = typeAt(cursor)
    const first = word(cursor)
    const isIndexed = first === 'indexed'
    const isPlace = first === 'memory' || first === 'calldata' || first === 'storage'
    found.push({ name: isIndexed || isPlace ? word(cursor) : first, type, isIndexed })
    skip(cursor)
    if (cursor.text[cursor.at] !== ',') break
    cursor.at += 1
  }
  expect(cursor, ')')
  return found
}

function typeAt(cursor: Cursor): AbiType {
  skip(cursor)
  const base: AbiType =
    cursor.text[cursor.at] === '('
      ? { kind: 'tuple', parts: parameters(cursor) }
      : elementary(cursor, word(cursor))
  let type = base
  for (;;) {
    const [found] = /^\[(\d{0,6})\]/.exec(cursor.text.slice(cursor.at)) ?? []
    if (found === undefined) break
    cursor.at += found.length
    const length = found === '[]' ? null : Number(found.slice(1, -1))
    type = { kind: 'array', of: type, length }
    // A type of no bytes would let a few bytes of input claim any number of values.
    if (length === 0) throw fault(cursor, 'an array of at least one')
  }
  if (headBytes(type) === 0) throw fault(cursor, 'a type that takes bytes')
  return type
}

function elementary(cursor: Cursor, name: string): AbiType {
  if (name === 'tuple') return { kind: 'tuple', parts: parameters(cursor) }
  if (name === 'address' || name === 'bool' || name === 'string' || name === 'bytes') return { kind: name }
  if (name === 'function') return { kind: 'fixedBytes', byteLength: 24 }
  const number = /^(u?int)(\d{0,3})$/.exec(name)
  if (number !== null) {
    const bits = number[2] === '' ? 256 : Number(number[2])
    if (bits >= 8 && bits <= 256 && bits % 8 === 0) return { kind: number[1] as 'uint' | 'int', bits }
  }
  const fixed = /^bytes(\d{1,2})$/.exec(name)
  if (fixed !== null && Number(fixed[1]) >= 1 && Number(fixed[1]) <= 32)
    return { kind: 'fixedBytes', byteLength: Number(fixed[1]) }
  throw fault(cursor, 'a type')
}
