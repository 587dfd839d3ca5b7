/** Files that a result can be saved as. */
export const EXPORTS = [
  { format: 'csv', label: 'CSV', about: 'Spreadsheets and most tools' },
  { format: 'jsonl', label: 'JSON lines', about: 'One JSON object per line' },
  { format: 'parquet', label: 'Parquet', about: 'Typed columns, compressed' },
  { format: 'arrow', label: 'Arrow', about: 'Arrow IPC stream' },
  { format: 'xlsx', label: 'Excel (XLSX)', about: 'Up to 1,048,575 rows and 16,384 columns' },
  { format: 'native', label: 'Native', about: 'ClickHouse’s own format' },
] as const
export type ExportFormat = (typeof EXPORTS)[number]['format']

/** A sheet has 1,048,576 rows, of which the header takes one. */
export const SHEET_ROWS = 1_048_575
export const SHEET_COLUMNS = 16_384
/** Rows that a reader without the query feature may export. */
export const OPEN_ROWS = 10_000
const OPEN_FORMATS: readonly ExportFormat[] = ['csv', 'jsonl']

/** Why a format is not available for rows of this extent; undefined where it is. */
export function exportLock(
  format: ExportFormat,
  { rows, columns, mayExport }: { rows: number; columns: number; mayExport: boolean },
): { reason: 'plan' | 'size'; text: string } | undefined {
  if (!mayExport && !OPEN_FORMATS.includes(format)) return { reason: 'plan', text: 'Premium' }
  if (!mayExport && rows > OPEN_ROWS) return { reason: 'plan', text: 'Up to 10,000 rows. More with Premium' }
  if (format === 'xlsx' && rows > SHEET_ROWS)
    return { reason: 'size', text: 'Too many rows: a sheet takes 1,048,575' }
  if (format === 'xlsx' && columns > SHEET_COLUMNS)
    return { reason: 'size', text: 'Too many columns: a sheet takes 16,384' }
  return undefined
}
