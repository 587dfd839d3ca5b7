import { AssayError } from './errors.ts'

/** A declared type of Clarity. Lengths are the most that fit: bytes, for `string-utf8` characters. */
export type ClarityType =
  | { readonly type: 'int' | 'uint' | 'bool' | 'principal' | 'trait' | 'unknown' }
  | { readonly type: 'buffer' | 'string-ascii' | 'string-utf8'; readonly most: number }
  | { readonly type: 'optional'; readonly inner: ClarityType }
  | { readonly type: 'response'; readonly ok: ClarityType; readonly err: ClarityType }
  | { readonly type: 'list'; readonly most: number; readonly item: ClarityType }
  | {
      readonly type: 'tuple'
      readonly fields: readonly { readonly name: string; readonly type: ClarityType }[]
    }

/** A type that cannot be read: of an interface, or of a shape in the catalogue. */
export class ClarityTypeError extends AssayError {
  constructor(message: string, got: string) {
    super('clarity.type', message, { facts: { got: got.slice(0, 200) } })
  }
}

/** Text of a type in Clarity's notation, tuples as `(tuple (name type) …)`. */
export function typeText(type: ClarityType): string {
  switch (type.type) {
    case 'buffer':
      return `(buff ${type.most})`
    case 'string-ascii':
    case 'string-utf8':
      return `(${type.type} ${type.most})`
    case 'optional':
      return `(optional ${typeText(type.inner)})`
    case 'response':
      return `(response ${typeText(type.ok)} ${typeText(type.err)})`
    case 'list':
      return `(list ${type.most} ${typeText(type.item)})`
    case 'tuple':
      return `(tuple ${type.fields.map(field => `(${field.name} ${typeText(field.type)})`).join(' ')})`
    case 'unknown':
      return '?'
    case 'trait':
      return 'trait_reference'
    default:
      return type.type
  }
}

type Tokens = { readonly all: readonly string[]; at: number; readonly text: string }

const DEEPEST = 64

/**
 * Reads a type in Clarity's notation: `(list 128 (buff 33))`, tuples as `{name: type, …}` or `(tuple (name type) …)`, traits as
 * `<name>` or `trait_reference`, `?` for one not known. Errors: `ClarityTypeError`.
 */
export function parseType(text: string): ClarityType {
  const tokens: Tokens = { all: text.match(/[(){}:,]|[^\s(){}:,]+/g) ?? [], at: 0, text }
  const type = readType(tokens, 0)
  if (tokens.at < tokens.all.length) throw fault(tokens)
  return type
}

function readType(tokens: Tokens, depth: number): ClarityType {
  if (depth > DEEPEST) throw fault(tokens)
  const token = next(tokens)
  if (token === '{') return readFields(tokens, depth)
  if (token === '(') return readForm(tokens, depth)
  if (token === 'int' || token === 'uint' || token === 'bool' || token === 'principal') return { type: token }
  if (token === '?') return { type: 'unknown' }
  if (token === 'trait_reference') return { type: 'trait' }
  if (token.startsWith('<') && token.endsWith('>')) return { type: 'trait' }
  throw fault(tokens)
}

/** What stands behind an opening parenthesis, with the closing one. */
function readForm(tokens: Tokens, depth: number): ClarityType {
  const head = next(tokens)
  switch (head) {
    case 'buff':
      return closed(tokens, { type: 'buffer', most: readLength(tokens) })
    case 'string-ascii':
    case 'string-utf8':
      return closed(tokens, { type: head, most: readLength(tokens) })
    case 'optional':
      return closed(tokens, { type: 'optional', inner: readType(tokens, depth + 1) })
    case 'response': {
      const ok = readType(tokens, depth + 1)
      return closed(tokens, { type: 'response', ok, err: readType(tokens, depth + 1) })
    }
    case 'list': {
      const most = readLength(tokens)
      return closed(tokens, { type: 'list', most, item: readType(tokens, depth + 1) })
    }
    case 'tuple': {
      const fields: { name: string; type: ClarityType }[] = []
      while (tokens.all[tokens.at] === '(') {
        tokens.at++
        const name = next(tokens)
        fields.push({ name, type: readType(tokens, depth + 1) })
        demand(tokens, ')')
      }
      return closed(tokens, { type: 'tuple', fields })
    }
    default:
      throw fault(tokens)
  }
}

/** What stands behind an opening brace, with the closing one. */
function readFields(tokens: Tokens, depth: number): ClarityType {
  const fields: { name: string; type: ClarityType }[] = []
  while (tokens.all[tokens.at] !== '}') {
    if (fields.length > 0) demand(tokens, ',')
    const name = next(tokens)
    demand(tokens, ':')
    fields.push({ name, type: readType(tokens, depth + 1) })
  }
  tokens.at++
  return { type: 'tuple', fields }
}

/** A length; `?` where the reader of the source could not tell it: then anything fits. */
function readLength(tokens: Tokens): number {
  const token = next(tokens)
  if (token === '?') return Number.POSITIVE_INFINITY
  if (!/^\d{1,7}$/.test(token)) throw fault(tokens)
  return Number(token)
}

function closed(tokens: Tokens, type: ClarityType): ClarityType {
  demand(tokens, ')')
  return type
}

function demand(tokens: Tokens, expected: string): void {
  if (next(tokens) !== expected) throw fault(tokens)
}

function next(tokens: Tokens): string {
  const token = tokens.all[tokens.at++]
  if (token === undefined) throw fault(tokens)
  return token
}

const fault = ({ text, all, at }: Tokens): ClarityTypeError =>
  new ClarityTypeError(
    `"${text.slice(0, 200)}" is no Clarity type: "${all[at - 1] ?? 'the end'}" is out of place.`,
    text,
  )
