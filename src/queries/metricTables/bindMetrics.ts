import { nearestNames } from '#kernel/nearest.ts'
import { sqlString } from '#warehouse/index.ts'
import { type Edit, edited } from '../edits.ts'
import { placeAt, QueryError } from '../errors.ts'
import type { KnownSql } from '../parameters.ts'
import { readStatement } from '../statement.ts'
import { isName, isSymbol, type Token, tokensOf, wordOf } from '../tokens.ts'

/** Prefix of metric names: `metrics.fees_total`, or `metrics.fees.total`. */
export const METRICS_WORD = 'metrics'

/** A metric by id. Several can share an id for different entities. */
type MetricSql = KnownSql & { readonly id: string; readonly entities: readonly string[] }

/** A metric in a query, as it is declared. */
export type ReadMetric = { readonly id: string; readonly entity: string | undefined; readonly sql: string }

type Cut = { readonly text: string; readonly tokens: readonly Token[] }

/** Metrics in one statement. Each is up to 23,000 characters of SQL. */
const MOST_METRICS = 8

/** Name of a metric in SQL. */
export const metricTable = (id: string): string => `${METRICS_WORD}.${id.replaceAll('.', '_')}`

/** Whether a statement may use metrics. A table, alias or subquery called `metrics` takes precedence. */
export function namesMetrics(tokens: readonly Token[]): boolean {
  let isNamed = false
  for (const [at, token] of tokens.entries()) {
    if (!isName(token) || token.value !== METRICS_WORD || isSymbol(tokens[at - 1], '.')) continue
    if (!isSymbol(tokens[at + 1], '.')) return false
    isNamed = true
  }
  return isNamed
}

/**
 * Replaces `metrics.name` and `metrics.name('entity')` with the SQL of that metric, with its default parameters as constants, and
 * `metrics.name.column` with `name.column`. The gate checks the result like any other query. Throws QueryError
 * `sql.unknown_metric`, `sql.metric_entity`, `sql.metric_hidden`.
 */
export function metricEdits(
  statement: Cut,
  known: readonly KnownSql[],
  onMetric: (read: ReadMetric) => void = () => {},
): Edit[] {
  const { tokens, text } = statement
  const metrics = known.filter((each): each is MetricSql => 'id' in each && 'entities' in each)
  const byName = Map.groupBy(metrics, ({ id }) => metricTable(id).slice(METRICS_WORD.length + 1))
  const edits: Edit[] = []
  const aliases = new Map<string, string>()
  const qualifiers: { readonly name: string; readonly start: number; readonly end: number }[] = []
  let count = 0
  for (const [at, token] of tokens.entries()) {
    if (!isName(token) || token.value !== METRICS_WORD) continue
    if (isSymbol(tokens[at - 1], '.') || !isSymbol(tokens[at + 1], '.')) continue
    const named = nameAt(tokens, at, byName)
    const last = tokens[named.last]
    if (last === undefined) continue
    const entries = byName.get(named.name)
    if (entries !== undefined && isSymbol(tokens[named.last + 1], '.')) {
      qualifiers.push({ name: named.name, start: token.start, end: last.end })
      continue
    }
    const before = wordOf(tokens[at - 1])
    if (!BEFORE_TABLE.test(before) && !(isSymbol(tokens[at - 1], ',') && entries !== undefined)) continue
    if (entries === undefined) throw unknownMetric(named.name, byName, placeAt(text, token.start))
    if (++count > MOST_METRICS)
      throw new QueryError('sql.too_long_text', `The query names more than ${MOST_METRICS} metrics.`, {
        place: placeAt(text, token.start),
        hint: 'Name each metric once in a WITH clause, or split the query.',
      })
    const call = callAt(statement, named.last + 1)
    const entry = entryOf(named.name, entries, call?.entity, placeAt(text, token.start))
    checkHidden(statement, entry, placeAt(text, token.start))
    onMetric({ id: entry.id, entity: call?.entity, sql: entry.sql })
    const end = call?.end ?? named.last
    const given = aliasAt(tokens, end + 1)
    const alias = given ?? named.name
    if (!aliases.has(named.name)) aliases.set(named.name, alias)
    const isTable = before !== 'in' && !/^desc/.test(wordOf(tokens[0])) && given === undefined
    edits.push({
      start: token.start,
      end: tokens[end]?.end ?? last.end,
      text: `(${withDefaults(entry, call?.entity)}\n)${isTable ? ` AS ${alias}` : ''}`,
    })
  }
  for (const { name, start, end } of qualifiers)
    if (aliases.has(name)) edits.push({ start, end, text: aliases.get(name) ?? name })
  return edits
}

