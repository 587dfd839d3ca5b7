import { AssayError } from '#kernel/errors.ts'

/** A fault of a file in `catalog/`; `code` is `catalog.…`, `facts` name file and field. */
export class CatalogError extends AssayError {}
