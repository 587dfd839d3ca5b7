import { data } from 'react-router'
import type { Failure } from './failure.ts'
import { problemOf } from './problemOf.server.ts'

/**
 * Answers what the API answers; turns its refusals into the page’s own 404, 400 or 503 with a clear sentence.
 * `pathOf` is the page of a name: names close to an unknown one become links.
 * @throws a `data` response that `PageError` draws
 */
export async function answering<T>(
  what: string,
  ask: () => Promise<T>,
  pathOf?: (name: string) => string,
): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    const problem = problemOf(thrown)
    // A malformed id names nothing: for a reader that is the same as an unknown one.
    const isUnknown = problem?.status === 404 || problem?.status === 400
    const nearest = pathOf && problem?.nearest?.map(name => ({ path: pathOf(name), label: name }))
    const failure: Failure = {
      title: isUnknown ? `${what} is not here` : `${what} cannot be read now`,
      detail:
        isUnknown && problem
          ? problem.detail
          : 'The warehouse did not answer. Nothing is lost; try again in a moment.',
      hint: isUnknown && !nearest ? problem?.hint : undefined,
      code: problem?.code,
      nearest: nearest ?? [],
    }
    throw data(failure, { status: isUnknown ? 404 : 503 })
  }
}
