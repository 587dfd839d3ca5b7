/** EVM transactions would be read wrongly or credited to the wrong sender. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressOfKey, authorize, sign, unsigned } from '#tests/evm/sign.ts'
import { recoverByWasm, recoverNatively } from '../recover.ts'
import { checksumAddress, parseAddress } from './address.ts'
import { openBlooms } from './bloom.ts'
import { bytesOf, type Hex, hexOf } from './hex.ts'
import { openEvmCodec } from './index.ts'
import type { EvmLog } from './logs.ts'
import { type RlpItem, readRlp } from './rlp/reader.ts'
import { RlpWriter } from './rlp/writer.ts'
import { rootstockRoot } from './rootstock/trie.ts'
import { orderedRoot } from './trie.ts'

const codec = openEvmCodec({ chainId: 1, headerForm: 'standard', checksumChainId: null })
const writer = new RlpWriter()
const RUNS = { numRuns: 200 }
const PLAIN = { noNullPrototype: true }

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(hexOf)
const data = fc.uint8Array({ maxLength: 300 }).map(hexOf)
const address = hex(20)
const word = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
/** Keys of the curve: neither zero nor beyond its order. */
const key = fc.bigInt({ min: 1n, max: 2n ** 255n }).map((n): Hex => `0x${n.toString(16).padStart(64, '0')}`)

type Nested = Hex | Nested[]
const nested = fc.letrec<{ item: Nested }>(tie => ({
  item: fc.oneof({ maxDepth: 6 }, data, fc.array(tie('item'), { maxLength: 5 })),
})).item

test('RLP: whatever is written is read back, and nothing shorter or longer is', () => {
  const write = (value: Nested): void => {
    if (typeof value === 'string') {
      writer.hex(value)
      return
    }
    const end = writer.mark
    for (const item of value.toReversed()) write(item)
    writer.list(end)
  }
  const plain = (item: RlpItem): Nested => (item.items ? item.items.map(plain) : hexOf(item.bytes!))
  fc.assert(
    fc.property(nested, value => {
      writer.reset()
      write(value)
      const bytes = Buffer.from(writer.since(0))
      assert.deepEqual(plain(readRlp(bytes)), value)
      assert.throws(() => readRlp(bytes.subarray(0, -1)))
      assert.throws(() => readRlp(Buffer.concat([bytes, Buffer.of(0)])))
    }),
    RUNS,
  )
})

test('RLP: numbers have one form, up to 2^256 − 1', () => {
  fc.assert(
    fc.property(fc.oneof(word, u64, fc.bigInt({ min: 0n, max: 300n })), value => {
      writer.reset()
      writer.quantity(value)
      const { bytes } = readRlp(Buffer.from(writer.since(0)))
      assert.equal(bytes!.length === 0 ? 0n : BigInt(hexOf(bytes!)), value)
      assert.notEqual(bytes![0], 0)
    }),
    RUNS,
  )
})

const accessList = fc.array(fc.record({ address, storageKeys: fc.array(hex(32), { maxLength: 3 }) }, PLAIN), {
  maxLength: 3,
})
const common = fc.record({
  nonce: u64,
  gasLimit: u64,
  value: word,
  input: data,
  to: fc.option(address, { nil: null }),
  chainId: fc.bigInt({ min: 1n, max: 2n ** 60n }),
})
const market = fc.record({ maxFeePerGas: word, maxPriorityFeePerGas: word, accessList })
const transaction = fc.oneof(
  fc
    .tuple(common, word, fc.boolean())
    .map(([one, gasPrice, isBound]) =>
      unsigned('legacy', 0, { ...one, gasPrice, chainId: isBound ? one.chainId : null }),
    ),
  fc
    .tuple(common, word, accessList)
    .map(([one, gasPrice, list]) => unsigned('access_list', 1, { ...one, gasPrice, accessList: list })),
  fc.tuple(common, market).map(([one, fees]) => unsigned('dynamic_fee', 2, { ...one, ...fees })),
  fc
    .tuple(common, market, word, fc.array(hex(32), { maxLength: 4 }))
    .map(([one, fees, maxFeePerBlobGas, blobVersionedHashes]) =>
      unsigned('blob', 3, { ...one, ...fees, maxFeePerBlobGas, blobVersionedHashes }),
    ),
  fc
    .tuple(
      common,
      market,
      fc.array(fc.record({ chainId: word, address, nonce: u64 }, PLAIN), { maxLength: 2 }),
      key,
    )
    .map(([one, fees, entries, by]) =>
      unsigned('set_code', 4, {
        ...one,
        ...fees,
        authorizations: entries.map(entry => authorize(entry, by)),
      }),
    ),
)

