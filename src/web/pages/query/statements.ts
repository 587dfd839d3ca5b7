import { type Statement, statementsOf } from '#kernel/sqlStatements.ts'

/** The statement in which the cursor is; behind a semicolon on the same line, the one that it ends. */
export function statementAt(sql: string, cursor: number): Statement | undefined {
  const all = statementsOf(sql)
  const before = all.findLast(({ from }) => from <= cursor)
  const after = all.find(({ from }) => from > cursor)
  if (before === undefined) return after
  if (cursor <= before.to || after === undefined) return before
  return sql.slice(before.to, cursor).includes('\n') ? after : before
}

/** What is to run: the statements of the selection, else the one under the cursor. */
export function chosenStatements(sql: string, selection: { from: number; to: number }): Statement[] {
  const { from, to } = selection
  if (sql.slice(from, to).trim() === '') {
    const one = statementAt(sql, to)
    return one === undefined ? [] : [one]
  }
  return statementsOf(sql.slice(from, to)).map(part => ({
    text: part.text,
    from: part.from + from,
    to: part.to + from,
  }))
}

/** Line and column, both from 1, of a place in a text. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const start = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - start + 1 }
}

/** The place of a line and column, both from 1; the end of the text for one beyond it. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0
  for (let at = 1; at < line; at += 1) {
    const next = text.indexOf('\n', start)
    if (next === -1) return text.length
    start = next + 1
  }
  return Math.min(text.length, start + column - 1)
}
