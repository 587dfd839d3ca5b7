/** Types of columns, and how the texts of a file become values of them. All of it is SQL over names of our own. */

/** How a column of texts is read where more than one reading is possible. */
export const FORMATS = ['plain', 'dayFirst', 'monthFirst', 'commaThousands', 'pointThousands'] as const
export type TextFormat = (typeof FORMATS)[number]

export type ColumnChoice = { readonly type: string; readonly format: TextFormat }

const SIMPLE = ['String', 'Bool', 'Int64', 'Int256', 'UInt256', 'Float64', 'Date', 'DateTime'] as const
const DECIMAL = /^Decimal\((\d{1,2}), ?(\d{1,2})\)$/

/** Precision of the widest decimal. */
const MOST_DIGITS = 76

/** Whether a column may be of this type. */
export function isUploadType(type: string): boolean {
  const [, precision, scale] = DECIMAL.exec(type) ?? []
  if (precision === undefined) return (SIMPLE as readonly string[]).includes(type)
  return Number(precision) >= 1 && Number(precision) <= MOST_DIGITS && Number(scale) <= Number(precision)
}

/** The engine's type of a column. */
export function engineTypeOf(type: string, isNullable: boolean): string {
  const engine = type === 'Date' ? 'Date32' : type === 'DateTime' ? "DateTime64(6, 'UTC')" : type
  return isNullable ? `Nullable(${engine})` : engine
}

