import { type ESTree, parseSync } from 'vite'
import type { Change } from './mutantInProcess.ts'

/** One change of a module, to see whether its tests notice. */
export type Mutant = Change & {
  readonly line: number
  /** The change as one line for a report. */
  readonly change: string
}

const BINARY: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '^': ['|'],
}
// `??` to `||` is the same program wherever the left side is an object or a non-empty text, so it becomes `&&`.
const LOGICAL: Readonly<Record<string, string>> = { '&&': '||', '||': '&&', '??': '&&' }
const ASSIGNMENT: Readonly<Record<string, string>> = {
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '%=': '*=',
  '<<=': '>>=',
  '>>=': '<<=',
  '>>>=': '<<=',
  '&=': '|=',
  '|=': '&=',
  '^=': '|=',
  '&&=': '||=',
  '||=': '&&=',
  '??=': '&&=',
}
const METHODS = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['round', 'floor'],
  ['some', 'every'],
  ['every', 'some'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
])
/** TypeScript nodes around an expression; all others are types, which are not there when a program runs. */
const EXPRESSIONS_IN_TYPES = /^TS(AsExpression|SatisfiesExpression|NonNullExpression|ParameterProperty)$/
const LOG = /^(console|log|logger)\b|(?<!Math)\.(log|logger)\b/

type Around = {
  readonly parent: ESTree.Node | undefined
  /** Inside the arguments of an error: its texts are for people to read. */
  readonly isError: boolean
  /** Where the statement around begins that follows another one. */
  readonly statementStart: number
}

/** Every mutant of a TypeScript module, in the order of its text. Types, comments, log calls and prose have none. */
export function mutantsOf(text: string): Mutant[] {
  const { program, errors } = parseSync('module.ts', text)
  if (errors.length > 0) throw new Error(`The module cannot be parsed: ${errors[0]?.message}`)
  const found: Change[] = []
  walk(program, { parent: undefined, isError: false, statementStart: -1 })
  return found
    .sort((a, b) => a.start - b.start || a.end - b.end || (a.text < b.text ? -1 : 1))
    .map(change => ({
      ...change,
      line: text.slice(0, change.start).split('\n').length,
      change: describe(text, change),
    }))

  function walk(node: ESTree.Node, around: Around): void {
    if (node.type.startsWith('TS') && !EXPRESSIONS_IN_TYPES.test(node.type)) return
    if (node.type.startsWith('Import') && node.type !== 'ImportExpression') return
    if (node.type === 'CallExpression' && isLog(node, text)) return
    found.push(...changesOf(node, around, text))
    const isError =
      around.isError || (node.type === 'NewExpression' && /Error$/.test(source(node.callee, text)))
    const statementStart =
      node.type === 'ExpressionStatement' &&
      /^(Program|BlockStatement|SwitchCase)$/.test(around.parent?.type ?? '')
        ? node.start
        : around.statementStart
    for (const child of childrenOf(node)) walk(child, { parent: node, isError, statementStart })
  }
}

/** Whether the module is still one after the change. */
export const isModule = (text: string): boolean => parseSync('module.ts', text).errors.length === 0

