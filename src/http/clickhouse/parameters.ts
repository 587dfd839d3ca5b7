import type { Token } from '#queries/index.ts'

/** Escapes of ClickHouse's TabSeparated format, in which values of parameters come. */
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '0': '\0',
  a: '\x07',
  v: '\v',
  e: '\x1b',
}

/** Types whose values are written with quotes of their own. */
const COMPOUND = /^(?:Array|Tuple|Map|Nested)$/i

/**
 * The values that a statement uses. ClickHouse leaves others alone, and clients send the same ones with several statements.
 */
export function parametersOf(
  tokens: readonly Token[],
  sent: Readonly<Record<string, string>>,
): Record<string, string> {
  const used = new Map<string, string>()
  for (const [at, token] of tokens.entries()) {
    const name = tokens[at + 1]?.value
    if (token.kind !== 'symbol' || token.value !== '{' || tokens[at + 2]?.value !== ':' || name === undefined)
      continue
    const value = Object.hasOwn(sent, name) ? sent[name] : undefined
    if (value !== undefined)
      used.set(name, COMPOUND.test(tokens[at + 3]?.value ?? '') ? value : unescaped(value))
  }
  return Object.fromEntries(used)
}

const unescaped = (value: string): string =>
  // NULL of a Nullable type.
  value === '\\N' ? value : value.replace(/\\([\s\S])/g, (_, sign: string) => ESCAPES[sign] ?? sign)
