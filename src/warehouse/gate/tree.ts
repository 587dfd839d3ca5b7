import {
  closedFunction,
  IN_FUNCTION,
  isHigherOrder,
  isOpenAggregate,
  isOpenFunction,
  isOpenTableFunction,
  NO_UPLOADS,
  type OpenUploads,
  refusalOfName,
  refusalOfTable,
} from './names.ts'
import {
  ESTIMATE_CLOSED,
  EXPLAIN_SETTINGS_CLOSED,
  PLAIN_AGGREGATE,
  PLAIN_COLUMNS,
  PLAIN_TYPES,
  READ_ONLY,
  SETTINGS_CLOSED,
  UNCHECKED,
} from './refusals.ts'

/** Kinds of statement, by the head of the engine's syntax tree, that users may send. */
const STATEMENTS = new Set(['SelectWithUnionQuery', 'SelectIntersectExceptQuery', 'Explain', 'DescribeQuery'])

/** Forms of `EXPLAIN` that need nothing but a SELECT. The others read tables and transactions of the server. */
const EXPLAINS = new Set([
  'EXPLAIN',
  'EXPLAIN AST',
  'EXPLAIN PIPELINE',
  'EXPLAIN QUERY TREE',
  'EXPLAIN SYNTAX',
])

/**
 * Nodes of the tree that show all they are made of. `Set` hides its settings and `ColumnsApplyTransformer` its function:
 * what is not listed is refused.
 */
const NODES = new Set([
  'ArrayJoin',
  'Asterisk',
  'ColumnsExceptTransformer',
  'ColumnsListMatcher',
  'ColumnsRegexpMatcher',
  'ColumnsReplaceTransformer',
  'ColumnsReplaceTransformer::Replacement',
  'ColumnsTransformerList',
  'DescribeQuery',
  'ExpressionList',
  'Function',
  'Identifier',
  'InterpolateElement',
  'Literal',
  'OrderByElement',
  'QualifiedAsterisk',
  'QualifiedColumnsListMatcher',
  'QualifiedColumnsRegexpMatcher',
  'SampleRatio',
  'SelectIntersectExceptQuery',
  'SelectQuery',
  'SelectWithUnionQuery',
  'Subquery',
  'TableExpression',
  'TableIdentifier',
  'TableJoin',
  'TablesInSelectQuery',
  'TablesInSelectQueryElement',
  'WindowDefinition',
  'WindowListElement',
  'WithElement',
])

/** Where a function takes a type as text: the place of that argument from 0, or `last`. */
const TYPE_ARGUMENTS: ReadonlyMap<string, number | 'last'> = new Map<string, number | 'last'>([
  ...['cast', '_cast', 'accuratecast', 'accuratecastornull', 'accuratecastordefault', 'reinterpret'].map(
    name => [name, 1] as const,
  ),
  ['dynamicelement', 1],
  ['variantelement', 1],
  ...[
    'jsonextract',
    'jsonextractcaseinsensitive',
    'jsonextractkeysandvalues',
    'jsonextractkeysandvaluescaseinsensitive',
  ].map(name => [name, 'last'] as const),
])

/** Functions whose first argument names an aggregate function. */
const NAMES_AGGREGATE = new Set(['arrayreduce', 'arrayreduceinranges', 'initializeaggregation'])

/** Names of types that a column list may be made of: `x ALIAS(…)` looks like a type with arguments. */
const TYPE_WORD =
  /^(?:U?Int(?:8|16|32|64|128|256)|Float(?:32|64)|Decimal(?:32|64|128|256)?|String|FixedString|Bool|Date(?:32)?|DateTime(?:64)?|UUID|IPv[46]|Nullable|Array|Tuple|Map|LowCardinality)$/

/** Whether a text is a column list of `values` that holds names and types only: `a UInt8, b Array(String)`. */
function isColumnList(text: string): boolean {
  const words = text.match(/\w+|\S/g) ?? []
  let at = 0
  for (;;) {
    if (!/^\w+$/.test(words[at] ?? '') || !TYPE_WORD.test(words[at + 1] ?? '')) return false
    at += 2
    let depth = 0
    do {
      const word = words[at]
      if (word === '(') depth++
      else if (depth === 0) break
      else if (word === ')') depth--
      else if (word === undefined || !(word === ',' || /^\d+$/.test(word) || TYPE_WORD.test(word)))
        return false
      at++
    } while (depth > 0)
    if (at === words.length) return true
    if (words[at] !== ',') return false
    at++
  }
}

