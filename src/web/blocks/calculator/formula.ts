/** A formula over named numbers: `size * rate / 100000000`. Written once, it is what is shown and what is computed. */
export type Formula =
  | { kind: 'number'; value: number }
  | { kind: 'name'; name: string }
  | { kind: 'sum' | 'product'; terms: { sign: '+' | '-' | '*' | '/'; term: Formula }[] }

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([a-z][a-zA-Z0-9]*)|([-+*/()]))/y

/**
 * Reads `+ - * /`, parentheses, numbers and names.
 * @throws a `SyntaxError` that says what stands where
 */
export function parseFormula(text: string): Formula {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(text)
    if (!found) throw new SyntaxError(`“${text}” cannot be read from character ${at + 1} on`)
    tokens.push(found[0].trim())
  }
  let next = 0
  const expected = (what: string) =>
    new SyntaxError(`“${text}”: ${what} is missing before ${tokens[next] ?? 'the end'}`)
  const chain = (kind: 'sum' | 'product', signs: readonly string[], part: () => Formula): Formula => {
    const terms: { sign: '+' | '-' | '*' | '/'; term: Formula }[] = [
      { sign: kind === 'sum' ? '+' : '*', term: part() },
    ]
    for (let sign = tokens[next]; sign !== undefined && signs.includes(sign); sign = tokens[next]) {
      next += 1
      terms.push({ sign: sign as '+' | '-' | '*' | '/', term: part() })
    }
    const [only] = terms
    return terms.length === 1 && only ? only.term : { kind, terms }
  }
  const sum = (): Formula => chain('sum', ['+', '-'], product)
  const product = (): Formula => chain('product', ['*', '/'], value)
  const value = (): Formula => {
    const token = tokens[next]
    if (token === undefined) throw expected('a value')
    next += 1
    if (token === '(') {
      const inner = sum()
      if (tokens[next] !== ')') throw expected('a closing parenthesis')
      next += 1
      return inner
    }
    if (/^\d/.test(token)) return { kind: 'number', value: Number(token) }
    if (/^[a-z]/.test(token)) return { kind: 'name', name: token }
    next -= 1
    throw expected('a value')
  }
  const formula = sum()
  if (next < tokens.length) throw expected('an operator')
  return formula
}

/** Its value; undefined where a name has none, or something is divided by zero. */
export function evaluate(formula: Formula, names: ReadonlyMap<string, number>): number | undefined {
  const value = computed(formula, names)
  return value !== undefined && Number.isFinite(value) ? value : undefined
}

function computed(formula: Formula, names: ReadonlyMap<string, number>): number | undefined {
  if (formula.kind === 'number') return formula.value
  if (formula.kind === 'name') return names.get(formula.name)
  return formula.terms.reduce<number | undefined>(
    (sofar, { sign, term }) => {
      const value = computed(term, names)
      if (sofar === undefined || value === undefined) return undefined
      if (sign === '+') return sofar + value
      if (sign === '-') return sofar - value
      return sign === '*' ? sofar * value : sofar / value
    },
    formula.kind === 'sum' ? 0 : 1,
  )
}
