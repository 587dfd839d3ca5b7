import { createHash } from 'node:crypto'
import type { PeopleConfig } from '#kernel/people.ts'

/** Answers that are no page load nothing and stand in no frame. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

/** Headers of every answer; a page brings a policy of its own. */
export function baseHeaders(publicUrl: string): Record<string, string> {
  return {
    'content-security-policy': DATA_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    // Wallets sign in by popup.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

/** A script as the policy names it. */
export const scriptHash = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/**
 * What a page may load: its own files, inline scripts that carry the nonce or one of the hashes, style sheets within it that
 * carry the nonce, and nothing from other hosts but who signs people in, the hubs of wallets and `others` that hear of it, where
 * they are configured. Charts and tables place what they draw by attributes of style: these load nothing that `img-src` would
 * not. `/embed/…` alone may stand in anybody’s frame; every page in the shells of wallets that are configured.
 */
export function pagePolicy(
  path: string,
  nonce: string,
  scriptHashes: readonly string[],
  people?: PeopleConfig,
  publicUrl?: string,
  others: readonly string[] = [],
): string {
  const tenant = people && tenantOrigin(people, publicUrl)
  const shells = people?.asignaOrigins ?? []
  return [
    "default-src 'none'",
    ["script-src 'self'", `'nonce-${nonce}'`, ...scriptHashes].join(' '),
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...(tenant ?? []), ...(people?.hubHosts ?? []), ...others].join(' '),
    // Tokens are renewed in a frame of who signs people in.
    ...(people === undefined ? [] : [["frame-src 'self'", ...(tenant ?? [])].join(' ')]),
    "manifest-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${path === '/embed/chart' ? '*' : shells.length === 0 ? "'none'" : ["'self'", ...shells].join(' ')}`,
  ].join('; ')
}

/** Origin of a tenant elsewhere; the provider of this server is `self` already. */
const tenantOrigin = ({ auth: { domain } }: PeopleConfig, publicUrl = ''): string[] => {
  const url = URL.parse(/^https?:\/\//.test(domain) ? domain : `https://${domain}`)
  return url === null || url.origin === URL.parse(publicUrl)?.origin ? [] : [url.origin]
}
