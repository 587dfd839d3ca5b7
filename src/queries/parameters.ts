import { isDay } from '#kernel/days.ts'
import { placeAt, QueryError } from './errors.ts'
import { isList, type ListValue, readList } from './listParameter.ts'
import type { Statement } from './statement.ts'

/** Escaped, they still fit the 128 KiB that a ClickHouse server takes of one value, and the longest statement of a guest. */
const MAX_VALUES_BYTES = 60_000

/** A metric's SQL with the values that its parameters take when left out. */
export type KnownSql = {
  readonly sql: string
  readonly parameters: readonly { readonly name: string; readonly default: string }[]
}

/**
 * The value of every `{name:Type}` of the statement: what was given, else the default of the metric whose SQL it is.
 * Throws `sql.parameter_unknown`, `sql.parameter_missing` or `sql.parameter_value`, each naming the parameter.
 */
export function resolveParameters(
  statement: Statement,
  given: Readonly<Record<string, string>>,
  known: readonly KnownSql[],
): Record<string, ListValue> {
  checkLength(given)
  const asked = new Map(statement.placeholders.map(placeholder => [placeholder.name, placeholder]))
  for (const name of Object.keys(given)) {
    if (asked.has(name)) continue
    const names = [...asked.keys()]
    throw new QueryError('sql.parameter_unknown', `The statement has no parameter \`${name}\`.`, {
      parameter: name,
      hint: names.length > 0 ? `It has: ${names.join(', ')}.` : 'It has none.',
    })
  }
  const missing = [...asked.values()].filter(({ name }) => !Object.hasOwn(given, name))
  const defaults = missing.length > 0 ? defaultsOf(statement.text, known) : new Map<string, string>()
  const values: [name: string, value: ListValue][] = []
  for (const { name, type, start } of asked.values()) {
    const value = Object.hasOwn(given, name) ? given[name] : defaults.get(name)
    if (value === undefined) {
      throw new QueryError('sql.parameter_missing', `The parameter \`${name}\` (${type}) has no value.`, {
        parameter: name,
        place: placeAt(statement.text, start),
        hint: `Give it under \`parameters\`: {"${name}": "…"}.`,
      })
    }
    const taken = isList(type) ? readList(type, value, holds) : value
    const fault =
      taken === undefined ? `a list of the type ${excerptOf(type)}: ${LIST_FORM}` : faultOf(type, value)
    if (taken === undefined || fault !== undefined) {
      throw new QueryError(
        'sql.parameter_value',
        `The parameter \`${name}\` must be ${fault}, not "${excerptOf(value)}".`,
        {
          parameter: name,
          place: placeAt(statement.text, start),
        },
      )
    }
    values.push([name, taken])
  }
  // Not written one by one: a parameter may be called `__proto__`.
  return Object.fromEntries(values)
}

function checkLength(given: Readonly<Record<string, string>>): void {
  let bytes = 0
  for (const [name, value] of Object.entries(given)) {
    bytes += Buffer.byteLength(value)
    if (bytes > MAX_VALUES_BYTES)
      throw new QueryError(
        'sql.parameter_value',
        `The values of all parameters together are longer than ${MAX_VALUES_BYTES} bytes.`,
        { parameter: name, hint: 'Send fewer values per query, or use a range or a join.' },
      )
  }
}

function defaultsOf(sql: string, known: readonly KnownSql[]): Map<string, string> {
  const asRun = withoutLayout(sql)
  const match = known.find(metric => withoutLayout(metric.sql) === asRun)
  return new Map(match?.parameters.map(parameter => [parameter.name, parameter.default]))
}

/** Space does not make it another statement: an editor may have re-indented it or added a closing `;`. */
const withoutLayout = (sql: string): string =>
  sql
    .replace(/\s+/g, ' ')
    .replace(/[ ;]+$/, '')
    .trim()

const SIMPLE: readonly { type: RegExp; holds: (value: string) => boolean; is: string }[] = [
  { type: /^Date(?:32)?$/, holds: isDay, is: 'a day as YYYY-MM-DD' },
  {
    type: /^Float(?:32|64)$|^Decimal/,
    holds: value => value.trim() !== '' && Number.isFinite(Number(value)),
    is: 'a number',
  },
  { type: /^Bool$/, holds: value => /^(?:true|false|0|1)$/i.test(value), is: 'true or false' },
]

/** The engine wraps an integer that its type cannot hold: 300 as UInt8 would be read as 44. */
function integerFault(type: string, value: string): string | undefined {
  const [, sign, bits] = /^(U?)Int(8|16|32|64|128|256)$/.exec(type) ?? []
  if (bits === undefined) return undefined
  const size = 1n << BigInt(bits)
  const least = sign === 'U' ? 0n : -size / 2n
  const most = least + size - 1n
  const isWithin = /^-?\d{1,80}$/.test(value) && BigInt(value) >= least && BigInt(value) <= most
  return isWithin ? undefined : `a whole number from ${least} to ${most}`
}

/** How a list may be written. */
const LIST_FORM = '["a", "b"] or [1, 2]'

/** A value may be as long as a request. */
const excerptOf = (value: string): string => (value.length > 100 ? `${value.slice(0, 100)}…` : value)

const holds = (type: string, value: string): boolean => faultOf(type, value) === undefined

/** What a value of the type has to be, if this one is not; types not listed are left to the engine. */
function faultOf(type: string, value: string): string | undefined {
  const integer = integerFault(type, value)
  if (integer !== undefined) return integer
  const rule = SIMPLE.find(candidate => candidate.type.test(type))
  return rule && !rule.holds(value) ? rule.is : undefined
}
