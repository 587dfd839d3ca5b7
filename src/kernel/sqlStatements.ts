import { blankSql } from './blankSql.ts'

/** A statement without its semicolon and surrounding spaces. */
export type Statement = { readonly text: string; readonly from: number; readonly to: number }

/** The statements of a text in order, without empty ones and ones with only comments. */
export function statementsOf(sql: string): Statement[] {
  const blank = blankSql(sql)
  const found: Statement[] = []
  let from = 0
  for (const end of [...blank.matchAll(/;/g)].map(({ index }) => index).concat(sql.length)) {
    // A comment before a statement belongs to it. A text with only comments is not a statement.
    if (blank.slice(from, end).trim() !== '') found.push(trimmed(sql, from, end))
    from = end + 1
  }
  return found
}

function trimmed(sql: string, from: number, to: number): Statement {
  const part = sql.slice(from, to)
  const start = from + part.length - part.trimStart().length
  const text = part.trim()
  return { text, from: start, to: start + text.length }
}
