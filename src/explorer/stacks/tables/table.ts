import type { AppTable } from '../../apps/index.ts'

/** A table of a page about Stacks: one statement on public tables, which readers may open and run. */
export type StacksTable = Omit<AppTable, 'sql'> & { readonly sql: string }

/** SQL: an amount of STX as cells read it, with its decimals and name beside it. */
export const stx = (expression: string, name: string): string =>
  `${expression} AS ${name}, 6 AS ${name}_decimals, 'STX' AS ${name}_symbol`
