import { AssayError } from '#kernel/errors.ts'

/** What goes wrong in the store of state; `code` is `store.…`. Errors of SQL itself stay those of `pg`. */
export class StoreError extends AssayError {}
