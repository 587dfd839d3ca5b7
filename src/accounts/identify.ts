import type { IncomingHttpHeaders } from 'node:http'
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { Person } from '#kernel/people.ts'
import type { Parts } from './config.ts'
import { AccountError, sessionEnded } from './errors.ts'
import { type ApiKeys, KEY_START } from './keys.ts'
import { isEmail, NAME_LENGTH, oneLine } from './plainText.ts'
import { CLIENT_ID, IDP_PATH } from './provider/place.ts'
import type { Secrets } from './secrets.ts'
import type { WalletSessions } from './walletSessions.ts'

/** The cookie of a proved wallet. */
export const WALLET_COOKIE = 'wsid'
/** Clocks may differ by this, seconds. */
const LEEWAY_SECONDS = 60
/** A token of a tenant has some two thousand characters. */
const LONGEST_TOKEN = 8192
const KEYS_TIMEOUT_MS = 5000
const KEYS_AGE_MS = 600_000

export type Identify = (headers: IncomingHttpHeaders) => Promise<Person | undefined>

export type IdentifyDeps = {
  readonly parts: Parts
  readonly sessions: WalletSessions
  readonly keys: ApiKeys
  readonly secrets: () => Promise<Secrets>
}

/** The secret in the cookie of a proved wallet. */
export const walletSecret = ({ cookie }: IncomingHttpHeaders): string | undefined =>
  cookie
    ?.split(';')
    .map(part => part.trim())
    .find(part => part.startsWith(`${WALLET_COOKIE}=`))
    ?.slice(WALLET_COOKIE.length + 1)

/**
 * Who asks, for every call alike; undefined for who claims nothing. What is claimed and not proved is refused:
 * AccountError `accounts.token`, `accounts.expired`, `accounts.key`, `accounts.wallet`, `accounts.provider_away`.
 */
export function createIdentify(deps: IdentifyDeps): Identify {
  const byToken = createTokenCheck(deps)
  return async headers => {
    // A proxy's own `Basic` password is no claim to us.
    const token = /^bearer(?:\s+(.*))?$/i.exec(headers.authorization ?? '')
    const claimed = headers['wallet-address']
    if (token !== null && claimed !== undefined)
      throw new AccountError('accounts.token', 'A request is by an account or by a wallet, not by both.')
    if (claimed !== undefined) return byWallet(deps.sessions, String(claimed), walletSecret(headers))
    if (token === null) return undefined
    const text = (token[1] ?? '').trim()
    return text.startsWith(KEY_START) ? byKey(deps, text) : byToken(text)
  }
}

async function byWallet(
  sessions: WalletSessions,
  claimed: string,
  secret: string | undefined,
): Promise<Person> {
  const session = secret === undefined ? undefined : await sessions.find(secret)
  if (session === undefined || session.address !== claimed)
    throw new AccountError('accounts.wallet', 'Nothing proves that this wallet is yours.', {
      hint: 'Sign the message of POST /api/v1/siws/nonce with it.',
    })
  return {
    kind: 'wallet',
    id: session.address,
    email: null,
    name: null,
    scopes: new Set(['read:query', 'read:private']),
    via: 'wallet',
  }
}

async function byKey({ keys, parts }: IdentifyDeps, text: string): Promise<Person> {
  const found = text.length > LONGEST_TOKEN ? undefined : await keys.find(text)
  if (found === undefined)
    throw new AccountError('accounts.key', 'The key does not exist, was revoked, or has expired.')
  const member = found.kind === 'account' ? await readMember(parts, found.id) : undefined
  return { ...found, email: member?.email ?? null, name: member?.name ?? null, via: 'key' }
}

type ReadMember = { email: string | null; name: string }

/** Name, and email where it is proved, of an account of ours. */
async function readMember({ query }: Parts, id: string): Promise<ReadMember | undefined> {
  const [row] = await query<ReadMember>(
    'SELECT name, CASE WHEN email_proved_at IS NULL THEN NULL ELSE email END AS email FROM assay.accounts WHERE id = $1',
    [id],
  )
  return row
}

