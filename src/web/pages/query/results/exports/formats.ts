/** Files that a result can be saved as. */
export const EXPORTS = [
  { format: 'csv', label: 'CSV', about: 'Spreadsheets and most tools' },
  { format: 'xlsx', label: 'Excel', about: 'Up to 1,048,575 rows. Large numbers as text' },
  { format: 'json-array', label: 'JSON', about: 'One list of objects' },
  { format: 'jsonl', label: 'JSON lines', about: 'One JSON object per line' },
  { format: 'parquet', label: 'Parquet', about: 'Typed columns, compressed' },
  { format: 'arrow', label: 'Arrow', about: 'Arrow IPC stream' },
  { format: 'native', label: 'Native', about: 'ClickHouse’s own format' },
] as const
export type ExportFormat = (typeof EXPORTS)[number]['format']

/** Rows that a reader without the query feature may export. */
export const OPEN_ROWS = 10_000
/** Rows of a sheet below the names of the columns. */
const SHEET_ROWS = 1_048_575
const OPEN_FORMATS: readonly ExportFormat[] = ['csv', 'json-array', 'jsonl']

/** Why a format is not available for so many rows; undefined where it is. */
export function exportLock(
  format: ExportFormat,
  { rows, mayExport }: { rows: number; mayExport: boolean },
): string | undefined {
  if (format === 'xlsx' && rows > SHEET_ROWS) return 'Too many rows for a sheet'
  if (!mayExport && !OPEN_FORMATS.includes(format)) return 'Premium'
  if (!mayExport && rows > OPEN_ROWS) return 'Up to 10,000 rows. More with Premium'
  return undefined
}
