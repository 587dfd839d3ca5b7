/** Another site could send forms in a visitor’s name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tooMany, waitOf } from './errors.ts'
import { createLimiter } from './limits.ts'
import { readSignIn, writeSignIn } from './provider/signIn.ts'
import { isSameOrigin } from './sameOrigin.ts'

const ORIGIN = 'https://assay.example/'

test('a change comes from our own pages, or from what is no browser', () => {
  const site = (value: string, origin?: string) => ({ 'sec-fetch-site': value, ...(origin && { origin }) })
  for (const headers of [{}, { origin: 'https://assay.example' }, site('same-origin'), site('none')])
    assert.equal(isSameOrigin(headers, ORIGIN), true, JSON.stringify(headers))
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'http://assay.example' },
    { origin: 'null' },
    site('same-site'),
    site('cross-site', 'https://assay.example'),
    site(''),
  ])
    assert.equal(isSameOrigin(headers, ORIGIN), false, JSON.stringify(headers))
})

test('how long to wait is named in whole seconds, from 90 on in minutes', () => {
  const facts = (milliseconds: number) => tooMany('tries', milliseconds).facts.retryAfterSeconds
  assert.deepEqual([0, 1, 1000, 1001, 90_000].map(facts), [1, 1, 1, 2, 90])
  assert.deepEqual([1, 89, 90, 121].map(waitOf), ['1 seconds', '89 seconds', '2 minutes', '3 minutes'])
  assert.equal(tooMany('tries', 500).hint, 'Try again in 1 seconds.')
  assert.equal(tooMany('tries', 500).code, 'accounts.too_many')
})

test('a limit names how long it lasts, and forgets what it counted', async () => {
  const limit = createLimiter('tries', 1, 60)
  await limit.take('a')
  const thrown = await limit.take('a').then(
    () => undefined,
    (error: { message: string; facts: { retryAfterSeconds: number } }) => error,
  )
  assert.equal(thrown?.message, 'Too many tries in a short time.')
  const { retryAfterSeconds = 0 } = thrown?.facts ?? {}
  assert.ok(retryAfterSeconds > 50 && retryAfterSeconds <= 60, String(retryAfterSeconds))
  await limit.forget('a')
  await limit.forget('never counted')
  await limit.take('a')
  await limit.giveBack('a')
  await limit.take('a')
})

test('a sign-in is an account and a version, and the first version adds nothing', () => {
  assert.equal(writeSignIn({ account: 'a', version: 0 }), 'a')
  assert.equal(writeSignIn({ account: 'a', version: 12 }), 'a#12')
  assert.deepEqual(['a', 'a#12', 'a#0', 'a#', 'a#x'].map(readSignIn), [
    { account: 'a', version: 0 },
    { account: 'a', version: 12 },
    { account: 'a#0', version: 0 },
    { account: 'a#', version: 0 },
    { account: 'a#x', version: 0 },
  ])
})
