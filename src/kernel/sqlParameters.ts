import { blankSql } from './blankSql.ts'
import { ambiguousDay } from './dayReadings.ts'
import { isDay } from './days.ts'

/** A SQL parameter: `{name:Type}`, or `{{name}}` with its type in a comment. */
export type Parameter = {
  readonly name: string
  readonly type: string
  readonly isTypeOpen: boolean
  /** A type from a comment that is not allowed for `{{name}}`. */
  readonly refusedType?: string
}

/** Types allowed for `{{name}}`. */
export const OPEN_TYPES = [
  'String',
  'Date',
  'DateTime',
  'Int64',
  'Float64',
  'Array(String)',
  'Array(Int64)',
] as const
export type OpenType = (typeof OPEN_TYPES)[number]

export type FieldKind = 'text' | 'number' | 'date' | 'time' | 'list'

/** Parts cannot overlap, so matching takes linear time. */
const PATTERN = /\{\{\s*([A-Za-z_]\w*)\s*\}\}|\{\s*([A-Za-z_]\w*)\s*:([^{}]*)\}/dg
const DEFAULT_TYPE = 'String'

/** A parameter can have the name of an inherited property. */
export const ownOf = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Parameters in order, without duplicates. A type in `{name:Type}` wins over one in a comment. */
export function parametersOf(sql: string, types: Readonly<Record<string, string>>): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const { 1: open = '', 2: name = open, indices } of blankSql(sql).matchAll(PATTERN)) {
    // From the text itself: a type may have a time zone in quotes.
    const place = indices?.[3]
    const type = place && sql.slice(...place).trim()
    if (type === '') continue
    const known = found.get(name)
    if (known !== undefined && (type === undefined || !known.isTypeOpen)) continue
    found.set(
      name,
      type === undefined ? openParameter(name, ownOf(types, name)) : { name, type, isTypeOpen: false },
    )
  }
  return [...found.values()]
}

function openParameter(name: string, type: string = DEFAULT_TYPE): Parameter {
  const isOpenType = OPEN_TYPES.some(each => each === type)
  return isOpenType
    ? { name, type, isTypeOpen: true }
    : { name, type: DEFAULT_TYPE, isTypeOpen: true, refusedType: type }
}

export type BoundSql = {
  readonly sql: string
  /** Maps an offset in the bound text to the original text. */
  toSource(offset: number): number
}

/** SQL for the engine: each `{{name}}` becomes `{name:Type}`. Values are never part of the text. */
export function bindSql(sql: string, parameters: readonly Parameter[]): BoundSql {
  const types = new Map(parameters.map(({ name, type }) => [name, type]))
  const moves: { readonly bound: number; readonly source: number }[] = []
  let bound = ''
  let end = 0
  for (const match of blankSql(sql).matchAll(PATTERN)) {
    const [text, open] = match
    if (open === undefined) continue
    bound += `${sql.slice(end, match.index)}{${open}:${types.get(open) ?? DEFAULT_TYPE}}`
    end = match.index + text.length
    moves.push({ bound: bound.length, source: end })
  }
  bound += sql.slice(end)
  return {
    sql: bound,
    toSource(offset) {
      const last = moves.findLast(move => move.bound <= offset)
      const next = moves.find(move => move.bound > offset)
      const at = last === undefined ? offset : last.source + offset - last.bound
      return next === undefined ? at : Math.min(at, next.source)
    },
  }
}

/** The type without Nullable and LowCardinality. */
const bareType = (type: string): string =>
  /^(?:Nullable|LowCardinality)\(([\s\S]*)\)$/.exec(type)?.[1] === undefined
    ? type
    : bareType(type.slice(type.indexOf('(') + 1, -1).trim())
