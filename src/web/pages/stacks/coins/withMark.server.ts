import type { AsOf } from '#http/contract.ts'
import { chainMark } from '../../../blocks/load/chainMark.server.ts'
import type { LoadedFigures } from '../loadStacks.server.ts'

/** Where a page has no key figure, it is as old as its tables. */
export const withMark = <Loaded extends Pick<LoadedFigures, 'kpis' | 'mark'>>(
  loaded: Loaded,
  asOf: AsOf,
  url: URL,
): Loaded =>
  loaded.mark.asOf && loaded.kpis.some(({ value }) => value !== null)
    ? loaded
    : asOf.height === null
      ? loaded
      : { ...loaded, mark: chainMark(asOf, url) }
