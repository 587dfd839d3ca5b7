import { open } from 'node:fs/promises'
import { UploadError } from '../uploadError.ts'

export type FileKind = 'csv' | 'tsv' | 'xlsx' | 'parquet'

const HEAD_BYTES = 8

/** Format of a file by its first bytes; text files by their name. Throws `uploads.unreadable` for what cannot be read. */
export async function fileKind(path: string, fileName: string): Promise<FileKind> {
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const head = buffer.toString('latin1')
    if (head.startsWith('PAR1')) return 'parquet'
    if (head.startsWith('PK\x03\x04')) return 'xlsx'
    if (head.startsWith('\xd0\xcf\x11\xe0'))
      throw refused(
        'The file is an old Excel file (XLS) or has a password.',
        'Save it as XLSX or CSV without a password.',
      )
    if (head.startsWith('\x1f\x8b') || head.startsWith('BZh') || head.startsWith('\x28\xb5\x2f\xfd'))
      throw refused('The file is compressed.', 'Unpack it, then upload what is in it.')
    if (head.startsWith('%PDF'))
      throw refused('The file is a PDF.', 'Upload the table as CSV, XLSX or Parquet.')
  } finally {
    await file.close()
  }
  if (/\.(?:parquet|pq)$/i.test(fileName))
    throw refused('The file is not a Parquet file.', 'Write it again, or upload CSV.')
  if (/\.xls[xm]?$/i.test(fileName))
    throw refused('The file is not a spreadsheet.', 'Save it as XLSX or CSV.')
  return /\.(?:tsv|tab)$/i.test(fileName) ? 'tsv' : 'csv'
}

const refused = (message: string, hint: string): UploadError =>
  new UploadError('uploads.unreadable', message, { hint })
