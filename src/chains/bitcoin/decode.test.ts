/** Bitcoin blocks would be decoded wrongly, or a malformed one would crash the ingest. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeBlock } from '#tests/encodeBlock.ts'
import { recordedBlock } from '#tests/recordedBlocks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { DecodeError } from './errors.ts'
import { openBitcoinCodec } from './index.ts'
import { txsOf } from './txsOf.ts'

const codec = openBitcoinCodec({ network: 'mainnet' })
const GENESIS = Buffer.from(
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c0101000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000',
  'hex',
)
const TX_COUNT_AT = 80
const INPUT_COUNT_AT = 85

/** Asserts that the bytes are refused for `reason` at `offset`. */
function refused(bytes: Uint8Array, reason: string, offset: number): void {
  assert.throws(
    () => codec.decodeBlock(bytes),
    (error: unknown) => {
      assert.ok(error instanceof DecodeError)
      assert.deepEqual([error.code, error.facts.offset], [`decode.${reason}`, offset])
      return true
    },
  )
}

/** The genesis block with some bytes replaced by others, of the same length or not. */
function spliced(at: number, remove: number, insert: readonly number[]): Buffer {
  return Buffer.concat([GENESIS.subarray(0, at), Buffer.from(insert), GENESIS.subarray(at + remove)])
}

test('the genesis block decodes to its columns', () => {
  const block = codec.decodeBlock(GENESIS)
  assert.equal(
    Buffer.from(block.hash).toString('hex'),
    '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  )
  assert.deepEqual([...block.txs.txid], [...block.merkleRoot])
  assert.equal(block.height, null)
  assert.deepEqual([block.sizeBytes, block.weightWu, block.outputs.valueSat[0]], [285, 1140, 5_000_000_000n])
  assert.deepEqual(
    [...block.txs.firstInput, ...block.txs.firstOutput, ...block.txs.offset],
    [0, 1, 0, 1, 81, 285],
  )
})

test('the version of a transaction is unsigned, that of a block signed', () => {
  for (const [bytes, version] of [
    // Transaction c659729a7fea5071361c2c1a68551ca2bf77679b27086cc415adeeb03852e369.
    ['f0b47b9a', 2_591_798_512],
    ['ffffffff', 4_294_967_295],
    ['00000080', 2_147_483_648],
    ['ffffff7f', 2_147_483_647],
  ] as const) {
    const block = codec.decodeBlock(spliced(TX_COUNT_AT + 1, 4, [...Buffer.from(bytes, 'hex')]))
    assert.equal(block.txs.version[0], version)
    assert.equal(txsOf(block)[0]!.version, version)
    assert.equal(codec.decodeTransaction(block.bytes.subarray(TX_COUNT_AT + 1)).txs.version[0], version)
  }
  assert.equal(codec.decodeBlock(spliced(0, 4, [0xff, 0xff, 0xff, 0xff])).version, -1)
})

test('bytes behind the last transaction are an error', () => {
  refused(Buffer.concat([GENESIS, Buffer.of(0)]), 'trailing', 285)
})

test('a number that is not in its shortest form is an error', () => {
  refused(spliced(TX_COUNT_AT, 1, [0xfd, 1, 0]), 'varint', TX_COUNT_AT)
  refused(spliced(TX_COUNT_AT, 1, [0xfe, 1, 0, 0, 0]), 'varint', TX_COUNT_AT)
  refused(spliced(TX_COUNT_AT, 1, [0xff, 1, 0, 0, 0, 0, 0, 0, 0]), 'varint', TX_COUNT_AT)
  refused(spliced(TX_COUNT_AT, 1, [0xfe, 0xff, 0xff, 0, 0]), 'varint', TX_COUNT_AT)
  refused(spliced(TX_COUNT_AT, 1, [0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]), 'varint', TX_COUNT_AT)
})

test('a count beyond the bytes left is refused before anything is allocated for it', () => {
  refused(
    spliced(TX_COUNT_AT, 1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
    'count',
    TX_COUNT_AT,
  )
  refused(spliced(TX_COUNT_AT, 1, [0xfe, 0xff, 0xff, 0xff, 0xff]), 'count', TX_COUNT_AT)
  refused(spliced(INPUT_COUNT_AT, 1, [0xfe, 0xff, 0xff, 0xff, 0x7f]), 'count', INPUT_COUNT_AT)
})

test('a script longer than the bytes left is an error', () => {
  refused(spliced(122, 1, [0xfe, 0, 0, 0, 0xff]), 'short', 127)
})

test('a block without transactions is an error', () => {
  refused(spliced(TX_COUNT_AT, GENESIS.length - TX_COUNT_AT, [0]), 'no_transactions', 80)
})

test('a first transaction that spends an output is an error', () => {
  refused(spliced(86, 1, [1]), 'no_coinbase', 81)
})

test('a witness form without any witness item is superfluous', () => {
  const marked = spliced(INPUT_COUNT_AT, 0, [0, 1])
  refused(
    Buffer.concat([marked.subarray(0, -4), Buffer.of(0), marked.subarray(-4)]),
    'superfluous_witness',
    283,
  )
})

test('a transaction flag other than 1 is unknown', () => {
  for (const flag of [2, 3, 0xff]) refused(spliced(INPUT_COUNT_AT, 0, [0, flag]), 'witness_flag', 86)
})

test('bytes beyond what a block can have are refused unread', () => {
  refused(new Uint8Array(4_000_001), 'too_large', 0)
})

test('no bytes at all are an error at the start', () => {
  refused(new Uint8Array(0), 'short', 0)
})

test('a single transaction decodes, and nothing may follow it', () => {
  const transaction = GENESIS.subarray(81)
  const { txs } = codec.decodeTransaction(transaction)
  assert.deepEqual([...txs.txid], [...codec.decodeBlock(GENESIS).txs.txid])
  assert.throws(() => codec.decodeTransaction(GENESIS.subarray(80)), DecodeError)
})

test('a result does not change when the codec decodes another block', () => {
  const block = codec.decodeBlock(GENESIS)
  const other = codec.decodeBlock(spliced(86 + 32 + 4 + 1, 1, [7]))
  assert.notDeepEqual([...block.txs.wtxid], [...other.txs.wtxid])
  assert.deepEqual(encodeBlock(block), GENESIS)
})

test('a block read from a view into a larger file decodes the same', () => {
  const file = Buffer.concat([Buffer.alloc(13, 0xaa), GENESIS, Buffer.alloc(7, 0xbb)])
  assert.deepEqual(encodeBlock(codec.decodeBlock(file.subarray(13, 13 + GENESIS.length))), GENESIS)
})

test('a block cut anywhere is refused with its place', () => {
  fc.assert(
    fc.property(fc.nat({ max: GENESIS.length - 1 }), cut => {
      assert.throws(
        () => codec.decodeBlock(GENESIS.subarray(0, cut)),
        (error: unknown) => error instanceof DecodeError && error.offset >= 0 && error.offset <= cut,
      )
    }),
    { numRuns: 400 },
  )
})

test('a segwit block cut anywhere is refused with its place', skipWithoutShared, () => {
  const raw = recordedBlock('757739-1cabd0ea')
  fc.assert(
    fc.property(fc.nat({ max: raw.length - 1 }), cut => {
      assert.throws(
        () => codec.decodeBlock(raw.subarray(0, cut)),
        (error: unknown) => error instanceof DecodeError && error.offset >= 0 && error.offset <= cut,
      )
    }),
    { numRuns: 300 },
  )
})
