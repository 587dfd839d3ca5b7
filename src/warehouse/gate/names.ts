import { nameCost, nearestNames } from '#kernel/nearest.ts'
import {
  AGGREGATES,
  CLOSED_FAMILIES,
  CLOSED_TABLE_FAMILIES,
  COMBINATORS,
  HIGHER_ORDER,
  OPEN_FAMILIES,
} from './functions.ts'

/**
 * Table functions that make rows from their arguments alone. Those that take a column list are closed but for `values`:
 * `'a UInt8, b String ALIAS file(…)'` holds SQL as text.
 */
const TABLE_FUNCTIONS = new Set(
  [
    'numbers',
    'numbers_mt',
    'zeros',
    'zeros_mt',
    'generateSeries',
    'generate_series',
    'primes',
    'values',
    'view',
  ].map(name => name.toLowerCase()),
)

/** Tables of `system` that describe the language and the columns, not the machine or other users. */
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

/** Functions that take a table by its bare name on their right. */
export const IN_FUNCTION = /^(?:global)?(?:not)?(?:null)?in(?:ignoreset)?$/i

/** Longer than any name of a function with its combinators, characters. */
const LONGEST_NAME = 120

const wordsOf = (names: string): string[] => names.toLowerCase().trim().split(/\s+/)

const OPEN_NAMES = OPEN_FAMILIES.flatMap(({ names }) => names.trim().split(/\s+/))
const OPEN = new Set(OPEN_FAMILIES.flatMap(({ names }) => wordsOf(names)))
const OPEN_AGGREGATES = new Set(
  OPEN_FAMILIES.filter(({ family }) => family === AGGREGATES).flatMap(({ names }) => wordsOf(names)),
)
const REASONS = new Map(
  [...CLOSED_TABLE_FAMILIES, ...CLOSED_FAMILIES].flatMap(({ names, reason }) =>
    wordsOf(names).map(name => [name, reason] as const),
  ),
)
const TAKES_FUNCTION = new Set(wordsOf(HIGHER_ORDER))
const SUFFIXES = COMBINATORS.map(name => name.toLowerCase())

/** Whether a function is on the reviewed list, in any spelling; aggregates with any combinators behind them. */
export const isOpenFunction = (name: string): boolean => OPEN.has(name.toLowerCase()) || isOpenAggregate(name)

/** Every function that user queries may call, as the engine spells it. */
export const OPEN_FUNCTIONS: readonly { readonly name: string; readonly isAggregate: boolean }[] =
  OPEN_FAMILIES.flatMap(({ family, names }) =>
    names
      .trim()
      .split(/\s+/)
      .map(name => ({ name, isAggregate: family === AGGREGATES })),
  )

export function isOpenAggregate(name: string): boolean {
  if (name.length > LONGEST_NAME) return false
  const lower = name.toLowerCase()
  if (OPEN_AGGREGATES.has(lower)) return true
  return SUFFIXES.some(suffix => lower.endsWith(suffix) && isOpenAggregate(lower.slice(0, -suffix.length)))
}

export const isHigherOrder = (name: string): boolean => TAKES_FUNCTION.has(name.toLowerCase())

export const isOpenTableFunction = (name: string): boolean => TABLE_FUNCTIONS.has(name.toLowerCase())

/** Why a function is closed where it is written; for a name that is on no list, which names of open functions are near. */
export function closedFunction(given: string): string {
  const name = given.length > LONGEST_NAME ? `${given.slice(0, LONGEST_NAME)}…` : given
  const closed = `Function ${name} is not open to queries`
  const reason = REASONS.get(name.toLowerCase())
  if (reason !== undefined) return `${closed}. It ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`
  if (isOpenTableFunction(name)) return `${closed}. It makes a table, so write it after FROM.`
  if (isOpenFunction(name)) return `${closed}. It returns a value, not a table.`
  const near = nearestNames(name, OPEN_NAMES).filter(each => nameCost(name, each) <= MOST_COST)
  return `${closed}: it is not on the list of reviewed functions.${near.length === 0 ? '' : ` Maybe you meant: [${near.map(each => `'${each}'`).join(', ')}]`}`
}

/** Farther names have nothing to do with the one written. */
const MOST_COST = 0.5

/** Databases of uploads that the asker owns. Every other database of an upload is closed, whoever names it. */
export type OpenUploads = ReadonlySet<string>
export const NO_UPLOADS: OpenUploads = new Set()

/** How databases of uploads begin. */
const UPLOADS = /^uploads_/i

/**
 * Why a table may not be read. Users read one database and their own uploads: what else a server holds is closed, whatever
 * its user may read.
 */
export function refusalOfTable(name: string, uploads: OpenUploads = NO_UPLOADS): string | undefined {
  // The engine opens a file of that name as a table.
  if (/[/\\*?:{}~]/.test(name)) return closedTable(name)
  const [database = '', table] = splitName(name)
  if (table === undefined) return undefined
  // A name with a dot in our own database is the engine's way to a file.
  if (database === 'default') return table.includes('.') ? closedTable(name) : undefined
  if (uploads.has(database)) return table.includes('.') ? closedTable(name) : undefined
  return refusalOfName(name) ?? (isShared(database) ? undefined : closedTable(name))
}

/** Why a dotted name may not stand anywhere in a query: its first part is a database that holds more than is open. */
export function refusalOfName(name: string, uploads: OpenUploads = NO_UPLOADS): string | undefined {
  const [database = '', table] = splitName(name)
  if (table === undefined) return undefined
  const closed = closedTable(name)
  if (UPLOADS.test(database) && !uploads.has(database)) return closed
  switch (database.toLowerCase()) {
    case 'system':
      return SYSTEM_TABLES.has(table.split('.')[0] ?? '') ? undefined : closed
    case 'information_schema':
      return /^(tables|columns)(\.|$)/i.test(table) ? undefined : closed
    case 'base':
      return `${closed} Read ${table.split('.')[0]}: the committed rows of it.`
    default:
      return undefined
  }
}

const isShared = (database: string): boolean => /^(system|information_schema)$/i.test(database)
const closedTable = (name: string): string =>
  `Table ${name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name} is not open to queries.`

function splitName(name: string): [string, string | undefined] {
  const dot = name.indexOf('.')
  return dot < 0 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)]
}
