import { AssayError, type Facts } from '#kernel/errors.ts'

/** Why a person's SQL was not answered. `place` is 1-based and counts lines and characters of the text as sent. */
export class QueryError extends AssayError {
  readonly place: Place | undefined
  /** The parameter at fault, where one is. */
  readonly parameter: string | undefined
  /** The query to run again, of a result that is gone. */
  readonly query: RepeatableQuery | undefined

  constructor(
    code: `sql.${string}`,
    message: string,
    more: {
      place?: Place | undefined
      parameter?: string
      query?: RepeatableQuery | undefined
      hint?: string | undefined
      facts?: Facts
      cause?: unknown
    } = {},
  ) {
    super(code, message, more)
    this.place = more.place
    this.parameter = more.parameter
    this.query = more.query
  }
}

export type RepeatableQuery = {
  readonly sql: string
  readonly parameters: Readonly<Record<string, string>>
  readonly dataVersion: string
}

export type Place = { line: number; column: number }

/** Line and column, 1-based, of the character at `index`. */
export function placeAt(text: string, index: number): Place {
  const before = text.slice(0, index)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: index - lineStart + 1 }
}

/** The index of a place of `text`. */
export function indexAt(text: string, { line, column }: Place): number {
  let start = 0
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', start)
    if (end < 0) return text.length
    start = end + 1
  }
  return start + column - 1
}
