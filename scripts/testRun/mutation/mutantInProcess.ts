/** The environment variable that names the mutant of a process. */
export const MUTANT = 'ASSAY_MUTANT'

/** What stands from `start` to `end` of a module becomes `text`. */
export type Change = { readonly start: number; readonly end: number; readonly text: string }

/** `module` is the file URL of the module to change. */
export type MutantInProcess = Change & { readonly module: string }

export const applied = (text: string, { start, end, text: put }: Change): string =>
  text.slice(0, start) + put + text.slice(end)