test('a transaction that is signed is read back whole from its bytes, with who signed it', () => {
  fc.assert(
    fc.property(transaction, key, (tx, by) => {
      const { body, raw } = sign(tx, by)
      assert.deepEqual(codec.decodeTransaction(bytesOf(raw)), body)
      assert.equal(body.from, addressOfKey(by))
    }),
    RUNS,
  )
})

test('a signature is of one transaction: with any other content somebody else, or nobody, signed', () => {
  fc.assert(
    fc.property(transaction, key, fc.nat(), (tx, by, at) => {
      const { raw, body } = sign(tx, by)
      const bytes = bytesOf(raw)
      bytes[at % bytes.length]! ^= 1
      try {
        assert.notEqual(codec.decodeTransaction(bytes).from, body.from)
      } catch (thrown) {
        if (!(thrown instanceof Error) || thrown.name !== 'DecodeError') throw thrown
      }
    }),
    RUNS,
  )
})

test('checksums: every address has one form on a chain, and a changed letter is found', () => {
  fc.assert(
    fc.property(address, fc.constantFrom(null, 30, 31), fc.nat(39), (one, chain, at) => {
      const text = checksumAddress(one, chain)
      assert.equal(parseAddress(text, chain), one)
      assert.equal(parseAddress(one, chain), one)
      const letter = text[2 + at]!
      const turned = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
      const changed = text.slice(0, 2 + at) + turned + text.slice(3 + at)
      const isOther =
        changed !== text &&
        changed !== checksumAddress(one) &&
        /[a-f]/.test(changed.slice(2)) &&
        /[A-F]/.test(changed)
      if (isOther) assert.throws(() => parseAddress(changed, chain), { code: 'address.checksum' })
    }),
    RUNS,
  )
})

test('roots: each value, its place and their number are committed to', () => {
  const values = fc.array(fc.uint8Array({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 160 })
  const roots = [
    orderedRoot,
    (list: Uint8Array[]) => rootstockRoot(list, 'unitrie'),
    (list: Uint8Array[]) => rootstockRoot(list, 'orchid'),
  ]
  fc.assert(
    fc.property(values, fc.nat(), (list, n) => {
      for (const root of roots) {
        const before = root(list).toString('hex')
        const at = n % list.length
        const changed = list.map((value, i) => (i === at ? Buffer.concat([value, Buffer.of(1)]) : value))
        assert.notEqual(root(changed).toString('hex'), before)
        assert.notEqual(root(list.slice(0, -1)).toString('hex'), before)
        assert.notEqual(root([...list, Buffer.of(7)]).toString('hex'), before)
      }
    }),
    { numRuns: 60 },
  )
})

test('a bloom filter holds what its logs have, and says no to most else', () => {
  const blooms = openBlooms()
  const log = fc
    .record({ address, topics: fc.array(hex(32), { maxLength: 4 }) })
    .map(one => one as unknown as EvmLog)
  let held = 0
  let asked = 0
  fc.assert(
    fc.property(fc.array(log, { minLength: 1, maxLength: 8 }), hex(32), (logs, stranger) => {
      const bloom = blooms.of(logs)
      for (const { address, topics } of logs)
        for (const text of [address, ...topics]) assert.ok(blooms.mayHold(bloom, text))
      asked += 1
      if (blooms.mayHold(bloom, stranger)) held += 1
    }),
    RUNS,
  )
  assert.ok(held < asked / 10)
})

test('both forms of the library name the same key, or none, for whatever stands in a signature', t => {
  const native = recoverNatively
  if (native === undefined) return t.skip('there is no native library for this platform')
  const keyBy = (by: typeof native, ...given: Parameters<typeof native>): string => {
    try {
      return Buffer.from(by(...given)).toString('hex')
    } catch {
      return 'none'
    }
  }
  let named = 0
  fc.assert(
    fc.property(word, word, word, fc.constantFrom<0 | 1>(0, 1), (digest, r, s, parity) => {
      const bytes = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
      const signature = Buffer.concat([bytes(r), bytes(s)])
      const key = keyBy(native, bytes(digest), signature, parity)
      assert.equal(key, keyBy(recoverByWasm, bytes(digest), signature, parity))
      if (key !== 'none') named += 1
    }),
    RUNS,
  )
  assert.ok(named > 10, `${named} keys`)
})
