/** What comments of a query say of its parameters: `-- {{coin}} default: STX`, `-- {{coin}} choices: SELECT …`. */
export type Directives = {
  /** Values that are used while the reader has given none, by name. */
  readonly defaults: Readonly<Record<string, string>>
  /** Where values to choose from come from, by name. */
  readonly choices: Readonly<Record<string, ChoiceSource>>
}

/** A query in the text, or a saved one by its id. */
export type ChoiceSource = { readonly sql: string } | { readonly saved: string }

const DIRECTIVE = /^[ \t]*--[ \t]*\{\{\s*([A-Za-z_]\w*)\s*\}\}[ \t]+(default|choices):[ \t]*(.*?)[ \t]*$/gm
const SAVED = /^saved[ \t]+([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** They stand in the text, so they are saved, versioned, shared and forked with it. The last of a name wins. */
export function directivesOf(sql: string): Directives {
  const defaults: Record<string, string> = {}
  const choices: Record<string, ChoiceSource> = {}
  for (const [, name = '', kind, text = ''] of sql.matchAll(DIRECTIVE)) {
    if (kind === 'default') defaults[name] = text
    else if (text !== '') {
      const saved = SAVED.exec(text)?.[1]
      choices[name] = saved === undefined ? { sql: text.replace(/;+$/, '') } : { saved: saved.toLowerCase() }
    }
  }
  return { defaults, choices }
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
