import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Parts } from '../config.ts'
import { AccountError } from '../errors.ts'
import type { BrowserSession } from '../links.ts'
import type { Member } from '../memberRow.ts'
import type { Members } from '../members.ts'
import { isSameOrigin } from '../sameOrigin.ts'
import type { Secrets } from '../secrets.ts'
import { createProvider } from './createProvider.ts'
import { confirmForm, forgotForm, loginForm, resetForm, signupForm, told } from './forms.ts'
import { drawPage, type Html, html, LETTERS_PATH, PAGE_POLICY, type Theme } from './page.ts'
import { CLIENT_ID, IDP_PATH } from './place.ts'
import { readSignIn, writeSignIn } from './signIn.ts'

/** Answers one request below `/idp`. */
export type IdpHandler = (request: IncomingMessage, response: ServerResponse, asker: string) => Promise<void>

/** Longest form, bytes: an email, a name and a password. */
const FORM_LIMIT = 8 * 1024
const THEME_COOKIE = 'idp-theme'

/** Our pages before the provider’s own addresses. Loaded with the first who signs in. */
export function openIdp(parts: Parts, secrets: Secrets, members: Members): IdpHandler {
  const { config, log } = parts
  const { publicUrl, audience } = config
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  const provider = createProvider(parts, secrets, members.find)
  const callback = provider.callback()

  type Visit = {
    request: IncomingMessage
    response: ServerResponse
    asker: string
    path: string
    theme: Theme
  }

  function show({ response, theme }: Visit, title: string, body: Html, status = 200): void {
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': PAGE_POLICY,
      'cache-control': 'no-store',
      // A link with a secret in it is told to nobody.
      'referrer-policy': 'same-origin',
    })
    response.end(drawPage(title, theme, body))
  }

  function leave({ response }: Visit, location: string): void {
    response.writeHead(303, { location, 'cache-control': 'no-store' })
    response.end()
  }

  /** Runs what a form asks for; what is wrong with it is told within the form. */
  async function submit(
    visit: Visit,
    run: (form: URLSearchParams) => Promise<void>,
    again: (wrong: string, form: URLSearchParams) => readonly [title: string, body: Html],
  ): Promise<void> {
    let form = new URLSearchParams()
    try {
      if (!isSameOrigin(visit.request.headers, publicUrl))
        throw new AccountError(
          'accounts.origin',
          'This form was sent from another site, so nothing was done.',
        )
      form = await readForm(visit.request)
      await run(form)
    } catch (thrown) {
      if (!(thrown instanceof AccountError)) throw thrown
      const [title, body] = again([thrown.message, thrown.hint].filter(Boolean).join(' '), form)
      if (typeof thrown.facts.retryAfterSeconds === 'number')
        visit.response.setHeader('retry-after', String(thrown.facts.retryAfterSeconds))
      show(visit, title, body, STATUS[thrown.code] ?? 400)
    }
  }

  /** The form to sign in or up with, of one request to sign in: its cookie tells whose that is. */
  async function login(visit: Visit, uid: string, part: string): Promise<void> {
    const { request, response, asker } = visit
    const base = `${IDP_PATH}/u/login/${uid}`
    const interaction = await provider.interactionDetails(request, response).catch(() => undefined)
    if (interaction === undefined || interaction.uid !== uid)
      return show(
        visit,
        'This page has expired',
        told('Begin anew with Sign In. Signing in needs cookies of this site.', false),
        400,
      )
    const { params } = interaction
    const { ui_theme: asked } = params
    const theme: Theme = asked === 'dark' || asked === 'light' ? asked : visit.theme
    response.setHeader(
      'set-cookie',
      `${THEME_COOKIE}=${theme}; Path=${IDP_PATH}/; HttpOnly; SameSite=Lax${secure}`,
    )
    const seen = { ...visit, theme }
    // The version as it was when the password was checked.
    const finish = ({ id, signInVersion }: Member) =>
      provider.interactionFinished(
        request,
        response,
        { login: { accountId: writeSignIn({ account: id, version: signInVersion }) } },
        { mergeWithLastSubmission: false },
      )
    const hint = typeof params.login_hint === 'string' ? params.login_hint : ''
    if (part === '/cancel')
      return provider.interactionFinished(
        request,
        response,
        { error: 'access_denied', error_description: 'Signing in was canceled.' },
        { mergeWithLastSubmission: false },
      )
    const isSignup =
      part === '/signup' || (part === '' && params.screen_hint === 'signup' && request.method !== 'POST')
    if (request.method !== 'POST')
      return isSignup
        ? show(seen, 'Make an account', signupForm(base, { email: hint }))
        : show(seen, 'Sign in', loginForm(base, { email: hint }))
    if (isSignup)
      return submit(
        seen,
        async form => {
          const given = {
            email: field(form, 'email'),
            name: field(form, 'name'),
            password: field(form, 'password'),
          }
          await finish(await members.create(given, asker))
        },
        (wrong, form) => [
          'Make an account',
          signupForm(base, { wrong, email: field(form, 'email'), name: field(form, 'name') }),
        ],
      )
    return submit(
      seen,
      async form => finish(await members.check(field(form, 'email'), field(form, 'password'), asker)),
      (wrong, form) => ['Sign in', loginForm(base, { wrong, email: field(form, 'email') })],
    )
  }

  async function forgot(visit: Visit): Promise<void> {
    if (visit.request.method !== 'POST') return show(visit, 'A new password', forgotForm({}))
    return submit(
      visit,
      async form => {
        await members.forget(field(form, 'email'), visit.asker)
        show(
          visit,
          'Look into your mail',
          told('If there is an account with this email, a link is on its way to it.'),
        )
      },
      wrong => ['A new password', forgotForm({ wrong })],
    )
  }

  async function reset(visit: Visit, secret: string): Promise<void> {
    const path = `${IDP_PATH}/u/reset/${secret}`
    if ((await members.ofLink('reset', secret)) === undefined) return showSpent(visit)
    if (visit.request.method !== 'POST') return show(visit, 'Set a new password', resetForm(path, {}))
    return submit(
      visit,
      async form => {
        await members.reset(secret, field(form, 'password'), visit.asker)
        show(
          visit,
          'Your password is changed',
          told('Sign in with the new one. All devices were signed out, and API keys were deleted.'),
        )
      },
      wrong => ['Set a new password', resetForm(path, { wrong })],
    )
  }

  async function confirm(visit: Visit, secret: string): Promise<void> {
    const member = await members.ofLink('confirm', secret)
    if (member === undefined) return showSpent(visit)
    const path = `${IDP_PATH}/u/confirm/${secret}`
    const session = await sessionOf(visit)
    const isSignedIn = session?.account === member.id
    const draw = (wrong?: string) =>
      ['Confirm your email', confirmForm(path, { wrong, email: member.email, isSignedIn })] as const
    // Scanners of mail follow links: only the button confirms.
    if (visit.request.method !== 'POST') return show(visit, ...draw())
    return submit(
      visit,
      async form => {
        await members.confirm(secret, { session, password: field(form, 'password') }, visit.asker)
        show(
          visit,
          'Your email is confirmed',
          told(
            isSignedIn
              ? 'You are signed out on all other devices. API keys were deleted.'
              : 'You are signed out on all devices. API keys were deleted. Sign in again to continue.',
          ),
        )
      },
      wrong => draw(wrong),
    )
  }

  /** The account that this browser is signed in to at the provider. */
  async function sessionOf({ request, response }: Visit): Promise<BrowserSession | undefined> {
    const { accountId, jti, authorizations } = await provider.Session.get(
      provider.createContext(request, response),
    )
    return accountId === undefined
      ? undefined
      : { account: readSignIn(accountId).account, session: jti, grant: authorizations?.[CLIENT_ID]?.grantId }
  }

  const showSpent = (visit: Visit) =>
    show(visit, 'This link does not work', told('It was used already, or its time is over.', false), 400)

  /** Auth0’s way out: `?client_id=&returnTo=`. Ends the session and all tokens of it. */
  async function logout(visit: Visit, search: URLSearchParams): Promise<void> {
    const { request, response } = visit
    // Another site may lead here, and must not sign anybody out by that.
    if (request.headers['sec-fetch-site'] === 'cross-site' && request.method !== 'POST')
      return show(
        visit,
        'Sign out',
        html`<section><form method="post" action="${`${IDP_PATH}/v2/logout?${search}`}"><p>Do you want to sign out of Assay on this device?</p><button>Sign out</button></form></section><nav><a href="/">Back to Assay</a></nav>`,
      )
    if (request.method === 'POST' && !isSameOrigin(request.headers, publicUrl))
      throw new AccountError('accounts.origin', 'This form was sent from another site, so nothing was done.')
    const ctx = provider.createContext(request, response)
    const session = await provider.Session.get(ctx)
    if (session.accountId !== undefined) {
      for (const { grantId } of Object.values(session.authorizations ?? {}))
        if (grantId !== undefined)
          await parts.query('DELETE FROM assay.oidc_records WHERE grant_id = $1', [grantId])
      await session.destroy()
      await parts.note('account signed out', {
        person: `account:${readSignIn(session.accountId).account}`,
        asker: visit.asker,
      })
    }
    const gone = `=; Path=${IDP_PATH}; Max-Age=0; HttpOnly; SameSite=Lax${secure}`
    response.setHeader(
      'set-cookie',
      ['_session', '_session.sig'].map(name => `${name}${gone}`),
    )
    leave(visit, homeOr(search.get('returnTo'), publicUrl))
  }

  return async (request, response, asker) => {
    const url = new URL(request.url ?? '', publicUrl)
    const path = url.pathname.slice(IDP_PATH.length) || '/'
    const theme: Theme = /(?:^|;\s*)idp-theme=dark(?:;|$)/.test(request.headers.cookie ?? '')
      ? 'dark'
      : 'light'
    const visit: Visit = { request, response, asker, path, theme }
    // Whatever Host an asker names: all addresses are those of PUBLIC_URL.
    const { host, protocol } = new URL(publicUrl)
    request.headers.host = host
    request.headers['x-forwarded-host'] = host
    request.headers['x-forwarded-proto'] = protocol.slice(0, -1)
    delete request.headers['x-forwarded-for']
    try {
      const [, uid, part = ''] = /^\/u\/login\/([\w-]+)(\/signup|\/cancel)?$/.exec(path) ?? []
      if (uid !== undefined) return await login(visit, uid, part)
      if (path === LETTERS_PATH.slice(IDP_PATH.length)) return await sendLetters(response)
      if (path === '/u/forgot') return await forgot(visit)
      const [, purpose, secret] = /^\/u\/(reset|confirm)\/([\w-]{43})$/.exec(path) ?? []
      if (secret !== undefined) return await (purpose === 'reset' ? reset : confirm)(visit, secret)
      if (path === '/v2/logout') return await logout(visit, url.searchParams)
      // Auth0 says `audience` where RFC 8707 says `resource`.
      if (path === '/authorize' && url.searchParams.has('audience'))
        url.searchParams.set('resource', url.searchParams.get('audience') ?? audience)
      // As Express mounts: the provider makes its own addresses from both.
      const mounted = request as IncomingMessage & { originalUrl?: string; baseUrl?: string }
      const search = url.searchParams.toString()
      mounted.url = search === '' ? path : `${path}?${search}`
      mounted.originalUrl = `${IDP_PATH}${mounted.url}`
      mounted.baseUrl = IDP_PATH
      await callback(request, response)
    } catch (thrown) {
      if (!(thrown instanceof AccountError)) {
        log.error('a page of sign-in failed', {
          path: path.replace(/[\w-]{20,}/g, '…'),
          cause: causeOf(thrown),
        })
        return show(
          visit,
          'This did not work',
          told('Internal server error. Try again in a moment.', false),
          500,
        )
      }
      show(visit, 'This did not work', told(thrown.message, false), STATUS[thrown.code] ?? 400)
    }
  }
}

