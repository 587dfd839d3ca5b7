import { data } from 'react-router'
import type { Failure } from './failure.ts'

/** The part of our errors that a page may look at: codes and sentences are part of the contract, classes are not. */
type Told = { code: string; message: string; hint?: string; status?: number }

const isTold = (thrown: unknown): thrown is Told =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string'

const isMissing = (told: Told): boolean =>
  told.status === 404 || /(unknown|missing|absent|not_?found|none|no_such)/i.test(told.code)

const isBadRequest = (told: Told): boolean =>
  told.status === 400 || /(invalid|bad|malformed|parameter)/i.test(told.code)

/**
 * Answers what the API answers; turns its refusals into the page’s own 404, 400 or 503 with a clear sentence.
 * @throws a `data` response that `PageError` draws
 */
export async function answering<T>(what: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown
    const told = isTold(thrown) ? thrown : undefined
    const status = told && isMissing(told) ? 404 : told && isBadRequest(told) ? 400 : 503
    const failure: Failure = {
      title: status === 503 ? `${what} cannot be read now` : `${what} is not here`,
      detail: told?.message ?? 'The warehouse did not answer. Nothing is lost; try again in a moment.',
      hint: told?.hint,
      nearest: [],
    }
    throw data(failure, { status })
  }
}
