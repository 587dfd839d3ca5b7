import { data } from 'react-router'
import { grouped } from '../format/figure.ts'
import type { Failure } from './failure.ts'
import { problemOf } from './problemOf.server.ts'

/** Pages of one kind, named by the end of their address. */
export type PagesOfKind = {
  readonly pathOf: (id: string) => string
  /** Id and name of each, where they are listed. */
  readonly names?: () => Promise<Iterable<readonly [id: string, name: string]>>
  /** Name of one, where they are too many for a list. */
  readonly nameOf?: (id: string) => string
}

/** Blocks of a chain, by height. */
export const blocksOf = (chain: string): PagesOfKind => ({
  pathOf: height => `/${chain}/block/${height}`,
  nameOf: height => `Block ${grouped(height)}`,
})

/**
 * Answers what the API answers; turns its refusals into the page’s own 404, 400 or 503 with a clear sentence.
 * @param pages given where the address itself names what is asked for: names close to an unknown one become links, and where all
 * names are listed, an unknown one is an unknown page
 * @throws a `data` response that `PageError` draws
 */
export async function answering<T>(what: string, ask: () => Promise<T>, pages?: PagesOfKind): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    const problem = problemOf(thrown)
    // A malformed id names nothing: for a reader that is the same as an unknown one.
    const isUnknown = problem?.status === 404 || problem?.status === 400
    const nearest = await nearestOf(problem?.nearest ?? [], pages)
    const failure: Failure = {
      title: !isUnknown
        ? `Couldn’t load ${what.replace(/^(?:The|This|Its)\b/, word => word.toLowerCase())}`
        : pages?.names === undefined
          ? `${what} not found`
          : 'Page not found',
      detail: isUnknown && problem ? problem.detail : 'Warehouse unavailable. Try again in a moment.',
      hint: isUnknown && nearest.length === 0 ? problem?.hint : undefined,
      code: problem?.code,
      nearest,
    }
    throw data(failure, { status: isUnknown ? 404 : 503 })
  }
}

async function nearestOf(
  ids: readonly string[],
  pages: PagesOfKind | undefined,
): Promise<Failure['nearest']> {
  if (pages === undefined || ids.length === 0) return []
  const names = new Map(await pages.names?.())
  return ids.map(id => ({ path: pages.pathOf(id), label: names.get(id) ?? pages.nameOf?.(id) ?? id }))
}
