/** A user would get features without proof, or a cached answer of somebody else. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Problem } from './contract.ts'
import { openTestSite, type TestSite } from './testing.ts'

let site: TestSite
before(async () => {
  site = await openTestSite()
})
after(() => site[Symbol.asyncDispose]())

const ask = (headers: Record<string, string> = {}) =>
  site.app.inject({ url: '/api/v1/features', headers: { 'content-type': 'application/json', ...headers } })

test('who claims nothing has no features, and the answer is not kept', async () => {
  // A password of a proxy before the site is not a claim to the site.
  for (const headers of [{}, { authorization: 'Basic YTpi' }]) {
    const answer = await ask(headers)
    assert.deepEqual([answer.statusCode, answer.json()], [200, {}])
    assert.equal(answer.headers['cache-control'], 'no-store')
  }
})

test('a token or an address that nothing here can prove is refused, and not repeated', async () => {
  const secret = 'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7'
  for (const headers of [
    { authorization: `Bearer ${secret}` },
    { authorization: `bearer ${secret}` },
    { authorization: 'Bearer' },
    { 'wallet-address': secret },
    { 'wallet-address': '' },
    { authorization: `Bearer ${secret}`, 'wallet-address': secret },
  ]) {
    const answer = await ask(headers)
    const problem = answer.json<Problem>()
    assert.deepEqual(
      [answer.statusCode, problem.status, problem.code, problem.type],
      [401, 401, 'http.credentials', '/errors/http.credentials'],
    )
    assert.match(String(answer.headers['content-type']), /^application\/problem\+json/)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.ok(!answer.body.includes(secret))
  }
})
