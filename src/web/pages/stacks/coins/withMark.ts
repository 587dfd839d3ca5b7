import type { AsOf } from '#http/contract.ts'
import type { LoadedFigures } from '../loadStacks.server.ts'

/** The page is as old as its tables, also where none of its charts has a figure. */
export const withMark = <Loaded extends LoadedFigures>(loaded: Loaded, asOf: AsOf): Loaded =>
  asOf.height === null ? loaded : { ...loaded, mark: { asOf } }
