import { AssayError, type Facts } from '#kernel/errors.ts'

/** Who asks could not be proved, or may not do that; `code` is `accounts.…`. Says nothing of what was sent. */
export class AccountError extends AssayError {}

/** 429: how long to wait stands in `retryAfterSeconds`. */
export const tooMany = (what: string, milliseconds: number): AccountError => {
  const retryAfterSeconds = Math.max(1, Math.ceil(milliseconds / 1000))
  const facts: Facts = { retryAfterSeconds }
  return new AccountError('accounts.too_many', `Too many ${what} in a short time.`, {
    facts,
    hint: `Try again in ${waitOf(retryAfterSeconds)}.`,
  })
}

/** 401: the token was ours, and access to its account has ended since. */
export const sessionEnded = (): AccountError =>
  new AccountError('accounts.expired', 'The session of this token has ended.', { hint: 'Sign in again.' })

/** 403: the key is limited to other saved queries. */
export const limitedKey = (): AccountError =>
  new AccountError('accounts.key_queries', 'This key only runs the saved queries that it was made for.', {
    hint: 'Run one of them with POST /api/v1/queries/{id}/runs, or use a key without this limit.',
  })

export const waitOf = (seconds: number): string =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