function createTokenCheck({ parts, secrets }: IdentifyDeps): (token: string) => Promise<Person> {
  const { config, query, now } = parts
  const { tenant, publicUrl, audience } = config
  const issuer = tenant === undefined ? `${publicUrl}${IDP_PATH}/` : issuerOf(tenant.domain)
  let keys: Promise<JWTVerifyGetKey> | undefined
  const readKeys = async (): Promise<JWTVerifyGetKey> => {
    const { createLocalJWKSet, createRemoteJWKSet } = await import('jose')
    if (tenant !== undefined)
      return createRemoteJWKSet(new URL('.well-known/jwks.json', issuer), {
        timeoutDuration: KEYS_TIMEOUT_MS,
        cacheMaxAge: KEYS_AGE_MS,
      })
    const { kty, n, e, kid, alg, use } = (await secrets()).jwk
    const own = createLocalJWKSet({ keys: [{ kty, n, e, kid, alg, use } as never] })
    return (header, token) => own(header, token)
  }

  async function read(token: string): Promise<JWTPayload> {
    if (token === '' || token.length > LONGEST_TOKEN) throw badToken()
    const { errors, jwtVerify } = await import('jose')
    keys ??= readKeys().catch(cause => {
      keys = undefined
      throw cause
    })
    const getKey = await keys
    try {
      const { payload } = await jwtVerify(token, getKey, {
        issuer,
        audience,
        algorithms: ['RS256'],
        clockTolerance: LEEWAY_SECONDS,
        requiredClaims: ['sub', 'exp'],
        currentDate: new Date(now()),
      })
      return payload
    } catch (cause) {
      if (cause instanceof errors.JWTExpired)
        throw new AccountError('accounts.expired', 'This token has expired.', { hint: 'Get a new one.' })
      if (isAboutKeys(cause, errors))
        throw new AccountError('accounts.provider_away', 'Identity provider unavailable.', { cause })
      throw badToken()
    }
  }

  return async token => {
    const payload = await read(token)
    const id = payload.sub ?? ''
    if (id === '') throw badToken()
    const scopes = new Set(
      String(payload.scope ?? '')
        .split(' ')
        .filter(Boolean),
    )
    if (tenant !== undefined)
      return { kind: 'account', id, ...claimsOf(payload, publicUrl), scopes, via: 'token' }
    // Ours: it ends with its session, and an ID token (made for the client, without a grant) is none for the API.
    const [row] = await query<ReadMember & { sign_in_version: number }>(
      `SELECT name, CASE WHEN email_proved_at IS NULL THEN NULL ELSE email END AS email, sign_in_version
FROM assay.accounts a WHERE id = $1 AND EXISTS (
  SELECT 1 FROM assay.oidc_records r
  WHERE r.model = 'Grant' AND r.id = $2 AND r.account = $1 AND r.sign_in_version = a.sign_in_version
)`,
      [id, typeof payload.gid === 'string' ? payload.gid : ''],
    )
    if (row === undefined || payload.client_id !== CLIENT_ID) throw sessionEnded()
    const { email, name, sign_in_version: signInVersion } = row
    return { kind: 'account', id, email, name, scopes, via: 'token', signInVersion }
  }
}

/** Whether the keys could not be read, rather than the token: of plain JOSEErrors there are only failed requests for keys. */
const isAboutKeys = (cause: unknown, errors: typeof import('jose').errors): boolean =>
  !(cause instanceof errors.JOSEError) ||
  cause instanceof errors.JWKSTimeout ||
  cause instanceof errors.JWKSInvalid ||
  cause.code === errors.JOSEError.code

const badToken = (): AccountError =>
  new AccountError('accounts.token', 'This token is not one that this server believes.', {
    hint: 'Sign in again.',
  })

/** Auth0's issuer: its domain with a slash behind. */
export const issuerOf = (domain: string): string =>
  `${/^https?:\/\//.test(domain) ? domain : `https://${domain}`}`.replace(/\/*$/, '/')

/** A tenant tells email and name under names of ours; an email that it does not call verified is nobody's. */
function claimsOf(payload: JWTPayload, publicUrl: string): Pick<Person, 'email' | 'name'> {
  const text = (name: string) => {
    const value = payload[`${publicUrl}/${name}`]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const isVerified = payload[`${publicUrl}/email_verified`] === true
  const email = isVerified ? text('email') : null
  // A tenant may take emails and names that we would not.
  return {
    email: email !== null && isEmail(email) ? email : null,
    name: oneLine(text('name') ?? '', NAME_LENGTH) || null,
  }
}
