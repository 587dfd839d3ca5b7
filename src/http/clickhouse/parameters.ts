import type { Token } from '#queries/index.ts'
import { unescaped } from './escapes.ts'

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
      used.set(name, isVerbatim(value, tokens[at + 3]?.value ?? '') ? value : unescaped(value))
  }
  return Object.fromEntries(used)
}

/** NULL of a Nullable type, and values with quotes of their own. */
const isVerbatim = (value: string, type: string): boolean => value === '\\N' || COMPOUND.test(type)
