import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { openBilling } from '#accounts/billing/index.ts'
import { type Accounts, type AccountsConfig, openAccounts } from '#accounts/index.ts'
import { openCms } from '#content/index.ts'
import type { Log } from '#kernel/log.ts'
import type { Store } from '#store/index.ts'
import { openTestStore, STORE_KINDS } from '#store/testing.ts'
import type { Asker, FullApi } from './api.ts'
import type { DataVersion } from './cache/dataVersion.ts'
import { createHttp } from './createHttp.ts'
import { allReady } from './health/routes.ts'
import { testLinks } from './links.testing.ts'

export const ORIGIN = 'http://localhost:4400'

/** All that a test does comes from one address. */
export const NO_LIMITS_BY_ADDRESS = {
  mailsByAddress: 1000,
  failuresByAddress: 1000,
  noncesByAddress: 1000,
  proofsByAddress: 1000,
  invitationsByAddress: 1000,
}

export type Answer = Awaited<ReturnType<FastifyInstance['inject']>>

/** The server with real accounts, provider and store, and no figures behind it. */
export type PeopleSite = AsyncDisposable & {
  readonly app: FastifyInstance
  readonly accounts: Accounts
  readonly store: Pick<Store, 'query'>
  /** Whom the SQL of people was run for. */
  readonly askers: Asker[]
  /** All that was logged, mails too. */
  readonly said: string[]
  /** Moves the clock, milliseconds. */
  pass(milliseconds: number): void
  ask(url: string, more?: Omit<InjectOptions, 'url' | 'path'>): Promise<Answer>
}

/** `on` is the store of another site that goes on living; one of its own unless given. With `stripe` it sells Premium. */
export async function openPeopleSite(
  config: Partial<AccountsConfig> = {},
  on?: Pick<Store, 'query'>,
  stripe?: { readonly url: string; readonly secret: string },
): Promise<PeopleSite> {
  await using opening = new AsyncDisposableStack()
  // A PostgreSQL, where there is one, starts sooner.
  const kind = STORE_KINDS.findLast(({ skip }) => skip === undefined)
  if (kind === undefined) throw new Error('there is no store to test on')
  const store = on ?? opening.use(await openTestStore(kind))
  const said: string[] = []
  const say = (message: string, facts: unknown) => said.push(`${message} ${JSON.stringify(facts ?? {})}`)
  const log: Log = { info: say, warn: say, error: say }
  let passed = 0
  const billing =
    stripe &&
    openBilling({
      config: {
        secretKey: 'sk_test_1',
        webhookSecret: stripe.secret,
        prices: { monthly: 'price_month', yearly: 'price_year' },
        apiUrl: stripe.url,
        publicUrl: ORIGIN,
      },
      store: async () => store,
      log,
      now: Date.now,
    })
  const accounts = opening.use(
    openAccounts({
      store,
      config: {
        publicUrl: ORIGIN,
        audience: `${ORIGIN}/api/v1`,
        operators: ['operator@example.org'],
        trialDays: 0,
        asignaOrigins: ['https://stx.asigna.io'],
        hubHosts: [],
        limits: NO_LIMITS_BY_ADDRESS,
        ...config,
      },
      log,
      now: () => Date.now() + passed,
      ...(billing && { planOf: billing.planOf, others: [billing.kept] }),
    }),
  )
  const askers: Asker[] = []
  const apiFor = (asker: Asker) => {
    // Nothing but people's SQL is asked here, and only for whom it runs is looked at.
    const api: Pick<FullApi, 'sqlText'> = {
      sqlText: async () => {
        askers.push(asker)
        return { queryId: 'x', columns: [], text: Buffer.from('[]') } as never
      },
    }
    return api as FullApi
  }
  const version: DataVersion = {
    current: () => 'test',
    onChange: () => () => {},
    refresh: async () => {},
  } as never
  const app = createHttp({
    config: {
      publicUrl: accounts.publicUrl,
      version: '1.2.3',
      layers: [],
      applications: [],
      links: testLinks,
    },
    apiFor,
    version,
    health: allReady,
    cms: opening.use(
      openCms({
        files: { texts: [], pictures: [], queryExamples: [] },
        store: async () => store,
        log,
        now: Date.now,
      }),
    ),
    accounts,
    ...(billing && { billing }),
    log,
  })
  opening.defer(() => app.close())
  await app.ready()
  const opened = opening.move()
  return {
    app,
    accounts,
    store,
    askers,
    said,
    pass(milliseconds) {
      passed += milliseconds
    },
    ask: (url, more = {}) => app.inject({ ...more, url }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** A browser as far as cookies go: it keeps them by name and sends those whose path fits. */
export type Jar = Map<string, { value: string; path: string }>

export const cookiesOf = (jar: Jar, path: string): string =>
  [...jar]
    .filter(([, cookie]) => path === cookie.path || path.startsWith(cookie.path.replace(/\/?$/, '/')))
    .map(([name, { value }]) => `${name}=${value}`)
    .join('; ')

export function keepCookies(jar: Jar, answer: Answer): void {
  for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value === '' || /max-age=0|1970/i.test(line)) jar.delete(name)
    else jar.set(name, { value, path: /path=([^;]+)/i.exec(line)?.[1] ?? '/' })
  }
}

/** One request of a browser with its cookies. */
export async function visit(
  site: PeopleSite,
  jar: Jar,
  url: string,
  form?: Record<string, string>,
): Promise<Answer> {
  const path = new URL(url, ORIGIN).pathname
  const cookie = cookiesOf(jar, path)
  const answer = await site.ask(url.startsWith(ORIGIN) ? url.slice(ORIGIN.length) : url, {
    headers: {
      ...(cookie !== '' && { cookie }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN }),
    },
    ...(form && { method: 'POST' as const, payload: new URLSearchParams(form).toString() }),
  })
  keepCookies(jar, answer)
  return answer
}