const INTEGER = '^-?(?:0|[1-9][0-9]*)$'
const DECIMAL_TEXT = '^-?(?:(?:0|[1-9][0-9]*)(?:\\\\.[0-9]+)?|\\\\.[0-9]+)$'
const FLOAT = '^-?(?:(?:0|[1-9][0-9]*)(?:\\\\.[0-9]*)?|\\\\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?$'
const COMMA_THOUSANDS = '^-?(?:0|[1-9][0-9]{0,2}(?:,[0-9]{3})*|[1-9][0-9]*)(?:\\\\.[0-9]+)?$'
const POINT_THOUSANDS = '^-?(?:0|[1-9][0-9]{0,2}(?:\\\\.[0-9]{3})*|[1-9][0-9]*)(?:,[0-9]+)?$'
const ISO_DAY = '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'
const ISO_TIME =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\\\\.[0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?$'
const SLASH_DAY = '^[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{4}$'

const MOST_INT64 = '9223372036854775807'
const LEAST_INT64 = '9223372036854775808'
const MOST_UINT256 = '115792089237316195423570985008687907853269984665640564039457584007913129639935'
const MOST_INT256 = '57896044618658097711785492504343953926634992332820282019728792003956564819967'

/** Whether the text of an integer is at most `most`. Texts are compared, since the engine's casts wrap around. */
const isAtMost = (digits: string, most: string): string =>
  `(length(${digits}) < ${most.length} OR (length(${digits}) = ${most.length} AND ${digits} <= '${most}'))`

/** The text of a number in its plain form. */
function plainNumber(text: string, format: TextFormat): string {
  if (format === 'commaThousands') return `replaceAll(${text}, ',', '')`
  if (format === 'pointThousands') return `replaceAll(replaceAll(${text}, '.', ''), ',', '.')`
  return text
}

const numberPattern = (format: TextFormat): string =>
  format === 'commaThousands' ? COMMA_THOUSANDS : format === 'pointThousands' ? POINT_THOUSANDS : DECIMAL_TEXT

/**
 * Whether the text can become a value of the type without loss, as SQL. `text` is the name of a column of texts that are not
 * null.
 */
export function fitsSql(text: string, { type, format }: ColumnChoice): string {
  const number = plainNumber(text, format)
  const digits = `trimLeft(${number}, '-')`
  const isNumber = `match(${text}, '${numberPattern(format)}')`
  const isInteger = `${isNumber} AND match(${number}, '${INTEGER}')`
  const [, precision, scale] = DECIMAL.exec(type) ?? []
  if (precision !== undefined)
    return `(${isNumber} AND length(trimLeft(splitByChar('.', ${digits})[1], '0')) <= ${Number(precision) - Number(scale)} AND length(splitByChar('.', ${digits})[2]) <= ${scale})`
  switch (type) {
    case 'Bool':
      return `(lower(${text}) IN ('true', 'false'))`
    case 'Int64':
      return `(${isInteger} AND if(startsWith(${number}, '-'), ${isAtMost(digits, LEAST_INT64)}, ${isAtMost(digits, MOST_INT64)}))`
    case 'Int256':
      return `(${isInteger} AND ${isAtMost(digits, MOST_INT256)})`
    case 'UInt256':
      return `(${isInteger} AND NOT startsWith(${number}, '-') AND ${isAtMost(digits, MOST_UINT256)})`
    case 'Float64':
      return format === 'plain' ? `match(${text}, '${FLOAT}')` : `(${isNumber})`
    case 'Date':
      return format === 'plain' || !format.endsWith('First')
        ? `(match(${text}, '${ISO_DAY}') AND ${isDay(text)})`
        : `(match(${text}, '${SLASH_DAY}') AND ${isDay(isoOf(text, format))})`
    case 'DateTime':
      return `(match(${text}, '${ISO_TIME}') AND ${isDay(`substring(${text}, 1, 10)`)} AND isNotNull(${timeSql(text)}))`
    default:
      return '1'
  }
}

/** `2026-02-30` is none: the engine's own reading of a day would move it. */
const isDay = (iso: string): string => `ifNull(toString(toDate32OrNull(${iso})) = ${iso}, 0)`

/** A day written with slashes or points as YYYY-MM-DD. */
function isoOf(text: string, format: TextFormat): string {
  const parts = `splitByRegexp('[/.]', ${text})`
  const [day, month] = format === 'dayFirst' ? [1, 2] : [2, 1]
  return `concat(${parts}[3], '-', leftPad(${parts}[${month}], 2, '0'), '-', leftPad(${parts}[${day}], 2, '0'))`
}

const timeSql = (text: string): string => `parseDateTime64BestEffortOrNull(${text}, 6, 'UTC')`

/** The value of a text that fits, as SQL. */
export function valueSql(text: string, { type, format }: ColumnChoice): string {
  const number = plainNumber(text, format)
  if (DECIMAL.test(type) || /^(?:U?Int|Float)/.test(type)) return `CAST(${number}, '${type}')`
  switch (type) {
    case 'Bool':
      return `CAST(lower(${text}) = 'true', 'Bool')`
    case 'Date':
      return `toDate32(${format.endsWith('First') ? isoOf(text, format) : text})`
    case 'DateTime':
      return `assumeNotNull(${timeSql(text)})`
    default:
      return text
  }
}

/** What inference counts of one column of texts: `name` is nullable. Read by `choiceOf`, in the same order. */
export function factsSql(name: string): string[] {
  const text = `assumeNotNull(${name})`
  const count = (choice: ColumnChoice) => `countIf(isNotNull(${name}) AND ${fitsSql(text, choice)})`
  const plain = (type: string) => count({ type, format: 'plain' })
  const isPlain = `isNotNull(${name}) AND match(${text}, '${DECIMAL_TEXT}')`
  const part = (at: number) => `length(splitByChar('.', trimLeft(${text}, '-'))[${at}])`
  return [
    `count(${name})`,
    plain('Bool'),
    plain('Int64'),
    plain('Int256'),
    plain('UInt256'),
    `countIf(${isPlain})`,
    `maxIf(${part(1)}, ${isPlain})`,
    `maxIf(${part(2)}, ${isPlain})`,
    plain('Date'),
    plain('DateTime'),
    plain('Float64'),
    count({ type: 'Date', format: 'dayFirst' }),
    count({ type: 'Date', format: 'monthFirst' }),
    `countIf(isNotNull(${name}) AND match(${text}, '${COMMA_THOUSANDS}'))`,
    `countIf(isNotNull(${name}) AND match(${text}, '${POINT_THOUSANDS}'))`,
    // Proofs that the sign between thousands is what it seems to be: two of them, or one with decimals.
    `countIf(isNotNull(${name}) AND match(${text}, ',[0-9]{3},|,[0-9]{3}\\\\.'))`,
    `countIf(isNotNull(${name}) AND match(${text}, '\\\\.[0-9]{3}\\\\.|\\\\.[0-9]{3},'))`,
    `maxIf(length(extract(${text}, '\\\\.([0-9]*)$')), isNotNull(${name}))`,
    `maxIf(length(extract(${text}, ',([0-9]*)$')), isNotNull(${name}))`,
    `maxIf(length(${text}), isNotNull(${name}))`,
  ]
}

/** A column as inferred. `almost` is what most values are; the others are doubtful, or all of them if it `isAmbiguous`. */
export type Inferred = {
  readonly choice: ColumnChoice
  readonly values: number
  readonly doubt?: { readonly almost: ColumnChoice; readonly reason: string; readonly isAmbiguous?: boolean }
}

/** From this share of values on, the rest is doubtful instead of the column being a text. */
const MOST_SHARE = 0.5

/** Infers the type of a column from the counts of `factsSql`. A column is only ever of a type that all its values fit. */
export function choiceOf(facts: readonly number[]): Inferred {
  const [values = 0, bool = 0, int64 = 0, int256 = 0, uint256 = 0, decimals = 0] = facts
  const [, , , , , , whole = 0, fraction = 0, days = 0, times = 0, floats = 0, dayFirst = 0, monthFirst = 0] =
    facts
  const [
    commas = 0,
    points = 0,
    commaProofs = 0,
    pointProofs = 0,
    afterPoint = 0,
    afterComma = 0,
    longest = 0,
  ] = facts.slice(13)
  const of = (type: string, format: TextFormat = 'plain'): ColumnChoice => ({ type, format })
  const text = of('String')
  if (values === 0) return { choice: text, values }
  const decimal = decimalType(whole, fraction)
  const plain: [number, ColumnChoice][] = [
    [bool, of('Bool')],
    [int64, of('Int64')],
    [int256, of('Int256')],
    [uint256, of('UInt256')],
    ...(decimal === undefined ? [] : ([[decimals, of(decimal)]] as [number, ColumnChoice][])),
    [days, of('Date')],
    [times, of('DateTime')],
  ]
  for (const [count, choice] of plain) if (count === values) return { choice, values }
  if (dayFirst === values && monthFirst < values) return { choice: of('Date', 'dayFirst'), values }
  if (monthFirst === values && dayFirst < values) return { choice: of('Date', 'monthFirst'), values }
  if (dayFirst === values)
    return {
      choice: text,
      values,
      doubt: {
        almost: of('Date', 'dayFirst'),
        reason: 'The day or the month may come first. Choose which.',
        isAmbiguous: true,
      },
    }
  if (commas === values && commaProofs > 0)
    return { choice: of(wideType(longest, afterPoint), 'commaThousands'), values }
  if (points === values && pointProofs > 0)
    return { choice: of(wideType(longest, afterComma), 'pointThousands'), values }
  if (decimals < values && (commas === values || points === values)) {
    const format = commas === values ? 'commaThousands' : 'pointThousands'
    return {
      choice: text,
      values,
      doubt: {
        almost: of(wideType(longest, format === 'commaThousands' ? afterPoint : afterComma), format),
        reason: `The ${format === 'commaThousands' ? 'comma' : 'point'} may separate thousands or decimals. Choose which.`,
        isAmbiguous: true,
      },
    }
  }
  // Longer digits than any exact type has are no reason to lose some.
  if (floats === values && decimals < values)
    return {
      choice: of('Float64'),
      values,
      doubt: {
        almost: decimal === undefined ? of('Float64') : of(decimal),
        reason: 'Numbers with an exponent become floating-point numbers, which are not exact.',
      },
    }
  const likely: typeof plain = [
    ...plain,
    [dayFirst, of('Date', 'dayFirst')],
    [monthFirst, of('Date', 'monthFirst')],
  ]
  const [most, almost] = likely.reduce((best, each) => (each[0] > best[0] ? each : best), [0, text] as [
    number,
    ColumnChoice,
  ])
  if (most >= values * MOST_SHARE)
    return {
      choice: text,
      values,
      doubt: { almost, reason: `Most values are of type ${almost.type}, and these are not.` },
    }
  return { choice: text, values }
}

/** The narrowest decimal that holds all digits; undefined where none does. */
function decimalType(whole: number, fraction: number): string | undefined {
  const digits = Math.max(whole, 1) + fraction
  if (digits > MOST_DIGITS) return undefined
  return `Decimal(${digits <= 38 ? 38 : MOST_DIGITS}, ${fraction})`
}

/** For numbers with signs between thousands, whose digits are at most as many as their characters. */
const wideType = (longest: number, fraction: number): string =>
  fraction === 0 && longest <= 18 ? 'Int64' : (decimalType(longest, fraction) ?? 'String')
