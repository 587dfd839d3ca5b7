/** Transaction ids and block hashes of Bitcoin would be wrong. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { openHasher, type TransactionPlaces } from './hasher.ts'
import { MOST_LANE_BLOCKS } from './sha256Module.ts'

const hasher = openHasher()
const plain = (message: Uint8Array): Buffer =>
  hash('sha256', hash('sha256', message, 'buffer'), 'buffer').reverse()
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
/** Bytes that differ from one another without being random. */
const patterned = (length: number, seed: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, i) => (i * 31 + seed * 7 + (i >> 5)) & 0xff))

/** Messages side by side, described as transactions without witness. */
function places(messages: readonly Uint8Array[]): { bytes: Buffer; txs: TransactionPlaces } {
  let at = 0
  const offset = Uint32Array.from(messages, message => {
    const start = at
    at += message.length
    return start
  })
  const sizeBytes = Uint32Array.from(messages, message => message.length)
  return {
    bytes: Buffer.concat(messages),
    txs: {
      count: messages.length,
      offset,
      sizeBytes,
      weightWu: sizeBytes.map(size => 4 * size),
      hasWitness: new Uint8Array(messages.length),
    },
  }
}

test('every length that fits into a lane, and beyond, hashes as node:crypto does', () => {
  const longest = MOST_LANE_BLOCKS * 64 + 300
  const messages = Array.from({ length: longest }, (_, length) => patterned(length, length))
  const { bytes, txs } = places(messages)
  const ids = hasher.txids(bytes, txs)
  messages.forEach((message, i) => {
    assert.equal(hex(ids.subarray(32 * i, 32 * i + 32)), hex(plain(message)), `length ${i}`)
  })
})

test('messages of any lengths in any order hash as node:crypto does', () => {
  const message = fc.uint8Array({ maxLength: 3000 })
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 40 }), messages => {
      const { bytes, txs } = places(messages)
      const ids = hasher.txids(bytes, txs)
      assert.equal(hex(ids), messages.map(one => hex(plain(one))).join(''))
    }),
    { numRuns: 60 },
  )
})

test('a txid leaves marker, flag and witness out, and a wtxid keeps them', () => {
  const parts = fc.record({
    core: fc.uint8Array({ minLength: 2, maxLength: 2500 }),
    witness: fc.uint8Array({ minLength: 1, maxLength: 2500 }),
  })
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 12 }), transactions => {
      const version = Buffer.from('02000000', 'hex')
      const lockTime = Buffer.from('11223344', 'hex')
      const whole = transactions.map(({ core, witness }) =>
        Buffer.concat([version, Buffer.of(0, 1), core, witness, lockTime]),
      )
      const stripped = transactions.map(({ core }) => Buffer.concat([version, core, lockTime]))
      const { bytes, txs } = places(whole)
      const segwit: TransactionPlaces = {
        ...txs,
        weightWu: Uint32Array.from(whole, (tx, i) => tx.length + 3 * stripped[i]!.length),
        hasWitness: new Uint8Array(whole.length).fill(1),
      }
      const txid = hasher.txids(bytes, segwit)
      assert.equal(hex(txid), stripped.map(one => hex(plain(one))).join(''))
      assert.equal(hex(hasher.wtxids(bytes, segwit, txid)), whole.map(one => hex(plain(one))).join(''))
    }),
    { numRuns: 60 },
  )
})

test('short messages of one length hash in bulk as one by one', () => {
  for (const count of [0, 1, 2, 3, 4, 5, 9]) {
    const messages = Array.from({ length: count }, (_, i) => patterned(21, i))
    const expected = messages.map(message => hex(plain(message))).join('')
    assert.equal(hex(hasher.hash256Many(Buffer.concat(messages), 21)), expected)
  }
})

test('a merkle level of any width hashes its pairs, an odd last one with itself', () => {
  for (const width of [2, 3, 4, 5, 7, 8, 9, 16, 17]) {
    const level = Array.from({ length: width }, (_, i) => patterned(32, i))
    const expected: string[] = []
    for (let i = 0; i < width; i += 2) {
      const pair = [level[i]!, level[i + 1] ?? level[i]!].map(id => Buffer.from(id).reverse())
      expected.push(hex(plain(Buffer.concat(pair))))
    }
    assert.equal(hex(hasher.merkleLevel(Buffer.concat(level))), expected.join(''))
  }
})

test('bytes at offsets come out reversed', () => {
  const bytes = patterned(200, 3)
  const offsets = Uint32Array.of(0, 168, 5, 77)
  const expected = [...offsets].map(at => hex(Buffer.from(bytes.subarray(at, at + 32)).reverse())).join('')
  assert.equal(hex(hasher.reversed(bytes, offsets)), expected)
})

test('the memory grows for what does not fit, and still hashes right', () => {
  const messages = [patterned(5_000_000, 1), patterned(100, 2)]
  const { bytes, txs } = places(messages)
  assert.equal(hex(openHasher().txids(bytes, txs)), messages.map(message => hex(plain(message))).join(''))
})

test('memory that is used again for other messages gives their hashes', () => {
  const memory = patterned(3 * 21, 1)
  const first = hex(hasher.hash256Many(memory, 21))
  memory.set(patterned(3 * 21, 2))
  const second = hex(hasher.hash256Many(memory, 21))
  assert.notEqual(first, second)
  assert.equal(second, [0, 21, 42].map(at => hex(plain(memory.subarray(at, at + 21)))).join(''))
})
