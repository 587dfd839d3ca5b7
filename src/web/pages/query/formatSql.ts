import { clickhouse, formatDialect } from 'sql-formatter'
import { statementsOf } from '#kernel/sqlStatements.ts'

type Formatted = {
  /** Undefined where the text stays as it is. */
  readonly sql: string | undefined
  readonly note: string
}

/** SQL laid out anew, unless the engine would read any of its statements otherwise. */
export async function formatSql(
  sql: string,
  isEquivalent: (first: string, second: string) => Promise<boolean>,
): Promise<Formatted> {
  let formatted = ''
  let end = 0
  try {
    for (const { text, from, to } of statementsOf(sql)) {
      const isSame = async (next: string) =>
        next === text || (await isEquivalent(withTypes(text), withTypes(next)))
      // A column can be named like a keyword, such as `n` or `day`. Then all keywords keep their case.
      let next = layOut(text, 'upper')
      if (!(await isSame(next))) next = layOut(text, 'preserve')
      if (!(await isSame(next)))
        return { sql: undefined, note: 'Not formatted: it would change what the query means.' }
      formatted += sql.slice(end, from) + next
      end = to
    }
  } catch {
    return { sql: undefined, note: 'Not formatted: the query has a syntax error.' }
  }
  formatted += sql.slice(end)
  return formatted === sql
    ? { sql: undefined, note: 'Already formatted.' }
    : { sql: formatted, note: 'Formatted.' }
}

const layOut = (text: string, keywordCase: 'upper' | 'preserve'): string =>
  formatDialect(text, {
    dialect: clickhouse,
    // Settings of EXPLAIN have names of keywords, and the engine knows them in small letters alone. No tree shows them.
    keywordCase: /\bexplain\b/i.test(text) ? 'preserve' : keywordCase,
    functionCase: 'preserve',
    paramTypes: {
      custom: [{ regex: String.raw`\{\{\s*\w+\s*\}\}` }, { regex: String.raw`\{\s*\w+\s*:[^{}]+\}` }],
    },
  })

/** The engine does not know `{{name}}`. */
const withTypes = (text: string): string => text.replace(/\{\{\s*(\w+)\s*\}\}/g, '{$1:String}')
