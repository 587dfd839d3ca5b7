import { quotedName } from '../results/resultSql.ts'

/**
 * SQL that hashes the rows of a relation: exactly, and with floats rounded. The hash is of the rows alone, whatever their order:
 * a row is its cells one after the other, each as `length:text` or `~` for null; hashes of rows are sorted and hashed together.
 */

type HashedColumn = { readonly name: string; readonly type: string }

const isHex = (type: string): boolean => /^(?:Nullable\()?(?:LowCardinality\()?FixedString/.test(type)
const isFloat = (type: string): boolean => /^(?:Nullable\()?B?Float/.test(type)
const isSmallFloat = (type: string): boolean => /BFloat16|Float32/.test(type)
const hasTime = (type: string): boolean =>
  /^(?:Nullable\()?(?:LowCardinality\()?(?:Nullable\()?DateTime/.test(type)

/** The text of a cell that is not null. */
function textOf(type: string, cell: string, isRounded: boolean): string {
  if (isHex(type)) return `lower(hex(${cell}))`
  if (hasTime(type)) return `toString(toTimeZone(${cell}, 'UTC'))`
  if (!isFloat(type)) return `toString(${cell})`
  // Plus zero: a negative zero is zero.
  const number = `(toFloat64(${cell}) + 0)`
  const odd = `isNaN(${number}), 'nan', isInfinite(${number}), if(${number} > 0, 'inf', '-inf')`
  return isRounded
    ? `multiIf(${odd}, printf('%.${isSmallFloat(type) ? 5 : 8}e', ${number}))`
    : `multiIf(${odd}, toString(reinterpretAsUInt64(${number})))`
}

function rowSql(columns: readonly HashedColumn[], isRounded: boolean): string {
  const cells = columns.map(({ name, type }) => {
    const column = quotedName(name)
    if (/^(?:Nullable\()?Nothing/.test(type)) return "'~'"
    const mayBeNull = /Nullable|Variant|Dynamic/.test(type)
    const text = textOf(type, mayBeNull ? `assumeNotNull(${column})` : column, isRounded)
    const cell = `arrayMap(t -> concat(toString(length(t)), ':', t), [${text}])[1]`
    return mayBeNull ? `if(isNull(${column}), '~', ${cell})` : cell
  })
  // The engine's `concat` takes no single argument.
  return `SHA256(concat('', '', ${cells.join(', ')}))`
}

const ofAll = (row: string): string => `lower(hex(SHA256(arrayStringConcat(arraySort(groupArray(${row}))))))`

/** One row: exact hash, rounded hash, number of the rows of `relation`. Its own names are none that a query would give. */
export function rowsHashSql(columns: readonly HashedColumn[], relation: string): string {
  const exact = rowSql(columns, false)
  const rounded = rowSql(columns, true)
  const isSame = rounded === exact
  return `SELECT
  ${ofAll('__exact_row')} AS __exact,
  ${isSame ? '__exact' : ofAll('__rounded_row')} AS __rounded,
  toString(count()) AS __row_count
FROM (
  SELECT ${exact} AS __exact_row${isSame ? '' : `, ${rounded} AS __rounded_row`}
  FROM ${relation}
)`
}

/** Hash of no rows. */
export const NO_ROWS_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
