import { AssayError, type Facts } from '#kernel/errors.ts'

/** Why a file did not become an upload. `row` counts the rows of the file from 1, the header included. */
export class UploadError extends AssayError {
  constructor(
    code: `uploads.${string}`,
    message: string,
    more: { hint?: string | undefined; facts?: Facts; cause?: unknown } = {},
  ) {
    super(code, message, more)
  }
}

/** A row and column of the file, as the beginning of a sentence. */
export const cellWords = (row: number, column?: string): string =>
  column === undefined
    ? `Row ${row.toLocaleString('en-US')}`
    : `Row ${row.toLocaleString('en-US')}, column ${column}`
