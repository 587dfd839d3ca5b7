import { AssayError } from '#kernel/errors.ts'

/** `explorer.…`: what was asked for is not held. `facts.nearest` lists heights that are, separated by commas. */
export class ExplorerError extends AssayError {}
