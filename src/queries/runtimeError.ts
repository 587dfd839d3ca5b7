import { isDay } from '#kernel/days.ts'
import type { Place } from './errors.ts'
import type { Statement } from './statement.ts'
import { type PlacedCall, partsOf, type StatementParts } from './statementParts.ts'
import { isName, isSymbol, wordOf } from './tokens.ts'

/** An error of the engine in plain words. */
export type RuntimeError = {
  readonly message: string
  readonly place?: Place | undefined
  readonly hint?: string | undefined
  readonly parameter?: string
}

type Rule = {
  /** The engine's error numbers: a message may quote text of the query. */
  readonly codes: readonly number[]
  readonly pattern: RegExp
  errorOf(match: Match, parts: StatementParts, raw: string): RuntimeError | undefined
}
/** Groups of a match; a group that is missing is empty. */
type Match = readonly string[]

/** An error that the engine raises while it runs a query; undefined if none of the forms below fits. */
export function runtimeError(code: string, raw: string, statement: Statement): RuntimeError | undefined {
  const parts = partsOf(statement)
  for (const { codes, pattern, errorOf } of RULES) {
    if (!codes.includes(Number(code))) continue
    const match = pattern.exec(raw)
    const found =
      match &&
      errorOf(
        [...match].map(group => group ?? ''),
        parts,
        raw,
      )
    if (found) return found
  }
  return undefined
}

/** The place of the function that the engine was running, if the query calls it once. */
export function placeOfExecuted(raw: string, statement: Statement): Place | undefined {
  const name = executed(raw)
  return name === undefined ? undefined : partsOf(statement).call(name)?.place
}

