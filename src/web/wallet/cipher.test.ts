/** A user’s private data would be unreadable or readable by others. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decryptContent, encryptContent, getPublicKeyFromPrivate } from '@stacks/encryption'
import { decrypt, encrypt } from './cipher.ts'
import { profileIn, profilePicture, walletProfile } from './profile.ts'

const KEY = '3c'.repeat(32)
const PUBLIC = getPublicKeyFromPrivate(KEY)

test('texts and bytes come back as they were, by either key, and as the library of Stacks has them', async () => {
  for (const keys of [{ privateKey: KEY }, { publicKey: PUBLIC }]) {
    const locked = await encrypt('é ₿', keys)
    assert.deepEqual(Object.keys(locked).sort(), [
      'cipherText',
      'cipherTextEncoding',
      'ephemeralPK',
      'iv',
      'mac',
      'wasString',
    ])
    assert.equal(await decrypt(locked, KEY), 'é ₿')
    assert.equal(await decryptContent(JSON.stringify(locked), { privateKey: KEY }), 'é ₿')
  }
  const bytes = await decrypt(await encrypt(Uint8Array.of(0, 255), { privateKey: KEY }), KEY)
  assert.deepEqual(Buffer.from(bytes), Buffer.from([0, 255]))
  // Hex is how older programs wrote it.
  assert.equal(await decrypt(await encryptContent('old', { publicKey: PUBLIC }), KEY), 'old')
})

test('both keys, none, another key, altered text and no cipher object are refused in the words of the specification', async () => {
  await assert.rejects(encrypt('x', { publicKey: PUBLIC, privateKey: KEY }), { code: 'cipher.keys' })
  await assert.rejects(encrypt('x', {}), { code: 'cipher.keys' })
  const locked = await encrypt('x', { privateKey: KEY })
  const mac = { code: 'cipher.mac', message: 'Decryption failed: failure in MAC check' }
  await assert.rejects(decrypt(locked, '3d'.repeat(32)), mac)
  await assert.rejects(decrypt({ ...locked, iv: '00'.repeat(16) }, KEY), mac)
  const { ephemeralPK: _none, ...rest } = locked
  for (const wrong of [JSON.stringify(rest), '{}', 'null', 'plain text', ''])
    await assert.rejects(decrypt(wrong, KEY), { message: 'No ephemeralPK found in cipher object' })
})

test('a profile is read plain or from the list of tokens, its picture by https alone', async () => {
  const claim = {
    name: 'Ann',
    image: [{ contentUrl: 'javascript:alert(1)' }, { contentUrl: 'https://a.test/me.png' }],
  }
  const expected = { name: 'Ann', imageUrl: 'https://a.test/me.png' }
  assert.deepEqual(profileIn(JSON.stringify(claim)), expected)
  assert.deepEqual(
    profileIn(JSON.stringify([{ token: 'x', decodedToken: { payload: { claim } } }])),
    expected,
  )
  assert.deepEqual(profileIn('{"name":7}'), { name: null, imageUrl: null })
  for (const wrong of ['', '<html>', 'null', '7'])
    assert.throws(() => profileIn(wrong), { code: 'profile.form' })
  for (const url of ['http://a.test/', 'data:application/json,{}', 'file:///etc/passwd', ''])
    await assert.rejects(walletProfile(url), { code: 'profile.address' })
})

test('a profile that is too long, is not there or never ends is given up', async context => {
  const answer = context.mock.method(globalThis, 'fetch', async () => new Response('x'.repeat(300_000)))
  await assert.rejects(walletProfile('https://a.test/'), { code: 'profile.form' })
  answer.mock.mockImplementation(async () => new Response('', { status: 404 }))
  await assert.rejects(walletProfile('https://a.test/'), { code: 'profile.unreachable' })
})

test('the picture of a profile is asked for at hubs that are allowed alone, and only pictures are taken', async t => {
  const hosts = ['https://hub.test']
  let answer = new Response('x', { headers: { 'content-type': 'image/png; q=1' } })
  const asked = t.mock.method(globalThis, 'fetch', async () => answer)
  const picture = await profilePicture('https://hub.test/me.png', hosts)
  assert.deepEqual([picture.type, await picture.text()], ['image/png', 'x'])
  for (const url of [
    'https://other.test/me.png',
    'http://hub.test/me.png',
    'data:image/png;base64,aa',
    'me.png',
  ])
    await assert.rejects(profilePicture(url, hosts), { code: 'profile.address' })
  assert.equal(asked.mock.callCount(), 1)
  answer = new Response('<svg/>', { headers: { 'content-type': 'image/svg+xml' } })
  await assert.rejects(profilePicture('https://hub.test/me.svg', hosts), { code: 'profile.form' })
  answer = new Response(new Uint8Array(1024 * 1024 + 1), { headers: { 'content-type': 'image/png' } })
  await assert.rejects(profilePicture('https://hub.test/big.png', hosts), { code: 'profile.form' })
})
