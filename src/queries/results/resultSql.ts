import type { Cell } from '#kernel/sqlCells.ts'
import { sqlString } from '#warehouse/index.ts'
import type { AnswerColumn } from '../decodeRows.ts'
import { engineType } from '../engineType.ts'
import { QueryError } from '../errors.ts'
import { readingFault } from '../readingFault.ts'
import { emptyNative } from './emptyNative.ts'

/** SQL over the file of a stored result. Names are quoted, values are literals: no text of a user is read as SQL. */

export type FilterOperator =
  | 'equals'
  | 'differs'
  | 'contains'
  | 'less'
  | 'lessOrEqual'
  | 'greater'
  | 'greaterOrEqual'
  | 'isNull'
  | 'isNotNull'

/** `column` counts from 0. */
export type ResultFilter = {
  readonly column: number
  readonly operator: FilterOperator
  readonly value: string
}

/** `column` counts from 0. */
export type ResultSort = { readonly column: number; readonly isDescending: boolean }

export type ResultSource = {
  readonly path: string
  readonly columns: readonly AnswerColumn[]
  readonly rowCount: number
}

/** A range of rows, from 0, in the order of a view. */
export type RowWindow = { readonly offset: number; readonly limit: number }

export type ResultView = {
  readonly filters?: readonly ResultFilter[] | undefined
  readonly sort?: ResultSort | undefined
  /** Positions from 0. All columns by default. */
  readonly columns?: readonly number[] | undefined
  readonly window?: RowWindow | undefined
}

/** Runs statements over stored results. */
export type ResultEngine = { rowsOf(query: string): Promise<{ rows: Cell[][] }> }

export const quotedName = (name: string): string =>
  `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``

/** All stored rows in order. The file may have one row too many, and is empty if there are no rows. */
const storedRows = ({ path, rowCount, columns }: ResultSource): string =>
  rowCount === 0
    ? `SELECT * FROM format('Native', unhex('${emptyNative(columns).toString('hex')}'))`
    : `SELECT * FROM file(${sqlString(path)}, 'Native') LIMIT ${rowCount}`

/** The columns of a view in order. Throws `sql.result_column`. */
export const columnsOf = (source: ResultSource, { columns }: ResultView): readonly AnswerColumn[] =>
  columns?.map(position => columnAt(source, position)) ?? source.columns

/** Selects the rows of a view. */
export function viewSql(source: ResultSource, view: ResultView): string {
  const { filters = [], sort, window } = view
  const where = filters.map(filter => conditionOf(source, filter))
  const selected =
    view.columns === undefined
      ? '*'
      : columnsOf(source, view)
          .map(({ name }) => quotedName(name))
          .join(', ')
  return [
    `SELECT ${selected} FROM (${storedRows(source)})`,
    ...(where.length > 0 ? [`WHERE ${where.join(' AND ')}`] : []),
    ...(sort === undefined
      ? []
      : [
          `ORDER BY ${quotedName(columnAt(source, sort.column).name)} ${sort.isDescending ? 'DESC' : 'ASC'} NULLS LAST`,
        ]),
    ...(window === undefined ? [] : [`LIMIT ${window.limit} OFFSET ${window.offset}`]),
  ].join('\n')
}

export function columnAt({ columns }: ResultSource, position: number): AnswerColumn {
  const column = columns[position]
  if (column !== undefined) return column
  throw new QueryError('sql.result_column', `The result has no column ${position + 1}.`, {
    hint: `It has ${columns.length} ${columns.length === 1 ? 'column' : 'columns'}.`,
  })
}

/** The type without `Nullable`, `LowCardinality` and the like. */
export function bareType(type: string): string {
  const { name, args } = engineType(type)
  const inner = name === 'SimpleAggregateFunction' ? args.at(-1) : args[0]
  return ['Nullable', 'LowCardinality', 'SimpleAggregateFunction'].includes(name) && inner !== undefined
    ? bareType(inner)
    : type
}

export const isNumber = (type: string): boolean =>
  /^(?:U?Int\d+|Float\d+|BFloat16|Decimal)/.test(bareType(type))
export const isTime = (type: string): boolean => /^Date/.test(bareType(type))

/** Type of `SELECT NULL`, which no function accepts. */
export const isNothing = (type: string): boolean => bareType(type) === 'Nothing'

/** Types that values of a filter are compared as, and whose text can never begin as a formula does. */
const isPlain = (type: string): boolean =>
  isNumber(type) || isTime(type) || /^(?:Bool|UUID|IPv[46])$/.test(bareType(type))

/** A day or time as seconds since 1970, of every type of the engine that has one. */
export function secondsOf(type: string, name: string): string {
  const bare = bareType(type)
  if (bare.startsWith('DateTime64')) return `toFloat64(toUnixTimestamp64Milli(${name})) / 1000`
  if (bare.startsWith('DateTime')) return `toFloat64(toUnixTimestamp(${name}))`
  return `toFloat64(toInt32(${name})) * 86400`
}

const COMPARISONS: Readonly<Partial<Record<FilterOperator, string>>> = {
  equals: '=',
  differs: '!=',
  less: '<',
  lessOrEqual: '<=',
  greater: '>',
  greaterOrEqual: '>=',
}

function conditionOf(source: ResultSource, { column: position, operator, value }: ResultFilter): string {
  const column = columnAt(source, position)
  const name = quotedName(column.name)
  if (operator === 'isNull') return `isNull(${name})`
  if (operator === 'isNotNull') return `isNotNull(${name})`
  const text = column.shownAs === 'hex' ? `lower(hex(${name}))` : `toString(${name})`
  if (operator === 'contains') return `positionCaseInsensitiveUTF8(${text}, ${sqlString(value)}) > 0`
  const day = isTime(column.type) ? readingFault(`The filter of \`${column.name}\``, value) : undefined
  if (day?.code === 'sql.ambiguous_date')
    throw new QueryError(day.code, day.message, { parameter: 'filter', hint: day.hint })
  const sign = COMPARISONS[operator]
  // A number or date is compared as one: "9" is less than "10".
  const condition = isPlain(column.type)
    ? `${name} ${sign} accurateCast(${sqlString(value)}, ${sqlString(bareType(column.type))})`
    : `${text} ${sign} ${sqlString(value)}`
  return operator === 'differs' ? `(isNull(${name}) OR ${condition})` : condition
}

