import { AssayError } from '#kernel/errors.ts'

/** What goes wrong in asking publishers; `code` is `sources.…`. */
export class AskError extends AssayError {}
