import { ApiRefusal } from '../api.ts'
import { apiHref } from '../apiHref.ts'
import type { People } from './peopleState.ts'

type Question = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: object
  readonly signal?: AbortSignal
  /** Goes out although the page is left. */
  readonly isKept?: boolean
}

/** Asks our API as whoever is signed in. Undefined for an answer without a body. Throws `ApiRefusal`. */
export async function askPerson(
  people: Pick<People, 'headers'>,
  path: string,
  { method = 'GET', body, signal, isKept = false }: Question = {},
): Promise<unknown> {
  const headers = await people.headers()
  const answer = await fetch(apiHref(path), {
    method,
    headers: { accept: 'application/json', ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
    keepalive: isKept,
  })
  const found: unknown = answer.status === 204 ? undefined : await answer.json().catch(() => undefined)
  if (answer.ok) return found
  throw new ApiRefusal(
    typeof found === 'object' && found !== null && 'detail' in found && 'status' in found
      ? (found as ApiRefusal['problem'])
      : {
          type: 'about:blank',
          title: 'No answer',
          status: answer.status,
          detail: `The server answered ${answer.status} without a reason. Try again in a moment.`,
          code: 'web.no_reason',
        },
    Number(answer.headers.get('retry-after')) || undefined,
  )
}

/** What a refusal or a lost connection means to a reader, in one sentence or two. */
export const wordsOf = (error: unknown): string =>
  error instanceof ApiRefusal
    ? [error.problem.detail, error.problem.hint].filter(Boolean).join(' ')
    : 'The server could not be reached. Check the connection, then try again.'
