import { isDay } from '#kernel/days.ts'
import { blankSql } from './blankSql.ts'

/** A parameter of SQL: `{name:Type}`, or `{{name}}`, whose type the user may choose. */
export type Parameter = { readonly name: string; readonly type: string; readonly isTypeOpen: boolean }

/** Types that `{{name}}` may be given. */
export const OPEN_TYPES = [
  'String',
  'Date',
  'DateTime',
  'Int64',
  'Float64',
  'Array(String)',
  'Array(Int64)',
] as const

export type FieldKind = 'text' | 'number' | 'date' | 'time' | 'list'

const PATTERN = /\{\{\s*([A-Za-z_]\w*)\s*\}\}|\{\s*([A-Za-z_]\w*)\s*:\s*([^{}]+?)\s*\}/g
const DEFAULT_TYPE = 'String'

/** Parameters in the order in which they come, each once. A written type wins over a chosen one. */
export function parametersOf(sql: string, types: Readonly<Record<string, string>>): Parameter[] {
  const found = new Map<string, Parameter>()
  for (const [, open, name = open ?? '', type] of blankSql(sql).matchAll(PATTERN)) {
    const known = found.get(name)
    if (known !== undefined && (type === undefined || !known.isTypeOpen)) continue
    found.set(name, { name, type: type ?? types[name] ?? DEFAULT_TYPE, isTypeOpen: type === undefined })
  }
  return [...found.values()]
}

export type BoundSql = {
  readonly sql: string
  /** Where a place of the bound text is in the text it came from. */
  toSource(offset: number): number
}

/** SQL as the engine takes it: each `{{name}}` becomes `{name:Type}`. Values are never part of the text. */
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

/** The type without what wraps it. */
const bareType = (type: string): string =>
  /^(?:Nullable|LowCardinality)\(([\s\S]*)\)$/.exec(type)?.[1] === undefined
    ? type
    : bareType(type.slice(type.indexOf('(') + 1, -1).trim())
const isNullable = (type: string): boolean => /\bNullable\(/.test(type)

export function fieldKind(type: string): FieldKind {
  const bare = bareType(type)
  if (/^Array\(/.test(bare)) return 'list'
  if (/^DateTime/.test(bare)) return 'time'
  if (/^Date/.test(bare)) return 'date'
  return /^(?:U?Int\d|Float\d|BFloat|Decimal)/.test(bare) ? 'number' : 'text'
}

/** Why a value cannot be sent; undefined for one that can. */
export function faultOf({ type }: Parameter, value: string | undefined): string | undefined {
  if (value === undefined || (value === '' && fieldKind(type) !== 'text'))
    return isNullable(type) ? undefined : 'Enter a value.'
  switch (fieldKind(type)) {
    case 'number':
      return isNumber(bareType(type), value) ? undefined : `Not a number of type ${type}.`
    case 'date':
      return isDay(value) ? undefined : 'Enter a day as YYYY-MM-DD.'
    case 'time':
      return isDay(value.slice(0, 10)) && /^([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/.test(value.slice(10))
        ? undefined
        : 'Enter a UTC time as YYYY-MM-DD hh:mm:ss.'
    case 'list': {
      const item = bareType(bareType(type).slice('Array('.length, -1))
      const wrong =
        fieldKind(item) === 'number' ? itemsOf(value).find(each => !isNumber(item, each)) : undefined
      return wrong === undefined ? undefined : `${wrong} is not a number.`
    }
    case 'text':
      return undefined
  }
}

const isNumber = (type: string, value: string): boolean =>
  /^U?Int/.test(type)
    ? /^[+-]?\d+$/.test(value.trim())
    : /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(value.trim())

/** Items of a list as it is typed: separated by commas or lines. */
export const itemsOf = (value: string): string[] =>
  value
    .split(/[,\n]/)
    .map(item => item.trim())
    .filter(item => item !== '')

/** A value as the API takes it: a list as JSON, a time without the T. */
export function valueToSend({ type }: Parameter, value: string): string {
  switch (fieldKind(type)) {
    case 'list': {
      const items = itemsOf(value)
      const item = bareType(bareType(type).slice('Array('.length, -1))
      return fieldKind(item) === 'number' ? `[${items.join(',')}]` : JSON.stringify(items)
    }
    case 'time':
      return value.length === 'YYYY-MM-DDThh:mm'.length
        ? `${value.replace('T', ' ')}:00`
        : value.length === 'YYYY-MM-DD'.length
          ? `${value} 00:00:00`
          : value.replace('T', ' ')
    case 'number':
    case 'date':
      return value.trim()
    case 'text':
      return value
  }
}

/** Values of all parameters as the API takes them; one that is left out is null where its type allows it. */
export const valuesToSend = (
  parameters: readonly Parameter[],
  values: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    parameters.map(parameter => {
      const value = values[parameter.name]
      const isNull = value === undefined || (value === '' && fieldKind(parameter.type) !== 'text')
      return [parameter.name, isNull ? '\\N' : valueToSend(parameter, value)]
    }),
  )
