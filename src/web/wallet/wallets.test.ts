/** Users could not sign in with their wallet, or a canceled sign-in would go through. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { makeAuthResponse } from '@stacks/auth'
import { bytesToHex } from '@stacks/common'
import { hashSha256Sync, verifyMessageSignatureRsv } from '@stacks/encryption'
import {
  Cl,
  encodeStructuredDataBytes,
  getAddressFromPublicKey,
  publicKeyFromSignatureRsv,
} from '@stacks/transactions'
import { APP_KEY, makeWallet } from '#tests/wallets/account.ts'
import { installLeather, installXverse } from '#tests/wallets/install.ts'
import { MadePage } from '#tests/wallets/madePage.ts'
import {
  calls,
  enter,
  HUB,
  KEY,
  LEATHER,
  left,
  logged,
  made,
  OTHER_KEY,
  page,
  setUpWalletPage,
  signIn,
  XVERSE,
} from '#tests/wallets/walletPage.ts'
import {
  signInWithWallet,
  signMessage,
  signStructured,
  storedSession,
  WALLETS,
  WalletError,
  watchAccount,
  watchSession,
  watchWallets,
} from './index.ts'
import { readAuthResponse } from './tokenSignIn.ts'

setUpWalletPage()

test('exactly three wallets are offered, each with a place to get it', () => {
  assert.deepEqual(
    WALLETS.map(({ name }) => name),
    ['Leather', 'Xverse Wallet', 'Asigna'],
  )
  for (const { installUrl } of WALLETS) assert.equal(new URL(installUrl).protocol, 'https:')
})

test('a wallet that comes later is found by looking every 100 ms, and told once', context => {
  context.mock.timers.enable({ apis: ['setInterval'] })
  const told: string[][] = []
  const stop = watchWallets(installed => told.push(installed))
  installLeather(page, made())
  context.mock.timers.tick(99)
  assert.deepEqual(told, [[]])
  context.mock.timers.tick(1)
  context.mock.timers.tick(1000)
  assert.deepEqual(told, [[], [LEATHER]])
  stop()
  installXverse(page, made())
  context.mock.timers.tick(1000)
  assert.equal(told.length, 2)
})

for (const [name, id, install] of [
  ['Leather', LEATHER, installLeather],
  ['Xverse', XVERSE, installXverse],
] as const)
  describe(name, () => {
    test('signs in by its address where it has no sign-in by token, and the one record is stored', async () => {
      const state = made()
      install(page, state)
      const { session, told } = await signIn(id)
      assert.deepEqual(told, ['finish'])
      assert.equal(session?.userData.address, state.wallet.address)
      assert.equal(session?.userData.publicKey, state.wallet.publicKey)
      // RIPEMD-160 of SHA-256 of the key, under the version of one key on the main network.
      const sha256 = createHash('sha256').update(state.wallet.publicKey, 'hex').digest()
      const hash = createHash('ripemd160').update(sha256).digest('hex')
      assert.deepEqual(session?.userData.addressParts, { version: 22, hash })
      const record = JSON.parse(localStorage.getItem('blockstack-session') ?? '')
      assert.deepEqual(Object.keys(record), ['version', 'userData', 'transitKey', 'etags'])
      assert.deepEqual(storedSession(), session)
    })

    test('signs in by token, with the scopes, the month, our name and icon, and fills every field', async () => {
      const state = made({ hasToken: true, associationToken: 'a.b.c' })
      install(page, state)
      const { session, told } = await signIn(id)
      assert.deepEqual(told, ['finish'])
      const token = String(state.asked[0]?.params.authenticationRequest)
      const request = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
      assert.deepEqual(request.scopes, ['store_write', 'publish_data'])
      assert.ok(Math.abs(request.exp - request.iat - 30 * 24 * 60 * 60) <= 1)
      assert.deepEqual(request.appDetails, { name: 'Assay', icon: 'https://assay.test/favicon.svg' })
      const { userData, transitKey } = session ?? assert.fail('no session')
      assert.match(transitKey ?? '', /^[0-9a-f]{64}/)
      assert.equal(userData.appPrivateKey, APP_KEY)
      assert.equal(userData.addresses.mainnet, state.wallet.address)
      assert.deepEqual(userData.addressParts, state.wallet.addressParts)
      assert.match(userData.addresses.testnet ?? '', /^ST/)
      assert.equal(userData.hubUrl, HUB)
      assert.equal(userData.associationToken, 'a.b.c')
      assert.equal(userData.profile_url, 'https://profile.assay.test/me')
      assert.equal(userData.version, '1.4.0')
      assert.match(userData.decentralizedID ?? '', /^did:btc-addr:1/)
      assert.equal(`did:btc-addr:${userData.identityAddress}`, userData.decentralizedID)
      assert.equal(userData.public_keys.length, 1)
    })

    test('a refusal is logged, runs the cancel callback and disconnects who was connected', async () => {
      for (const hasToken of [false, true]) {
        const state = made({ hasToken })
        if (!hasToken) install(page, state)
        else {
          left[Symbol.dispose]()
          enter(new MadePage())
          install(page, state)
        }
        assert.deepEqual((await signIn(id)).told, ['finish'])
        logged.mock.resetCalls()
        state.refused = ['getAddresses', 'wallet_connect', 'token']
        assert.deepEqual((await signIn(id)).told, ['cancel wallet.cancelled'])
        assert.equal(logged.mock.callCount(), 1)
        assert.equal(storedSession(), undefined)
      }
    })

    test('an address of another network signs nobody in', async () => {
      for (const hasToken of [false, true]) {
        left[Symbol.dispose]()
        enter(new MadePage())
        install(page, made({ hasToken, network: 'testnet' }))
        assert.deepEqual((await signIn(id)).told, ['cancel wallet.network'])
        assert.equal(storedSession(), undefined)
      }
    })

    test('a text is signed as its own verifier accepts it', async () => {
      const state = made()
      install(page, state)
      await signIn(id)
      const message = 'localhost wants you to sign in with your Stacks account:\n…'
      const { signature, publicKey } = (await signMessage(message)) ?? assert.fail('not signed')
      assert.equal(publicKey, state.wallet.publicKey)
      assert.ok(verifyMessageSignatureRsv({ message, signature, publicKey: state.wallet.publicKey }))
    })

    test('another account in use ends the session as soon as it signs', async () => {
      const state = made()
      install(page, state)
      await signIn(id)
      state.wallet = makeWallet({ key: OTHER_KEY })
      const told: string[] = []
      assert.equal(await signMessage('x', { onCancel: ({ code }) => told.push(code) }), undefined)
      assert.deepEqual(told, ['wallet.account_changed'])
      assert.equal(storedSession(), undefined)
      assert.deepEqual(calls, ['DELETE /api/v1/siws/session'])
    })
  })

test('a wallet that is not there runs the callback for it, and throws its sentence where there is none', async () => {
  assert.deepEqual((await signIn(LEATHER)).told, ['no wallet'])
  await assert.rejects(signInWithWallet(LEATHER), (thrown: unknown) => {
    assert.ok(thrown instanceof WalletError)
    return thrown.message === '[Connect] No installed Stacks wallet found'
  })
})

test('a structured message is signed with our domain of version 1.0.0', async () => {
  const state = made()
  installLeather(page, state)
  await signIn(LEATHER)
  await signStructured({ type: 'uint', value: 5n })
  const [asked] = state.asked.filter(({ method }) => method === 'stx_signStructuredMessage')
  const domain = Cl.tuple({
    name: Cl.stringAscii('Assay'),
    version: Cl.stringAscii('1.0.0'),
    'chain-id': Cl.uint(1),
  })
  assert.equal(asked?.params.domain, `0x${Cl.serialize(domain)}`)
  assert.equal(asked?.params.message, `0x${Cl.serialize(Cl.uint(5))}`)
})

test('a change of the account that Xverse tells of ends the session, one of another wallet’s does not', async () => {
  const state = made()
  installXverse(page, state)
  await signIn(XVERSE)
  const ended = Promise.withResolvers<void>()
  const stop = watchAccount(ended.resolve)
  state.changed()
  await new Promise(setImmediate)
  assert.ok(storedSession())
  state.wallet = makeWallet({ key: OTHER_KEY })
  const sessions: unknown[] = []
  const unwatch = watchSession(session => sessions.push(session))
  state.changed()
  await ended.promise
  assert.deepEqual(sessions, [undefined])
  unwatch()
  stop()
})

test('a token that is altered, expired, unsigned or signed by another key signs nobody in', async () => {
  const transitKey = '77'.repeat(32)
  const good = await makeWallet({ key: KEY, hubUrl: HUB }).authResponse(requestFrom(transitKey))
  const profile = { stxAddress: { mainnet: makeWallet({ key: KEY }).address } }
  const expired = await makeAuthResponse('5a'.repeat(32), profile, null, null, null, Date.now() - 1000)
  const [head = '', body = '', signature = ''] = good.split('.')
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const payload = JSON.parse(Buffer.from(body, 'base64url').toString())
  const bad = [
    undefined,
    { token: good },
    'no token',
    expired,
    `${head}.${encode({ ...payload, profile: { stxAddress: { mainnet: 'SP000000000000000000002Q6VF78' } } })}.${signature}`,
    `${encode({ typ: 'JWT', alg: 'none' })}.${body}.`,
    `${head}.${encode({ ...payload, iss: 'did:btc-addr:1BoatSLRHtKNngkdXEeobR76b53LETtpyT' })}.${signature}`,
  ]
  assert.ok(await readAuthResponse(LEATHER, good, transitKey))
  for (const token of bad)
    await assert.rejects(readAuthResponse(LEATHER, token, transitKey), { code: 'wallet.token' })
  // A key that was meant for another request cannot be read.
  await assert.rejects(readAuthResponse(LEATHER, good, '78'.repeat(32)), { code: 'wallet.token' })
})

/** A request for sign-in as far as a wallet reads it. */
const requestFrom = (transitKey: string): string =>
  `e30.${Buffer.from(JSON.stringify({ public_keys: [publicKeyOf(transitKey)] })).toString('base64url')}.`