export type Tokens = { access_token: string; id_token: string; refresh_token: string; scope: string }

/** The address to which a browser goes to sign in, and what it keeps to itself. */
export function authorizeUrl(more: Record<string, string> = {}): { url: string; verifier: string } {
  const verifier = randomBytes(32).toString('base64url')
  const search = new URLSearchParams({
    client_id: 'assay',
    redirect_uri: `${ORIGIN}/callback`,
    response_type: 'code',
    response_mode: 'query',
    scope: 'openid profile email read:query read:private offline_access',
    audience: `${ORIGIN}/api/v1`,
    state: 'state',
    nonce: 'nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  })
  return { url: `/idp/authorize?${search}`, verifier }
}

/** The token endpoint, as the SDK asks it. */
export const askTokens = (site: PeopleSite, form: Record<string, string>): Promise<Answer> =>
  site.ask('/idp/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN },
    payload: new URLSearchParams({ client_id: 'assay', ...form }).toString(),
  })

/** Follows redirects within the provider to where they lead out of it, or to a page. */
export async function follow(site: PeopleSite, jar: Jar, first: Answer): Promise<Answer> {
  let answer = first
  for (let i = 0; i < 6; i++) {
    const to = String(answer.headers.location ?? '')
    if (!to.startsWith('/idp') && !to.startsWith(`${ORIGIN}/idp`)) return answer
    answer = await visit(site, jar, to)
  }
  throw new Error('the provider leads in a circle')
}

export type Credentials = { email: string; password: string; name?: string }

/** Signs in as a browser does, by the form; with a name it makes the account first. */
export async function signIn(
  site: PeopleSite,
  { email, password, name }: Credentials,
  jar: Jar = new Map(),
): Promise<Tokens> {
  const { url, verifier } = authorizeUrl()
  const started = await visit(site, jar, url)
  const page = String(started.headers.location)
  await visit(site, jar, page)
  const posted = await visit(
    site,
    jar,
    name === undefined ? page : `${page}/signup`,
    name === undefined ? { email, password } : { email, password, name },
  )
  const landed = await follow(site, jar, posted)
  if (!isCode(landed)) throw new Error(`no code: ${landed.statusCode} ${landed.body}`)
  const answer = await askTokens(site, codeForm(landed, verifier))
  if (answer.statusCode !== 200) throw new Error(`no tokens: ${answer.body}`)
  return answer.json<Tokens>()
}

/** The newest link of that kind among the mails of the log, as a path. */
export function mailedLink(site: PeopleSite, purpose: 'reset' | 'confirm'): string {
  const links = site.said.flatMap(line => line.match(new RegExp(`/idp/u/${purpose}/[\\w-]{43}`, 'g')) ?? [])
  const last = links.at(-1)
  if (last === undefined) throw new Error(`no mail with a link to ${purpose}`)
  return last
}

/** Status of a request with these headers: 200 where they identify a person, else 401. */
export const statusOf = async (site: PeopleSite, headers: Record<string, string>): Promise<number> =>
  (await site.ask('/api/v1/features', { headers })).statusCode

/** Makes an API key for SQL. */
export const askKey = (site: PeopleSite, headers: Record<string, string>): Promise<Answer> =>
  site.ask('/api/v1/account/keys', {
    method: 'POST',
    headers: { ...headers, origin: ORIGIN },
    payload: { name: 'k', scopes: ['read:query'] },
  })

export const refresh = (site: PeopleSite, refresh_token: string): Promise<Answer> =>
  askTokens(site, { grant_type: 'refresh_token', refresh_token })

export const isCode = ({ headers }: Answer): boolean => /\/callback\?code=/.test(String(headers.location))

/** The form by which the code of an answer is redeemed. */
export const codeForm = (answer: Answer, verifier: string): Record<string, string> => ({
  grant_type: 'authorization_code',
  code: URL.parse(String(answer.headers.location))?.searchParams.get('code') ?? '',
  redirect_uri: `${ORIGIN}/callback`,
  code_verifier: verifier,
})

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })
