/** A forged wallet message would sign somebody in, or a real one would be refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testKey } from '../wallets.testing.ts'
import { parseSiws, type SiwsMessage, writeSiws } from './message.ts'
import { SIWS_TEXTS, SiwsError, type SiwsFault } from './texts.ts'
import { verifySiws } from './verify.ts'

const key = testKey(0)
const NOW = Date.parse('2026-11-24T12:00:00Z')
const WHOLE: SiwsMessage = {
  domain: 'localhost:4400',
  address: key.address,
  statement: 'Sign in.',
  uri: 'http://localhost:4400',
  version: '1',
  chainId: 1,
  nonce: 'abcdef0123456789',
  issuedAt: '2026-11-24T11:59:00.000Z',
  expirationTime: '2026-11-24T12:10:00.000Z',
  notBefore: '2026-11-24T11:00:00Z',
  requestId: 'a-1',
  resources: ['https://example.org/a', 'urn:b'],
}
const { statement: _, expirationTime: _e, notBefore: _n, requestId: _r, resources: _s, ...BARE } = WHOLE

test('a message is written as the draft has it, with and without its optional lines, and read back', () => {
  assert.equal(
    writeSiws(WHOLE),
    `localhost:4400 wants you to sign in with your Stacks account:
${key.address}

Sign in.

URI: http://localhost:4400
Version: 1
Chain ID: 1
Nonce: abcdef0123456789
Issued At: 2026-11-24T11:59:00.000Z
Expiration Time: 2026-11-24T12:10:00.000Z
Not Before: 2026-11-24T11:00:00Z
Request ID: a-1
Resources:
- https://example.org/a
- urn:b`,
  )
  assert.match(writeSiws(BARE), /account:\nS\w+\n\n\nURI: /)
  for (const message of [WHOLE, BARE]) assert.deepEqual(parseSiws(writeSiws(message)), message)
})

/** What is wrong, and the text that says so. */
const TEXTS: readonly (readonly [what: string, change: (text: string) => string, fault: SiwsFault])[] = [
  ['no domain', text => text.replace('localhost:4400 wants', ' wants'), 'domainMissing'],
  ['a path in the domain', text => text.replace('localhost:4400 wants', 'a/b wants'), 'domainMissing'],
  ['an address that is none', text => text.replace(key.address, `${key.address.slice(0, -1)}0`), 'address'],
  ['no address', text => text.replace(key.address, ''), 'address'],
  ['a URI with a space', text => text.replace('URI: http://localhost:4400', 'URI: http://a b'), 'uri'],
  ['a URI without its host', text => text.replace('URI: http://localhost:4400', 'URI: http://?'), 'uri'],
  ['a broken percent sign', text => text.replace('URI: http://localhost:4400', 'URI: http://a/%2'), 'uri'],
  ['version 2', text => text.replace('Version: 1', 'Version: 2'), 'version'],
  ['version 1.0.0', text => text.replace('Version: 1', 'Version: 1.0.0'), 'version'],
  ['a nonce of seven', text => text.replace('abcdef0123456789', 'abcdef0'), 'nonceForm'],
  ['a nonce with a dash', text => text.replace('abcdef0123456789', 'abcdef-0123'), 'nonceForm'],
  ['no time', text => text.replace('2026-11-24T11:59:00.000Z', 'yesterday'), 'time'],
  [
    'a day that no year has',
    text => text.replace('2026-11-24T12:10:00.000Z', '2026-13-24T12:10:00.000Z'),
    'time',
  ],
  ['30 February', text => text.replace('2026-11-24T12:10:00.000Z', '2026-02-30T12:10:00.000Z'), 'time'],
  [
    '29 February of a common year',
    text => text.replace('2026-11-24T11:59:00.000Z', '2026-02-29T11:59:00.000Z'),
    'time',
  ],
  ['no chain', text => text.replace('Chain ID: 1', 'Chain ID: x'), 'parse'],
  ['chain 0', text => text.replace('Chain ID: 1', 'Chain ID: 0'), 'parse'],
  ['chain 01', text => text.replace('Chain ID: 1', 'Chain ID: 01'), 'parse'],
  ['a second nonce', text => text.replace('Issued At', 'Nonce: zzzzzzzzzz\nIssued At'), 'parse'],
  ['a line feed at the end', text => `${text}\n`, 'parse'],
  ['a carriage return', text => text.replaceAll('\n', '\r\n'), 'parse'],
  ['lines in another order', text => text.replace(/(Version: 1)\n(Chain ID: 1)/, '$2\n$1'), 'parse'],
  ['a resource without its dash', text => text.replace('- urn:b', 'urn:b'), 'parse'],
  ['another greeting', text => text.replace('Stacks account', 'Ethereum account'), 'parse'],
  ['nothing', () => '', 'parse'],
  ['a message of a megabyte', text => text.replace('Sign in.', 'x'.repeat(1 << 20)), 'parse'],
]

test('what is not written so is refused in the words of the specification', () => {
  for (const [what, change, fault] of TEXTS)
    assert.throws(
      () => parseSiws(change(writeSiws(WHOLE))),
      (error: unknown) => error instanceof SiwsError && error.message === SIWS_TEXTS[fault],
      what,
    )
})

test('a URI is one by RFC 3986, no more and no less', () => {
  const isTaken = (uri: string): boolean => {
    try {
      return parseSiws(writeSiws({ ...WHOLE, resources: [uri] })).resources?.[0] === uri
    } catch (error) {
      assert.ok(error instanceof SiwsError && error.fault === 'uri', uri)
      return false
    }
  }
  // The first eight are the examples of RFC 3986, 1.1.2.
  const uris = [
    'ftp://ftp.is.co.za/rfc/rfc1808.txt',
    'http://www.ietf.org/rfc/rfc2396.txt',
    'ldap://[2001:db8::7]/c=GB?objectClass?one',
    'mailto:John.Doe@example.com',
    'news:comp.infosystems.www.servers.unix',
    'tel:+1-816-555-1212',
    'telnet://192.0.2.16:80/',
    'urn:oasis:names:specification:docbook:dtd:xml:4.1.2',
    'https://user:pass@example.org:8080/a//b/?q=a/b?c#f/?x',
    'http://[::ffff:192.0.2.1]:80',
    'http://[v1.a:b]/',
    'http://example.org:/',
    'file:///etc/hosts',
    'a:',
    'a:/',
    'a:?#',
    'http://a/%C3%A9',
  ]
  for (const uri of uris) assert.ok(isTaken(uri), uri)
  const others = [
    'https://example.org/#a#b',
    'https://example.org/a[b]',
    'https://example.org/?a[]=1',
    'https://example.org/#[a]',
    'urn:a[b',
    'http://[::1',
    'http://::1]/',
    'http://[]/',
    'http://[1::2::3]/',
    'http://[fe80::1%25eth0]/',
    'http://a[::1]/',
    'http://a@b@c/',
    'http://a:80:80/',
    'http://a:port/',
    'http://',
    'http://#a',
    '//example.org/',
    'example.org',
    '1a:b',
    ':b',
    'http://a/%zz',
    'http://a/|',
    'http://a/é',
    'http://a/\\b',
  ]
  for (const uri of others) assert.ok(!isTaken(uri), uri)
})

const expected = { domain: WHOLE.domain, nonce: WHOLE.nonce, now: NOW }

test('a signature proves addresses of 39, 40 and 41 characters', async () => {
  for (const [number, length] of [
    [925, 39],
    [1, 40],
    [0, 41],
  ] as const) {
    const { address, sign } = testKey(number)
    assert.equal(address.length, length)
    const text = writeSiws({ ...WHOLE, address })
    assert.equal((await verifySiws(text, sign(text), expected)).address, address)
    assert.equal((await verifySiws(text, `0x${sign(text).toUpperCase()}`, expected)).address, address)
  }
})

test('what does not prove is refused in the words of the specification', async () => {
  const other = testKey(2)
  const text = writeSiws(WHOLE)
  const signed = key.sign(text)
  const cases: readonly (readonly [string, string, string, Partial<typeof expected>, SiwsFault])[] = [
    ['another domain', text, signed, { domain: 'localhost' }, 'domain'],
    ['another nonce', text, signed, { nonce: 'abcdef0123456788' }, 'nonce'],
    ['no nonce', text, signed, { nonce: '' }, 'nonce'],
    ['the moment of expiry', text, signed, { now: NOW + 600_000 }, 'expired'],
    ['before its time', text, signed, { now: NOW - 3_600_001 }, 'early'],
    ['another signer', text, other.sign(text), {}, 'signature'],
    ['another text', text, key.sign(`${text} `), {}, 'signature'],
    ['another recovery', text, signed.slice(0, -2) + (signed.endsWith('00') ? '01' : '00'), {}, 'signature'],
    ['recovery 255', text, `${signed.slice(0, -2)}ff`, {}, 'signature'],
    ['zeros', text, '00'.repeat(65), {}, 'signature'],
    ['64 bytes', text, signed.slice(2), {}, 'signatureForm'],
    ['66 bytes', text, `${signed}00`, {}, 'signatureForm'],
    ['no hexadecimal', text, 'z'.repeat(130), {}, 'signatureForm'],
    ['nothing', text, '', {}, 'signatureForm'],
  ]
  for (const [what, message, signature, more, fault] of cases)
    await assert.rejects(
      verifySiws(message, signature, { ...expected, ...more }),
      (error: unknown) => error instanceof SiwsError && error.message === SIWS_TEXTS[fault],
      what,
    )
  const testnet = writeSiws({ ...WHOLE, chainId: 2147483648 })
  await assert.rejects(verifySiws(testnet, key.sign(testnet), expected), { message: SIWS_TEXTS.address })
  const shared = writeSiws({ ...WHOLE, address: 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4' })
  await assert.rejects(verifySiws(shared, key.sign(shared), expected), { code: 'accounts.multisig' })
})

const faultOf = (work: () => unknown): SiwsFault | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    assert.ok(error instanceof SiwsError)
    return error.fault
  }
}

