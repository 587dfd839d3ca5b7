/** Kinds of statement, by the head of the engine's syntax tree, that people may send. */
const STATEMENTS = new Set(['SelectWithUnionQuery', 'SelectIntersectExceptQuery', 'Explain', 'DescribeQuery'])

/** The tree of `SHOW TABLES` leaves out its `WHERE`: only these forms pass. */
const SHOW_TABLES = /^\s*SHOW\s+TABLES(\s+LIKE\s+'[^'\\]*')?\s*(FORMAT\s+\w+)?\s*;?\s*$/i

/**
 * Nodes of the tree that show all they are made of. `ColumnsApplyTransformer` is missing for a reason: it hides the
 * function that it applies. What is not listed is refused.
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

/** Forms of `EXPLAIN` that need nothing but a SELECT; the others read tables and transactions of the server. */
const EXPLAINS = new Set([
  'EXPLAIN',
  'EXPLAIN AST',
  'EXPLAIN ESTIMATE',
  'EXPLAIN PIPELINE',
  'EXPLAIN QUERY TREE',
  'EXPLAIN SYNTAX',
])

/** The tree hides the options of `EXPLAIN`: switches before a SELECT are the only form that passes. */
const EXPLAIN_OPTIONS =
  /^\s*EXPLAIN\s+(?:(?:PLAN|PIPELINE|SYNTAX|QUERY\s+TREE|AST)\s+)?[a-z_]+\s*=\s*[01](?:\s*,\s*[a-z_]+\s*=\s*[01])*\s+(?:\(|(?:SELECT|WITH|FROM)\b)/i

/**
 * Table functions that make rows from their arguments alone, without a column list. A column list such as
 * `'a UInt8, b String ALIAS file(…)'` holds SQL as text that the tree does not show.
 */
const TABLE_FUNCTIONS = new Set(
  'numbers numbers_mt zeros zeros_mt generateSeries generate_series values view primes'
    .toLowerCase()
    .split(' '),
)

/** A column list of `values` that holds names and types only. */
const PLAIN_COLUMNS = /^\s*\w+\s+\w+(?:\([\w\s,()]*\))?(?:\s*,\s*\w+\s+\w+(?:\([\w\s,()]*\))?)*\s*$/

/** Functions that reach files, hosts, dictionaries, models or facts about the machine. */
const FUNCTIONS = new RegExp(
  `^(${[
    'file|filesystem.*|catboost.*|evalml.*|naivebayes.*|lemmatize|stem|synonyms|ai[a-z]+',
    'dict.*|joinget.*|region.*|hascolumnintable|reversedns.*',
    'hostname|fullhostname|fqdn|displayname|getmacro|getserver.*|getmergetreesetting|getclienthttpheader|tcpport',
    'serveruuid|buildid|uptime|getoskernelversion|showcertificate|zookeeper.*|generateserialid|transaction.*',
    'address.*|demangle|logtrace|fuzzquery',
  ].join('|')})$`,
)

/** Functions that take a table by its bare name on their right. */
const IN_FUNCTION = /^(?:global)?(?:not)?(?:null)?in(?:ignoreset)?$/i

/** Tables of `system` that tell about the language and the columns, not about the machine or other askers. */
const SYSTEM_TABLES = new Set([
  'aggregate_function_combinators',
  'codecs',
  'collations',
  'columns',
  'data_type_families',
  'formats',
  'functions',
  'keywords',
  'licenses',
  'numbers',
  'numbers_mt',
  'one',
  'primes',
  'settings',
  'time_zones',
  'zeros',
  'zeros_mt',
])

/**
 * Why people may not send a statement, as a sentence; undefined if they may. `syntaxTree` is the engine's answer to
 * `EXPLAIN AST` of a single statement: its own parser says what the statement is made of, nothing here reads SQL.
 */
export type Gate = (sql: string, syntaxTree: string) => string | undefined

/**
 * Closes what `readonly=1` leaves open: a read-only connection of the embedded engine may read files with `file('…')`,
 * look at the machine and at other people's queries in `system`. `tableFunctions` are the names that the engine knows.
 */
export function createGate(tableFunctions: readonly string[]): Gate {
  const reaching = new Set(
    tableFunctions.map(name => name.toLowerCase()).filter(name => !TABLE_FUNCTIONS.has(name)),
  )
  return (sql, syntaxTree) => {
    const nodes = nodesOf(syntaxTree)
    const head = nodes[0]
    if (head?.kind === 'ShowTables' && SHOW_TABLES.test(sql)) return undefined
    if (head === undefined || !STATEMENTS.has(head.kind)) return READ_ONLY
    if (head.kind === 'Explain' && !EXPLAINS.has(head.name)) return READ_ONLY
    // A limit on rows of an answer could cut off the tree: what is not seen is not let through.
    if (nodes.some(({ childCount, seenCount }) => childCount !== seenCount))
      return 'The statement has more parts than can be checked.'
    const parts = nodes.slice(1)
    const hasOptions = head.kind === 'Explain' && parts[0]?.kind === 'Set' && EXPLAIN_OPTIONS.test(sql)
    for (const node of hasOptions ? parts.slice(1) : parts) {
      const refusal = refusalOf(node, reaching)
      if (refusal !== undefined) return refusal
    }
    return undefined
  }
}

/** A line of `EXPLAIN AST`: a blank a level, the kind of node, its name, an alias, how many children it has. */
type Node = {
  readonly kind: string
  readonly name: string
  /** The right side of an `IN`: a name there may be a table. */
  readonly isSet: boolean
  readonly parent: Node | undefined
  /** Its place among the children of `parent`, from 1. */
  readonly place: number
  readonly childCount: number
  seenCount: number
}

function nodesOf(syntaxTree: string): Node[] {
  const nodes: Node[] = []
  const above: Node[] = []
  for (const line of syntaxTree.trimEnd().split('\n')) {
    const [, indent = '', kind = '', name = '', childCount = '0'] =
      /^( *)([\w:]+)(?: (.*?))??(?: \(alias .*?)?(?: \(children (\d+)\))?$/.exec(line) ?? []
    above.length = Math.min(above.length, indent.length)
    const parent = above.at(-1)
    if (parent !== undefined) parent.seenCount++
    const isSet = parent?.seenCount === 2 && IN_FUNCTION.test(above.at(-2)?.name ?? '')
    const place = parent?.seenCount ?? 1
    const node: Node = { kind, name, isSet, parent, place, childCount: Number(childCount), seenCount: 0 }
    nodes.push(node)
    above.push(node)
  }
  return nodes
}

/** Asks the engine for the tree of a statement. */
export const EXPLAIN = 'EXPLAIN AST '

/** A syntax error names its place in the text that was parsed; people know theirs, without our words before it. */
export function placesShiftedBack(message: string): string {
  const before = (place: string) => String(Number(place) - EXPLAIN.length)
  return message.replace(/(?<=at position )\d+/, before).replace(/(?<=\(line 1, col )\d+/, before)
}

/** What people are told when a statement is no read at all. */
export const READ_ONLY =
  'Queries can only read, and results go to the asker alone: send SELECT, EXPLAIN, DESCRIBE or SHOW TABLES.'

function refusalOf(node: Node, reaching: ReadonlySet<string>): string | undefined {
  const { kind, name, isSet } = node
  if (kind === 'Set') return SETTINGS_CLOSED
  if (isColumnList(node) && !isPlainColumnList(node)) return COLUMN_LIST_CLOSED
  if (!NODES.has(kind)) return `${nodeWords(kind)} is not open to queries.`
  const lower = name.toLowerCase()
  switch (kind) {
    case 'Function':
      return reaching.has(lower) || FUNCTIONS.test(lower) ? closedFunction(name) : undefined
    case 'TableIdentifier':
      return refusalOfTable(name)
    case 'Identifier':
      // A bare name may be passed where a function is wanted: arrayMap(file, […]).
      if (FUNCTIONS.test(lower)) return closedFunction(name)
      if (isSet && refusalOfTable(name) !== undefined)
        return `Table ${name} is not open to queries. If it is a column, ask has(${name}, …) in place of IN.`
      return refusalOfSystem(name)
    case 'Literal':
      // A literal outside an expression is the file of `INTO OUTFILE` or its compression.
      return node.parent !== undefined && STATEMENTS.has(node.parent.kind) ? READ_ONLY : undefined
    default:
      return undefined
  }
}

const SETTINGS_CLOSED = 'SETTINGS is not open to queries: settings are fixed.'
const COLUMN_LIST_CLOSED =
  "The column list of values() may hold names and types only, such as 'day Date, price Float64'."

/** The first argument of `values`, which may be a column list. */
const isColumnList = ({ place, parent }: Node): boolean =>
  place === 1 && parent?.kind === 'ExpressionList' && parent.parent?.name.toLowerCase() === 'values'

/** A text in one word is a value; a tuple is a row. Whatever else could be a list is read by the pattern. */
function isPlainColumnList({ kind, name }: Node): boolean {
  if (kind === 'Function') return name === 'tuple'
  if (kind !== 'Literal') return false
  if (!name.startsWith("'")) return true
  return name.endsWith("'") && (/^[\w.-]*$/.test(name.slice(1, -1)) || PLAIN_COLUMNS.test(name.slice(1, -1)))
}

const closedFunction = (name: string): string =>
  `Function ${name} is not open to queries: it reaches files, the network or the machine.`

const nodeWords = (node: string): string =>
  node === 'ColumnsApplyTransformer' ? 'APPLY' : node === '' ? 'This statement' : `The clause ${node}`

/** Readers know one database: what else a server holds is not theirs, whatever its user may read. */
function refusalOfTable(name: string): string | undefined {
  const [, database, table] = /^([^.]*)\.(.*)$/s.exec(name) ?? []
  if (database === undefined || table === undefined || database === 'default') return undefined
  const closed = `Table ${name} is not open to queries.`
  switch (database.toLowerCase()) {
    case 'system':
      return refusalOfSystem(name)
    case 'information_schema':
      return /^(tables|columns)$/i.test(table) ? undefined : closed
    case 'base':
      return `${closed} Read ${table}: the committed rows of it.`
    default:
      return closed
  }
}

function refusalOfSystem(name: string): string | undefined {
  const table = /^system\.(.*)$/is.exec(name)?.[1]
  return table === undefined || SYSTEM_TABLES.has(table) ? undefined : `Table ${name} is not open to queries.`
}