const isNullable = (type: string): boolean => /^(?:LowCardinality\(\s*)?Nullable\(/.test(type)
const itemType = (type: string): string => bareType(bareType(type).slice('Array('.length, -1))

export function fieldKind(type: string): FieldKind {
  const bare = bareType(type)
  if (/^Array\(/.test(bare)) return 'list'
  if (/^DateTime/.test(bare)) return 'time'
  if (/^Date/.test(bare)) return 'date'
  return /^(?:U?Int\d|Float\d|BFloat|Decimal)/.test(bare) ? 'number' : 'text'
}

/** Whether a value is missing. An empty string is a value for text parameters. */
const isMissing = (type: string, value: string | undefined): value is undefined | '' =>
  value === undefined || (value === '' && fieldKind(type) !== 'text')

/** Why a value cannot be sent; undefined for one that can. */
export function faultOf({ type, refusedType }: Parameter, value: string | undefined): string | undefined {
  if (refusedType !== undefined) return typeFault(refusedType)
  if (isMissing(type, value)) return isNullable(type) ? undefined : 'Enter a value.'
  switch (fieldKind(type)) {
    case 'number':
      return isNumber(bareType(type), value) ? undefined : `Not a number of type ${type}.`
    case 'date':
      return isDay(value.trim()) ? undefined : (dayFault(value) ?? 'Enter a day as YYYY-MM-DD.')
    case 'time':
      return isTime(value.trim())
        ? undefined
        : (dayFault(value) ?? 'Enter a UTC time as YYYY-MM-DD hh:mm:ss.')
    case 'list': {
      if (literalOf(type, value) !== undefined) return undefined
      const item = itemType(type)
      const wrong =
        fieldKind(item) === 'number' ? itemsOf(value).find(each => !isNumber(item, each)) : undefined
      return wrong === undefined ? undefined : `${wrong} is not a number.`
    }
    case 'text':
      return undefined
  }
}

/** Error for a type comment with a type that is not allowed. */
export const typeFault = (type: string): string =>
  `${type === '' ? 'The comment has no type' : `${type.slice(0, 50)} is not an allowed type`}. Choose ${OPEN_TYPES.slice(0, -1).join(', ')} or ${OPEN_TYPES.at(-1)}.`

function dayFault(value: string): string | undefined {
  const readings = ambiguousDay(value)
  return readings && `${value.trim()} can mean ${readings}. Enter one of them.`
}

const isNumber = (type: string, value: string): boolean =>
  /^U?Int/.test(type)
    ? /^[+-]?\d+$/.test(value.trim())
    : /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value.trim())

const isTime = (value: string): boolean =>
  isDay(value.slice(0, 10)) && /^(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/.test(value.slice(10))

/** Items of a list as entered: separated by commas or lines, or as JSON. */
export function itemsOf(value: string): string[] {
  const json = textsOf(value)
  if (json !== undefined) return json
  return value
    .split(/[,\n]/)
    .map(item => item.trim())
    .filter(item => item !== '')
}

/** Items as a user would enter them. JSON if an item contains a comma or line break. */
export const listText = (items: readonly string[]): string =>
  items.some(item => /[,\n[\]]/.test(item) || item !== item.trim() || item === '')
    ? JSON.stringify(items)
    : items.join(', ')

/** The texts of a JSON list; undefined for any other text. */
function textsOf(value: string): string[] | undefined {
  if (!/^\s*\[[\s\S]*\]\s*$/.test(value)) return undefined
  try {
    const items = JSON.parse(value) as unknown
    return Array.isArray(items) && items.every(item => typeof item === 'string') ? items : undefined
  } catch {
    return undefined
  }
}

/** A list in the engine’s syntax: in brackets, but not a JSON list of strings. */
function literalOf(type: string, value: string): string | undefined {
  const text = value.trim()
  if (!/^\[[\s\S]*\]$/.test(text) || textsOf(text) !== undefined) return undefined
  return fieldKind(itemType(type)) === 'number' ? text.replaceAll(/\s/g, '') : text
}

/** A value in API format: a list as JSON, a time without the T. */
export function valueToSend({ type }: Parameter, value: string): string {
  switch (fieldKind(type)) {
    case 'list': {
      const literal = literalOf(type, value)
      if (literal !== undefined) return literal
      const items = itemsOf(value)
      return fieldKind(itemType(type)) === 'number'
        ? `[${items.map(withoutPlus).join(',')}]`
        : JSON.stringify(items)
    }
    case 'time':
      return timeToSend(type, value.trim())
    case 'number':
      return withoutPlus(value.trim())
    case 'date':
      return value.trim()
    case 'text':
      return value
  }
}

/** The engine refuses a plus before a whole number. */
const withoutPlus = (number: string): string => number.replace(/^\+(?=[\d.])/, '')

function timeToSend(type: string, value: string): string {
  // A time of a type with a zone is not UTC.
  if (!isTime(value) || (value.endsWith('Z') && type.includes("'"))) return value
  const time = value.replace('T', ' ').replace('Z', '')
  if (time.length === 'YYYY-MM-DD'.length) return `${time} 00:00:00`
  return time.length === 'YYYY-MM-DD hh:mm'.length ? `${time}:00` : time
}

/** Values of all parameters in API format. A missing one is null if its type allows it. */
export const valuesToSend = (
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    parameters.flatMap(parameter => {
      const value = ownOf(values, parameter.name)
      if (!isMissing(parameter.type, value)) return [[parameter.name, valueToSend(parameter, value)]]
      return isNullable(parameter.type) ? [[parameter.name, '\\N']] : []
    }),
  )

/** Whether a range ends before it begins. */
export const isReversed = (
  { from, to }: { readonly from: string; readonly to: string },
  values: Readonly<Record<string, string | undefined>>,
): boolean => {
  const [first = '', last = ''] = [ownOf(values, from)?.trim(), ownOf(values, to)?.trim()]
  return isDay(first) && isDay(last) && last < first
}
