import { isLocalPath } from '#kernel/localPath.ts'

/** Who is signed in with an account, as the identity provider names them. */
export type AccountUser = {
  readonly sub: string
  readonly name: string | undefined
  readonly email: string | undefined
}

/** What `/config.json` says of the identity provider. */
export type AuthConfig = {
  readonly domain: string
  readonly clientId: string
  readonly audience: string
  readonly scope: string
}

/** Sign-in with an account, whichever library does it. Errors are those of the library: `signInCode` names them. */
export type AccountAuth = {
  readonly isLoading: boolean
  readonly user: AccountUser | undefined
  /**
   * Leads to the provider, for a new account if `isNew`, and back to `/callback`; in a frame, by a popup. True where it has
   * ended here.
   */
  login(returnTo: string, isNew?: boolean): Promise<boolean>
  /** Ends `login` at `/callback`: the path to go on at. */
  finish(): Promise<string>
  /** Forgets the session here and at the provider, then leads home. */
  logout(): Promise<void>
  /** Forgets the session here alone. */
  forget(): Promise<void>
  /** A token that is still good, renewed silently where it is not. */
  getToken(): Promise<string>
}

/** Where local storage and cookies would have what a session with an account leaves; nothing is loaded to find out. */
export function mayHaveAccount(): boolean {
  try {
    return Object.keys(localStorage).some(isAccountKey)
  } catch {
    return false
  }
}

/** How the keys of local storage begin under which the library keeps tokens. */
export const ACCOUNT_KEYS = '@@auth0spajs@@'
export const isAccountKey = (key: string): boolean => key.startsWith(ACCOUNT_KEYS)

/** Whether this page is the one the identity provider sends users back to. */
export const isCallback = (): boolean => window.location.pathname === '/callback'

/** A path of this site, whatever an address asks for: what is kept over a sign-in must not lead elsewhere. */
export const pathOf = (returnTo: unknown): string =>
  typeof returnTo === 'string' && isLocalPath(returnTo) && !returnTo.startsWith('/callback') ? returnTo : '/'
