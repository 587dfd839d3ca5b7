import { tokensOf } from '../tokens.ts'

/** Types that a parameter written `{{name}}` can have; `String` unless one is chosen. */
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

const SHAPE = ['{', '{', undefined, '}', '}']

/** SQL as the engine takes it: each `{{name}}` becomes `{name:Type}`. Values are never part of the text. */
export function bindOpen(sql: string, types: Readonly<Record<string, OpenType>>): string {
  const tokens = tokensOf(sql)
  let bound = ''
  let end = 0
  for (let at = 0; at + SHAPE.length <= tokens.length; at++) {
    const found = tokens.slice(at, at + SHAPE.length)
    const [open, , name, , close] = found
    const isOpen = found.every(({ kind, value }, place) =>
      SHAPE[place] === undefined ? kind === 'word' : kind === 'symbol' && value === SHAPE[place],
    )
    if (!isOpen || open === undefined || name === undefined || close === undefined) continue
    bound += `${sql.slice(end, open.start)}{${name.value}:${types[name.value] ?? 'String'}}`
    end = close.end
    at += SHAPE.length - 1
  }
  return bound + sql.slice(end)
}
