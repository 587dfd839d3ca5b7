import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a request that changes something comes from our own pages: browsers say so (Fetch Metadata, or Origin, which
 * they send with every POST). What says neither is no browser, and carries no cookie against its owner's will.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = headers
  return origin === undefined || origin === new URL(publicUrl).origin
}
