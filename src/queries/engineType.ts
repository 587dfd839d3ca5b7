/** A type of the engine: `Map(String, UInt64)` is `Map` of the two arguments. */
export type EngineType = { readonly name: string; readonly args: readonly string[] }

/** Splits a type into its name and its arguments, which are types, named types, numbers or quoted texts. */
export function engineType(text: string): EngineType {
  const open = text.indexOf('(')
  if (open < 0 || !text.endsWith(')')) return { name: text.trim(), args: [] }
  return { name: text.slice(0, open).trim(), args: argumentsOf(text.slice(open + 1, -1)) }
}

/** The name and the type of a part of a tuple: `a UInt64`, `` `a b` UInt64 `` or the type alone. */
export function argumentName(text: string): { readonly name: string | null; readonly type: string } {
  const quoted = /^`((?:[^`\\]|\\.|``)*)`\s+(.+)$/s.exec(text)
  if (quoted !== null)
    return { name: quoted[1]!.replace(/\\(.)/gs, '$1').replaceAll('``', '`'), type: quoted[2]! }
  const named = /^([A-Za-z_]\w*)\s+([A-Z].*)$/s.exec(text)
  return named === null ? { name: null, type: text } : { name: named[1]!, type: named[2]! }
}

/** Splits at the commas that stand in no parentheses and no quotes. */
function argumentsOf(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (character === "'" || character === '`') i = quoteEnd(text, i, character)
    else if (character === '(') depth += 1
    else if (character === ')') depth -= 1
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(start, i).trim())
      start = i + 1
    }
  }
  const last = text.slice(start).trim()
  return last === '' ? parts : [...parts, last]
}

function quoteEnd(text: string, from: number, quote: string): number {
  let at = from + 1
  while (at < text.length && text[at] !== quote) at += text[at] === '\\' ? 2 : 1
  return at
}
