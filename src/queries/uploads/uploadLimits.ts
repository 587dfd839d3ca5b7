/** What one owner may upload. */
export type UploadLimits = {
  /** Size of one file, and of a spreadsheet or other compressed file once it is unpacked. */
  readonly fileBytes: number
  readonly unpackedBytes: number
  readonly rows: number
  readonly columns: number
  readonly cellCharacters: number
  readonly tables: number
}

export const UPLOAD_LIMITS: UploadLimits = {
  fileBytes: 100 * 2 ** 20,
  unpackedBytes: 1024 * 2 ** 20,
  rows: 5_000_000,
  columns: 500,
  cellCharacters: 1_000_000,
  tables: 20,
}
