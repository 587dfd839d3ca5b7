import { createHash } from 'node:crypto'

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
 * What a page may load: its own files, inline scripts that carry the nonce or one of the hashes, and nothing from other
 * hosts. Drawn charts and tables set styles inline. `/embed/…` alone may stand in a frame.
 */
export function pagePolicy(path: string, nonce: string, scriptHashes: readonly string[]): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", `'nonce-${nonce}'`, ...scriptHashes].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${path.startsWith('/embed/') ? '*' : "'none'"}`,
  ].join('; ')
}