const executed = (raw: string): string | undefined => {
  const [, called, quoted] = /: while executing (?:function (\w+) on |'FUNCTION (\w+)\()/.exec(raw) ?? []
  return called ?? quoted
}

const shown = (text: string): string => `'${text.length > 60 ? `${text.slice(0, 60)}…` : text}'`

/** What the engine writes for bytes that are no text. */
const BYTES = /\\0|\\x|\ufffd/

const DAY_HINT = "Write a date as '2024-01-31'."
const TIME_HINT = "Write a time as '2024-01-31 00:00:00'."
const isDayType = (type: string): boolean => /^Date(?:32)?$/.test(type)
/** Whether a text is a date or a time as every conversion reads it, so that it is not the one at fault. */
const isWritten = (text: string): boolean =>
  isDay(text.slice(0, 10)) && /^.{10}(?: \d\d:\d\d:\d\d)?$/s.test(text)
const bareType = (type: string): string => /^\w+/.exec(type)?.[0] ?? type

function wrongTime(
  type: string,
  subject: string,
  more: Omit<RuntimeError, 'message' | 'hint'>,
  orNull = '',
): RuntimeError {
  return {
    message: `${subject} is not a ${isDayType(type) ? 'date' : 'time'}.`,
    hint: [isDayType(type) ? DAY_HINT : TIME_HINT, orNull].filter(part => part !== '').join(' '),
    ...more,
  }
}

const returnsNull = (name: string): string => `\`${name}\` returns NULL instead of failing.`

/** The text of a conversion, if it is written there. */
function subjectOf(call: PlacedCall | undefined): { subject: string; place: Place | undefined } {
  return {
    subject: call?.literal ? shown(call.literal.value) : 'A string',
    place: call?.literal?.place ?? call?.place,
  }
}

/** A number as the engine's message for it, which suggests functions only for some types. */
function wrongNumber(type: string, subject: string, place: Place | undefined): RuntimeError {
  const name = conversionOf(type)
  return {
    message: `${subject} is not ${/^Interval/.test(type) ? 'a whole number' : `a number of type ${type}`}.`,
    place,
    hint: name && `\`${name}OrNull\` returns NULL instead of failing, and \`${name}OrZero\` returns 0.`,
  }
}

function conversionOf(type: string): string | undefined {
  if (/^(?:U?Int\d+|Float\d+)$/.test(type)) return `to${type}`
  const digits = Number(/^Decimal\((\d+)/.exec(type)?.[1] ?? Number.NaN)
  const size = [9, 18, 38, 76].findIndex(most => digits <= most)
  return size < 0 ? undefined : `toDecimal${32 * 2 ** size}`
}

const textParameterError = (
  parameter: NonNullable<ReturnType<StatementParts['textParameter']>>,
): RuntimeError => ({
  message: `The parameter \`${parameter.name}\` is a String, but a number is needed here.`,
  place: parameter.place,
  parameter: parameter.name,
  hint: `Give it a number type with {${parameter.name}:UInt64}, or with the comment \`-- {{${parameter.name}}} type: Int64\` for {{${parameter.name}}}.`,
})

const NUMBER_TABLES = new Set([
  'numbers',
  'numbers_mt',
  'zeros',
  'zeros_mt',
  'generate_series',
  'generateseries',
])
const COMPARISONS = new Set(['=', '==', '!=', '<>', '<', '>', '<=', '>=', '+', '-', '*', '/', '%'])
const DIVISIONS = [
  'intDiv',
  'modulo',
  'positiveModulo',
  'pmod',
  'moduloLegacy',
  'divide',
  'divideDecimal',
  'gcd',
  'lcm',
  'intDivOrZero',
]
const UNITS = "Use 'hour', 'day', 'week', 'month', 'quarter' or 'year'."
const DECIMALS = ['toDecimal32', 'toDecimal64', 'toDecimal128', 'toDecimal256', 'CAST']

const RULES: readonly Rule[] = [
  {
    codes: [43],
    pattern: /^Illegal type String expression, must be numeric type/,
    errorOf: (_, parts) => {
      const parameter = parts.textParameter(({ called }) => NUMBER_TABLES.has(called))
      if (parameter) return textParameterError(parameter)
      return {
        message: 'This table function needs a number, not a String.',
        place: parts.token(
          (token, at, all) => NUMBER_TABLES.has(wordOf(token)) && isSymbol(all[at + 1], '('),
        ),
      }
    },
  },
  {
    codes: [43],
    pattern: /^Illegal types String and UInt\d+ of arguments of function minus/,
    errorOf: (_, parts) => {
      const parameter = parts.textParameter(({ before }) => /^(?:limit|offset)$/.test(wordOf(before)))
      return parameter && textParameterError(parameter)
    },
  },
  {
    codes: [43],
    pattern:
      /^Illegal types? .*\bString\b.* of arguments? of function (?:plus|minus|multiply|divide|modulo|negate)\b/,
    errorOf: (_, parts) => {
      const parameter = parts.textParameter(({ before, behind }) =>
        [before, behind].some(token => token?.kind === 'symbol' && COMPARISONS.has(token.value)),
      )
      return parameter && textParameterError(parameter)
    },
  },
  {
    codes: [53],
    pattern: /^Cannot convert string '(.*?)' to type ([\w()]+)/s,
    errorOf: ([, value = '', type = ''], parts) => {
      const place = parts.text(value)
      const parameter = parts.textParameter(({ before, behind }) =>
        [before, behind].some(token => token?.kind === 'symbol' && COMPARISONS.has(token.value)),
      )
      if (place === undefined && parameter && conversionOf(type) !== undefined)
        return textParameterError(parameter)
      return {
        message: `${shown(value)} is not a ${conversionOf(type) === undefined ? 'value' : 'number'} of type ${type}.`,
        place,
        hint:
          conversionOf(type) && 'Write a number without quotes, or convert the other side with `toString`.',
      }
    },
  },
  {
    codes: [6, 38, 41, 72],
    pattern: /: while converting '(.*?)' to (Date\w*)/s,
    errorOf: ([, value = '', type = ''], parts) =>
      wrongTime(type, shown(value), { place: parts.text(value) }),
  },
  {
    codes: [6, 32, 38, 41, 69, 72],
    pattern: /: Cannot parse (Date\w*)(?:\([^)]*\))? from String/,
    errorOf: ([, type = ''], parts) => {
      const call = parts.conversion(type)
      const isFine = call?.literal !== undefined && isWritten(call.literal.value)
      const { subject, place } = subjectOf(isFine ? undefined : call)
      return wrongTime(type, subject, { place }, returnsNull(`to${type}OrNull`))
    },
  },
  {
    codes: [41],
    pattern: /^(?:Unable to parse fragment|Value .* must be in the range|Cannot (?:read|parse) DateTime)/s,
    errorOf: (_, parts, raw) => {
      const call = parts.call('parseDateTime')
      if (call === undefined) return undefined
      const isGuessed = /besteffort/i.test(call.text)
      const isAboutGuess = /^Cannot (?:read|parse) DateTime/.test(raw)
      if (isGuessed !== isAboutGuess || (isGuessed && isWritten(call.literal?.value ?? ''))) return undefined
      const place = call.literal?.place ?? call.place
      const subject = call.literal ? shown(call.literal.value) : 'A string'
      return {
        message: isGuessed
          ? `${subject} is not a time.`
          : `${subject} does not match the format of \`${call.text}\`.`,
        place,
        hint: /Or(?:Null|Zero)$/.test(call.text) ? undefined : returnsNull(`${call.text}OrNull`),
      }
    },
  },
  {
    codes: [41],
    pattern: /^(?:Unable to parse fragment|Cannot (?:read|parse) DateTime)/,
    errorOf: () => ({ message: 'A string is not a time of the expected format.', hint: TIME_HINT }),
  },
  {
    codes: [6],
    pattern: /^Cannot parse string '(.*?)' as ([\w(), ]+?)(?::|\.?\s*$)/s,
    errorOf: ([, value = '', type = ''], parts) =>
      wrongNumber(
        type,
        BYTES.test(value) ? 'A string of bytes' : shown(value),
        parts.text(value) ?? parts.conversion(bareType(type))?.place,
      ),
  },
  {
    codes: [32, 72],
    pattern: /: Cannot parse ((?:U?Int|Float|Decimal)[\w(), ]*?) from String/,
    errorOf: ([, type = ''], parts) => {
      const { subject, place } = subjectOf(parts.conversion(bareType(type)))
      return wrongNumber(type, subject, place)
    },
  },
  {
    codes: [376],
    pattern: /^Cannot parse uuid (.*?)(?:: Cannot parse|: while|$)/s,
    errorOf: (_, parts) => {
      const { subject, place } = subjectOf(parts.conversion('UUID'))
      return { message: `${subject} is not a UUID.`, place, hint: returnsNull('toUUIDOrNull') }
    },
  },
  {
    codes: [675, 676],
    pattern: /^Cannot parse (IPv[46]) /,
    errorOf: ([, type = ''], parts) => {
      const { subject, place } = subjectOf(parts.conversion(type))
      return { message: `${subject} is not an ${type} address.`, place, hint: returnsNull(`to${type}OrNull`) }
    },
  },
  {
    codes: [467],
    pattern: /^Cannot parse boolean value here: '(.*?)', should be /s,
    errorOf: ([, value = ''], parts) => ({
      message: `${shown(value)} is not a boolean.`,
      place: parts.text(value),
      hint: "Write true or false, or 'true' or 'false' as text.",
    }),
  },
  {
    codes: [36, 691],
    pattern: /^Unknown element '(.*?)' for enum/s,
    errorOf: ([, value = ''], parts) => ({
      message: `${shown(value)} is not a value of this enum.`,
      place: parts.text(value),
    }),
  },
  {
    codes: [117],
    pattern: /^Invalid (\w+) value \((.*?)\), cannot be decoded/s,
    errorOf: ([, name = '', value = ''], parts) => ({
      message: `\`${name}\` cannot decode ${shown(value)}.`,
      place: parts.text(value) ?? parts.call(name)?.place,
      hint: `\`try${name.slice(0, 1).toUpperCase()}${name.slice(1)}\` returns an empty text instead of failing.`,
    }),
  },
  {
    codes: [70],
    pattern: /^Cannot convert NULL/,
    errorOf: (_, parts) => ({
      message: 'NULL cannot become a value of a type without NULL.',
      place: parts.call('CAST')?.place,
      hint: 'Convert to Nullable(…), or replace NULL with `ifNull(x, 0)`.',
    }),
  },
  {
    codes: [70],
    pattern: /^Value in column (\w+).* cannot be safely converted into type (\w+)/,
    errorOf: ([, , type = ''], parts) => ({
      message: `A value does not fit the type ${type}.`,
      place: parts.call('accurateCast')?.place,
      hint: returnsNull('accurateCastOrNull'),
    }),
  },
  {
    codes: [50],
    pattern: /^Unknown data type family: (\w+)/,
    errorOf: ([, type = ''], parts) => ({
      message: `Unknown type \`${type}\`.`,
      place: parts.name(type) ?? parts.text(type),
      hint: 'Common types are Int64, UInt64, Float64, String, Date and DateTime.',
    }),
  },
  {
    codes: [131],
    pattern: /^String too long for type (FixedString\(\d+\))/,
    errorOf: ([, type = ''], parts) => ({
      message: `A string is longer than ${type}.`,
      place: (parts.call('toFixedString') ?? parts.conversion('FixedString'))?.place,
    }),
  },
  {
    codes: [153],
    pattern: /^Division by zero/,
    errorOf: (_, parts, raw) => {
      const name = executed(raw)
      return {
        message: 'Division by zero.',
        place: (name === undefined ? parts.call(...DIVISIONS) : parts.call(name))?.place,
        hint: 'Divide by `nullIf(x, 0)`, or use `intDivOrZero` or `moduloOrZero`.',
      }
    },
  },
  {
    codes: [395],
    pattern: /^(.*?)(?:: while executing |: In scope |$)/s,
    errorOf: ([, said = ''], parts) => ({
      message: /^$|^Value passed to 'throwIf'/.test(said)
        ? 'The query stopped itself with `throwIf`.'
        : `The query stopped itself with \`throwIf\` and the message ${shown(said.replace(/[\s.]+$/, ''))}.`,
      place: parts.call('throwIf')?.place,
      hint: 'Change the condition of `throwIf`, or leave it out.',
    }),
  },
  {
    codes: [69],
    pattern: /^Tuple doesn't have element with index '?(-?\d+)/,
    errorOf: ([, index = ''], parts) => ({
      message: `The tuple has no element ${index}.`,
      place:
        parts.token(
          (token, at, all) => token.kind === 'number' && token.value === index && isSymbol(all[at - 1], '.'),
        ) ?? parts.call('tupleElement')?.place,
      hint: 'Elements count from 1.',
    }),
  },
  {
    codes: [10, 36],
    pattern: /^Tuple doesn't have element with name '(.*?)'/s,
    errorOf: ([, name = ''], parts) => ({
      message: `The tuple has no element ${shown(name)}.`,
      place: parts.text(name) ?? parts.name(name),
    }),
  },
  {
    codes: [135],
    pattern: /^Array indices are 1-based/,
    errorOf: (_, parts) => ({
      message: 'Arrays start at index 1, not 0.',
      place:
        parts.token(
          (token, at, all) => token.value === '0' && isSymbol(all[at - 1], '[') && isSymbol(all[at + 1], ']'),
        ) ?? parts.call('arrayElement')?.place,
      hint: 'Write x[1] for the first element, and x[-1] for the last.',
    }),
  },
  {
    codes: [184],
    pattern:
      /^(Aggregate|Window) function (\w+).*?(?: AS (\w+))? is found (?:in (PREWHERE|WHERE|GROUP BY|JOIN ON|ARRAY JOIN|\w+)|inside another)/s,
    errorOf: ([, kind = '', name = '', alias = '', clause = ''], parts) => {
      const isAggregate = kind === 'Aggregate'
      const place =
        clause === ''
          ? parts.call(name)?.place
          : parts.callIn(clause.split(' ')[0]?.toLowerCase() ?? '', name)
      if (clause === '')
        return {
          message: `The ${kind.toLowerCase()} function \`${name}\` cannot be inside another one.`,
          place,
          hint: 'Compute the inner one in a subquery.',
        }
      const isFilter = /WHERE$/.test(clause)
      return {
        message: `The ${kind.toLowerCase()} function \`${name}\` cannot be in ${clause}.`,
        place,
        hint:
          alias !== ''
            ? `The alias \`${alias}\` stands for this function. Give it a name that is not a column.`
            : isFilter
              ? isAggregate
                ? 'Filter groups with HAVING instead.'
                : 'Filter with QUALIFY instead.'
              : 'Compute it in a subquery.',
      }
    },
  },
  {
    codes: [36],
    pattern: /^The function '(\w+)' can only be used as a window function/,
    errorOf: ([, name = ''], parts) => ({
      message: `\`${name}\` needs an OVER clause.`,
      place: parts.call(name)?.place,
      hint: `For example, ${name}(…) OVER (ORDER BY height).`,
    }),
  },
  {
    codes: [36],
    pattern: /^Window '(.*?)' does not exist/s,
    errorOf: ([, name = ''], parts) => ({
      message: `No window is named \`${name}\`.`,
      place: parts.name(name),
      hint: `Define it with WINDOW ${name} AS (…).`,
    }),
  },
  {
    codes: [36],
    pattern: /^Positional argument number (-?\d+) is out of bounds\. Expected in range \[1, (\d+)\]/,
    errorOf: ([, position = '', count = ''], parts) => ({
      message: `There is no column ${position}. The query selects ${count === '1' ? '1 column' : `${count} columns`}.`,
      place: parts.token(
        (token, at, all) =>
          token.value === position && /^(?:by|,)$/.test(wordOf(all[at - 1]) || (all[at - 1]?.value ?? '')),
      ),
    }),
  },
  {
    codes: [36],
    pattern: /^Lambda .* is not allowed in expression context/s,
    errorOf: (_, parts) => ({
      message: 'A lambda can only be an argument of a function.',
      place: parts.token(token => isSymbol(token, '->')),
    }),
  },
  {
    codes: [36],
    pattern: /^(.*) doesn't look like datepart name in (\w+)/s,
    errorOf: ([, unit = '', name = ''], parts) => ({
      message: `${shown(unit)} is not a unit of \`${name}\`.`,
      place: parts.text(unit) ?? parts.call(name)?.place,
      hint: UNITS,
    }),
  },
  {
    codes: [36],
    pattern: /^Function (\w+) does not support '(.*?)' unit/s,
    errorOf: ([, name = '', unit = ''], parts) => ({
      message: `${shown(unit)} is not a unit of \`${name}\`.`,
      place: parts.text(unit) ?? parts.call(name)?.place,
      hint: UNITS,
    }),
  },
  {
    codes: [36],
    pattern: /^Cannot load time zone (.*?)(?::|\.?\s*$)/s,
    errorOf: ([, zone = ''], parts) => ({
      message: `Unknown time zone ${shown(zone)}.`,
      place: parts.text(zone),
      hint: "Use a name such as 'UTC' or 'America/New_York'.",
    }),
  },
  {
    codes: [36, 427],
    pattern: /(?:cannot compile re2: (.*?), error: |not a valid re2 pattern: )(missing [^:]*|[\w -]+)/s,
    errorOf: ([, pattern = '', reason = ''], parts) => ({
      message: `The regular expression is invalid (${reason.trim()}).`,
      place: pattern === '' ? parts.call('replaceRegexpAll', 'replaceRegexpOne')?.place : parts.text(pattern),
      hint: 'Escape special characters with two backslashes.',
    }),
  },
  {
    codes: [12, 36, 69],
    pattern: /^Quantile level is out of range/,
    errorOf: (_, parts) => ({
      message: 'The level of a quantile is not between 0 and 1.',
      place: parts.call('quantile')?.place ?? parts.call('quantiles')?.place,
    }),
  },
  {
    codes: [70],
    pattern: /^Cannot convert String to double/,
    errorOf: () => ({ message: 'A string is used where a number is needed.' }),
  },
  {
    codes: [70, 407],
    pattern:
      /^(?:Unexpected inf or nan to integer|Decimal convert overflow\. Cannot convert infinity or NaN)/,
    errorOf: (_, parts, raw) => {
      const name = executed(raw)
      return {
        message: 'NaN and infinity cannot be converted to this type.',
        place: name === undefined ? undefined : parts.call(name)?.place,
        hint: 'Filter with `isFinite(x)` first.',
      }
    },
  },
  {
    codes: [407],
    pattern: /^Decimal (?:convert|math) overflow/,
    errorOf: (_, parts, raw) => ({
      message: 'A number is too large for its decimal type.',
      place: parts.call(...(executed(raw) === undefined ? DECIMALS : [executed(raw) ?? '']))?.place,
      hint: 'Use a larger type, such as toDecimal128(x, 8), or fewer decimal places.',
    }),
  },
  {
    codes: [69],
    pattern: /^Too many digits \((\d+) > (\d+)\) in decimal value/,
    errorOf: ([, digits = '', most = ''], parts) => {
      const { subject, place } = subjectOf(parts.call(...DECIMALS))
      return {
        message: `${subject} has too many digits for its decimal type (${digits} > ${most}).`,
        place,
        hint: 'Use a larger type, such as toDecimal128(x, 8).',
      }
    },
  },
  {
    codes: [69],
    pattern: /^Scale (\d+) is out of bounds \(max scale: (\d+)\)/,
    errorOf: ([, scale = '', most = ''], parts) => ({
      message: `This decimal type has at most ${most} decimal places, not ${scale}.`,
      place: parts.call(...DECIMALS)?.place,
    }),
  },
  {
    codes: [258, 596],
    pattern: /^Different number of columns in (UNION|INTERSECT|EXCEPT)/,
    errorOf: ([, word = ''], parts) => ({
      message: `The parts of ${word} have different numbers of columns.`,
      place: parts.words(word.toLowerCase()),
      hint: 'Select the same number of columns in each part.',
    }),
  },
  {
    codes: [558],
    pattern: /^Expected ALL or DISTINCT in SelectWithUnion/,
    errorOf: (_, parts) => ({
      message: 'UNION needs ALL or DISTINCT.',
      place: parts.token(
        (token, at, all) => wordOf(token) === 'union' && !/^(?:all|distinct)$/.test(wordOf(all[at + 1])),
      ),
      hint: 'UNION ALL keeps duplicate rows, and UNION DISTINCT drops them.',
    }),
  },
  {
    codes: [59],
    pattern: /^Invalid type for filter in (PREWHERE|WHERE|HAVING|QUALIFY): ([^.]+)\./,
    errorOf: ([, clause = '', type = ''], parts) => ({
      message: `The condition in ${clause} is a ${type}, not true or false.`,
      place: parts.words(clause.toLowerCase()),
      hint: 'Compare it with a value, for example x = 1.',
    }),
  },
  {
    codes: [386],
    pattern: /^There is no supertype for types (.*?) because .*JOIN cannot infer common type/s,
    errorOf: ([, types = ''], parts) => ({
      message: `JOIN cannot compare ${types.replace(/, (?=[^,]*$)/, ' with ')}.`,
      place: parts.words('on') ?? parts.words('using'),
      hint: 'Convert one side, for example with `toString`.',
    }),
  },
  {
    codes: [386],
    pattern: /^There is no supertype for types (.*?) because /s,
    errorOf: ([, types = ''], parts, raw) => {
      const name = executed(raw)
      return {
        message: `No common type for ${types}.`,
        place: name === undefined ? undefined : parts.call(name)?.place,
        hint: 'Convert one of them, for example with `toString`.',
      }
    },
  },
  {
    codes: [125],
    pattern: /^Scalar subquery returned more than one row/,
    errorOf: (_, parts) => ({
      message: 'A subquery that is used as one value returned more than one row.',
      place: parts.token(
        (token, at, all) =>
          isSymbol(token, '(') &&
          /^(?:select|with)$/.test(wordOf(all[at + 1])) &&
          !/^(?:from|join|in|as|exists|all|any|union)$/.test(wordOf(all[at - 1])),
      ),
      hint: 'Aggregate it, or add LIMIT 1.',
    }),
  },
  {
    codes: [20],
    pattern: /^Number of columns in section IN doesn't match\. (\d+) at left, (\d+) at right/,
    errorOf: ([, left = '', right = ''], parts) => ({
      message: `IN compares ${left} ${left === '1' ? 'column' : 'columns'} with ${right}.`,
      place: parts.words('in'),
      hint: 'Select as many columns in the subquery as there are before IN.',
    }),
  },
  {
    codes: [403],
    pattern: /^ASOF join requires one inequality/i,
    errorOf: (_, parts) => ({
      message: 'ASOF JOIN needs one inequality in ON.',
      place: parts.words('asof'),
      hint: 'For example, ON a.id = b.id AND a.time >= b.time.',
    }),
  },
  {
    codes: [179],
    pattern: /^Multiple table expressions with same alias (\w+)/,
    errorOf: ([, alias = ''], parts) => ({
      message: `Two tables have the alias \`${alias}\`.`,
      place: parts.second(
        (token, at, all) =>
          isName(token) &&
          token.value === alias &&
          !isSymbol(all[at - 1], '.') &&
          !isSymbol(all[at + 1], '.'),
      ),
      hint: 'Give one of them another alias.',
    }),
  },
  {
    codes: [179],
    pattern: /^Multiple expressions .* for alias (\w+)\.(?: In scope|\s*$)/s,
    errorOf: ([, alias = ''], parts) => ({
      place: parts.second(
        (token, at, all) => isName(token) && token.value === alias && wordOf(all[at - 1]) === 'as',
      ),
      message: `The alias \`${alias}\` stands for two different expressions.`,
      hint: 'Give one of them another alias.',
    }),
  },
  {
    codes: [53],
    pattern:
      /^ARRAY JOIN .* requires expression (\w+) with Array or Map type\. Actual: (.+?)\.(?: In scope|\s*$)/s,
    errorOf: ([, name = '', type = ''], parts) => ({
      message: `ARRAY JOIN needs an array, but \`${name}\` is ${type}.`,
      place: parts.words('array', 'join'),
    }),
  },
  {
    codes: [51],
    pattern: /^Empty list of columns in projection/,
    errorOf: (_, parts) => ({
      message: 'The query selects no columns.',
      place: parts.call('COLUMNS')?.place,
      hint: 'The pattern of COLUMNS, or EXCEPT, leaves no column over.',
    }),
  },
  {
    codes: [47],
    pattern: /USING .*? using identifier '(.*?)' cannot be resolved from (left|right) table/s,
    errorOf: ([, name = '', side = ''], parts) => ({
      message: `The ${side} table has no column \`${name}\` for USING.`,
      place: parts.name(name, 'using'),
      hint: 'Join with ON if the columns have different names.',
    }),
  },
  {
    codes: [47],
    pattern:
      /^Unknown expression(?: or function)? identifier `([^`]+)` in scope .* Maybe you meant: \['\1'\]/s,
    errorOf: ([, name = '']) => ({
      message: `Unknown column \`${name}\`.`,
      hint: 'An alias cannot use itself, directly or through another alias.',
    }),
  },
  {
    codes: [174],
    pattern: /^Cyclic aliases/,
    errorOf: () => ({
      message: 'Two aliases use each other.',
      hint: 'An alias cannot use itself, directly or through another alias.',
    }),
  },
  {
    codes: [215],
    pattern: /^Column '([\w.]+)' is not under aggregate function/,
    errorOf: ([, name = '']) => ({
      message: `Column \`${name.replace(/^default\.|^__table\d+\./, '')}\` is neither grouped nor aggregated.`,
    }),
  },
  {
    codes: [43],
    pattern:
      /^Illegal type (.+?) of argument of function to\w+: while executing (?:'FUNCTION in\(|function in )/s,
    errorOf: ([, type = ''], parts) => ({
      message: `IN cannot compare ${type} with its list.`,
      place: parts.words('in'),
      hint: 'Give both sides the same number of columns and the same types.',
    }),
  },
  {
    codes: [190],
    pattern: /^Arrays passed to (\w+) must have equal size/,
    errorOf: ([, name = ''], parts) => ({
      message: `The arrays of \`${name}\` have different lengths.`,
      place: parts.call(name)?.place,
      hint: 'Make them equally long, for example with `arrayResize`.',
    }),
  },
  {
    codes: [42, 43],
    pattern: /^First argument for this overload of (\w+) must be a function with (\d+) arguments/,
    errorOf: ([, name = '', count = ''], parts) => ({
      message: `The function in \`${name}\` needs ${count} arguments, one for each array.`,
      place: parts.call(name)?.place,
    }),
  },
  {
    codes: [131],
    pattern: /^Too large string size \((\d+)\) in function (\w+), maximum is: (\d+)/,
    errorOf: ([, size = '', name = '', most = ''], parts) => ({
      message: `\`${name}\` would make a string of ${size} bytes. The limit is ${most}.`,
      place: parts.call(name)?.place,
    }),
  },
  {
    codes: [69],
    pattern:
      /^A call to function (\w+) would produce (\d+) array elements, which is greater than the allowed maximum of (\d+)/,
    errorOf: ([, name = '', size = '', most = ''], parts) => ({
      message: `\`${name}\` would make an array of ${size} elements. The limit is ${most}.`,
      place: parts.call(name)?.place,
      hint: 'For many rows, select from numbers(…) instead.',
    }),
  },
  {
    codes: [36],
    pattern: /^Frame start offset .* does not precede the frame end offset/s,
    errorOf: (_, parts) => ({
      message: 'The window frame ends before it begins.',
      place: parts.words('rows') ?? parts.words('range'),
    }),
  },
  {
    codes: [306],
    pattern: /^Maximum recursive CTE evaluation depth \((\d+)\) exceeded/,
    errorOf: ([, most = ''], parts) => ({
      message: `The recursive query does not end within ${most} steps.`,
      place: parts.words('recursive'),
      hint: 'Add a WHERE that ends the recursion, for example WHERE n < 100.',
    }),
  },
  {
    codes: [721],
    pattern: /^Function (\w+) is deprecated/,
    errorOf: ([, name = ''], parts) => ({
      message: `\`${name}\` is not available.`,
      place: parts.call(name)?.place,
      hint: 'Use `lagInFrame` or `leadInFrame` with OVER (ORDER BY …).',
    }),
  },
  {
    codes: [48],
    pattern: /^The RANGE OFFSET frame for '.*?' ORDER BY column is not implemented/,
    errorOf: (_, parts) => ({
      message: 'A RANGE frame needs ORDER BY a number or a time.',
      place: parts.words('range'),
      hint: 'Use ROWS to count rows instead.',
    }),
  },
  {
    codes: [36],
    pattern: /^Window frame (?:begin|end) OFFSET expression must be constant/,
    errorOf: (_, parts) => ({
      message: 'The offset of a window frame is not a number.',
      place: parts.words('range') ?? parts.words('rows'),
    }),
  },
  {
    codes: [36],
    pattern: /^Argument of '(\w+)' function must be greater than zero/,
    errorOf: ([, name = ''], parts) => ({
      message: `The argument of \`${name}\` is not greater than 0.`,
      place: parts.call(name)?.place,
    }),
  },
  {
    codes: [475],
    pattern: /^(?:WITH FILL STEP value cannot be zero|Incompatible types of WITH FILL|Sort FILL )/,
    errorOf: ([found = ''], parts) => ({
      message: found.startsWith('WITH FILL STEP')
        ? 'The STEP of WITH FILL is 0.'
        : 'WITH FILL needs a number, a date or a time of the type of its column.',
      place: parts.words('with', 'fill'),
    }),
  },
  {
    codes: [476],
    pattern: /^Can not use WITH TIES without ORDER BY/,
    errorOf: (_, parts) => ({
      message: 'WITH TIES needs ORDER BY.',
      place: parts.words('with', 'ties'),
    }),
  },
  {
    codes: [184],
    pattern: /^GROUPING function /,
    errorOf: (_, parts) => ({
      message: '`grouping` works only in SELECT, HAVING and ORDER BY of a query with GROUP BY.',
      place: parts.call('grouping')?.place,
    }),
  },
  {
    codes: [47],
    pattern: /^Qualified matcher (\w+)\.\* does not find table/,
    errorOf: ([, name = ''], parts) => ({
      message: `Unknown table \`${name}\`.`,
      place: parts.token(
        (token, at, all) =>
          isName(token) && token.value === name && isSymbol(all[at + 1], '.') && isSymbol(all[at + 2], '*'),
      ),
      hint: 'Use the alias of the table if it has one.',
    }),
  },
  {
    codes: [403],
    pattern: /^JOIN .* join expression expected function/s,
    errorOf: (_, parts) => ({
      message: 'The ON condition of JOIN is not a comparison.',
      place: parts.words('on'),
      hint: 'For example, ON a.height = b.height.',
    }),
  },
  {
    codes: [131],
    pattern: /^Too large string for FixedString column/,
    errorOf: () => ({ message: 'A string is longer than the FixedString column that it is compared with.' }),
  },
  {
    codes: [130],
    pattern: /^Cannot read array from text/,
    errorOf: (_, parts) => {
      const { subject, place } = subjectOf(parts.conversion('Array'))
      return { message: `${subject} is not an array.`, place, hint: "Write an array as '[1, 2]'." }
    },
  },
  {
    codes: [36],
    pattern: /^Not enough arguments to fill the placeholders in the format string/,
    errorOf: (_, parts) => ({
      message: '`format` has fewer arguments than {} in its text.',
      place: parts.call('format')?.place,
    }),
  },
  {
    codes: [36],
    pattern: /^Table function '(\w+)' requires step to be a non-zero number/,
    errorOf: ([, name = ''], parts) => ({
      message: `The step of \`${name}\` is 0.`,
      place: parts.call(name)?.place,
    }),
  },
]