function changesOf(node: ESTree.Node, { parent, isError, statementStart }: Around, text: string): Change[] {
  const put = (...texts: string[]) => texts.map(each => ({ start: node.start, end: node.end, text: each }))
  const of = (part: ESTree.Node) => source(part, text)
  // Without a semicolon, a statement that begins with a bracket would continue the line before it.
  const opening = node.start === statementStart ? ';(' : '('
  const pair = (left: string, operator: string, right: string) =>
    `${opening}(${left}) ${operator} (${right}))`
  switch (node.type) {
    case 'BinaryExpression':
      // Texts are joined by `+`, and not taken apart by `-`.
      if (node.operator === '+' && [node.left, node.right].some(isText)) return []
      return put(...(BINARY[node.operator] ?? []).map(other => pair(of(node.left), other, of(node.right))))
    case 'LogicalExpression':
      return put(pair(of(node.left), LOGICAL[node.operator] ?? '&&', of(node.right)))
    case 'AssignmentExpression': {
      const other = ASSIGNMENT[node.operator]
      return other === undefined ? [] : put(`${of(node.left)} ${other} ${of(node.right)}`)
    }
    case 'UnaryExpression':
      if (node.operator !== '!' && (node.operator !== '-' || node.argument.type === 'Literal')) return []
      return put(`${opening}${of(node.argument)})`)
    case 'UpdateExpression': {
      // A loop that counts the other way never ends, which any test would notice.
      if (parent?.type === 'ForStatement') return []
      const other = node.operator === '++' ? '--' : '++'
      return put(node.prefix ? other + of(node.argument) : of(node.argument) + other)
    }
    case 'IfStatement':
    case 'ConditionalExpression':
      return conditions(node.test, ['true', 'false'])
    case 'WhileStatement':
    case 'DoWhileStatement':
      return conditions(node.test, ['false'])
    case 'ForStatement':
      return node.test === null ? [] : conditions(node.test, ['false'])
    case 'ExpressionStatement':
      return isEffect(node.expression) && !isLog(node.expression, text) ? put(';') : []
    case 'CallExpression': {
      if (node.callee.type !== 'MemberExpression' || node.callee.computed) return []
      const { property } = node.callee
      const other = METHODS.get(of(property))
      return other === undefined ? [] : [{ start: property.start, end: property.end, text: other }]
    }
    case 'Literal':
      if (typeof node.value === 'boolean') return put(String(!node.value))
      if (typeof node.value === 'number') return put(String(node.value + 1))
      if ('bigint' in node) return put(`${BigInt(node.bigint) + 1n}n`)
      if (typeof node.value !== 'string' || isError) return []
      if (isProse(node.value) && parent?.type !== 'MemberExpression') return []
      return isData(parent) ? put(node.value === '' ? "'mutant'" : "''") : []
    default:
      return []
  }
}

const conditions = (test: ESTree.Node, values: readonly string[]): Change[] =>
  test.type === 'Literal' ? [] : values.map(text => ({ start: test.start, end: test.end, text }))

const source = (node: ESTree.Node, text: string): string => text.slice(node.start, node.end)

function isText(node: ESTree.Node): boolean {
  if (node.type === 'ParenthesizedExpression') return isText(node.expression)
  if (node.type === 'BinaryExpression') return node.operator === '+' && [node.left, node.right].some(isText)
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string')
}

/** Whether leaving the statement out can matter: calls, waited for or not, and assignments. */
function isEffect(node: ESTree.Node): boolean {
  if (node.type === 'AwaitExpression') return isEffect(node.argument)
  if (node.type === 'ChainExpression') return isEffect(node.expression)
  return node.type === 'CallExpression' || node.type === 'AssignmentExpression'
}

function isLog(node: ESTree.Node, text: string): boolean {
  if (node.type === 'AwaitExpression') return isLog(node.argument, text)
  if (node.type === 'ChainExpression') return isLog(node.expression, text)
  return node.type === 'CallExpression' && LOG.test(source(node.callee, text))
}

/** Sentences, and words in lower case, are for people to read. */
const isProse = (text: string): boolean =>
  /^\p{Lu}.* .*[.!?…]$/su.test(text) || /^\p{L}[\p{Ll}\d’',.:()-]*(?: [\p{Ll}\d’',.:()-]+)+$/u.test(text)

/** Whether a text in this place is a value, rather than the address of a module or a directive. */
const isData = (parent: ESTree.Node | undefined): boolean =>
  parent !== undefined && !/^(Export(All|Named)Declaration|ImportExpression)$/.test(parent.type)

function* childrenOf(node: ESTree.Node): Generator<ESTree.Node> {
  if (node.type === 'ExpressionStatement' && 'directive' in node && typeof node.directive === 'string') return
  for (const [key, value] of Object.entries(node)) {
    if (key === 'key' && !('computed' in node && node.computed)) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield child
  }
}

const isNode = (value: unknown): value is ESTree.Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const LONGEST = 60
function describe(text: string, { start, end, text: put }: Change): string {
  const short = (part: string) => {
    const line = part.replace(/\s+/g, ' ')
    return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
  }
  return put === ';'
    ? `${short(text.slice(start, end))}  left out`
    : `${short(text.slice(start, end))}  →  ${short(put)}`
}
