/** Foreign scripts or frames could run in our pages, or wallets could not open. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PeopleConfig } from '#kernel/people.ts'
import { baseHeaders, pagePolicy, scriptHash } from './security.ts'

const ORIGIN = 'https://assay.example'
const own: PeopleConfig = {
  auth: { domain: `${ORIGIN}/idp`, clientId: 'assay', audience: `${ORIGIN}/api/v1`, scope: '' },
  asignaOrigins: ['https://stx.asigna.io'],
  hubHosts: ['https://hub.example'],
}
const directive = (policy: string, name: string): string | undefined =>
  policy.split('; ').find(part => part.startsWith(`${name} `))

test('a page may ask the hubs that are configured, and stand in the shells of wallets, no others', () => {
  const policy = pagePolicy('/bitcoin', 'n', [], own, ORIGIN)
  assert.equal(directive(policy, 'connect-src'), "connect-src 'self' https://hub.example")
  assert.equal(directive(policy, 'frame-ancestors'), "frame-ancestors 'self' https://stx.asigna.io")
  assert.equal(directive(policy, 'frame-src'), "frame-src 'self'")
  assert.equal(directive(policy, 'script-src'), "script-src 'self' 'nonce-n'")
  assert.equal(
    directive(pagePolicy('/embed/chart', 'n', [], own, ORIGIN), 'frame-ancestors'),
    'frame-ancestors *',
  )
})

test('a tenant elsewhere may be asked and may renew tokens in a frame, by its host or its address', () => {
  for (const domain of ['tenant.eu.auth0.com', 'https://tenant.eu.auth0.com/']) {
    const policy = pagePolicy('/', 'n', [], { ...own, auth: { ...own.auth, domain }, hubHosts: [] }, ORIGIN)
    assert.equal(directive(policy, 'connect-src'), "connect-src 'self' https://tenant.eu.auth0.com")
    assert.equal(directive(policy, 'frame-src'), "frame-src 'self' https://tenant.eu.auth0.com")
  }
})

test('a style sheet within a page needs the nonce, whatever the address; attributes of style do not', () => {
  for (const path of ['/', '/embed/a', '/Query']) {
    const policy = pagePolicy(path, 'n', [], own, ORIGIN)
    assert.equal(directive(policy, 'style-src'), "style-src 'self' 'nonce-n'")
    assert.equal(directive(policy, 'style-src-attr'), "style-src-attr 'unsafe-inline'")
    const inline = policy.split('; ').filter(part => part.includes('unsafe'))
    assert.deepEqual(inline, ["style-src-attr 'unsafe-inline'"])
  }
})

test('where nobody signs in a page asks its own server alone, and stands in no frame', () => {
  const policy = pagePolicy('/', 'n', [])
  assert.equal(directive(policy, 'connect-src'), "connect-src 'self'")
  assert.equal(directive(policy, 'frame-ancestors'), "frame-ancestors 'none'")
  assert.equal(directive(policy, 'frame-src'), undefined)
})

test('the policy of a page names all that it may load, and nothing else', () => {
  const hash = scriptHash("alert('x')")
  assert.equal(hash, "'sha256-JPoFjrDvGjII2ZQr0zVCLdwImped9XUzr7nzeL7Ser0='")
  assert.deepEqual(pagePolicy('/', 'n', [hash], own, ORIGIN, ['https://other.example']).split('; '), [
    "default-src 'none'",
    `script-src 'self' 'nonce-n' ${hash}`,
    "style-src 'self' 'nonce-n'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self' https://hub.example https://other.example",
    "frame-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'self' https://stx.asigna.io",
  ])
  const lonely = pagePolicy('/', 'n', [], { ...own, asignaOrigins: [] }, ORIGIN)
  assert.equal(directive(lonely, 'frame-ancestors'), "frame-ancestors 'none'")
  assert.equal(
    directive(pagePolicy('/embed/chart/x', 'n', [], own, ORIGIN), 'frame-ancestors'),
    "frame-ancestors 'self' https://stx.asigna.io",
  )
  const strange = { ...own, auth: { ...own.auth, domain: 'a b' }, hubHosts: [] }
  assert.equal(directive(pagePolicy('/', 'n', [], strange), 'connect-src'), "connect-src 'self'")
})

test('every answer carries the headers that guard it, https its own besides', () => {
  const plain = {
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
  }
  assert.deepEqual(baseHeaders('http://localhost:4400'), plain)
  assert.deepEqual(baseHeaders('https://assay.example'), {
    ...plain,
    'strict-transport-security': 'max-age=31536000',
  })
})
