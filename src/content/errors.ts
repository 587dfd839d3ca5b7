import { AssayError } from '#kernel/errors.ts'

/** A fault in what editors wrote: file, line and reason. Or a question about it that has no answer. */
export class ContentError extends AssayError {}

/** A fault of a file, with its line where one is known. */
export const faultIn = (file: string, reason: string, line?: number): ContentError =>
  new ContentError('content.invalid', `${file}${line === undefined ? '' : `, line ${line}`}: ${reason}`, {
    facts: line === undefined ? { file } : { file, line },
  })
