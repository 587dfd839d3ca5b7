import { csvRow } from '#kernel/sqlCells.ts'
import { toCsv } from './csv.ts'
import { type DecodedRows, decodeRows } from './decodeRows.ts'

/** How rows are written: `json` is a list of lists, `csv` has a header line. */
export type TextForm = 'json' | 'csv'

/** Rows as text, with their columns and counts. */
export type RowsText = Omit<DecodedRows, 'rows'> & { readonly text: Uint8Array; readonly rowCount: number }

/** Writes the rows of the engine's answer, at most `maxRows` of them. Throws what `decodeRows` throws. */
export async function rowsText(bytes: Buffer, maxRows: number, form: TextForm): Promise<RowsText> {
  const { rows, ...rest } = await decodeRows(bytes, maxRows)
  const text =
    form === 'json'
      ? JSON.stringify(rows)
      : toCsv(
          rest.columns.map(({ name }) => name),
          rows.map(row => csvRow(rest.columns, row)),
        )
  return { ...rest, text: Buffer.from(text), rowCount: rows.length }
}
