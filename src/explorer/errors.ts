import { AssayError } from '#kernel/errors.ts'

/** `explorer.…`: what was asked for is not held. `facts.nearest` lists heights that are, separated by commas. */
export class ExplorerError extends AssayError {}

/** A name that none of these chains has. */
export const unknownLayer = (layer: string, known: readonly string[]): ExplorerError =>
  new ExplorerError('explorer.layer', `There is no layer ${layer.slice(0, 40)}.`, {
    hint: `Available: ${known.join(', ')}.`,
    facts: { layer: layer.slice(0, 40) },
  })