/** Inter, of the version that the pages of the site are built with. */
async function sendLetters(response: ServerResponse): Promise<void> {
  const file = import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
  const letters = await readFile(fileURLToPath(file))
  response.writeHead(200, { 'content-type': 'font/woff2', 'cache-control': 'public, max-age=604800' })
  response.end(letters)
}

const STATUS: Readonly<Record<string, number>> = {
  'accounts.password': 401,
  'accounts.origin': 403,
  'accounts.taken': 409,
  'accounts.too_large': 413,
  'accounts.too_many': 429,
}

const field = (form: URLSearchParams, name: string): string => form.get(name) ?? ''

const causeOf = (thrown: unknown): string =>
  thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)

/** An address of this origin as it was given, else the start page: nobody is sent elsewhere by a link of ours. */
function homeOr(given: string | null, publicUrl: string): string {
  const url = given === null ? null : URL.parse(given)
  const { origin } = new URL(publicUrl)
  return url !== null && url.origin === origin && url.username === '' ? url.href : `${publicUrl}/`
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers['content-type'] ?? ''))
    throw new AccountError('accounts.form', 'This is not a form.')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > FORM_LIMIT) throw new AccountError('accounts.too_large', 'The form is too long.')
    chunks.push(chunk as Buffer)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
}
