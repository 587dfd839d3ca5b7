import assert from 'node:assert/strict'
import type { Answer } from './people.testing.ts'

const ALWAYS = {
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const

/** Holds that an answer of a site behind https says to browsers what each must; `frames` alone may hold it. */
export function assertGuarded(
  what: string,
  { headers }: Answer,
  { frames, opener = 'same-origin-allow-popups' }: { frames: string; opener?: string },
): void {
  for (const [name, value] of Object.entries({ ...ALWAYS, 'cross-origin-opener-policy': opener }))
    assert.equal(headers[name], value, `${what}: ${name}`)
  // Pages of sign-in, whose addresses may be secrets, tell other sites nothing at all.
  assert.match(String(headers['referrer-policy']), /^(strict-origin-when-cross-origin|same-origin)$/, what)
  const policy = String(headers['content-security-policy']).split(/; ?/)
  assert.ok(policy.includes("default-src 'none'"), `${what}: ${policy}`)
  assert.ok(policy.includes(`frame-ancestors ${frames}`), `${what}: ${policy}`)
}
