import { dayReadings } from '#kernel/dayReadings.ts'
import { isDay } from '#kernel/days.ts'
import type { ParameterType } from './parameterType.ts'

/** What a text has to be as a value of a type; undefined if it is one. */
export type Rule = (text: string) => string | undefined

/** The rule of a type. Types that are not listed are left to the engine. */
export function ruleOf(type: ParameterType): Rule {
  const found = RULES.find(({ names }) => names.test(type.name))
  return text => found?.faultOf(type, text)
}

type TypeRule = { readonly names: RegExp; faultOf(type: ParameterType, text: string): string | undefined }

/** Values that the engine would change without a word: it wraps integers and times, and cuts off decimals. */
const RULES: readonly TypeRule[] = [
  { names: /^U?Int(?:8|16|32|64|128|256)$/, faultOf: ({ name }, text) => integerFault(name, text) },
  { names: /^Interval/, faultOf: (_, text) => integerFault('Int64', text) },
  { names: /^Float64$/, faultOf: (_, text) => numberFault(text, Number.isFinite) },
  {
    names: /^(?:Float32|BFloat16)$/,
    faultOf: (_, text) => numberFault(text, value => Number.isFinite(Math.fround(value))),
  },
  { names: /^Decimal/, faultOf: decimalFault },
  {
    names: /^Bool$/,
    faultOf: (_, text) => (/^(?:true|false|0|1)$/i.test(text) ? undefined : 'true or false'),
  },
  { names: /^Date$/, faultOf: (_, text) => dayFault(text, DAYS) },
  { names: /^Date32$/, faultOf: (_, text) => dayFault(text, LONG_DAYS) },
  {
    names: /^DateTime(?:32)?$/,
    faultOf: ({ args }, text) => timeFault(text, args.length > 0 ? ZONED : TIMES),
  },
  {
    names: /^DateTime64$/,
    faultOf: ({ args }, text) => timeFault(text, args[0] === '9' ? NANOS : LONG_DAYS),
  },
]

/** 300 as UInt8 would be read as 44. */
function integerFault(name: string, text: string): string | undefined {
  const [, sign, bits = '8'] = /^(U?)Int(\d+)$/.exec(name) ?? []
  const size = 1n << BigInt(bits)
  const least = sign === 'U' ? 0n : -size / 2n
  const most = least + size - 1n
  const isWithin = /^-?\d{1,80}$/.test(text) && BigInt(text) >= least && BigInt(text) <= most
  return isWithin ? undefined : `a whole number from ${least} to ${most}`
}

const numberFault = (text: string, isWithin: (value: number) => boolean): string | undefined =>
  text.trim() !== '' && isWithin(Number(text)) ? undefined : 'a number'

/** Most digits of the types that have a fixed number of them. */
const DIGITS: Readonly<Record<string, number>> = {
  Decimal32: 9,
  Decimal64: 18,
  Decimal128: 38,
  Decimal256: 76,
}

function decimalFault({ name, args }: ParameterType, text: string): string | undefined {
  const fixed = DIGITS[name]
  const [first = '10', second = '0'] = args
  const digits = fixed ?? Number(first)
  const scale = Number(fixed === undefined ? second : (args[0] ?? '0'))
  const [number, , whole = '', part = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text.trim()) ?? []
  if (number === undefined || whole + part === '') return 'a number'
  // Where the first and the last digit but zero stand, counted from the point.
  const all = whole + part
  const point = whole.length + Number(exponent)
  const firstDigit = all.search(/[1-9]/)
  if (firstDigit < 0) return undefined
  const before = point - firstDigit
  const behind = all.replace(/0+$/, '').length - point
  const isWithin = before <= digits - scale && behind <= scale
  return isWithin
    ? undefined
    : `a number with up to ${digits - scale} digits before the point and ${scale} behind it`
}

type Range = { readonly first: string; readonly last: string }
const DAYS: Range = { first: '1970-01-01', last: '2149-06-06' }
const LONG_DAYS: Range = { first: '1900-01-01', last: '2299-12-31' }
const TIMES: Range = { first: '1970-01-01 00:00:00', last: '2106-02-07 06:28:15' }
/** In another time zone the ends lie up to a day apart. */
const ZONED: Range = { first: '1970-01-02', last: '2106-02-05' }
/** With nanoseconds. */
const NANOS: Range = { first: '1900-01-01', last: '2262-04-10' }
/** Seconds since 1970. */
const MAX_SECONDS = 2 ** 32 - 1

const isWithin = (text: string, { first, last }: Range): boolean =>
  text >= first && text.slice(0, last.length) <= last

function dayFault(text: string, range: Range): string | undefined {
  if (!isDay(text)) return 'a day as YYYY-MM-DD'
  return isWithin(text, range) ? undefined : `a day from ${range.first} to ${range.last}`
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:[ T]([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?:\.\d+)?Z?)?$/

/** Other forms of a time are left to the engine, which takes some and refuses the rest. */
function timeFault(text: string, range: Range): string | undefined {
  if (/^\d{5,}$/.test(text) && range !== LONG_DAYS && range !== NANOS)
    return Number(text) <= MAX_SECONDS ? undefined : `seconds from 0 to ${MAX_SECONDS}`
  if (!/^\d{4}-/.test(text)) return dayReadings(text).length > 0 ? 'a time as YYYY-MM-DD hh:mm:ss' : undefined
  const [, day] = TIME.exec(text) ?? []
  if (!isDay(day)) return 'a time as YYYY-MM-DD hh:mm:ss'
  return isWithin(text.replace('T', ' '), range) ? undefined : `a time from ${range.first} to ${range.last}`
}