/** A line of `EXPLAIN AST`: a blank a level, the kind of node, its name, an alias, how many children it has. */
type Node = {
  readonly kind: string
  readonly name: string
  readonly childCount: number
  readonly parent: Node | undefined
  readonly children: Node[]
}

/**
 * Why users may not send a statement, by the engine's own syntax tree. The tree is text in which names stand raw, so it
 * must have one root, the announced number of children everywhere, and only nodes, functions and tables of our lists.
 */
export function refusalOfTree(
  syntaxTree: string,
  hasOpenSettings: boolean,
  isShowTables: boolean,
  uploads: OpenUploads = NO_UPLOADS,
): string | undefined {
  const nodes = nodesOf(syntaxTree)
  const root = nodes?.[0]
  if (nodes === undefined || root === undefined) return UNCHECKED
  if (root.kind === 'ShowTables') return isShowTables ? undefined : READ_ONLY
  if (!STATEMENTS.has(root.kind)) return READ_ONLY
  if (root.kind === 'Explain' && root.name === 'EXPLAIN ESTIMATE') return ESTIMATE_CLOSED
  if (root.kind === 'Explain' && !EXPLAINS.has(root.name)) return READ_ONLY
  // A limit on rows of an answer could cut off the tree: what is not seen is not let through.
  if (nodes.some(({ childCount, children }) => childCount !== children.length)) return UNCHECKED
  const settings = root.kind === 'Explain' && root.children[0]?.kind === 'Set' ? root.children[0] : undefined
  if (settings !== undefined && !hasOpenSettings) return EXPLAIN_SETTINGS_CLOSED
  for (const node of nodes.slice(1)) {
    if (node === settings) continue
    const refusal = refusalOf(node, uploads)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Whether the tree is that of a statement which users may send at all, before its parts are looked at. */
export function isReadingTree(syntaxTree: string): boolean {
  const [kind = ''] = /^\w+/.exec(syntaxTree) ?? []
  return kind === 'ShowTables' || STATEMENTS.has(kind)
}

/** Characters of ` (children N)` with the largest N that there can be. */
const LONGEST_TAIL = 40

/** Undefined where a line is none of a tree, or there is not exactly one root. */
function nodesOf(syntaxTree: string): Node[] | undefined {
  const nodes: Node[] = []
  const above: Node[] = []
  for (const line of syntaxTree.trimEnd().split('\n')) {
    const read = lineOf(line)
    if (read === undefined) return undefined
    const { indent, kind, name, childCount } = read
    const isRoot = nodes.length === 0
    if (indent > above.length || (indent === 0 && !isRoot)) return undefined
    above.length = indent
    const parent = above.at(-1)
    const node = { kind, name, childCount, parent, children: [] }
    parent?.children.push(node)
    nodes.push(node)
    above.push(node)
  }
  return nodes
}

/** Reads a line from both ends: one pattern over all of it would be slow for hostile names. */
function lineOf(
  line: string,
): { indent: number; kind: string; name: string; childCount: number } | undefined {
  const [head, indent = '', kind = ''] = /^( *)([\w:]+)(?= |$)/.exec(line) ?? []
  if (head === undefined || /[\r\u2028\u2029]/.test(line)) return undefined
  const rest = line.slice(head.length)
  const [tail = '', childCount = '0'] = / \(children (\d+)\)$/.exec(rest.slice(-LONGEST_TAIL)) ?? []
  const named = rest.slice(0, rest.length - tail.length)
  const alias = named.indexOf(' (alias ')
  const name = (alias < 0 ? named : named.slice(0, alias)).slice(1)
  return { indent: indent.length, kind, name, childCount: Number(childCount) }
}

function refusalOf(node: Node, uploads: OpenUploads): string | undefined {
  const { kind, name, parent } = node
  if (kind === 'Set') return SETTINGS_CLOSED
  if (!NODES.has(kind)) return `${nodeWords(kind)} is not open to queries.`
  switch (kind) {
    case 'Function':
      return refusalOfFunction(node)
    case 'TableIdentifier':
      return refusalOfTable(name, uploads)
    case 'Identifier':
      return refusalOfIdentifier(node, uploads)
    case 'Literal':
      // A literal outside an expression is the file of `INTO OUTFILE` or its compression.
      return parent !== undefined && STATEMENTS.has(parent.kind) ? READ_ONLY : undefined
    default:
      return undefined
  }
}

function refusalOfFunction(node: Node): string | undefined {
  const { name } = node
  const lower = name.toLowerCase()
  if (node.parent?.kind === 'TableExpression') {
    if (!isOpenTableFunction(name)) return closedFunction(name)
    return lower === 'values' ? refusalOfColumnList(argumentsOf(node)) : undefined
  }
  if (!isOpenFunction(name)) return closedFunction(name)
  const list = argumentsOf(node)
  const place = TYPE_ARGUMENTS.get(lower)
  if (place !== undefined && !isPlainType(place === 'last' ? list.at(-1) : list[place])) return PLAIN_TYPES
  if (NAMES_AGGREGATE.has(lower) && !namesOpenAggregate(list[0])) return PLAIN_AGGREGATE
  return undefined
}

function refusalOfIdentifier(node: Node, uploads: OpenUploads): string | undefined {
  const { name } = node
  // A bare name may be passed where a function is wanted: arrayMap(file, […]).
  const caller = node.parent?.parent
  const list = caller === undefined ? [] : argumentsOf(caller)
  if (isHigherOrder(caller?.name ?? '') && list[0] === node && list.length > 1 && !isOpenFunction(name))
    return closedFunction(name)
  if (isRightOfIn(node) && refusalOfTable(name, uploads) !== undefined)
    return `Table ${name} is not open to queries. If it is a column, use has(${name}, …) in place of IN.`
  return refusalOfName(name, uploads)
}

const argumentsOf = (node: Node): readonly Node[] => node.children[0]?.children ?? []

/** The right side of an `IN`: a name there may be a table. */
function isRightOfIn(node: Node): boolean {
  const { parent } = node
  return (
    parent?.kind === 'ExpressionList' &&
    parent.children[1] === node &&
    IN_FUNCTION.test(parent.parent?.name ?? '')
  )
}

const textOf = (node: Node | undefined): string | undefined =>
  node?.kind === 'Literal' && /^'.*'$/.test(node.name) ? node.name.slice(1, -1) : undefined

/** Whether a text is made of what types are made of: words, numbers, brackets, and texts of an `Enum` or a time zone. */
function isTypeText(text: string): boolean {
  const words = text.match(/\\'(?:[^\\']|\\[^'])*\\'|\w+|\S/g) ?? []
  return words.every((word, i) => {
    if (words[i + 1] === '(' && !TYPE_WITH_BRACKETS.test(word)) return false
    // Two of them begin a comment, behind which the engine reads on.
    if (word === '-') return /^\d+$/.test(words[i + 1] ?? '')
    return /^(?:\\'.*|[(),.=])$/s.test(word) || (/^\w+$/.test(word) && !/^select$/i.test(word))
  })
}

/** Types that take something in brackets, with the names that other databases have for them. */
const TYPE_WITH_BRACKETS =
  /^(?:Array|BINARY|CHAR|DateTime(?:64)?|DEC|Decimal(?:32|64|128|256)?|Dynamic|Enum(?:8|16)?|FixedString|(?:TINY|SMALL|BIG)?INT|JSON|LowCardinality|Map|Nested|Nullable|NUMERIC|Time64|Tuple|VARCHAR|Variant)$/i

function isPlainType(node: Node | undefined): boolean {
  const text = textOf(node)
  return text !== undefined && !/AggregateFunction/i.test(text) && isTypeText(text)
}

/** A name, and plain numbers as its parameters: the engine evaluates whatever else stands there, subqueries too. */
const AGGREGATE = /^(\w+)(?:\( ?-?\d+(?:\.\d+)?(?: ?, ?-?\d+(?:\.\d+)?)* ?\))?$/

const namesOpenAggregate = (node: Node | undefined): boolean =>
  isOpenAggregate(AGGREGATE.exec(textOf(node) ?? '')?.[1] ?? '')

/** The first argument of `values` may be a column list: a row, a number or a text in one word is none. */
function refusalOfColumnList([first]: readonly Node[]): string | undefined {
  if (first?.kind === 'Function' && first.name === 'tuple') return undefined
  if (first?.kind !== 'Literal') return PLAIN_COLUMNS
  if (!first.name.startsWith("'")) return undefined
  const text = textOf(first)
  const isPlain = text !== undefined && (/^[\w.-]*$/.test(text) || isColumnList(text)) && isPlainType(first)
  return isPlain ? undefined : PLAIN_COLUMNS
}

const nodeWords = (node: string): string =>
  node === 'ColumnsApplyTransformer' ? 'APPLY' : `The clause ${node}`
