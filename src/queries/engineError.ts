import { ClickHouseError } from '@clickhouse/client'
import { listed } from '#kernel/listed.ts'
import { isEngineFull } from '#warehouse/index.ts'
import { argumentError, placeOfValue } from './argumentError.ts'
import { indexAt, type Place, placeAt, QueryError } from './errors.ts'
import { costOf } from './nearName.ts'
import { placeOfExecuted, runtimeError } from './runtimeError.ts'
import type { Statement } from './statement.ts'
import { isName } from './tokens.ts'

/** The engine's error numbers that a person can do something about. Source: ClickHouse, ErrorCodes.cpp. */
const KINDS: Readonly<Record<number, { code: `sql.${string}`; hint?: string }>> = {
  34: { code: 'sql.type' },
  35: { code: 'sql.type' },
  42: { code: 'sql.type' },
  43: { code: 'sql.type' },
  46: { code: 'sql.unknown_function' },
  47: { code: 'sql.unknown_column' },
  53: { code: 'sql.type' },
  59: { code: 'sql.type' },
  60: { code: 'sql.unknown_table', hint: 'SHOW TABLES lists what can be read.' },
  62: { code: 'sql.syntax' },
  81: { code: 'sql.unknown_table', hint: 'Name tables without a database: SHOW TABLES lists them.' },
  158: { code: 'sql.too_many_rows', hint: 'Narrow the range of heights or days.' },
  159: { code: 'sql.too_long', hint: 'Narrow the range of heights or days, or aggregate earlier.' },
  160: { code: 'sql.too_long', hint: 'Narrow the range of heights or days, or aggregate earlier.' },
  164: { code: 'sql.read_only', hint: 'Queries are read-only, and their settings are fixed.' },
  215: { code: 'sql.not_grouped', hint: 'Add the column to GROUP BY, or aggregate it.' },
  241: {
    code: 'sql.too_much_memory',
    hint: 'Narrow the range of heights or days, or group by fewer values.',
  },
  307: { code: 'sql.too_many_rows', hint: 'Narrow the range of heights or days.' },
  386: { code: 'sql.type' },
  394: { code: 'sql.cancelled' },
  396: { code: 'sql.too_large', hint: 'Add a LIMIT, or select fewer columns.' },
  452: { code: 'sql.read_only', hint: 'Settings are fixed: leave the SETTINGS clause out.' },
  456: { code: 'sql.parameter_missing' },
  457: { code: 'sql.parameter_value' },
  497: { code: 'sql.refused', hint: 'SHOW TABLES lists what can be read.' },
  718: { code: 'sql.too_complex', hint: 'Use fewer nested brackets, types and subqueries.' },
}

/** Matches the message of `warehouse/gate/names.ts`, which includes the reason. */
const CLOSED_FUNCTION = /^Function \S+ is not open to queries\. /
/** Also from there. A name that is not on the reviewed list is most likely a typo. */
const NOT_REVIEWED = /^Function \S+ is not open to queries: it is not on the list/

/** A file of the data is missing or damaged: the folder was replaced, or the disk fails. */
const UNREADABLE_CODES = new Set(['40', '76', '107', '226', '227', '228', '232'])

const NO_FROM = /the query does not have the FROM clause/

/** Errors that may be about one call of a function. */
const ABOUT_CALLS = new Set<string>(['sql.type', 'sql.failed'])

/** The engine says so with the error number of whatever it read in the value. */
const PARAMETER_VALUE = /: value .* cannot be parsed as /s

const MESSAGES: Readonly<Record<string, string>> = {
  'sql.too_complex': 'The query is nested too deeply to be parsed.',
  'sql.too_long': 'The query ran longer than its time limit and was stopped.',
  'sql.too_much_memory': 'The query needed more memory than its limit and was stopped.',
  'sql.too_many_rows': 'The query would read more rows than its limit.',
  'sql.too_large': 'The answer is larger than its limit.',
  'sql.cancelled': 'The query was canceled.',
}

/**
 * A QueryError for anything that the warehouse's client throws; an engine that is away gives `sql.unavailable`. `statement` is
 * what the engine read.
 */
