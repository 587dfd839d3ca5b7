import { blankSql } from '#kernel/blankSql.ts'
import { type Catalog, METRICS, metricTable } from '../catalog.ts'
import { statementAt } from '../statements.ts'

export type CompletionSources = {
  readonly tables: readonly {
    readonly name: string
    readonly about: string
    readonly columns: readonly { readonly name: string; readonly type: string; readonly about: string }[]
  }[]
  readonly functions: readonly { readonly name: string; readonly isAggregate: boolean }[]
  readonly keywords: readonly string[]
  readonly parameters: readonly {
    readonly name: string
    readonly type: string
    readonly isTypeOpen: boolean
  }[]
}

export type Candidate = {
  readonly label: string
  readonly kind: 'table' | 'column' | 'function' | 'keyword' | 'parameter' | 'alias'
  /** Type of a column, table of an alias. */
  readonly detail: string
  readonly about: string
  /** What is inserted, where it is not the label. */
  readonly insert?: string
  /** Higher ones come first among equal matches. */
  readonly boost: number
}

/** What may stand at a place of SQL; `from` is where the word begins that they replace. Undefined where nothing is meant. */
export function completionsAt(
  sql: string,
  at: number,
  sources: CompletionSources,
  isExplicit = false,
): { readonly from: number; readonly candidates: readonly Candidate[] } | undefined {
  const blank = blankSql(sql)
  // Within a string or a comment the blanked text ends in a space where the real one does not.
  if (at > 0 && /\S/.test(sql[at - 1] ?? '') && /\s/.test(blank[at - 1] ?? '')) return undefined
  const before = blank.slice(0, at)
  const word = /[A-Za-z_]\w*$/.exec(before)?.[0] ?? ''
  const from = at - word.length
  const ahead = before.slice(0, from)

  if (/\{\{?\s*$/.test(ahead)) return { from, candidates: parameterCandidates(ahead, sources) }
  const statement = statementAt(sql, at)
  const names = namesOf(
    statement === undefined ? '' : blank.slice(statement.from, Math.max(statement.to, at)),
    sources.tables,
  )
  const qualifier = /([A-Za-z_]\w*)\s*\.$/.exec(ahead)?.[1]
  if (qualifier !== undefined) {
    const behind = BEHIND.find(([word]) => word === qualifier)
    if (behind !== undefined && !names.relations.has(qualifier))
      return { from, candidates: behindCandidates(behind, sources) }
    const table = names.relations.get(qualifier)
    return table === undefined ? undefined : { from, candidates: columnCandidates([table], sources) }
  }
  // A number such as 1e6, or something that is no word, is not completed.
  if (/\w$/.test(ahead) || (word === '' && !isExplicit)) return undefined
  if (/\b(?:FROM|JOIN)\s+$/i.test(ahead) || /\bFROM\s+(?:[\w.]+(?:\s+(?:AS\s+)?\w+)?\s*,\s*)+$/i.test(ahead))
    return { from, candidates: tableCandidates(names.ctes, sources) }
  return {
    from,
    candidates: [
      ...columnCandidates([...new Set(names.relations.values())], sources),
      ...names.aliases.map(
        (label): Candidate => ({ label, kind: 'alias', detail: 'alias', about: '', boost: 20 }),
      ),
      ...sources.functions.map(
        ({ name, isAggregate }): Candidate => ({
          label: name,
          kind: 'function',
          detail: isAggregate ? 'aggregate' : 'function',
          about: '',
          boost: 0,
        }),
      ),
      ...sources.keywords.map(
        (label): Candidate => ({ label, kind: 'keyword', detail: '', about: '', boost: -1 }),
      ),
      ...tableCandidates(names.ctes, sources).map(each => ({ ...each, boost: -2 })),
    ],
  }
}

function parameterCandidates(ahead: string, { parameters }: CompletionSources): Candidate[] {
  const isDouble = ahead.trimEnd().endsWith('{{')
  return parameters.map(({ name, type }) => ({
    label: name,
    kind: 'parameter',
    detail: type,
    about: '',
    insert: isDouble ? name : `${name}:${type}`,
    boost: 10,
  }))
}

const tableCandidates = (ctes: readonly string[], { tables }: CompletionSources): Candidate[] => [
  ...ctes.map((label): Candidate => ({ label, kind: 'table', detail: 'WITH', about: '', boost: 10 })),
  ...tables
    // There are hundreds, so they are offered only after `metrics.`.
    .filter(({ name }) => !name.startsWith(`${METRICS}.`))
    .map(({ name, about }): Candidate => ({ label: name, kind: 'table', detail: 'table', about, boost: 0 })),
  {
    label: METRICS,
    kind: 'table',
    detail: 'metrics as tables',
    about: `Every metric is a table: ${METRICS}.fees_total`,
    insert: `${METRICS}.`,
    boost: -1,
  },
]

/** Prefixes of other tables: the user’s uploads and metrics. */
const BEHIND = [
  ['uploads', 'upload'],
  [METRICS, 'metric'],
] as const

const behindCandidates = (
  [word, detail]: (typeof BEHIND)[number],
  { tables }: CompletionSources,
): Candidate[] =>
  tables
    .filter(({ name }) => name.startsWith(`${word}.`))
    .map(({ name, about }) => ({
      label: name.slice(word.length + 1),
      kind: 'table',
      detail,
      about,
      boost: 0,
    }))

/** Columns of every metric table. */
const METRIC_COLUMNS = [
  ['day', 'Date', 'UTC day'],
  ['key', 'String', 'category in a breakdown, otherwise empty'],
  ['value', 'number', 'value of the metric'],
  ['state', 'String', 'whole, partial or incomplete'],
  ['source', 'String', 'source of the value'],
  ['from_height', 'Nullable(UInt32)', 'first block included'],
  ['to_height', 'Nullable(UInt32)', 'last block included'],
  ['as_of', 'DateTime', 'time of the newest row'],
].map(([name = '', type = '', about = '']) => ({ name, type, about }))

export const metricTables = (metrics: Catalog['metrics']): CompletionSources['tables'] =>
  [...new Map(metrics.map(metric => [metric.id, metric])).values()].map(({ id, name, definition }) => ({
    name: metricTable(id),
    about: `${name}. ${definition}`,
    columns: METRIC_COLUMNS,
  }))

const columnCandidates = (of: readonly string[], { tables }: CompletionSources): Candidate[] =>
  tables
    .filter(({ name }) => of.includes(name))
    .flatMap(table =>
      table.columns.map(
        ({ name, type, about }): Candidate => ({
          label: name,
          kind: 'column',
          detail: type,
          about: of.length > 1 ? `${table.name}. ${about}` : about,
          boost: 30,
        }),
      ),
    )

const NO_ALIAS = new Set(
  'on using where group order limit join left right inner outer full cross any all asof semi anti global prewhere having union settings format final sample as array window qualify offset'.split(
    ' ',
  ),
)

/** Tables of a statement by what they are called in it, names of its WITH, and aliases of its expressions. */
function namesOf(blank: string, tables: CompletionSources['tables']) {
  const known = new Set(tables.map(({ name }) => name))
  const relations = new Map<string, string>()
  const taken = new Set<string>()
  const add = (table = '', alias = '') => {
    const word = table.split('.').at(-1) ?? ''
    const name = known.has(table) ? table : word
    if (!known.has(name)) return
    relations.set(word, name)
    if (alias === '' || NO_ALIAS.has(alias.toLowerCase())) return
    relations.set(alias, name)
    taken.add(alias)
  }
  const relation = /^\s*([A-Za-z_][\w.]*)(?:\s+(?:FINAL\s+)?(?:AS\s+)?([A-Za-z_]\w*))?/i
  for (const { index, 0: keyword } of blank.matchAll(/\b(?:FROM|JOIN)\b/gi)) {
    let rest = blank.slice(index + keyword.length)
    for (;;) {
      const match = relation.exec(rest)
      if (match === null) break
      add(match[1], match[2])
      rest = rest.slice(match[0].length)
      if (!/^\s*,/.test(rest)) break
      rest = rest.replace(/^\s*,/, '')
    }
  }
  const ctes = [...blank.matchAll(/(?:\bWITH\s+(?:RECURSIVE\s+)?|,\s*)([A-Za-z_]\w*)\s+AS\s*\(/gi)].map(
    ([, name = '']) => name,
  )
  const aliases = [...blank.matchAll(/\bAS\s+([A-Za-z_]\w*)/gi)]
    .map(([, name = '']) => name)
    .filter(name => !taken.has(name))
  return { relations, ctes, aliases: [...new Set([...aliases, ...taken])] }
}