test('numbers of chains fit in 32 bits, from 1 on', () => {
  for (const chainId of [1, 2147483648, 4294967295])
    assert.equal(parseSiws(writeSiws({ ...BARE, chainId })).chainId, chainId)
  for (const chainId of [0, -1, 1.5, 4294967296, Number.NaN])
    assert.equal(
      faultOf(() => writeSiws({ ...BARE, chainId })),
      'parse',
      String(chainId),
    )
  const withChain = (text: string) => writeSiws(BARE).replace('Chain ID: 1', `Chain ID: ${text}`)
  for (const text of ['10000000001', '1 ', '', '1e1', '0x1'])
    assert.equal(
      faultOf(() => parseSiws(withChain(text))),
      'parse',
      text,
    )
})

test('a message has at most 4096 characters', () => {
  const filled = (length: number) => {
    const room = length - writeSiws({ ...WHOLE, statement: 'x' }).length + 1
    return writeSiws({ ...WHOLE, statement: 'x'.repeat(room) })
  }
  assert.equal(parseSiws(filled(4096)).nonce, WHOLE.nonce)
  assert.equal(
    faultOf(() => parseSiws(filled(4097))),
    'parse',
  )
})

test('every field that a message must have is missed, and every other may be left out', () => {
  for (const line of ['URI', 'Version', 'Chain ID', 'Nonce', 'Issued At'])
    assert.notEqual(
      faultOf(() => parseSiws(writeSiws(WHOLE).replace(new RegExp(`${line}: .*\\n`), ''))),
      undefined,
      line,
    )
  for (const [line, field] of [
    ['Expiration Time', 'expirationTime'],
    ['Not Before', 'notBefore'],
    ['Request ID', 'requestId'],
  ] as const) {
    const { [field]: _, ...rest } = WHOLE
    assert.deepEqual(parseSiws(writeSiws(WHOLE).replace(new RegExp(`${line}: .*\\n`), '')), rest, line)
  }
  assert.equal(
    faultOf(() => parseSiws(writeSiws(BARE).replace(/\nIssued At: .*/, ''))),
    'parse',
  )
})

test('what would be written in another way is not written', () => {
  const cases: readonly (readonly [Partial<SiwsMessage>, SiwsFault])[] = [
    [{ statement: 'a\nb' }, 'parse'],
    [{ requestId: 'a b' }, 'parse'],
    [{ notBefore: 'now' }, 'time'],
    [{ expirationTime: '2026-11-24' }, 'time'],
    [{ issuedAt: '2026-11-24T11:59:00' }, 'time'],
    [{ resources: ['urn:b', 'no uri'] }, 'uri'],
    [{ version: '2' as '1' }, 'version'],
    [{ domain: 'a b' }, 'domainMissing'],
  ]
  for (const [more, fault] of cases)
    assert.equal(
      faultOf(() => writeSiws({ ...WHOLE, ...more })),
      fault,
      JSON.stringify(more),
    )
  // No resources are a list of none, and an empty statement is none.
  assert.deepEqual(parseSiws(writeSiws({ ...BARE, resources: [] })), { ...BARE, resources: [] })
  assert.deepEqual(parseSiws(writeSiws({ ...BARE, statement: '' })), BARE)
  assert.equal(writeSiws({ ...BARE, requestId: '' }).endsWith('\nRequest ID: '), true)
  assert.equal(parseSiws(writeSiws({ ...BARE, issuedAt: '2024-02-29t23:59:59.5+14:00' })).version, '1')
})

test('a message holds from its first to before its last moment', async () => {
  const text = writeSiws(WHOLE)
  const signed = key.sign(text)
  const at = (now: number) => verifySiws(text, signed, { ...expected, now })
  for (const now of [NOW - 3_600_000, NOW + 599_999]) assert.equal((await at(now)).nonce, WHOLE.nonce)
  const bare = writeSiws(BARE)
  assert.equal((await verifySiws(bare, key.sign(bare), { ...expected, now: 0 })).nonce, WHOLE.nonce)
  const onTestnet = writeSiws({ ...WHOLE, address: 'ST000000000000000000002AMW42H' })
  await assert.rejects(verifySiws(onTestnet, key.sign(onTestnet), expected), {
    message: SIWS_TEXTS.address,
    hint: 'It must be an address of the main network.',
  })
})