export function toQueryError(cause: unknown, statement: Statement): QueryError {
  if (cause instanceof QueryError) return cause
  if (!(cause instanceof ClickHouseError)) {
    const isAbort = cause instanceof Error && (cause.name === 'AbortError' || /abort/i.test(cause.message))
    if (isAbort) return new QueryError('sql.cancelled', 'The query was canceled.', { cause })
    return new QueryError('sql.unavailable', 'Query engine unavailable.', {
      hint: 'Try again in a few seconds.',
      cause,
    })
  }
  if (isEngineFull(cause))
    return new QueryError(
      'sql.unavailable',
      'The query engine is out of memory because of too many requests at once.',
      {
        hint: 'Try again in a few seconds.',
        cause,
      },
    )
  const raw = plain(cause.message)
  if (UNREADABLE_CODES.has(cause.code) || /\berrno: \d/.test(raw))
    return new QueryError('sql.unavailable', 'The query engine cannot read its data.', {
      hint: 'Try again in a few minutes.',
      cause,
    })
  const kind = NOT_REVIEWED.test(raw)
    ? { code: 'sql.unknown_function' as const }
    : PARAMETER_VALUE.test(raw)
      ? { code: 'sql.parameter_value' as const }
      : (KINDS[Number(cause.code)] ?? { code: 'sql.failed' as const })
  const parameter = parameterOf(raw)
  const unknown = nameIn(raw)
  const nearest = suggested(raw, unknown)
  const stated = statedPlace(raw, statement.text)
  const call = ABOUT_CALLS.has(kind.code) ? argumentError(raw, statement) : {}
  const runtime =
    NOT_REVIEWED.test(raw) || kind.code === 'sql.parameter_value'
      ? undefined
      : runtimeError(cause.code, raw, statement)
  const message = MESSAGES[kind.code] ?? runtime?.message ?? call.message ?? sentence(raw, statement.text)
  const named = runtime?.parameter ?? parameter
  return new QueryError(kind.code, message === 'Syntax error.' ? syntaxError(statement, stated) : message, {
    place:
      stated ??
      runtime?.place ??
      call.place ??
      placeOfValue(raw, statement) ??
      placeOfName(raw, statement) ??
      (ABOUT_CALLS.has(kind.code) ? placeOfExecuted(raw, statement) : undefined),
    ...(named !== undefined && { parameter: named }),
    hint:
      [
        nearest.length > 0 ? `Did you mean ${listed(nearest)}?` : undefined,
        NO_FROM.test(raw) ? 'The query has no FROM clause.' : undefined,
        runtime?.hint,
        CLOSED_FUNCTION.test(raw) ? undefined : kind.hint,
      ]
        .filter(part => part !== undefined)
        .join(' ') || undefined,
    ...(nearest.length > 0 && { facts: { nearest: nearest.join(',') } }),
    cause,
  })
}

/** Characters of an engine message that are read: it may echo the whole statement. */
const LONGEST_MESSAGE = 4000

/** The engine's text without its frame: code, version, exception class, path and query echo. */
function plain(message: string): string {
  return message
    .slice(0, LONGEST_MESSAGE)
    .replace(/^Code: \d+\.\s*/, '')
    .replace(/^(?:DB::Exception:\s*)+/, '')
    .replace(/\s*\([A-Z_0-9]+\)\s*(?:\(version [^)]*\))?\s*$/, '')
    .replace(/\(version \d[^)]*\)/g, '')
    .replace(/(?<![\w`'"])\/(?:[\w.@+-]+\/)+[\w.@+-]*/g, '…')
    .trim()
}

const GATE = / is not open to queries/
/** Names that only the engine and this program use: a query that does not name them has no use for them. */
const INTERNAL = /\bbase\.\w+|\b__\w+/g

/** One sentence of it: what is wrong, without the scope echo, the list of expected tokens and the suggestion. */
function sentence(raw: string, text: string): string {
  const cut = raw
    .replace(/Expected one of: .*$/s, '')
    .replace(/\.?\s*Maybe you meant:? .*$/s, '')
    .replace(/Unknown table expression identifier/, 'Unknown table')
    .replace(/Unknown expression(?: or (?:function|table expression))? identifier/, 'Unknown column')
    .replace(/^Identifier '([^']+)' cannot be resolved from (?:table|subquery)\b.*$/s, 'Unknown column `$1`')
    .replace(/[:.,]?\s*(?:In|in) (?:scope|query) .*$/s, '')
    .replace(
      /^default: Cannot execute query in readonly mode\.?\s*$/,
      'Only the tables of SHOW TABLES can be read',
    )
    .replace(/: while executing .*$/s, '')
    .replace(/:? ?\(while reading from part .*$/s, '')
    .replace(/:? ?[Ww]hile (?:processing|executing|resolving) .*$/s, '')
    .replace(
      /(?:^|: )Syntax error: failed at position \d+(?: \((.*?)\))?(?: \(line \d+, col \d+\))?:?.*$/s,
      (_, near) => (near ? `Syntax error near \`${shorten(near)}\`` : 'Syntax error'),
    )
    .replace(/^There is no supertype for types (.*) because .*$/s, 'No common type for $1')
    .replaceAll('DB::Exception: ', '')
    .replaceAll('default.', '')
    .replace(/\b__table\d+\./g, '')
    .replace(/\s+/g, ' ')
    .replace(/[\s.:,]+$/, '')
  const isInternal = !GATE.test(raw) && [...cut.matchAll(INTERNAL)].some(([name]) => !text.includes(name))
  return `${shorten(isInternal || cut === '' ? 'The engine refused the query' : cut, 300)}.`
}

