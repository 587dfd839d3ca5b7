import { engineType } from './engineType.ts'
import { TYPE_NAMES } from './typeNames.ts'

/** A type of the engine under its own name, whatever alias it was written with. */
export type ParameterType = { readonly name: string; readonly args: readonly string[] }

const NAMES = new Map(TYPE_NAMES.map(({ name, ofType }) => [name, ofType] as const))
const ANY_CASE = new Map(
  TYPE_NAMES.filter(({ isAnyCase }) => isAnyCase).map(
    ({ name, ofType }) => [name.toLowerCase(), ofType] as const,
  ),
)

/** Reads a type as it stands in a statement: `TINYINT` is `Int8`. A name that the engine does not know stays as it is. */
export function parameterType(text: string): ParameterType {
  const { name, args } = engineType(text.trim())
  return { name: engineName(name) ?? name, args }
}

/** The type of a part of a tuple, which may have a name before it: `a UInt8`, `` `a b` INT UNSIGNED ``. */
export function typeOfPart(text: string): string {
  if (engineName(engineType(text).name) !== undefined) return text
  return /^(?:`(?:[^`\\]|\\.|``)*`|[A-Za-z_]\w*)\s+(.+)$/s.exec(text)?.[1] ?? text
}

function engineName(name: string): string | undefined {
  const plain = name.replace(/\s+/g, ' ')
  return NAMES.get(plain) ?? ANY_CASE.get(plain.toLowerCase())
}

/** The type of the values within `Nullable` and `LowCardinality`, of which a type has one each. */
export function unwrapped(type: ParameterType): { inner: ParameterType; isNullable: boolean } {
  let inner = type
  let isNullable = false
  for (let level = 0; level < 2 && /^(?:Nullable|LowCardinality)$/.test(inner.name); level++) {
    isNullable ||= inner.name === 'Nullable'
    inner = parameterType(inner.args[0] ?? '')
  }
  return { inner, isNullable }
}
