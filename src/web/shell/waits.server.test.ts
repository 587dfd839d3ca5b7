/** A page would wait for a first step although it must not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALM, TEXT } from './calm.ts'
import { waitsOf } from './waits.server.ts'

const SHELL = { ads: undefined, analyticsUrl: undefined, assay: undefined, gated: [] }

/** How a page at `pathname` may wait, of whose shell and module this is known. */
function waits(pathname: string, handle: unknown, shell: object = {}, statusCode = 200): string | undefined {
  const found = {
    statusCode,
    location: { pathname, search: '', hash: '' },
    matches: [{ route: { id: 'shell/Shell' } }, { route: { id: pathname } }],
    loaderData: { 'shell/Shell': { ...SHELL, ...shell } },
  }
  return waitsOf(found as unknown as Parameters<typeof waitsOf>[0], id => (id === pathname ? { handle } : {}))
}

test('text waits, figures that change by the hour wait for news too, and a visit counts where the limit counts it', () => {
  assert.equal(waits('/About', TEXT), 'waits')
  assert.equal(waits('/reports', TEXT), 'waits counts')
  assert.equal(waits('/analyze/bitcoin-yield', CALM), 'waits counts news')
})

test('nothing waits that is not calm, or beside which something comes by itself', () => {
  assert.equal(waits('/bitcoin', undefined), undefined)
  // What only looks alike is not what was said.
  assert.equal(waits('/bitcoin', { hasFigures: false }), undefined)
  assert.equal(waits('/About', TEXT, {}, 404), undefined)
  for (const shell of [
    { ads: '0-1' },
    { analyticsUrl: 'https://views.example' },
    { assay: {} },
    { gated: [{ path: '/About' }] },
  ])
    assert.equal(waits('/About', TEXT, shell), undefined)
  assert.equal(waits('/About', TEXT, { gated: [{ path: '/Terms' }] }), 'waits')
})
