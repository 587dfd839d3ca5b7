import type { TokenRule } from '#catalog/index.ts'

/** A rule that holds of a token, and where that was read. */
export type TokenFlag = Pick<TokenRule, 'id' | 'label' | 'means' | 'grade'> & {
  /** Public functions of which it holds. */
  functions: string[]
  /** `source` of the contract, names in its `interface`, or `claims` of the token itself. */
  from: 'source' | 'interface' | 'claims'
}

/** What the source of a contract, or else the names of its public functions, say of it. Null where neither is known. */
export function tokenFlags(
  rules: readonly TokenRule[],
  source: string | null,
  functions: readonly string[] | null,
): TokenFlag[] | null {
  if (source !== null && source !== '') return bySource(rules, publicFunctions(source))
  if (functions !== null) return byNames(rules, functions)
  return null
}

const flagOf = (
  { id, label, means, grade }: TokenRule,
  from: TokenFlag['from'],
  functions: string[],
): TokenFlag => ({ id, label, means, grade, functions, from })

function bySource(rules: readonly TokenRule[], forms: readonly PublicFunction[]): TokenFlag[] {
  return rules.flatMap(rule => {
    const inside = new RegExp(rule.in)
    const lacks = (rule.lacks ?? []).map(pattern => new RegExp(pattern))
    const holds = forms.filter(({ body }) => inside.test(body) && !lacks.some(one => one.test(body)))
    return holds.length === 0
      ? []
      : [
          flagOf(
            rule,
            'source',
            holds.map(({ name }) => name),
          ),
        ]
  })
}

function byNames(rules: readonly TokenRule[], names: readonly string[]): TokenFlag[] {
  return rules.flatMap(rule => {
    const patterns = (rule.functions ?? []).map(pattern => new RegExp(`^(?:${pattern})$`))
    const holds = names.filter(name => patterns.some(one => one.test(name)))
    return holds.length === 0 ? [] : [flagOf(rule, 'interface', holds)]
  })
}

type PublicFunction = { readonly name: string; readonly body: string }
/** As many functions as a contract could have; private ones are put into those that call them, this deep. */
const MOST_DEEP = 6

/** Public functions of a contract with the bodies of what they call within it. Comments and texts are no code. */
export function publicFunctions(source: string): PublicFunction[] {
  const forms = topForms(withoutTexts(source))
  const defined = new Map<string, { kind: string; body: string }>()
  for (const form of forms) {
    const [, kind, name] = /^\(define-(public|private|read-only)\s+\(?\s*([^\s()]+)/.exec(form) ?? []
    if (kind !== undefined && name !== undefined) defined.set(name, { kind, body: form })
  }
  const bodyOf = (name: string, seen: ReadonlySet<string>): string => {
    const own = defined.get(name)
    if (own === undefined || seen.has(name) || seen.size > MOST_DEEP) return ''
    const within = new Set([...seen, name])
    const called = new Set([...own.body.matchAll(/[\s(]([a-z][\w!?<>=*/+-]*)/gi)].map(([, word]) => word!))
    return [own.body, ...[...called].filter(word => word !== name).map(word => bodyOf(word, within))].join(
      '\n',
    )
  }
  return [...defined]
    .filter(([, { kind }]) => kind === 'public')
    .map(([name]) => ({ name, body: bodyOf(name, new Set()) }))
}

const withoutTexts = (source: string): string =>
  source
    .replace(/"(?:[^"\\]|\\.)*"|;[^\n]*/g, found => (found.startsWith(';') ? '' : '""'))
    .replace(/\s+/g, ' ')

/** What stands between parentheses at the outermost level. */
function topForms(text: string): string[] {
  const forms: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') {
      if (depth++ === 0) start = at
    } else if (text[at] === ')' && depth > 0 && --depth === 0) forms.push(text.slice(start, at + 1))
  }
  return forms
}
