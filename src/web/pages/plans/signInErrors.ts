export type SignInError = { readonly title: string; readonly meaning: string; readonly remedy: string }

const error = (title: string, meaning: string, remedy: string): SignInError => ({ title, meaning, remedy })

const AGAIN = 'Go back to where you began and sign in again.'

/** What sign-in with an account may end with: names of OpenID Connect and of its clients, in a reader's words. */
export const SIGN_IN_ERRORS: ReadonlyMap<string, SignInError> = new Map([
  ['login_failed', error('The sign-in failed', 'The identity provider did not confirm who you are.', AGAIN)],
  [
    'get_access_token_failed',
    error('The session could not be continued', 'The identity provider gave no new token for it.', AGAIN),
  ],
  [
    'missing_refresh_token',
    error(
      'The session cannot be renewed',
      'The browser no longer has what renews the session; clearing site data removes it.',
      AGAIN,
    ),
  ],
  [
    'mfa_required',
    error(
      'A second proof is needed',
      'The account requires a second factor, which a silent renewal cannot show.',
      'Sign in again, and have your second factor at hand.',
    ),
  ],
  [
    'state_mismatch',
    error(
      'The answer does not belong to this sign-in',
      'It was started in another browser or tab, or is too old. Nothing was changed.',
      `${AGAIN} Stay in one tab, and allow cookies of the site.`,
    ),
  ],
  [
    'timeout',
    error('The sign-in took too long', 'The identity provider did not answer within its time.', AGAIN),
  ],
  [
    'cancelled',
    error('The sign-in was canceled', 'Its window was closed before it ended. Nothing was changed.', AGAIN),
  ],
  [
    'access_denied',
    error('The sign-in was refused', 'You or the identity provider declined. Nothing was changed.', AGAIN),
  ],
  [
    'popup_open',
    error(
      'The window of the sign-in was not opened',
      'The browser keeps sites from opening windows.',
      `Allow windows for this site, then sign in again.`,
    ),
  ],
  ['login_required', error('You are not signed in', 'The identity provider has no session of yours.', AGAIN)],
  [
    'consent_required',
    error('Your consent is needed', 'The account has not allowed the access that the site requests.', AGAIN),
  ],
])
// An older name of the same: the browser lost what it had noted at the beginning.
const ALIASES: Readonly<Record<string, string>> = { missing_transaction: 'state_mismatch' }

/** What a code of sign-in means; undefined for every other text. */
export const signInError = (code: string): SignInError | undefined =>
  SIGN_IN_ERRORS.get(Object.hasOwn(ALIASES, code) ? (ALIASES[code] ?? code) : code)
