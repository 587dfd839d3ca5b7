import { AssayError } from '#kernel/errors.ts'

/** A recording or an answer that does not have the shape it should; `facts.field` names the place. */
export class SourceError extends AssayError {}
