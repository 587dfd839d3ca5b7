export type Placeholder = { name: string; type: string }

const QUOTED = /'(?:[^'\\]|\\.|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g

/** The `{name:Type}` of a statement in the order in which they come, each once; none of strings and comments. */
export function placeholders(sql: string): Placeholder[] {
  const bare = sql.replace(QUOTED, text => ' '.repeat(text.length))
  const found = new Map<string, Placeholder>()
  for (const [, name = '', type = ''] of bare.matchAll(/\{\s*([A-Za-z_]\w*)\s*:\s*([^{}]+?)\s*\}/g)) {
    if (!found.has(name)) found.set(name, { name, type })
  }
  return [...found.values()]
}

/** The values that a statement takes; a value for a parameter that it does not have is left out. */
export function valuesFor(sql: string, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    placeholders(sql).flatMap(({ name }) => (values[name] === undefined ? [] : [[name, values[name]]])),
  )
}
