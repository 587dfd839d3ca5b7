import { quotedParts } from './blankSql.ts'

/**
 * What comments of a query say of its parameters: `-- {{coin}} default: STX`, `-- {{coin}} type: String`,
 * `-- {{coin}} choices: SELECT …`.
 */
export type Directives = {
  /** Values that are used while the reader has given none, by name. */
  readonly defaults: Readonly<Record<string, string>>
  /** Types of parameters that are written without one, as they stand in the text, by name. */
  readonly types: Readonly<Record<string, string>>
  /** Where values to choose from come from, by name. */
  readonly choices: Readonly<Record<string, ChoiceSource>>
}

/** A query in the text, or a saved one by its id. */
export type ChoiceSource = { readonly sql: string } | { readonly saved: string }

type Line = {
  readonly name: string
  readonly kind: string
  readonly text: string
  readonly from: number
  readonly to: number
}

const DIRECTIVE = /^--[ \t]*\{\{\s*([A-Za-z_]\w*)\s*\}\}[ \t]+(default|type|choices):([\s\S]*)$/
const SAVED = /^saved[ \t]+([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** Comments that have a line of their own. */
function linesOf(sql: string): Line[] {
  return quotedParts(sql).flatMap(({ from, to, isComment }) => {
    if (!isComment) return []
    const [, name, kind = '', text = ''] = DIRECTIVE.exec(sql.slice(from, to)) ?? []
    if (name === undefined) return []
    const start = sql.lastIndexOf('\n', from - 1) + 1
    return sql.slice(start, from).trim() === '' ? [{ name, kind, text: text.trim(), from: start, to }] : []
  })
}

/** They stand in the text, so they are saved, versioned, shared and forked with it. The last of a name wins. */
export function directivesOf(sql: string): Directives {
  const defaults = new Map<string, string>()
  const types = new Map<string, string>()
  const choices = new Map<string, ChoiceSource>()
  for (const { name, kind, text } of linesOf(sql)) {
    if (kind === 'default') defaults.set(name, text)
    else if (kind === 'type') types.set(name, text)
    else if (text !== '') {
      const saved = SAVED.exec(text)?.[1]
      choices.set(
        name,
        saved === undefined ? { sql: text.replace(/;+$/, '') } : { saved: saved.toLowerCase() },
      )
    }
  }
  // Not written one by one: a parameter may be called `__proto__`.
  return {
    defaults: Object.fromEntries(defaults),
    types: Object.fromEntries(types),
    choices: Object.fromEntries(choices),
  }
}

/** The text with a comment that gives a parameter this type. */
export function withType(sql: string, name: string, type: string): string {
  const line = `-- {{${name}}} type: ${type}`
  const own = linesOf(sql).filter(each => each.name === name)
  const last = own.findLast(({ kind }) => kind === 'type')
  if (last !== undefined) return sql.slice(0, last.from) + line + sql.slice(last.to)
  const at = own[0]?.from ?? endOfHead(sql)
  return `${sql.slice(0, at)}${line}\n${sql.slice(at)}`
}

/** Where the line begins that comes after the comments at the head of a text. */
function endOfHead(sql: string): number {
  const [, head = ''] = /^((?:[ \t]*(?:--[^\n]*)?\n)*)/.exec(sql) ?? []
  return head.length
}

/** What the other end of a range is called: `from` and `to`, `start` and `end`, `since` and `until`, also with more words. */
const ENDS = [
  ['from', 'to'],
  ['start', 'end'],
  ['since', 'until'],
] as const

export type DayRange = { readonly from: string; readonly to: string }

/** Pairs of days among parameters, by name. */
export function dayRangesOf(
  parameters: readonly { readonly name: string; readonly kind: string }[],
): DayRange[] {
  const days = new Set(parameters.filter(({ kind }) => kind === 'date').map(({ name }) => name))
  return [...days].flatMap(from => {
    for (const [first, last] of ENDS) {
      const to = from.replace(new RegExp(`(^|_)${first}(?=_|$)`), `$1${last}`)
      if (to !== from && days.has(to)) return [{ from, to }]
    }
    return []
  })
}
