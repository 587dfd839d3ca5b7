import { NO_UPLOADS, type OpenUploads } from './names.ts'
import { CONTROL_CHARACTERS, FORMAT_CLOSED, UNCHECKED } from './refusals.ts'
import { formatNamed, refusalOfText } from './text.ts'
import { refusalOfTree } from './tree.ts'

export { READ_ONLY } from './refusals.ts'
export { formatNamed, refusalOfParameters } from './text.ts'

/** What the engine's own parser says of a single statement; nothing here reads the SQL that was sent. */
export type Parsed = {
  /** The answer to `EXPLAIN AST` as raw text. */
  readonly tree: string
  /** The statement as `formatQuerySingleLine` writes it, and that once more. */
  readonly formatted: string
  readonly formattedAgain: string
}

/** Asks the engine for the tree of a statement. */
export const EXPLAIN = 'EXPLAIN AST '

/** Asks the engine for `formatted` and `formattedAgain`, as one row of two texts. */
export const formattingOf = (sql: string): string =>
  `SELECT formatQuerySingleLine('${sql.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}') AS formatted, formatQuerySingleLine(formatted)`

/** How long the text of `formattingOf` may get for a statement within its own limit, in bytes. */
export const MAX_FORMATTING_BYTES = 4 * 2 ** 20

/** Reads the answer to `formattingOf` in the format `JSONCompactEachRow`. */
export function readFormatting(answer: string): Pick<Parsed, 'formatted' | 'formattedAgain'> {
  const [formatted, formattedAgain] = JSON.parse(answer) as [string, string]
  return { formatted, formattedAgain }
}

/** The clause that ClickHouse's client adds: a plain name, in formats that cannot contain arbitrary bytes. */
const CLIENT_FORMAT = /\bFORMAT\s+(JSON\w*|TSV)\s*;?(?:\s|--[^\n]*(?:\n|$))*$/

/** The tree of `SHOW TABLES` leaves out its `WHERE`: only these forms pass. */
const SHOW_TABLES = /^SHOW TABLES(?: LIKE '[^'\\]*')?(?: FORMAT \w+)?$/

/** The tree hides the settings of `EXPLAIN`: switches before a SELECT are the only form that passes. */
const EXPLAIN_SETTINGS =
  /^EXPLAIN (?:(PLAN|PIPELINE|SYNTAX|QUERY TREE|AST) )?([a-z_]+ = [01](?:, [a-z_]+ = [01])*) (?:\(|SELECT |WITH )/

/**
 * Settings by the kind of `EXPLAIN`. Left out: `graph` of AST and, on older servers, `compact` of PIPELINE, whose graphs print
 * addresses of the engine's memory, and whatever a new version adds.
 */
const OPEN_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  PLAN: ['actions', 'description', 'header', 'indexes', 'json', 'optimize', 'projections', 'sorting'],
  PIPELINE: ['graph', 'header'],
  SYNTAX: ['oneline', 'run_query_tree_passes'],
  'QUERY TREE': ['dump_ast', 'dump_tree', 'run_passes'],
  AST: ['optimize'],
}

/** Whether a statement is an `EXPLAIN` with settings that are all open. */
function hasOpenSettings(formatted: string): boolean {
  const [, kind = 'PLAN', settings = ''] = EXPLAIN_SETTINGS.exec(formatted) ?? []
  const names = settings.split(', ').map(setting => setting.replace(/ = .*/, ''))
  return names.every(name => OPEN_SETTINGS[kind]?.includes(name))
}

/**
 * Why users may not send a statement, as a sentence; undefined if they may. Closes what `readonly=1` leaves open: a
 * read-only connection of the embedded engine may read files with `file('…')`, lift its limits by `SETTINGS` in a
 * subquery, and look at the machine and at other people's queries in `system`. `uploads` are databases of the asker's own
 * uploads, the only ones of that kind that open.
 */
export function gate(
  sql: string,
  { tree, formatted, formattedAgain }: Parsed,
  uploads: OpenUploads = NO_UPLOADS,
): string | undefined {
  if (sql.includes('\0')) return CONTROL_CHARACTERS
  // What the formatter writes must mean what it read.
  if (formatted !== formattedAgain) return UNCHECKED
  return (
    refusalOfTree(tree, hasOpenSettings(formatted), SHOW_TABLES.test(formatted), uploads) ??
    refusalOfText(formatted, uploads) ??
    refusalOfFormat(sql, formatted)
  )
}

/** A freely chosen format would let a query send arbitrary bytes to the program that reads its result. */
function refusalOfFormat(sql: string, formatted: string): string | undefined {
  const format = formatNamed(formatted)
  return format === undefined || CLIENT_FORMAT.exec(sql)?.[1] === format ? undefined : FORMAT_CLOSED
}

/** A syntax error names its place in the text that was parsed; users know theirs, without our words before it. */
export function placesShiftedBack(message: string): string {
  const before = (place: string) => String(Number(place) - EXPLAIN.length)
  return message.replace(/(?<=at position )\d+/, before).replace(/(?<=\(line 1, col )\d+/, before)
}
