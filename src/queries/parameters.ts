import { type Place, placeAt, QueryError } from './errors.ts'
import { type ParameterValue, readValue, ValueFault } from './parameterValue.ts'
import { readingFault } from './readingFault.ts'
import type { Statement } from './statement.ts'

/** Escaped, they still fit the 128 KiB that a ClickHouse server takes of one value, and the longest statement of a guest. */
const MAX_VALUES_BYTES = 60_000

/** How many types one parameter may have in a statement: each of them costs a reading of the value. */
const MAX_TYPES = 4

/** A metric's SQL with the values that its parameters take when left out. */
export type KnownSql = {
  readonly sql: string
  readonly parameters: readonly { readonly name: string; readonly default: string }[]
  /** Only for metrics: id and available entities. */
  readonly id?: string
  readonly entities?: readonly string[]
}

/**
 * The value of every `{name:Type}` of the statement: what was given, else the default of the metric whose SQL it is.
 * Throws `sql.parameter_unknown`, `sql.parameter_missing` or `sql.parameter_value`, each naming the parameter.
 */
export function resolveParameters(
  statement: Statement,
  given: Readonly<Record<string, string>>,
  known: readonly KnownSql[],
): Record<string, ParameterValue> {
  checkLength(given)
  const asked = new Map(statement.placeholders.map(placeholder => [placeholder.name, placeholder]))
  /** Types that a value has been checked against: the engine reads it anew by the type of each place. */
  const checked = new Map<string, Set<string>>()
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
  const values = new Map<string, ParameterValue>()
  for (const { name, type, start } of statement.placeholders) {
    const types = checked.get(name) ?? new Set()
    if (types.has(type)) continue
    checked.set(name, types.add(type))
    if (types.size > MAX_TYPES)
      throw new QueryError(
        'sql.parameter_value',
        `The parameter \`${name}\` has more than ${MAX_TYPES} types.`,
        {
          parameter: name,
          place: placeAt(statement.text, start),
          hint: 'Give it the same type everywhere, or use several parameters.',
        },
      )
    const value = Object.hasOwn(given, name) ? given[name] : defaults.get(name)
    if (value === undefined) {
      throw new QueryError('sql.parameter_missing', `The parameter \`${name}\` (${type}) has no value.`, {
        parameter: name,
        place: placeAt(statement.text, start),
        hint: `Give it under \`parameters\`: {"${name}": "…"}.`,
      })
    }
    values.set(name, readGiven(type, value, { name, place: placeAt(statement.text, start) }))
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

function readGiven(
  type: string,
  text: string,
  { name, place }: { name: string; place: Place },
): ParameterValue {
  try {
    return readValue(type, text)
  } catch (thrown) {
    if (!(thrown instanceof ValueFault)) throw thrown
    const day = /^a (?:day|time) /.test(thrown.expected)
      ? readingFault(`The parameter \`${name}\``, thrown.text)
      : undefined
    if (day !== undefined)
      throw new QueryError(day.code, day.message, { parameter: name, place, hint: day.hint })
    const subject =
      thrown.text === text ? `The parameter \`${name}\`` : `Each part of the parameter \`${name}\``
    throw new QueryError(
      'sql.parameter_value',
      `${subject} must be ${excerptOf(thrown.expected)}, not "${excerptOf(thrown.text)}".`,
      { parameter: name, place },
    )
  }
}

/** A value, or its type, may be as long as a request. */
const excerptOf = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text)
