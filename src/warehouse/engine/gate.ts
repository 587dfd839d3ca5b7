import { FAILURES, type Failure } from './failure.ts'
import type { Statement } from './native.ts'

/** Kinds of statement, by the head of the engine's syntax tree, that people may send. */
const STATEMENTS =
  /^(SelectWithUnionQuery|SelectIntersectExceptQuery|Explain|DescribeQuery|ShowTables|ShowColumns)\b/

/** Table functions that make rows out of nothing but their arguments. All others reach files, hosts or other tables. */
const TABLE_FUNCTIONS = new Set(
  'numbers numbers_mt zeros zeros_mt generateSeries generate_series generateRandom values view null format primes'
    .toLowerCase()
    .split(' '),
)

/** Functions that reach files, hosts, dictionaries, models or facts about the machine. */
const FUNCTIONS =
  /^(file|filesystem.*|dict.*|catboost.*|joinget.*|hascolumnintable|address.*|demangle|ai[a-z]+|naivebayes.*|serveruuid|hostname|fullhostname|fqdn|getmacro|getserver.*|getmergetreesetting|displayname|tcpport|zookeeper.*|showcertificate|getclienthttpheader|fuzzquery|generateserialid|transaction.*|region.*|logtrace|buildid|getoskernelversion|reversedns.*|evalml.*|lemmatize|stem|synonyms|uptime)$/

/** Tables of `system` that tell about the language and the public columns, not about the machine or other askers. */
const SYSTEM_TABLES = new Set(
  'aggregate_function_combinators codecs collations columns data_type_families formats functions keywords licenses numbers numbers_mt one primes settings time_zones zeros zeros_mt'.split(
    ' ',
  ),
)

export type Gate = {
  /** Throws a readable failure if people may not send this statement. `syntaxTree` is the answer to `EXPLAIN AST`. */
  check(statement: Statement, syntaxTree: string): void
}

/**
 * What `readonly=1` leaves open, closed: the embedded engine lets a read-only connection write files (`INTO OUTFILE`),
 * read them (`file('…')`), stop other people's queries and look at the machine. The engine's own parser says what a
 * statement is made of; nothing here reads SQL. `tableFunctions` are the names this engine knows.
 */
export function createGate(tableFunctions: readonly string[]): Gate {
  const reaching = new Set(
    tableFunctions.map(name => name.toLowerCase()).filter(name => !TABLE_FUNCTIONS.has(name)),
  )
  // Names of both kinds: as a plain function `fuzzQuery` is refused by its own rule.
  return {
    check(statement, syntaxTree) {
      if (statement.count > 1)
        throw FAILURES.denied('One statement at a time: multi-statements are not allowed.')
      const [head = '', ...rest] = syntaxTree.trimEnd().split('\n')
      if (statement.kind !== 'read' || !STATEMENTS.test(head))
        throw FAILURES.readonly(
          'Only SELECT, EXPLAIN, DESCRIBE and SHOW TABLES are answered here: the warehouse is read-only for queries, and results go to nobody but the asker.',
        )
      for (const line of rest) {
        const refusal = refusalOf(line, reaching)
        if (refusal !== undefined) throw refusal
      }
    },
  }
}

function refusalOf(line: string, reaching: ReadonlySet<string>): Failure | undefined {
  const [, node, name] = /^\s*(\w+) (.*?)(?: \(alias .*)?(?: \(children \d+\))?$/.exec(line) ?? []
  if (name === undefined) return undefined
  switch (node) {
    case 'Function': {
      const lower = name.toLowerCase()
      if (!reaching.has(lower) && !FUNCTIONS.test(lower)) return undefined
      return FAILURES.denied(
        `Function ${name} is not available in queries: it reaches files, the network or the machine.`,
      )
    }
    case 'TableIdentifier':
    case 'Identifier':
      return refusalOfTable(name, node === 'TableIdentifier')
    default:
      return undefined
  }
}

function refusalOfTable(name: string, isTable: boolean): Failure | undefined {
  const [, database, table] = /^(system|information_schema|INFORMATION_SCHEMA|base)\.(.*)$/s.exec(name) ?? []
  if (database === undefined || table === undefined) return undefined
  if (database === 'system')
    return SYSTEM_TABLES.has(table) ? undefined : FAILURES.denied(`Table ${name} is not open to queries.`)
  if (!isTable) return undefined
  if (database === 'base')
    return FAILURES.denied(
      `Table ${name} is not open to queries: read ${table}, which holds the committed rows of it.`,
    )
  return /^(tables|columns)$/i.test(table)
    ? undefined
    : FAILURES.denied(`Table ${name} is not open to queries.`)
}