/** The client takes a word in brackets for the type of the error, so that the engine's own word is missing in some messages. */
function syntaxError({ text, tokens }: Statement, place: Place | undefined): string {
  const start = place && indexAt(text, place)
  const token = tokens.find(each => each.start === start)
  return token ? `Syntax error near \`${shorten(text.slice(token.start, token.end))}\`.` : 'Syntax error.'
}

const shorten = (text: string, most = 40): string => (text.length > most ? `${text.slice(0, most)}…` : text)

function statedPlace(raw: string, text: string): Place | undefined {
  const stated = /\(line (\d+), col (\d+)\)/.exec(raw)
  if (stated) return inText(Number(stated[1]), Number(stated[2]), text)
  const position = /failed at position (\d+)/.exec(raw)
  if (!position) return undefined
  // Positions and columns count bytes of UTF-8 from 1.
  const bytes = Buffer.from(text).subarray(0, Math.max(0, Number(position[1]) - 1))
  return bytes.length > 0 || position[1] === '1' ? placeAt(text, bytes.toString().length) : undefined
}

/** What the engine finds wrong behind the text, in the FORMAT line of ours, is an end that came too early. */
function inText(line: number, byteColumn: number, text: string): Place {
  const found = text.split('\n')[line - 1]
  if (found === undefined) return placeAt(text, text.trimEnd().length)
  const column =
    Buffer.from(found)
      .subarray(0, byteColumn - 1)
      .toString().length + 1
  return { line, column: Math.min(column, found.length + 1) }
}

const NAMED = [
  /Unknown (?:expression|table expression|expression or function|table|function|identifier)[^`']*identifier [`']([^`']+)[`']/,
  /Identifier [`']([^`']+)[`'] cannot be resolved/,
  /Function with name [`']([^`']+)[`'] does not exist/,
  /Unknown table function ([\w.]+)/,
  /Unknown (?:aggregate )?function ([\w.]+)/,
  /Database [`']?([\w.]+)[`']? does not exist/,
  /Table [`']?([\w.]+)[`']? does not exist/,
  /Missing columns: '([^']+)'/,
  /Column [`']([^`']+)[`'] is not under aggregate/,
  /Substitution `([^`]+)` is not set/,
  /^(?:Function|Table) ([\w.]+) is not/,
  /Cannot modify '(\w+)' setting/,
]

/** Parts of a name that are looked for. A text value in a message can pass for a name with thousands of parts. */
const MOST_PARTS = 8

const nameIn = (raw: string): string | undefined =>
  NAMED.map(pattern => pattern.exec(raw)?.[1]).find(found => found !== undefined)

/** Where the name that the engine complains about stands in the text, outside strings and comments. */
function placeOfName(raw: string, statement: Statement): Place | undefined {
  const name = nameIn(raw)
  if (name === undefined) return undefined
  const parts = name.split('.').slice(-MOST_PARTS)
  const named = statement.tokens.map(token => (isName(token) ? token.value : undefined))
  for (let from = 0; from < parts.length; from++) {
    const start = startOfName(statement, named, parts.slice(from))
    if (start !== undefined) return placeAt(statement.text, start)
  }
  return undefined
}

function startOfName(
  { tokens }: Statement,
  named: readonly (string | undefined)[],
  parts: readonly string[],
): number | undefined {
  for (const [i, token] of tokens.entries()) {
    const isHere = parts.every(
      (part, n) => named[i + 2 * n] === part && (n === 0 || tokens[i + 2 * n - 1]?.value === '.'),
    )
    if (isHere) return token.start
  }
  return undefined
}

/** What the engine suggests, without far names and names of other databases: these may be of other users. */
function suggested(raw: string, unknown: string | undefined): readonly string[] {
  const meant = /Maybe you meant:? (?:\[([^\]]*)\]|([\w.]+))/.exec(raw)
  const names = (meant?.[1] ?? meant?.[2])?.replaceAll("'", '').replaceAll('default.', '').trim()
  return (
    names
      ?.split(', ')
      .filter(name => !/^(?:base|uploads_)/.test(name) && name !== unknown)
      .filter(name => unknown === undefined || costOf(lastPart(unknown), lastPart(name)) !== undefined) ?? []
  )
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

function parameterOf(raw: string): string | undefined {
  return (
    /Substitution `([^`]+)` is not set/.exec(raw)?.[1] ??
    /query parameter '([^']+)'/.exec(raw)?.[1] ??
    undefined
  )
}
