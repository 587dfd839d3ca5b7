import { type Heredoc, heredocsOf } from '#kernel/heredocs.ts'
import { placeAt, QueryError } from './errors.ts'

/**
 * The words of a statement, as ClickHouse cuts them, without space and comments. `value` is the name or text meant:
 * a quoted identifier without its quotes, a string likewise.
 */
export type Token = {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol'
  readonly value: string
  readonly start: number
  readonly end: number
}

/** Whether a token is a name, quoted or not. */
export const isName = (token: Token | undefined): token is Token =>
  token?.kind === 'word' || token?.kind === 'quoted'

export const isSymbol = (token: Token | undefined, value: string): boolean =>
  token?.kind === 'symbol' && token.value === value

/** A word in lower case; empty for every other token. */
export const wordOf = (token: Token | undefined): string =>
  token?.kind === 'word' ? token.value.toLowerCase() : ''

const SPACE = /[\s\u0085\u00a0\u180e\u200b-\u200d\u2060\ufeff]+/y
const LINE_COMMENT = /(?:--|\/\/|#[ !])[^\n]*/y
const WORD = /[A-Za-z_$][A-Za-z0-9_$]*/y
const NUMBER = /\.?[0-9](?:[eE][+-][0-9]|[A-Za-z0-9_.])*/y
const AFTER_DOT = /[0-9]+/y
const SYMBOL = /::|->|<=|>=|<>|!=|==|\|\||@@|[\s\S]/uy

/** The closing quote of each opening one. */
const CLOSING: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '‘': '’', '“': '”' }

/**
 * Cuts a text into tokens. Throws `sql.syntax` with its place where a string, a quoted name or a comment does not end.
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const heredocAt = heredocsOf(text)
  let at = 0
  while (at < text.length) {
    const skipped = matchAt(SPACE, text, at) ?? matchAt(LINE_COMMENT, text, at)
    if (skipped !== undefined) {
      at += skipped.length
      continue
    }
    if (text.startsWith('/*', at)) {
      at = endOfBlockComment(text, at)
      continue
    }
    const token = tokenAt(text, at, { previous: tokens.at(-1), heredocAt })
    tokens.push(token)
    at = token.end
  }
  return tokens
}

function tokenAt(
  text: string,
  start: number,
  { previous, heredocAt }: { previous: Token | undefined; heredocAt: (start: number) => Heredoc | undefined },
): Token {
  const first = text[start] ?? ''
  if (first === '\0')
    throw new QueryError('sql.refused', 'The statement holds a NUL character.', {
      place: placeAt(text, start),
    })
  const closing = CLOSING[first]
  if (closing !== undefined) return quotedToken(text, start, closing)
  if (/[xXbB]/.test(first) && text[start + 1] === "'") return { ...quotedToken(text, start + 1, "'"), start }
  const heredoc = heredocAt(start)
  if (heredoc !== undefined) {
    const { textFrom, textTo, to } = heredoc
    return { kind: 'string', value: text.slice(textFrom, textTo), start, end: to }
  }
  const isAfterDot = previous?.value === '.' && previous.kind === 'symbol'
  const number = matchAt(isAfterDot ? AFTER_DOT : NUMBER, text, start)
  const followsName =
    previous !== undefined && previous.end === start && /^(?:[\w$]+|[)\]])$/.test(previous.value)
  if (number !== undefined && !(first === '.' && followsName)) {
    return { kind: 'number', value: number, start, end: start + number.length }
  }
  const word = matchAt(WORD, text, start)
  if (word !== undefined) return { kind: 'word', value: word, start, end: start + word.length }
  const symbol = matchAt(SYMBOL, text, start) ?? first
  return { kind: 'symbol', value: symbol, start, end: start + symbol.length }
}

function quotedToken(text: string, start: number, closing: string): Token {
  const isName = closing === '"' || closing === '`' || closing === '”'
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && closing !== '’' && closing !== '”') {
      at++
      continue
    }
    if (text[at] !== closing) continue
    if (text[at + 1] === closing && closing !== '’' && closing !== '”') {
      at++
      continue
    }
    const value = text.slice(start + 1, at).replaceAll(closing + closing, closing)
    return { kind: isName ? 'quoted' : 'string', value, start, end: at + 1 }
  }
  throw new QueryError('sql.syntax', `A ${isName ? 'quoted name' : 'string'} is not closed.`, {
    place: placeAt(text, start),
  })
}

/** Comments nest, as in the SQL standard. */
function endOfBlockComment(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    if (text.startsWith('/*', at)) {
      depth++
      at++
    } else if (text.startsWith('*/', at)) {
      depth--
      at++
      if (depth === 0) return at + 1
    }
  }
  throw new QueryError('sql.syntax', 'A comment is not closed.', { place: placeAt(text, start) })
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}