/**
 * The rows of a view as a CSV file has them: bytes as marked hex, and no text that a spreadsheet would run as a formula. Filters
 * and order are those of the values, not of their CSV form.
 */
export function csvSql(source: ResultSource, view: ResultView): string {
  const columns = columnsOf(source, view).map(({ name, type, shownAs }) => {
    const column = quotedName(name)
    const header = quotedName(/^[=+@\t\r\n-]/.test(name) ? `'${name}` : name)
    if (shownAs === 'hex') return `concat('\\\\x', lower(hex(${column}))) AS ${header}`
    if (isPlain(type) || isNothing(type)) return `${column} AS ${header}`
    // A lambda names the text once: wide results would exceed the length of a statement.
    return `arrayMap(t -> multiIf(isNull(t), NULL, NOT isValidUTF8(assumeNotNull(t)), concat('\\\\x', lower(hex(assumeNotNull(t)))), match(assumeNotNull(t), '^[=+@\\t\\r\\n]|^-'), concat('\\'', assumeNotNull(t)), t), [toNullable(toString(${column}))])[1] AS ${header}`
  })
  return `SELECT ${columns.join(', ')} FROM (\n${viewSql(source, view)}\n)`
}

/** JSON readers keep integers up to ±(2^53 − 1) exact. */
const SAFE = '9007199254740991'

/**
 * The rows of a view for JSON files, formatted like pages: integers beyond ±(2^53 − 1) as strings, bytes as hex. Format settings
 * turn decimals and integers inside lists into strings.
 */
export function jsonSql(source: ResultSource, view: ResultView): string {
  const columns = columnsOf(source, view).map(({ name, type, shownAs }) => {
    const column = quotedName(name)
    const bare = bareType(type)
    if (shownAs === 'hex') return `lower(hex(${column})) AS ${column}`
    if (bare === 'String')
      return `arrayMap(t -> if(isNull(t) OR (isValidUTF8(assumeNotNull(t)) AND NOT startsWith(assumeNotNull(t), '\\\\x')), t, concat('\\\\x', lower(hex(assumeNotNull(t))))), [toNullable(toString(${column}))])[1] AS ${column}`
    if (/^U?Int(?:64|128|256)$/.test(bare)) {
      const low = bare.startsWith('U') ? '0' : `-${SAFE}`
      return `if(${column} BETWEEN ${low} AND ${SAFE}, toFloat64(${column}), toString(${column})) AS ${column}`
    }
    return column
  })
  return `SELECT ${columns.join(', ')} FROM (\n${viewSql(source, view)}\n)`
}
