/** Passwords could be guessed without limit, or a guesser could lock the owner out. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { testKey } from '#accounts/wallets.testing.ts'
import { mailedLink, ORIGIN, openPeopleSite, type PeopleSite } from './people.testing.ts'

const MOST = { byAccount: 5, byAddress: 12, ofAccount: 10, proofs: 3 }
const PASSWORD = 'a long password'

let site: PeopleSite
before(async () => {
  site = await openPeopleSite({
    limits: {
      failuresByAccount: MOST.byAccount,
      failuresByAddress: MOST.byAddress,
      failuresOfAccount: MOST.ofAccount,
      proofsByAddress: MOST.proofs,
    },
  })
})
after(() => site[Symbol.asyncDispose]())

const make = (email: string) =>
  site.accounts.members.create({ email, name: 'Ann', password: PASSWORD }, 'where it was made')
/** What comes of a try: `in`, or the code of the refusal. */
const attempt = (email: string, password: string, asker: string): Promise<string> =>
  site.accounts.members.check(email, password, asker).then(
    () => 'in',
    (error: { code: string }) => error.code,
  )
const counted = (outcomes: readonly string[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(outcomes, each => each)].map(([each, all]) => [each, all.length]))

test('of guesses that come at once no more are looked at than of those that come one by one', async () => {
  await make('ann@example.org')
  const guesses = Array.from({ length: 20 }, (_, i) => attempt('ann@example.org', `guess ${i}`, 'one'))
  assert.deepEqual(counted(await Promise.all(guesses)), {
    'accounts.password': MOST.byAccount,
    'accounts.too_many': 20 - MOST.byAccount,
  })
  // What was refused for one account uses up nothing of what the address may try of others.
  assert.equal(await attempt('nobody@example.org', PASSWORD, 'one'), 'accounts.password')
})

test('right passwords are not counted', async () => {
  await make('bea@example.org')
  for (let i = 0; i <= MOST.byAddress; i++)
    assert.equal(await attempt('bea@example.org', PASSWORD, 'home'), 'in')
})

test('guesses from many addresses are limited by the account, and its owner is not kept out', async () => {
  await make('cleo@example.org')
  assert.equal(await attempt('cleo@example.org', PASSWORD, 'home'), 'in')
  const guesses = Array.from({ length: 25 }, (_, i) => attempt('Cleo@example.org', 'a guess', `bot ${i}`))
  assert.deepEqual(counted(await Promise.all(guesses)), {
    'accounts.password': MOST.ofAccount,
    'accounts.too_many': 25 - MOST.ofAccount,
  })
  // Even the right one would tell a guesser that it is right.
  assert.equal(await attempt('cleo@example.org', PASSWORD, 'bot 99'), 'accounts.too_many')
  assert.equal(await attempt('cleo@example.org', PASSWORD, 'home'), 'in')
  // Where the owner is known guesses are limited as everywhere.
  const athome = Array.from({ length: 8 }, () => attempt('cleo@example.org', 'a guess', 'home'))
  assert.equal(counted(await Promise.all(athome))['accounts.password'], MOST.byAccount)
  // Elsewhere the mail lets the owner in.
  assert.equal(await attempt('cleo@example.org', PASSWORD, 'abroad'), 'accounts.too_many')
  await site.accounts.members.forget('cleo@example.org', 'abroad')
  await site.accounts.idle()
  const secret = mailedLink(site, 'reset').split('/').at(-1) ?? ''
  await site.accounts.members.reset(secret, 'another password', 'abroad')
  assert.equal(await attempt('cleo@example.org', 'another password', 'abroad'), 'in')
  // An email without an account is limited alike: a refusal does not tell whether there is one.
  const unknown = Array.from({ length: 25 }, (_, i) => attempt('zoe@example.org', 'a guess', `bot ${i}`))
  assert.equal(counted(await Promise.all(unknown))['accounts.too_many'], 25 - MOST.ofAccount)
})

test('signed messages are limited by the address, and what is refused for that is neither looked at nor written down', async () => {
  const { address, sign } = testKey(0)
  const post = (url: string, payload: object) =>
    site.ask(url, { method: 'POST', headers: { origin: ORIGIN }, payload })
  const { message } = (await post('/api/v1/siws/nonce', { address })).json()
  for (let i = 0; i < MOST.proofs; i++)
    assert.equal((await post('/api/v1/siws/verify', { message: 'x', signature: 'x' })).statusCode, 401)
  const limited = await post('/api/v1/siws/verify', { message, signature: sign(message) })
  assert.deepEqual([limited.statusCode, limited.json().code], [429, 'accounts.too_many'])
  const lines = await site.store.query("SELECT 1 FROM assay.audit_log WHERE event = 'wallet refused'")
  assert.equal(lines.length, MOST.proofs)
  const kept = await site.store.query('SELECT 1 FROM assay.siws_nonces WHERE address = $1', [address])
  assert.equal(kept.length, 1)
})
