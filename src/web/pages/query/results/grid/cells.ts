import type { SqlColumn } from '#http/contract.ts'
import { grouped } from '../../../../format/figure.ts'
import type { Cell, Row } from './pageCache.ts'
import type { Range } from './selection.ts'

/** The engine's type without `Nullable` and `LowCardinality`. */
export const bareType = (type: string): string => type.replace(/^(?:(?:LowCardinality|Nullable)\()+/, '')

export const isNumberType = (type: string): boolean => /^(?:U?Int|Float|BFloat|Decimal)/.test(bareType(type))
export const isTimeType = (type: string): boolean => /^Date/.test(bareType(type))

/** Date types without a time. */
export const isDayType = (type: string): boolean => /^Date(?!Time)/.test(bareType(type))

/** Example value for a date or time type. Undefined for other types. */
export const timeExample = (type: string): string | undefined =>
  isDayType(type) ? '2026-01-31' : isTimeType(type) ? '2026-01-31 14:00:00' : undefined

/** The type as the header names it. Times are in UTC unless the type names another zone. */
export const typeWords = (type: string): string =>
  /DateTime/.test(type) && !type.includes("'") ? `${type}, UTC` : type

/** Letters of a cell that are drawn. The whole text is in the cell view and in every copy. */
const MOST_LETTERS = 200

const NUMBER = /^-?\d+(?:\.\d+)?$/

/** What a cell shows. Digits are grouped unless the reader asked for raw values. */
export function shownText(cell: Cell, type: string, isRaw: boolean): string {
  if (cell === null) return 'NULL'
  const text = String(cell)
  if (!isRaw && isNumberType(type) && NUMBER.test(text)) return grouped(text)
  // Line breaks would be drawn as spaces of no width.
  return (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text).replace(/[\r\n\t]+/g, ' ')
}

/** A cell in tab-separated text. NULL is empty; tabs, line breaks and quotes are quoted, as spreadsheets read them. */
function tsvCell(cell: Cell): string {
  if (cell === null) return ''
  const text = String(cell)
  return /["\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The chosen columns of rows as tab-separated lines, each with its line end. Values are raw. */
export const tsvRows = (
  rows: readonly Row[],
  { fromColumn, toColumn }: Pick<Range, 'fromColumn' | 'toColumn'>,
): string =>
  rows
    .map(
      row =>
        `${Array.from({ length: toColumn - fromColumn + 1 }, (_, at) => tsvCell(row[fromColumn + at] ?? null)).join('\t')}\n`,
    )
    .join('')

export const tsvHead = (
  columns: readonly SqlColumn[],
  { fromColumn, toColumn }: Pick<Range, 'fromColumn' | 'toColumn'>,
): string =>
  `${columns
    .slice(fromColumn, toColumn + 1)
    .map(({ name }) => tsvCell(name))
    .join('\t')}\n`
