/** Bitcoin addresses would be wrong on pages, or a mistyped one would open a different address. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { NETWORKS, type Network } from '#kernel/bitcoin.ts'
import { recordedBlock } from '#tests/recordedBlocks.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { AddressError } from '../errors.ts'
import { addressOf, openBitcoinCodec, paymentScriptOf, scriptOf } from '../index.ts'
import { outputScriptOf } from '../txsOf.ts'
import { base58Decode, base58Encode } from './base58.ts'
import { p2pkhScript, p2shScript, witnessScript } from './scripts.ts'

const vector = (name: string) => JSON.parse(readFileSync(shared(`data/bitcoin/vectors/${name}`), 'utf8'))
const fromHex = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const CHAINS: Readonly<Record<string, Network>> = {
  main: 'mainnet',
  test: 'testnet3',
  testnet4: 'testnet4',
  signet: 'signet',
  regtest: 'regtest',
}

test('each network writes the same key hash in its own form', () => {
  const script = p2pkhScript(new Uint8Array(20))
  assert.deepEqual(
    NETWORKS.map(network => addressOf(script, network)),
    [
      '1111111111111111111114oLvT2',
      'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8',
      'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8',
      'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8',
      'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8',
    ],
  )
  assert.equal(addressOf(fromHex('51024e73'), 'mainnet'), 'bc1pfeessrawgf')
})

test('an address of any standard script gives the script back on its network, and none on another', () => {
  const script = fc.oneof(
    fc.uint8Array({ minLength: 20, maxLength: 20 }).map(p2pkhScript),
    fc.uint8Array({ minLength: 20, maxLength: 20 }).map(p2shScript),
    fc
      .constantFrom(20, 32)
      .chain(length =>
        fc.uint8Array({ minLength: length, maxLength: length }).map(program => witnessScript(0, program)),
      ),
    fc
      .tuple(fc.integer({ min: 1, max: 16 }), fc.uint8Array({ minLength: 2, maxLength: 40 }))
      .map(([version, program]) => witnessScript(version, program)),
  )
  fc.assert(
    fc.property(script, fc.constantFrom(...NETWORKS), (bytes, network) => {
      const address = addressOf(bytes, network)
      assert.ok(address)
      assert.equal(toHex(scriptOf(address, network)), toHex(bytes))
      const other = network === 'mainnet' ? 'regtest' : 'mainnet'
      assert.throws(
        () => scriptOf(address, other),
        (error: unknown) => error instanceof AddressError && error.code === 'address.network',
      )
    }),
    { numRuns: 500 },
  )
})

test('one wrong character is never taken for an address', () => {
  const addresses = ['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4']
  const characters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0OIl '
  fc.assert(
    fc.property(
      fc.constantFrom(...addresses),
      fc.nat(),
      fc.constantFrom(...characters),
      (address, n, character) => {
        const at = n % address.length
        if (address[at] === character) return
        const wrong = address.slice(0, at) + character + address.slice(at + 1)
        assert.throws(() => scriptOf(wrong, 'mainnet'), AddressError)
      },
    ),
    { numRuns: 500 },
  )
})

test('any text at all is an address or a typed error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map(text => `bc1${text}`),
        fc.string().map(text => `1${text}`),
      ),
      text => {
        try {
          scriptOf(text, 'mainnet')
        } catch (error) {
          assert.ok(error instanceof AddressError)
        }
      },
    ),
    { numRuns: 2000 },
  )
})

test('base58 text of any bytes gives them back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), bytes => {
      assert.deepEqual(base58Decode(base58Encode(bytes)), bytes)
    }),
  )
})

test('a bare key counts as the address of its hash, and has none of its own', () => {
  const key =
    '04678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5f'
  const script = fromHex(`41${key}ac`)
  assert.equal(addressOf(script, 'mainnet'), null)
  assert.equal(addressOf(paymentScriptOf(script), 'mainnet'), '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')
  const other = fromHex('6a0101')
  assert.equal(paymentScriptOf(other), other)
})

test('keys, multisig, OP_RETURN and broken programs have no address', () => {
  const scripts = [
    '',
    '6a',
    '6a24aa21a9ed',
    '0015751e76e8199196d454941c45d1b3a323f1433bd6aa',
    '5101aa',
    '76a914',
  ]
  for (const script of scripts) assert.equal(addressOf(fromHex(script), 'mainnet'), null, script)
})

test('a witness program as long as a key hash script has its own address', () => {
  for (const [length, version] of [
    [23, 2],
    [21, 3],
  ] as const) {
    const script = witnessScript(version, new Uint8Array(length).fill(7))
    const address = addressOf(script, 'mainnet')
    assert.ok(address !== null && address.startsWith('bc1'))
    assert.deepEqual(Buffer.from(scriptOf(address, 'mainnet')), Buffer.from(script))
  }
})

test('the address vectors of Bitcoin Core hold on all networks', skipWithoutShared, () => {
  let count = 0
  type Row = [string, string, { chain: string; isPrivkey: boolean; tryCaseFlip?: boolean }]
  for (const [address, script, { chain, isPrivkey, tryCaseFlip }] of vector(
    'core-key_io_valid.json',
  ) as Row[]) {
    const network = CHAINS[chain]
    if (isPrivkey || network === undefined) continue
    assert.equal(toHex(scriptOf(address, network)), script, address)
    assert.equal(addressOf(fromHex(script), network), address)
    if (tryCaseFlip) assert.equal(toHex(scriptOf(address.toUpperCase(), network)), script)
    count += 1
  }
  assert.ok(count > 30)
})

test('what Bitcoin Core refuses as an address is refused on every network', skipWithoutShared, () => {
  for (const [text] of vector('core-key_io_invalid.json') as [string][]) {
    for (const network of NETWORKS) assert.throws(() => scriptOf(text, network), AddressError, text)
  }
})

test('base58 vectors of Bitcoin Core hold both ways', skipWithoutShared, () => {
  for (const [hex, text] of vector('core-base58_encode_decode.json') as [string, string][]) {
    assert.equal(base58Encode(fromHex(hex)), text)
    assert.equal(toHex(base58Decode(text)!), hex.toLowerCase())
  }
})

test('address vectors of the BIPs and of bitcoinjs hold', skipWithoutShared, () => {
  for (const { expected } of vector('bip341-wallet-vectors.json').scriptPubKey) {
    assert.equal(addressOf(fromHex(expected.scriptPubKey), 'mainnet'), expected.bip350Address)
  }
  const networks: Readonly<Record<string, Network>> = {
    bitcoin: 'mainnet',
    testnet: 'testnet3',
    regtest: 'regtest',
  }
  type Row = {
    network: string
    version: number
    hash?: string
    data?: string
    base58check?: string
    bech32?: string
  }
  const { standard, invalid } = vector('bitcoinjs-address.json')
  let compared = 0
  for (const { network: name, version, hash, data, base58check, bech32 } of standard as Row[]) {
    const network = networks[name]
    if (network === undefined) continue
    const payload = fromHex(hash ?? data ?? '')
    const isKeyHash = version === 0 || version === 111
    const script =
      bech32 !== undefined
        ? witnessScript(version, payload)
        : isKeyHash
          ? p2pkhScript(payload)
          : p2shScript(payload)
    assert.equal(addressOf(script, network), base58check ?? bech32?.toLowerCase())
    compared += 1
  }
  assert.ok(compared >= 10)
  for (const { address } of [...invalid.bech32, ...invalid.fromBase58Check] as { address: string }[]) {
    for (const network of NETWORKS) assert.throws(() => scriptOf(address, network), AddressError, address)
  }
})

test('segwit address vectors of BIP-173 and BIP-350 hold', skipWithoutShared, () => {
  const vectors = vector('bip-text-vectors.json')
  let valid = 0
  for (const { s, script } of [...vectors.bip350] as { s: string; script: string | null }[]) {
    if (script === null || !/^(bc|tb)1/i.test(s)) continue
    const network = s.toLowerCase().startsWith('bc') ? 'mainnet' : 'testnet4'
    assert.equal(toHex(scriptOf(s, network)), script)
    valid += 1
  }
  assert.ok(valid >= 7)
})

test('scripts named by `decodescript` have the addresses that Bitcoin Core gives', skipWithoutShared, () => {
  for (const [script, answer] of vector('core-rpc_decodescript.json') as [string, { address?: string }][]) {
    assert.equal(addressOf(fromHex(script), 'regtest'), answer.address ?? null)
  }
})

test('addresses in bulk are those one by one, on every network', skipWithoutShared, () => {
  for (const network of ['mainnet', 'testnet4', 'regtest'] as const) {
    const codec = openBitcoinCodec({ network })
    for (const name of ['702861-726dafae', '574200-f5de59d2', '951658-db9ca628', '170-8dd4a2ee']) {
      const block = codec.decodeBlock(recordedBlock(name))
      codec.addressTexts(block).forEach((text, o) => {
        assert.equal(text, addressOf(outputScriptOf(block, o), network))
      })
    }
  }
})
