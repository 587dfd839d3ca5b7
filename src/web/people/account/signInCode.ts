import { SIGN_IN_ERRORS, signInError } from '../../pages/plans/signInErrors.ts'

/** During which step of sign-in something went wrong: it names what has no name of its own. */
export type SignInStep = 'login_failed' | 'get_access_token_failed'

export type SignInProblem = {
  readonly code: string
  readonly title: string
  readonly meaning: string
  readonly remedy: string
  /** What the library or the provider called it, for whoever is asked for help. */
  readonly raw: string
}

/** Names by which a provider says that the kept session is over. */
const OVER = new Set(['invalid_grant', 'missing_refresh_token', 'login_required', 'invalid_refresh_token'])

const nameIn = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'error' in error && typeof error.error === 'string'
    ? error.error
    : undefined

/** How the library says that no attempt was answered within its limit: an error without a name. */
const SLOW = "Timeout when executing 'fetch'"

/** Whether the kept session is over, so that it is to be forgotten. */
export const isSessionOver = (error: unknown): boolean => OVER.has(nameIn(error) ?? '')

/** What an error of the identity provider or its library means to a reader. */
export function signInProblem(error: unknown, during: SignInStep): SignInProblem {
  const said = error instanceof Error ? error.message : ''
  const name = nameIn(error) ?? (said === SLOW ? 'timeout' : undefined)
  const code = name !== undefined && signInError(name) !== undefined ? name : during
  const words = signInError(code) ?? SIGN_IN_ERRORS.get('login_failed')
  return {
    code,
    title: words?.title ?? '',
    meaning: words?.meaning ?? '',
    remedy: words?.remedy ?? '',
    raw: [name, said === name ? undefined : said].filter(Boolean).join(': ') || 'unknown',
  }
}
