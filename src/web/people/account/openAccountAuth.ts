import { Auth0Client, type User } from '@auth0/auth0-spa-js'
import { type AccountAuth, type AccountUser, type AuthConfig, pathOf } from './accountAuth.ts'

/** The library's own defaults, written out since the specification names them. */
const HTTP_TIMEOUT_S = 10
const POPUP_TIMEOUT_S = 60
const LEEWAY_S = 60
const SESSION_DAYS = 1

type AppState = { returnTo?: string }

const userOf = (user: User | undefined): AccountUser | undefined =>
  user?.sub === undefined ? undefined : { sub: user.sub, name: user.name ?? user.nickname, email: user.email }

/**
 * Authorisation code with PKCE against the configured provider, tokens in local storage, renewed by rotating refresh tokens.
 * In a chunk of its own: it is loaded with a session that is kept here, or with the wish for one.
 */
export async function openAccountAuth(config: AuthConfig): Promise<AccountAuth> {
  const { origin } = window.location
  const client = new Auth0Client({
    domain: config.domain,
    clientId: config.clientId,
    cacheLocation: 'localstorage',
    useRefreshTokens: true,
    httpTimeoutInSeconds: HTTP_TIMEOUT_S,
    authorizeTimeoutInSeconds: POPUP_TIMEOUT_S,
    leeway: LEEWAY_S,
    sessionCheckExpiryDays: SESSION_DAYS,
    authorizationParams: {
      redirect_uri: `${origin}/callback`,
      audience: config.audience,
      scope: config.scope,
    },
  })
  let user = userOf(await client.getUser())
  const auth: AccountAuth = {
    isLoading: false,
    get user() {
      return user
    },
    async login(returnTo, isNew = false) {
      const screen = isNew ? { screen_hint: 'signup' } : {}
      if (window.top === window.self) {
        // Our own provider draws its pages as the site is drawn; another one lets it pass.
        const authorizationParams = { ui_theme: document.documentElement.dataset.theme, ...screen }
        await client.loginWithRedirect<AppState>({ appState: { returnTo }, authorizationParams })
        return false
      }
      // A frame must not lead its own window away, and providers stand in none.
      await client.loginWithPopup({ authorizationParams: screen }, { timeoutInSeconds: POPUP_TIMEOUT_S })
      user = userOf(await client.getUser())
      return true
    },
    async finish() {
      const { appState } = await client.handleRedirectCallback<AppState>()
      user = userOf(await client.getUser())
      return pathOf(appState?.returnTo)
    },
    async logout() {
      user = undefined
      await client.logout({ logoutParams: { returnTo: `${origin}/` } })
    },
    async forget() {
      user = undefined
      await client.logout({ openUrl: false })
    },
    async getToken() {
      const token = await client.getTokenSilently()
      if (token === undefined)
        throw Object.assign(new Error('The library has no token'), { error: 'login_required' })
      return token
    },
  }
  return auth
}
