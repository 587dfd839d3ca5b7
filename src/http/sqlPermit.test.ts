/** Another site could run SQL in a visitor’s name. */
import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { test } from 'node:test'
import { createSqlPermit } from './sqlPermit.ts'

const ORIGIN = 'https://assay.example'
let nowMs = 0
const permit = createSqlPermit(ORIGIN, () => nowMs)
const ofOurs = permit.ofPages
const ofCaller = permit.ofCaller('192.0.2.1')
const site = (value: string) => ({ 'sec-fetch-site': value })

const allows = (headers: IncomingHttpHeaders, token?: string, caller = '192.0.2.1', sql = 'SELECT 1') =>
  permit.allows({
    headers,
    query: new URLSearchParams(token === undefined ? { sql } : { sql, token }),
    caller,
  })

test('SQL runs from our own page with the token of our pages', () => {
  assert.equal(allows(site('same-origin'), ofOurs), true)
  assert.equal(allows({ referer: `${ORIGIN}/bitcoin?tab=fees` }, ofOurs), true)
  assert.equal(allows(site('same-origin')), false)
  assert.equal(allows(site('same-origin'), 'x'), false)
  assert.equal(allows(site('same-origin'), ''), false)
})

test('no other site may run anything, whatever token it has', () => {
  const foreign: IncomingHttpHeaders[] = [
    site('cross-site'),
    site('same-site'),
    site('Same-Origin, cross-site'),
    site(''),
    { ...site('cross-site'), referer: `${ORIGIN}/` },
    { referer: 'https://evil.example/' },
    { referer: 'http://assay.example/' },
    { referer: 'https://assay.example.evil.example/' },
    { referer: 'about:blank' },
    { origin: 'null', referer: `${ORIGIN}/` },
    { origin: 'https://evil.example' },
  ]
  for (const headers of foreign) {
    for (const token of [undefined, ofOurs, ofCaller])
      assert.equal(allows(headers, token), false, JSON.stringify(headers))
    assert.equal(
      permit.allows({ headers, query: new URLSearchParams('table=stacks/x'), caller: '192.0.2.1' }),
      false,
    )
  }
})

test('a link from outside and a browser without these headers need the token of the caller', () => {
  for (const headers of [site('none'), {}]) {
    assert.equal(allows(headers), false)
    // Anybody can read this one on a page.
    assert.equal(allows(headers, ofOurs), false)
    assert.equal(allows(headers, ofCaller), true)
    assert.equal(allows(headers, ofCaller, '192.0.2.2'), false)
    assert.equal(permit.allows({ headers, query: new URLSearchParams('table=stacks/x'), caller: '' }), true)
  }
})

test('a token of a caller ends after at most two hours, and is worth nothing to another process', () => {
  const token = permit.ofCaller('192.0.2.1')
  nowMs += 3_600_000
  assert.equal(allows({}, token), true)
  nowMs += 3_600_000
  assert.equal(allows({}, token), false)
  nowMs = 0
  const other = createSqlPermit(ORIGIN, () => nowMs)
  assert.equal(allows(site('same-origin'), other.ofPages), false)
  assert.equal(allows({}, other.ofCaller('192.0.2.1')), false)
})

test('a token of a caller holds into the next hour, and not longer', () => {
  nowMs = 3_600_000 * 5 + 1
  const token = permit.ofCaller('192.0.2.1')
  nowMs = 3_600_000 * 7 - 1
  assert.equal(allows({}, token), true)
  nowMs = 3_600_000 * 7
  assert.equal(allows({}, token), false)
  // Nor does one of an hour that has not begun.
  nowMs = 3_600_000 * 8
  const later = permit.ofCaller('192.0.2.1')
  nowMs = 3_600_000 * 8 - 1
  assert.equal(allows({}, later), false)
  assert.match(later, /^[\w-]{32}$/)
  assert.notEqual(later, token)
  nowMs = 0
})

test('without a token nothing runs, and a page’s own request needs none for what is no SQL', () => {
  nowMs = 0
  assert.equal(
    permit.allows({ headers: site('none'), query: new URLSearchParams('sql='), caller: '192.0.2.1' }),
    false,
  )
  assert.equal(
    permit.allows({ headers: site('same-origin'), query: new URLSearchParams('table=x'), caller: '' }),
    true,
  )
  // The token of a caller counts on our own pages too.
  assert.equal(allows(site('same-origin'), ofCaller), true)
  assert.equal(allows({ origin: ORIGIN }, ofOurs), true)
  assert.equal(allows({ referer: 'no address' }, ofCaller), false)
  assert.equal(allows({}, 'é'.repeat(32)), false)
})
