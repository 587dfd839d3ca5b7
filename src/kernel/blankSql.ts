import { type Heredoc, heredocsOf } from './heredocs.ts'

/** A SQL comment, string, quoted name or heredoc. An unclosed one ends at the end of the text. */
export type QuotedPart = { readonly from: number; readonly to: number; readonly isComment: boolean }

const LINE_COMMENT = /(?:--|\/\/|#[ !])[^\n]*/y
const WORD_OR_NUMBER = /[A-Za-z_$][\w$]*|\.?\d(?:[eE][+-]\d|[\w.])*/y
/** Whitespace for the engine but not for `trim()`. */
const ODD_SPACE = /[\u0085\u180e\u200b-\u200d\u2060]/g
const CLOSING: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '‘': '’', '“': '”' }

/** Comments and quoted parts in order. Matches `tokensOf` of the queries, but also works on unfinished text. */
export function quotedParts(sql: string): QuotedPart[] {
  const parts: QuotedPart[] = []
  const heredocAt = heredocsOf(sql)
  for (let at = 0; at < sql.length; ) {
    const part = partAt(sql, at, heredocAt)
    if (part !== undefined) parts.push(part)
    at = part?.to ?? at + Math.max(1, lengthAt(WORD_OR_NUMBER, sql, at))
  }
  return parts
}

/** Replaces quoted parts and comments with spaces, so offsets stay the same. */
export function blankSql(sql: string): string {
  let blank = ''
  let end = 0
  for (const { from, to } of quotedParts(sql)) {
    blank += sql.slice(end, from) + sql.slice(from, to).replace(/[^\n]/g, ' ')
    end = to
  }
  return (blank + sql.slice(end)).replace(ODD_SPACE, ' ')
}

function partAt(
  sql: string,
  from: number,
  heredocAt: (from: number) => Heredoc | undefined,
): QuotedPart | undefined {
  const line = lengthAt(LINE_COMMENT, sql, from)
  if (line > 0) return { from, to: from + line, isComment: true }
  if (sql.startsWith('/*', from)) return { from, to: endOfComment(sql, from), isComment: true }
  const closing = CLOSING[sql[from] ?? '']
  if (closing !== undefined) return { from, to: endOfQuoted(sql, from, closing), isComment: false }
  const heredoc = heredocAt(from)
  return heredoc && { from, to: heredoc.to, isComment: false }
}

/** Comments nest, as in the SQL standard. */
function endOfComment(sql: string, from: number): number {
  let depth = 0
  for (const { 0: sign, index } of sql.slice(from).matchAll(/\/\*|\*\//g)) {
    depth += sign === '/*' ? 1 : -1
    if (depth === 0) return from + index + sign.length
  }
  return sql.length
}

function endOfQuoted(sql: string, from: number, closing: string): number {
  const hasEscapes = closing !== '’' && closing !== '”'
  for (let at = from + 1; at < sql.length; at++) {
    if (hasEscapes && sql[at] === '\\') at++
    else if (sql[at] === closing) {
      if (!hasEscapes || sql[at + 1] !== closing) return at + 1
      at++
    }
  }
  return sql.length
}

function lengthAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0].length ?? 0
}
