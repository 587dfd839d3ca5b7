import { errors, Provider } from 'oidc-provider'
import type { Parts } from '../config.ts'
import type { Member } from '../memberRow.ts'
import type { Secrets } from '../secrets.ts'
import { DEVICE_LENGTH } from '../sessions.ts'
import { createAdapter, ENDED } from './adapter.ts'
import { drawPage, Html, html, PAGE_POLICY } from './page.ts'
import { CLIENT_ID, IDP_PATH } from './place.ts'
import { readSignIn } from './signIn.ts'

/** What a token for the API may be for. */
const API_SCOPE = 'read:query read:private'
const LOGIN_SCOPE = 'openid email profile offline_access'

const HOUR = 3600
const DAY = 24 * HOUR

/** For what the library answers itself: it names its few scripts by their hash in the `script-src` that it finds, empty until then. */
const ANSWER_POLICY = "default-src 'none'; script-src; frame-ancestors 'none'"

const IS_ENDED = `SELECT 1 FROM assay.oidc_records WHERE model = 'Session' AND id = $1 AND payload = ${ENDED}`

/** The OpenID provider of this server, with Auth0’s addresses below `/idp`. One client: the site itself. */
export function createProvider(
  { query, config, log, now }: Parts,
  { jwk, cookieKey }: Secrets,
  find: (id: string) => Promise<Member | undefined>,
): Provider {
  const { publicUrl, audience } = config
  const { origin } = new URL(publicUrl)
  const shells = ["'self'", ...config.asignaOrigins].join(' ')
  const cookie = { signed: true, sameSite: 'lax' } as const
  const provider = new Provider(`${publicUrl}${IDP_PATH}/`, {
    adapter: createAdapter({ query, now }),
    clients: [
      {
        client_id: CLIENT_ID,
        application_type: 'web',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [`${publicUrl}/callback`],
        post_logout_redirect_uris: [publicUrl, `${publicUrl}/`],
        id_token_signed_response_alg: 'RS256',
        subject_type: 'pairwise',
      },
    ],
    // Within the provider an account has the version of its sign-in; outside it is the account alone.
    subjectTypes: ['pairwise'],
    pairwiseIdentifier: (_ctx, id) => readSignIn(id).account,
    // The library’s type of keys is narrower than what `jose` exports.
    jwks: { keys: [jwk as never] },
    cookies: { keys: [cookieKey], long: { ...cookie, path: IDP_PATH }, short: cookie },
    // Scopes of the API are those of its resource: listed here too, they would ask for consent without end.
    scopes: ['openid', 'offline_access'],
    claims: {
      openid: ['sub'],
      profile: ['name', 'nickname'],
      email: ['email', 'email_verified'],
    },
    // The SDK never asks for user info: name and email stand in the ID token.
    conformIdTokenClaims: false,
    routes: {
      authorization: '/authorize',
      token: '/oauth/token',
      jwks: '/.well-known/jwks.json',
      userinfo: '/userinfo',
      end_session: '/oidc/logout',
      revocation: '/oauth/revoke',
    },
    extraParams: ['audience', 'auth0Client', 'screen_hint', 'ui_theme'],
    pkce: { required: () => true },
    clientBasedCORS: (_ctx, asking) => asking === origin,
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.set('content-security-policy', PAGE_POLICY)
          ctx.body = drawPage(
            'Sign out',
            'light',
            html`<section><p>Do you want to sign out of Assay on this device?</p>${new Html(form)}<button form="op.logoutForm" name="logout" value="yes">Sign out</button></section>`,
          )
        },
        postLogoutSuccessSource: ctx => {
          ctx.set('content-security-policy', PAGE_POLICY)
          ctx.body = drawPage('Signed out', 'light', html`<nav><a href="/">To the start page</a></nav>`)
        },
      },
      webMessageResponseMode: { enabled: true, ack: 'individual-draft-01' },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        defaultResource: (_ctx, _client, oneOf) => (Array.isArray(oneOf) ? oneOf[0] : oneOf) ?? audience,
        getResourceServerInfo: (_ctx, resource) => {
          if (resource !== audience) throw new errors.InvalidTarget()
          return {
            audience,
            scope: API_SCOPE,
            accessTokenFormat: 'jwt',
            accessTokenTTL: config.accessTokenSeconds ?? HOUR,
            jwt: { sign: { alg: 'RS256' } },
          }
        },
      },
    },
    // By it a token ends with the session that it came from.
    extraTokenClaims: (_ctx, token) => ('grantId' in token ? { gid: token.grantId } : undefined),
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    ttl: {
      AccessToken: config.accessTokenSeconds ?? HOUR,
      AuthorizationCode: 60,
      IdToken: HOUR,
      Session: 14 * DAY,
      Grant: 14 * DAY,
      RefreshToken: 14 * DAY,
      Interaction: HOUR,
    },
    findAccount: async (_ctx, id) => {
      const { account, version } = readSignIn(id)
      const member = await find(account)
      if (member?.signInVersion !== version) return undefined
      return {
        accountId: id,
        claims: async () => ({
          sub: id,
          email: member.email,
          email_verified: member.isEmailProved,
          name: member.name,
          nickname: member.name,
        }),
      }
    },
    // The one client is the site itself: nobody is asked whether it may know its own accounts.
    loadExistingGrant: async ctx => {
      const { oidc } = ctx
      const { provider: of, session, client, result } = oidc
      if (client === undefined || session?.accountId === undefined) return undefined
      const known = result?.consent?.grantId ?? session.grantIdFor(client.clientId)
      const held = known === undefined ? undefined : await of.Grant.find(known)
      if (held !== undefined) return held
      // The device may have been signed out while this request was under way.
      if (known !== undefined && (await query(IS_ENDED, [session.jti])).length > 0)
        throw new errors.LoginRequired()
      const grant = new of.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope(LOGIN_SCOPE)
      grant.addResourceScope(audience, API_SCOPE)
      const id = await grant.save()
      // Of the record itself the library writes its own fields alone.
      await query(`UPDATE assay.oidc_records SET device = $2 WHERE model = 'Grant' AND id = $1`, [
        id,
        ctx.get('user-agent').slice(0, DEVICE_LENGTH),
      ])
      return grant
    },
    interactions: { url: (_ctx, { uid }) => `${IDP_PATH}/u/login/${uid}` },
    renderError: (ctx, out) => {
      ctx.set('content-security-policy', PAGE_POLICY)
      ctx.type = 'html'
      ctx.body = drawPage(
        'Signing in did not work',
        'light',
        html`<section><p>${out.error_description ?? 'The request to sign in is not whole.'}</p><p><small>${out.error}</small></p></section><nav><a href="/">To the start page</a></nav>`,
      )
    },
  })
  provider.use(async (ctx, next) => {
    ctx.set('content-security-policy', ANSWER_POLICY)
    try {
      await next()
    } finally {
      // The library lets any site read keys, discovery and preflights: only our own pages have a use for them.
      if (ctx.get('origin') !== origin)
        for (const name of Object.keys(ctx.response.headers))
          if (name.startsWith('access-control-')) ctx.remove(name)
    }
    // An answer by message stands in a frame of the site, so the library takes the directive out: no other site needs it.
    const policy = ctx.response.get('content-security-policy')
    if (!policy.includes('frame-ancestors'))
      ctx.set('content-security-policy', [policy, `frame-ancestors ${shells}`].join('; '))
  })
  // Addresses are made from PUBLIC_URL: the handler writes it into these headers, and no asker can.
  provider.proxy = true
  provider.on('server_error', (_ctx, cause) =>
    log.error('the OpenID provider failed', { cause: cause.stack ?? cause.message }),
  )
  return provider
}
