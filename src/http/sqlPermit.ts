import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Name of the query parameter that carries a token. */
export const TOKEN = 'token'

/** Decides whether a GET may run SQL. Tokens are valid in this process only. */
export type SqlPermit = {
  /** The token in forms and links of our pages. Pages are shared by all readers, so it proves only where a link was made. */
  readonly ofPages: string
  /** A token for one caller, valid for one to two hours: another site can neither read nor guess it. */
  ofCaller(caller: string): string
  /**
   * Whether this request may run SQL. Refused from other sites and other origins of the same site (Fetch Metadata; without
   * it `Referer` and `Origin`). SQL in the address needs a token: of our pages if one of them sent the request, else of the
   * caller. That covers links from outside and browsers that send none of these headers.
   */
  allows(request: { headers: IncomingHttpHeaders; query: URLSearchParams; caller: string }): boolean
}

const HOUR_MS = 3_600_000

export function createSqlPermit(publicUrl: string, now: () => number = Date.now): SqlPermit {
  const secret = randomBytes(32)
  const sign = (text: string): string =>
    createHmac('sha256', secret).update(text).digest('base64url').slice(0, 32)
  const ofPages = sign('pages')
  const ofHour = (caller: string, hour: number): string => sign(`caller ${caller} ${hour}`)
  const hour = (): number => Math.floor(now() / HOUR_MS)

  return {
    ofPages,
    ofCaller: caller => ofHour(caller, hour()),
    allows({ headers, query, caller }) {
      const from = senderOf(headers, publicUrl)
      if (from === 'elsewhere') return false
      if (!query.has('sql')) return true
      const token = query.get(TOKEN) ?? ''
      if (from === 'page' && areEqual(token, ofPages)) return true
      return areEqual(token, ofHour(caller, hour())) || areEqual(token, ofHour(caller, hour() - 1))
    },
  }
}

/** Who sent a request: a page of ours, something elsewhere, or a person or program that says neither. */
function senderOf(headers: IncomingHttpHeaders, publicUrl: string): 'page' | 'elsewhere' | 'unknown' {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' ? 'page' : site === 'none' ? 'unknown' : 'elsewhere'
  const named = headers.origin ?? headers.referer
  if (named === undefined) return 'unknown'
  return URL.parse(named)?.origin === new URL(publicUrl).origin ? 'page' : 'elsewhere'
}

const areEqual = (a: string, b: string): boolean =>
  Buffer.byteLength(a) === Buffer.byteLength(b) && timingSafeEqual(Buffer.from(a), Buffer.from(b))
