export type SqlToken = {
  text: string
  kind: 'keyword' | 'function' | 'string' | 'number' | 'comment' | 'parameter' | 'plain'
}

const KEYWORDS = new Set(
  'all and any array as asc between by case cross desc distinct else end exists false final format from full group having if ilike in inner interval into is join left like limit not null offset on or order outer over partition prewhere right rollup sample select settings then totals true union using values when where window with'.split(
    ' ',
  ),
)

const PATTERN =
  /(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|('(?:[^'\\]|\\.|'')*'?)|(\{[A-Za-z_]\w*\s*:[^}\n]*\}?)|(\d[\w.]*)|([A-Za-z_]\w*)|(\s+|[^\s\w])/g

/** Cuts SQL for colouring only; nothing is refused, every character comes back in order. */
export function sqlTokens(sql: string): SqlToken[] {
  const tokens: SqlToken[] = []
  for (const match of sql.matchAll(PATTERN)) {
    const [text, comment, string, parameter, number, word] = match
    const kind: SqlToken['kind'] =
      comment !== undefined
        ? 'comment'
        : string !== undefined
          ? 'string'
          : parameter !== undefined
            ? 'parameter'
            : number !== undefined
              ? 'number'
              : word === undefined
                ? 'plain'
                : KEYWORDS.has(word.toLowerCase())
                  ? 'keyword'
                  : sql[match.index + text.length] === '('
                    ? 'function'
                    : 'plain'
    const last = tokens.at(-1)
    if (last && last.kind === kind && kind === 'plain') last.text += text
    else tokens.push({ text, kind })
  }
  return tokens
}