/** The metrics that a query reads, each with its SQL; none if it is invalid. */
export function metricsIn(sql: string, known: readonly KnownSql[]): ReadMetric[] {
  const found: ReadMetric[] = []
  try {
    const statement = readStatement(sql)
    if (namesMetrics(statement.tokens)) metricEdits(statement, known, metric => found.push(metric))
    return found
  } catch (cause) {
    if (cause instanceof QueryError) return []
    throw cause
  }
}

/** Expands the metrics in a query to SQL. Returns the query unchanged if it is invalid. */
export function withMetrics(sql: string, known: readonly KnownSql[]): string {
  try {
    const statement = readStatement(sql)
    if (!namesMetrics(statement.tokens)) return sql
    return edited(statement.text, metricEdits(statement, known))
  } catch (cause) {
    if (cause instanceof QueryError) return sql
    throw cause
  }
}

/** Whether a query might use metrics. */
export function mayNameMetrics(sql: string): boolean {
  return /\bmetrics\b/.test(sql)
}

/** Error for a metric name that the gate refused as an unknown table. Undefined for all other errors. */
export function unknownMetricOf(error: QueryError, known: readonly KnownSql[]): QueryError | undefined {
  const name = /Table metrics\.(\S+) is not open to queries/.exec(error.message)?.[1]
  if (name === undefined) return undefined
  const names = new Map(known.flatMap(({ id }) => (id === undefined ? [] : [[id.replaceAll('.', '_'), id]])))
  return unknownMetric(name, names, error.place)
}

type Named = { readonly name: string; readonly last: number }

/** Reads `fees_total`, or `fees.total` if that is a metric. */
function nameAt(tokens: readonly Token[], at: number, known: ReadonlyMap<string, unknown>): Named {
  const [first, dot, second] = tokens.slice(at + 2, at + 5)
  const name = isName(first) ? first.value : ''
  const dotted = `${name}_${second?.value ?? ''}`
  const isLong = !known.has(name) && isSymbol(dot, '.') && isName(second)
  return isLong ? { name: dotted, last: at + 4 } : { name, last: at + 2 }
}

/** The entity in parentheses after the name, and the closing parenthesis. */
function callAt(
  { text, tokens }: Cut,
  at: number,
): { readonly entity: string | undefined; readonly end: number } | undefined {
  if (!isSymbol(tokens[at], '(')) return undefined
  if (isSymbol(tokens[at + 1], ')')) return { entity: undefined, end: at + 1 }
  const entity = tokens[at + 1]
  if (entity?.kind === 'string' && isSymbol(tokens[at + 2], ')')) return { entity: entity.value, end: at + 2 }
  throw new QueryError('sql.metric_entity', 'A metric accepts one entity, as a string.', {
    place: placeAt(text, tokens[at]?.start ?? 0),
    hint: `For example, FROM ${METRICS_WORD}.fees_total('bitcoin'). Filter days with WHERE.`,
  })
}

function entryOf(
  name: string,
  entries: readonly MetricSql[],
  entity: string | undefined,
  place: QueryError['place'],
): MetricSql {
  const [first] = entries
  const entry = entity === undefined ? first : entries.find(({ entities }) => entities.includes(entity))
  if (entry !== undefined) return entry
  const all = entries.flatMap(({ entities }) => entities)
  const near = nearestNames(entity ?? '', all)
  throw new QueryError(
    'sql.metric_entity',
    `${METRICS_WORD}.${name} has no entity ${quoted(entity ?? '')}.`,
    {
      ...(place && { place }),
      hint: `${near.length > 0 ? `Nearest: ${near.join(', ')}.` : `Available: ${all.slice(0, 20).join(', ')}.`}`,
    },
  )
}

