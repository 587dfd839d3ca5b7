import { QueryError } from '../../errors.ts'
import type { StoredResult } from '../resultFiles.ts'
import type { ResultView } from '../resultSql.ts'
import { SHEET_COLUMNS, SHEET_ROWS, workbook } from './workbook.ts'

export { xlsxSql } from './xlsxSql.ts'

/** Throws `sql.too_large` for a result that no sheet holds. */
export function requireFits({ rowCount, columns }: StoredResult, view: ResultView): void {
  const rows = Math.min(rowCount, view.window?.limit ?? rowCount)
  const width = view.columns?.length ?? columns.length
  if (rows < SHEET_ROWS && width <= SHEET_COLUMNS) return
  throw new QueryError(
    'sql.too_large',
    `A sheet holds ${SHEET_ROWS - 1} rows of ${SHEET_COLUMNS} columns, and this result is larger.`,
    { hint: 'Export it as CSV or Parquet, or add a LIMIT.' },
  )
}

/** The workbook of a view, as it is written. `rows` are what the engine made of `xlsxSql`. */
export function workbookOf(
  result: StoredResult,
  view: ResultView,
  rows: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const isPart = (view.filters ?? []).length > 0
  const { window } = view
  return workbook({
    columns: (view.columns?.map(position => result.columns[position]) ?? result.columns).map(
      column => column?.name ?? '',
    ),
    rows,
    about: [
      ['Rows of the result', String(result.rowCount)],
      ...(result.isTruncated
        ? [['Cut', `The query has more rows: cut at the limit of ${result.rowLimit}`] as const]
        : []),
      ...(isPart ? [['Filter', 'Only rows that pass the filters of the screen'] as const] : []),
      ...(window === undefined
        ? []
        : [['Rows', `At most ${window.limit}, from row ${window.offset + 1}`] as const]),
      ['Run at', result.createdAt],
      ['Data version', result.dataVersion],
      ...(result.asOf ?? []).map(
        ({ chain, height, time }) => [`Newest block of ${chain}`, `${height ?? ''} ${time}`] as const,
      ),
      ['Result', result.hash],
      ...Object.entries(result.parameters).map(([name, value]) => [`Parameter ${name}`, value] as const),
      ['Time zone', 'UTC'],
      ['SQL', result.sql],
    ],
  })
}
