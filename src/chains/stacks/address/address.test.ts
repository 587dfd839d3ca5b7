/** Stacks addresses would be wrong, or a mistyped one would open a different account. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AddressError } from '../errors.ts'
import {
  addressOfKeys,
  bitcoinAddressOf,
  bitcoinTwinOf,
  decodeAddress,
  encodeAddress,
  isAddress,
  openStacksCodec,
  poxAddressIn,
  poxAddressOf,
} from '../index.ts'
import { createAddressTexts } from './addressTexts.ts'

const BOOT = 'SP000000000000000000002Q6VF78'

test('any version and hash make an address that says them again', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 31 }),
      fc.uint8Array({ minLength: 20, maxLength: 20 }),
      fc.nat({ max: 20 }),
      (version, hash160, zeros) => {
        hash160.fill(0, 0, zeros)
        const text = encodeAddress(version, hash160)
        const parts = decodeAddress(text)
        assert.deepEqual([parts.version, [...parts.hash160]], [version, [...hash160]])
      },
    ),
    { numRuns: 1000 },
  )
})

test('the boot addresses of both networks', () => {
  const zeros = new Uint8Array(20)
  assert.deepEqual(
    [encodeAddress(22, zeros), encodeAddress(26, zeros)],
    [BOOT, 'ST000000000000000000002AMW42H'],
  )
})

test('lower case and look-alike characters are read for what they look like', () => {
  const { hash160 } = decodeAddress(BOOT)
  assert.deepEqual(decodeAddress('SPOOoo00000000000000002q6vf78').hash160, hash160)
  const some = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
  assert.deepEqual(decodeAddress(`S${some.slice(1).toLowerCase()}`), decodeAddress(some))
})

test('text that is no address is refused for a reason, and one changed character is noticed', () => {
  const reasonOf = (text: string): string => {
    try {
      decodeAddress(text)
      return 'none'
    } catch (error) {
      assert.ok(error instanceof AddressError)
      return error.code
    }
  }
  assert.equal(reasonOf(''), 'address.prefix')
  assert.equal(reasonOf('1P000000000000000000002Q6VF78'), 'address.prefix')
  assert.equal(reasonOf('SP00'), 'address.length')
  assert.equal(reasonOf(`${BOOT}0`), 'address.length')
  assert.equal(reasonOf('SP00000000000000000002Q6VF78'), 'address.length')
  assert.equal(reasonOf('SP00000000000000000000U6VF78'), 'address.characters')
  assert.equal(reasonOf('SPé0000000000000000002Q6VF78'), 'address.characters')
  assert.equal(reasonOf('SP000000000000000000002Q6VF79'), 'address.checksum')
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'), (at, character) => {
      const text = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'
      const i = 1 + (at % (text.length - 1))
      const changed = text.slice(0, i) + character + text.slice(i + 1)
      assert.equal(isAddress(changed), changed === text)
    }),
    { numRuns: 1000 },
  )
})

test('kept texts are those of the address asked for, whatever shares their slot', () => {
  const addressText = createAddressTexts()
  fc.assert(
    fc.property(fc.nat({ max: 31 }), fc.uint8Array({ minLength: 20, maxLength: 20 }), (version, hash160) => {
      // Two bytes choose the slot: many different hashes meet in one.
      hash160.set([1, 2], 0)
      assert.equal(addressText(version, hash160, 0), encodeAddress(version, hash160))
      assert.equal(
        addressText(version, Buffer.concat([Buffer.of(9), hash160]), 1),
        encodeAddress(version, hash160),
      )
    }),
  )
})

test('keys make the address of each hash mode', () => {
  const key = (byte: number) => Buffer.concat([Buffer.of(2), Buffer.alloc(32, byte)])
  const keys = [key(1), key(2), key(3)]
  assert.notEqual(addressOfKeys([key(1)], 1, 'P2PKH', true), addressOfKeys([key(1)], 1, 'P2WPKH', true))
  assert.equal(addressOfKeys(keys, 2, 'P2SH', true), addressOfKeys(keys, 2, 'P2SHNonSequential', true))
  assert.notEqual(addressOfKeys(keys, 2, 'P2SH', true), addressOfKeys(keys.toReversed(), 2, 'P2SH', true))
  assert.match(addressOfKeys(keys, 3, 'P2WSH', false), /^SN/)
  assert.match(
    addressOfKeys(
      Array.from({ length: 15 }, (_, i) => key(i)),
      15,
      'P2SH',
      true,
    ),
    /^SM/,
  )
  for (const [given, required, mode] of [
    [Array.from({ length: 16 }, (_, i) => key(i)), 2, 'P2SH'],
    [[], 1, 'P2PKH'],
    [keys, 4, 'P2SH'],
    [keys, 0, 'P2WSH'],
    [keys, 1, 'P2PKH'],
  ] as const) {
    assert.throws(() => addressOfKeys(given, required, mode, true), { code: 'stacks.multisig' })
  }
})

test('a PoX address stands in a tuple, pays to Bitcoin, and has no address where PoX pays nothing', () => {
  const { decodeValue } = openStacksCodec()
  const tuple = (version: string, hash: string) =>
    decodeValue(
      Buffer.from(
        `0c000000020968617368627974657302${(hash.length / 2).toString(16).padStart(8, '0')}${hash}0776657273696f6e0200000001${version}`,
        'hex',
      ),
    )
  const p2wpkh = poxAddressIn(tuple('04', '164247d6f2b425ac5771423ae6c80c754f7172b0'))!
  assert.equal(bitcoinAddressOf(p2wpkh, 'mainnet'), 'bc1qzepy04hjksj6c4m3ggawdjqvw48hzu4sy24ghc')
  assert.equal(bitcoinAddressOf(poxAddressIn(tuple('07', '00'.repeat(20)))!, 'mainnet'), null)
  assert.equal(bitcoinAddressOf(poxAddressIn(tuple('06', '00'.repeat(20)))!, 'mainnet'), null)
  assert.equal(poxAddressIn(decodeValue(Buffer.of(9))), null)
  for (const wrapped of [2, 3]) {
    const pox = poxAddressIn(tuple(`0${wrapped}`, '22662a21bb732892ac097e901eb876eec9a7fc4b'))!
    assert.equal(bitcoinAddressOf(pox, 'mainnet'), '34puHau4ZYdxJrUwy3eYT6ySpwQJxx4rkS')
  }
  // A witness version that PoX does not know, with a right checksum.
  const unknown = 'bc1sw50qgdz25j'
  assert.throws(() => poxAddressOf(unknown, 'mainnet'), { code: 'address.pox' })
  assert.equal(bitcoinTwinOf(encodeAddress(0, new Uint8Array(20))), null)
})
