import { AssayError } from '#kernel/errors.ts'

/** A fault in what editors wrote: file, line and reason. */
export class ContentError extends AssayError {}
