import type { ClarityField, ClarityValue } from './value.ts'

/**
 * Reads a value from its readable text as `reprOf` writes it. Null for text that is none: rows hold what was decoded, so that
 * such text is of another writer.
 */
export function parseRepr(text: string): ClarityValue | null {
  const reading = { text, at: 0 }
  try {
    const value = readAny(reading)
    return reading.at === text.length ? value : null
  } catch {
    return null
  }
}

type Reading = { readonly text: string; at: number }

const INTEGER = /-?\d+/y
const HEX = /0x((?:[0-9a-f]{2})*)/y
const WORD = /[^\s()"]+/y
/** Deeper than any value that a contract can hold. */
const MOST_DEPTH = 64

function readAny(r: Reading, depth = 0): ClarityValue {
  if (depth > MOST_DEPTH) throw new RangeError('nested too deep')
  const first = r.text[r.at]
  if (first === '(') return readForm(r, depth)
  if (first === '"') return { type: 'string-ascii', value: readQuoted(r) }
  if (first === "'") {
    r.at++
    return { type: 'principal', value: matched(r, WORD) }
  }
  if (first === 'u') {
    r.at++
    if (r.text[r.at] === '"') return { type: 'string-utf8', value: readQuoted(r) }
    return { type: 'uint', value: BigInt(matched(r, INTEGER)) }
  }
  if (first === '0' && r.text[r.at + 1] === 'x')
    return { type: 'buffer', value: Buffer.from(matched(r, HEX).slice(2), 'hex') }
  if (first === '-' || (first !== undefined && first >= '0' && first <= '9'))
    return { type: 'int', value: BigInt(matched(r, INTEGER)) }
  return namedValue(matched(r, WORD))
}

function namedValue(word: string): ClarityValue {
  if (word === 'true' || word === 'false') return { type: 'bool', value: word === 'true' }
  if (word === 'none') return { type: 'optional', value: null }
  throw new SyntaxError(word)
}

function readForm(r: Reading, depth: number): ClarityValue {
  r.at++
  const name = matched(r, WORD)
  const value = formOf(r, name, depth + 1)
  expect(r, ')')
  return value
}

function formOf(r: Reading, name: string, depth: number): ClarityValue {
  switch (name) {
    case 'some':
      return { type: 'optional', value: next(r, depth) }
    case 'ok':
    case 'err':
      return { type: 'response', isOk: name === 'ok', value: next(r, depth) }
    case 'list': {
      const items: ClarityValue[] = []
      while (r.text[r.at] === ' ') items.push(next(r, depth))
      return { type: 'list', items }
    }
    case 'tuple': {
      const fields: ClarityField[] = []
      while (r.text[r.at] === ' ') {
        r.at++
        expect(r, '(')
        fields.push({ name: matched(r, WORD), value: next(r, depth) })
        expect(r, ')')
      }
      return { type: 'tuple', fields }
    }
    default:
      throw new SyntaxError(name)
  }
}

function next(r: Reading, depth: number): ClarityValue {
  expect(r, ' ')
  return readAny(r, depth)
}

function expect(r: Reading, character: string): void {
  if (r.text[r.at] !== character) throw new SyntaxError(`expected ${character}`)
  r.at++
}

function matched(r: Reading, pattern: RegExp): string {
  pattern.lastIndex = r.at
  const [found] = pattern.exec(r.text) ?? []
  if (found === undefined) throw new SyntaxError(`expected ${pattern.source}`)
  r.at += found.length
  return found
}

const SHORT: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' }
const PLAIN = /[^"\\]*/y
const ESCAPE = /\\(?:x([0-9a-f]{2})|u\{((?:[0-9a-f]{2})+)\}|(.))/sy

function readQuoted(r: Reading): string {
  expect(r, '"')
  let text = matched(r, PLAIN)
  while (r.text[r.at] === '\\') {
    ESCAPE.lastIndex = r.at
    const found = ESCAPE.exec(r.text)
    if (!found) throw new SyntaxError('escape')
    r.at += found[0].length
    const [, byte, utf8, letter = ''] = found
    text +=
      byte !== undefined
        ? String.fromCharCode(Number.parseInt(byte, 16))
        : utf8 !== undefined
          ? Buffer.from(utf8, 'hex').toString('utf8')
          : (SHORT[letter] ?? letter)
    text += matched(r, PLAIN)
  }
  expect(r, '"')
  return text
}