const quoted = (text: string): string => `“${text.slice(0, 80)}”`

function unknownMetric(
  name: string,
  known: ReadonlyMap<string, unknown>,
  place: QueryError['place'],
): QueryError {
  const near = nearestNames(name, [...known.keys()])
  return new QueryError('sql.unknown_metric', `No metric is named ${METRICS_WORD}.${name.slice(0, 80)}.`, {
    ...(place && { place }),
    hint:
      near.length > 0
        ? `Maybe you meant ${near.map(each => `${METRICS_WORD}.${each}`).join(', ')}.`
        : 'Find all metrics under Metrics on the left of Run Queries.',
  })
}

/** WITH names are visible in subqueries, so a metric would read them instead of its tables. */
function checkHidden({ tokens }: Cut, { id, sql }: MetricSql, place: QueryError['place']): void {
  const given = withNames(tokens)
  if (given.size === 0) return
  const inner = tokensOf(sql)
  const own = withNames(inner)
  const hidden = inner.find(token => isName(token) && given.has(token.value) && !own.has(token.value))
  if (hidden === undefined || !isName(hidden)) return
  throw new QueryError(
    'sql.metric_hidden',
    `The WITH clause defines ${hidden.value}, a table that the metric ${id} reads.`,
    { ...(place && { place }), hint: 'Give it another name in the WITH clause.' },
  )
}

/** All possible WITH names. A missed one would silently replace a table of a metric. */
function withNames(tokens: readonly Token[]): ReadonlySet<string> {
  const isBody = (at: number): boolean =>
    wordOf(tokens[at]) === 'as' &&
    isSymbol(tokens[wordOf(tokens[at + 1]) === 'materialized' ? at + 2 : at + 1], '(')
  const open: number[] = []
  const names = new Set<string>()
  for (const [at, token] of tokens.entries()) {
    if (isName(token) && isBody(at + 1)) names.add(token.value)
    if (isSymbol(token, '(')) open.push(at)
    if (!isSymbol(token, ')')) continue
    // A column list can come between a name and its subquery.
    const named = tokens[(open.pop() ?? 0) - 1]
    if (isName(named) && isBody(at + 1)) names.add(named.value)
  }
  return names
}

/** The SQL of a metric with constants for its parameters: an entity from its list, defaults for the rest. */
function withDefaults({ sql, parameters }: MetricSql, entity: string | undefined): string {
  const values = new Map(parameters.map(({ name, default: value }) => [name, value]))
  if (entity !== undefined) values.set('entity', entity)
  const tokens = tokensOf(sql)
  const edits = tokens.flatMap((token, at): Edit[] => {
    const [name, colon] = [tokens[at + 1], tokens[at + 2]]
    if (!isSymbol(token, '{') || name?.kind !== 'word' || !isSymbol(colon, ':')) return []
    const close = tokens.findIndex((each, index) => index > at && isSymbol(each, '}'))
    const [type, end] = [tokens[at + 3], tokens[close]]
    const value = values.get(name.value)
    if (type === undefined || end === undefined || value === undefined) return []
    return [
      {
        start: token.start,
        end: end.end,
        text: `CAST(${sqlString(value)}, ${sqlString(sql.slice(type.start, end.start).trim())})`,
      },
    ]
  })
  return edited(sql, edits)
}

/** Keywords before a table. */
const BEFORE_TABLE = /^(?:from|join|describe|desc|table|in)$/

/** Keywords that can follow a table and are not its alias. */
const AFTER_TABLE = new Set(
  `all anti any array asof cross except fetch final format full global group having inner intersect into join left limit
  offset on order outer paste prewhere qualify right sample semi settings union using where window`.split(
    /\s+/,
  ),
)

/** The alias after a table as written in SQL, if any. */
export function aliasAt(tokens: readonly Token[], at: number): string | undefined {
  const token = wordOf(tokens[at]) === 'as' ? tokens[at + 1] : tokens[at]
  if (!isName(token) || (token.kind === 'word' && AFTER_TABLE.has(token.value.toLowerCase())))
    return undefined
  return `\`${token.value.replace(/[\\`]/g, '\\$&')}\``
}
