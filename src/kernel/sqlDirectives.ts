import { quotedParts } from './blankSql.ts'

/**
 * Parameter settings in query comments: `-- {{coin}} default: STX`, `-- {{coin}} type: String`,
 * `-- {{coin}} choices: SELECT …`.
 */
export type Directives = {
  /** Default values by name. */
  readonly defaults: Readonly<Record<string, string>>
  /** Types of `{{name}}` parameters by name, as written in the text. */
  readonly types: Readonly<Record<string, string>>
  /** Sources of choices by name. */
  readonly choices: Readonly<Record<string, ChoiceSource>>
}

/** A query in the text, or the id of a saved query. */
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

/** Comments on a separate line. */
function linesOf(sql: string): Line[] {
  return quotedParts(sql).flatMap(({ from, to, isComment }) => {
    if (!isComment) return []
    const [, name, kind = '', text = ''] = DIRECTIVE.exec(sql.slice(from, to)) ?? []
    if (name === undefined) return []
    const start = sql.lastIndexOf('\n', from - 1) + 1
    return sql.slice(start, from).trim() === '' ? [{ name, kind, text: text.trim(), from: start, to }] : []
  })
}

/** Settings are part of the text, so they are saved, versioned, shared and forked with it. The last one for a name wins. */
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
  // `fromEntries` is safe for a parameter called `__proto__`.
  return {
    defaults: Object.fromEntries(defaults),
    types: Object.fromEntries(types),
    choices: Object.fromEntries(choices),
  }
}

/** Adds or replaces the comment that sets the type of a parameter. */
export function withType(sql: string, name: string, type: string): string {
  const line = `-- {{${name}}} type: ${type}`
  const own = linesOf(sql).filter(each => each.name === name)
  const last = own.findLast(({ kind }) => kind === 'type')
  if (last !== undefined) return sql.slice(0, last.from) + line + sql.slice(last.to)
  const at = own[0]?.from ?? endOfHead(sql)
  return `${sql.slice(0, at)}${line}\n${sql.slice(at)}`
}

/** Offset of the first line after the leading comments. */
function endOfHead(sql: string): number {
  const [, head = ''] = /^((?:[ \t]*(?:--[^\n]*)?\n)*)/.exec(sql) ?? []
  return head.length
}

/** Names of range ends, also as part of a longer name: `from` and `to`, `start` and `end`, `since` and `until`. */
const ENDS = [
  ['from', 'to'],
  ['start', 'end'],
  ['since', 'until'],
] as const

export type DayRange = { readonly from: string; readonly to: string }

/** Date parameters that form ranges, by name. */
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
