/** Somebody else's wallet would be signed in, or its owner signed out. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { madePerson, NOW, openAccountsStore, type TestAccounts } from './accounts.testing.ts'
import { parseSiws, writeSiws } from './siws/message.ts'
import { SIWS_TEXTS } from './siws/texts.ts'
import { testKey } from './wallets.testing.ts'

const MINUTE_MS = 60_000
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS
const BY = { asker: '192.0.2.1', device: 'Firefox', before: undefined }

let site: TestAccounts
before(async () => {
  site = await openAccountsStore()
})
after(() => site[Symbol.asyncDispose]())

const notes = async (event: string, person: string) =>
  (
    await site.store.query<{ asker: string | null; facts: object }>(
      'SELECT asker, facts FROM assay.audit_log WHERE event = $1 AND person = $2 ORDER BY id',
      [event, person],
    )
  ).map(({ asker, facts }) => ({ asker, facts }))

test('a wallet signs in by the message that it was offered, once, and stays for a week', async () => {
  const accounts = site.open()
  const { wallets, clock, sessions } = accounts
  const key = testKey(10)
  const offer = await wallets.offer(key.address, '192.0.2.1')
  assert.match(offer.nonce, /^[0-9a-f]{32}$/)
  assert.equal(offer.expiresAt, new Date(NOW + 10 * MINUTE_MS).toISOString())
  assert.deepEqual(parseSiws(offer.message), {
    domain: 'assay.example',
    address: key.address,
    statement: 'Sign in to Assay. This costs nothing and moves nothing.',
    uri: 'https://assay.example',
    version: '1',
    chainId: 1,
    nonce: offer.nonce,
    issuedAt: new Date(NOW).toISOString(),
    expirationTime: offer.expiresAt,
  })
  const device = 'x'.repeat(201)
  const signed = key.sign(offer.message)
  const { address, secret, expiresAt } = await wallets.prove(offer.message, signed, { ...BY, device })
  assert.deepEqual([address, expiresAt], [key.address, new Date(NOW + WEEK_MS)])
  const session = await wallets.find(secret)
  assert.deepEqual(
    { ...session, id: undefined },
    {
      id: undefined,
      address: key.address,
      device: 'x'.repeat(200),
      createdAt: new Date(NOW),
      seenAt: new Date(NOW),
      expiresAt,
    },
  )
  await assert.rejects(wallets.prove(offer.message, signed, BY), { message: SIWS_TEXTS.nonce })
  // It is noted as seen every five minutes at most.
  const seenAt = async () => (await wallets.find(secret))?.seenAt.getTime()
  clock.now = NOW + 5 * MINUTE_MS
  assert.deepEqual([await seenAt(), await seenAt()], [NOW, NOW])
  clock.now += 1
  await seenAt()
  assert.equal(await seenAt(), NOW + 5 * MINUTE_MS + 1)
  const person = madePerson(key.address, { kind: 'wallet', email: null, via: 'wallet' })
  assert.deepEqual(
    (await sessions.list(person)).map(({ id }) => id),
    [session?.id],
  )
  assert.deepEqual(await sessions.list({ ...person, kind: 'account' }), [])
  clock.now = expiresAt.getTime() - 1
  assert.notEqual(await wallets.find(secret), undefined)
  clock.now = expiresAt.getTime()
  assert.equal(await wallets.find(secret), undefined)
  assert.deepEqual(await sessions.list(person), [])
  assert.deepEqual(await notes('wallet signed in', `wallet:${key.address}`), [
    { asker: '192.0.2.1', facts: {} },
  ])
})

test('a sign-in ends the session before it, and signing out ends its own alone', async () => {
  const { wallets, sessions } = site.open()
  const key = testKey(11)
  const signIn = async (before?: string) => {
    const { message } = await wallets.offer(key.address, '192.0.2.2')
    return (await wallets.prove(message, key.sign(message), { ...BY, before })).secret
  }
  const first = await signIn()
  const second = await signIn()
  assert.notEqual(await wallets.find(first), undefined)
  const third = await signIn(first)
  assert.equal(await wallets.find(first), undefined)
  assert.notEqual(await wallets.find(second), undefined)
  await wallets.end(second)
  await wallets.end('unknown')
  assert.equal(await wallets.find(second), undefined)
  assert.equal((await notes('wallet signed out', `wallet:${key.address}`)).length, 1)
  const left = await wallets.find(third)
  const person = madePerson(key.address, { kind: 'wallet', email: null, via: 'wallet' })
  await assert.rejects(sessions.end({ ...person, id: testKey(12).address }, left?.id ?? ''), {
    code: 'accounts.not_found',
  })
  await sessions.end(person, left?.id ?? '')
  assert.equal(await wallets.find(third), undefined)
  await assert.rejects(sessions.end(person, left?.id ?? ''), { code: 'accounts.not_found' })
  assert.deepEqual(await notes('session ended', `wallet:${key.address}`), [
    { asker: null, facts: { session: left?.id.slice(0, 8) } },
  ])
})

test('what was not offered, or to another wallet, site or time, is refused and written down', async () => {
  const { wallets, clock } = site.open()
  const [key, other] = [testKey(13), testKey(14)]
  const offered = async () => wallets.offer(key.address, '192.0.2.3')
  const refused = (message: string, signature: string, fault: keyof typeof SIWS_TEXTS) =>
    assert.rejects(wallets.prove(message, signature, { ...BY, asker: '192.0.2.4' }), {
      message: SIWS_TEXTS[fault],
    })
  const fields = (more: object) => ({ ...parseSiws(offer.message), ...more })
  let offer = await offered()
  const unknown = writeSiws(fields({ nonce: 'a'.repeat(32) }))
  await refused(unknown, key.sign(unknown), 'nonce')
  const wrong = writeSiws(fields({ address: other.address }))
  await refused(wrong, other.sign(wrong), 'nonce')
  offer = await offered()
  const elsewhere = writeSiws(fields({ uri: 'https://evil.example' }))
  await refused(elsewhere, key.sign(elsewhere), 'domain')
  // The nonce was used up by that, whatever came of it.
  await refused(offer.message, key.sign(offer.message), 'nonce')
  offer = await offered()
  const endless = writeSiws(fields({ expirationTime: '2030-01-01T00:00:00Z' }))
  clock.now = NOW + 10 * MINUTE_MS
  await refused(endless, key.sign(endless), 'expired')
  clock.now = NOW
  offer = await offered()
  const again = writeSiws(fields({ expirationTime: '2030-01-01T00:00:00Z' }))
  clock.now = NOW + 10 * MINUTE_MS - 1
  assert.equal((await wallets.prove(again, key.sign(again), BY)).address, key.address)
  clock.now = NOW
  offer = await offered()
  await refused(offer.message, other.sign(offer.message), 'signature')
  assert.deepEqual(
    (await notes('wallet refused', `wallet:${key.address}`)).map(({ asker, facts }) => [asker, facts]),
    ['nonce', 'domain', 'expired', 'signature'].map(fault => ['192.0.2.4', { fault }]),
  )
  await assert.rejects(wallets.offer('nobody', '192.0.2.3'), { message: SIWS_TEXTS.address })
  await assert.rejects(wallets.offer('SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4', '192.0.2.3'), {
    code: 'accounts.multisig',
  })
})

test('offers and proofs are limited by caller, and offers by wallet of that caller', async () => {
  const { wallets } = site.open({
    limits: { noncesByAddress: 3, noncesByWallet: 2, proofsByAddress: 1 },
  })
  const tooMany = { code: 'accounts.too_many' }
  const [one, other, third] = [15, 16, 17].map(number => testKey(number).address) as [string, string, string]
  await wallets.offer(one, 'a')
  await wallets.offer(one, 'a')
  await assert.rejects(wallets.offer(one, 'a'), tooMany)
  await assert.rejects(wallets.offer(other, 'a'), tooMany)
  await wallets.offer(one, 'b')
  await wallets.offer(one, 'b')
  await wallets.offer(third, 'b')
  const { message } = await wallets.offer(one, 'c')
  await assert.rejects(wallets.prove(message, '', { ...BY, asker: 'c' }), { code: 'accounts.proof' })
  await assert.rejects(wallets.prove(message, '', { ...BY, asker: 'c' }), tooMany)
})
