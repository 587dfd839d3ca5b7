import { data } from 'react-router'
import type { Failure } from './failure.ts'
import { problemOf } from './problemOf.server.ts'

/** Pages of one kind, named by the end of their address. */
export type PagesOfKind = {
  readonly pathOf: (id: string) => string
  /** Id and name of each. */
  readonly names: () => Promise<Iterable<readonly [id: string, name: string]>>
}

/**
 * Answers what the API answers; turns its refusals into the page’s own 404, 400 or 503 with a clear sentence.
 * @param pages given where the address itself names what is asked for: an unknown name is an unknown page, and names close
 * to it become links
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
        ? `${what} cannot be read now`
        : pages === undefined
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
  const names = new Map(await pages.names())
  return ids.map(id => ({ path: pages.pathOf(id), label: names.get(id) ?? id }))
}