const publicKeyOf = (key: string): string => makeWallet({ key: `${key}01` }).publicKey

test('what the tests of Leather hold for signed is what ours verify, and belongs to its address', () => {
  // leather-io/extension, integration test of `stx_signMessage`.
  const publicKey = '0329b076bc20f7b1592b2a1a5cb91dfefe8c966e50e256458e23dd2c5d63f8f1af'
  const text =
    '6d9040912574f9a8128ada79968e9b09e9d469fe84cda063701be0fefb8c3bdc21a309456a78929347a095a4a856271bde9cb327132edad7730d29404dba5e9300'
  assert.ok(verifyMessageSignatureRsv({ message: 'test', signature: text, publicKey }))
  assert.equal(getAddressFromPublicKey(publicKey), 'SPS8CKF63P16J28AYF7PXW9E5AACH0NZNTEFWSFE')
  const structured =
    '9ed8ab4861d5e99f410ac57692feba7f78336602df80908f11c71c400faad03327c3009daf0b4ee4f05c966197ba0ad92d0e0879b6399c3532c148c32fb4e07c01'
  const domain = Cl.tuple({
    name: Cl.stringAscii('leather.io'),
    version: Cl.stringAscii('1.0.0'),
    'chain-id': Cl.uint(1),
  })
  const message = Cl.tuple({ a: Cl.int(-1), b: Cl.stringUtf8('this is a structured message') })
  const hash = bytesToHex(hashSha256Sync(encodeStructuredDataBytes({ message, domain })))
  assert.equal(publicKeyFromSignatureRsv(hash, structured), publicKey)
})
