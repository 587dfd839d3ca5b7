/** Foreign scripts or frames could run in our pages, or wallets could not open. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PeopleConfig } from '#kernel/people.ts'
import { pagePolicy } from './security.ts'

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
