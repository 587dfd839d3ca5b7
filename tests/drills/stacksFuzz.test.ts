/** Malformed Stacks data would crash the ingest or be accepted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sha512Trunc256Hex } from '#chains/stacks/hash.ts'
import {
  CheckError,
  checkNakamotoBlock,
  DecodeError,
  encodeValue,
  openStacksCodec,
  transactionJson,
  valueJson,
} from '#chains/stacks/index.ts'
import { newSeed } from '#kernel/seed.testing.ts'
import { clarityValues, transactions } from '../arbitraryStacks.ts'
import { encodeNakamotoBlock, encodeTransaction } from '../encodeStacks.ts'
import { bytesOfHex, type StacksVector, stacksVectors } from '../recordedStacks.ts'
import { plain } from '../refusals.ts'
import { skipWithoutShared } from '../shared.ts'
import { mutated } from './mutated.ts'
import { randomFrom } from './random.ts'

const isFull = process.env.ASSAY_DRILL === '1'
const seed = newSeed()
const isRecorded = skipWithoutShared.skip === false
const codec = openStacksCodec()

/** Types of values, kinds of payloads, modes, and the ends of counts. */
const TELLING = [
  0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11,
  0x12, 0x16, 0x1a, 0x20, 0x30, 0x61, 0x7f, 0x80, 0xff,
]

test(
  `mutated transactions are refused with their place or decode without loss (SEED=${seed})`,
  options(),
  t => {
    const made = fc.sample(transactions, { numRuns: 200, seed }).map(tx => encodeTransaction(tx))
    const corpus = [
      ...made,
      ...recorded(['tx-mainnet-decoded', 'tx-devnet-nakamoto-decoded', 'tx-decode-fixtures']),
    ]
    // Behind the signature of a single signer: modes, post-conditions, payload.
    const outcomes = fuzz(corpus, isFull ? 1_000_000 : 20_000, { from: 0, length: 200 }, (bytes, n) => {
      const tx = codec.decodeTransaction(bytes)
      const written = encodeTransaction(tx)
      assert.equal(tx.txid, sha512Trunc256Hex(written))
      // What the node reads and writes otherwise must at least say the same.
      if (!written.equals(bytes)) {
        const { sizeBytes: _, ...fields } = codec.decodeTransaction(written)
        const { sizeBytes: __, ...given } = tx
        assert.deepEqual(plain(given), plain(fields))
      }
      if (n % 20 === 0) JSON.stringify(transactionJson(tx))
    })
    t.diagnostic(`${JSON.stringify(outcomes)} of ${corpus.length} originals`)
  },
)

test(
  `mutated Clarity values are refused with their place or decode without loss (SEED=${seed})`,
  options(),
  t => {
    const made = fc.sample(clarityValues, { numRuns: 300, seed }).map(value => encodeValue(value))
    const args = isRecorded ? stacksVectors<StacksVector<{ hex: string }[]>>('clarity-call-args-mainnet') : []
    const corpus = [...made, ...args.flatMap(({ expected }) => expected.map(({ hex }) => bytesOfHex(hex)))]
    const outcomes = fuzz(corpus, isFull ? 1_000_000 : 20_000, { from: 0, length: 40 }, bytes => {
      const value = codec.decodeValue(bytes)
      const written = encodeValue(value)
      // Fields of a tuple are written sorted.
      if (!written.equals(bytes)) assert.deepEqual(plain(codec.decodeValue(written)), plain(value))
      assert.equal(typeof valueJson(value).repr, 'string')
    })
    t.diagnostic(`${JSON.stringify(outcomes)} of ${corpus.length} originals`)
  },
)

test(`mutated blocks are refused with their place or decode without loss (SEED=${seed})`, {
  ...options(),
  ...skipWithoutShared,
}, t => {
  const tenures = stacksVectors<{ input: string }>('nakamoto-blocks').map(({ input }) => bytesOfHex(input))
  const corpus = tenures.flatMap(bytes => codec.decodeTenure(bytes).map(block => encodeNakamotoBlock(block)))
  const outcomes = fuzz(corpus, isFull ? 300_000 : 4_000, { from: 200, length: 400 }, bytes => {
    const block = codec.decodeNakamotoBlock(bytes)
    const written = encodeNakamotoBlock(block)
    if (!written.equals(bytes)) {
      assert.deepEqual(plain(codec.decodeNakamotoBlock(written).header), plain(block.header))
    }
    try {
      checkNakamotoBlock(block)
    } catch (error) {
      assert.ok(error instanceof CheckError)
    }
  })
  t.diagnostic(`${JSON.stringify(outcomes)} of ${corpus.length} originals`)
})

function options(): { timeout: number } {
  return { timeout: isFull ? 3_600_000 : 120_000 }
}

function recorded(names: readonly string[]): Buffer<ArrayBuffer>[] {
  if (!isRecorded) return []
  return names.flatMap(name =>
    stacksVectors<StacksVector<unknown>>(name).map(({ input }) => bytesOfHex(input)),
  )
}

/** `slowestMs` is processor time: what else the machine does is no fault of an input. */
type Outcomes = { refused: number; decoded: number; slowestMs: number }

/** Mutates and decodes `count` times; any other outcome than the two allowed fails with what repeats it. */
function fuzz(
  corpus: readonly Buffer<ArrayBuffer>[],
  count: number,
  dense: { from: number; length: number },
  decode: (bytes: Buffer<ArrayBuffer>, n: number) => void,
): Outcomes {
  const random = randomFrom(seed)
  const outcomes: Outcomes = { refused: 0, decoded: 0, slowestMs: 0 }
  for (let n = 0; n < count; n++) {
    const bytes = mutated(corpus, random, TELLING, dense)
    const before = process.cpuUsage()
    try {
      decode(bytes, n)
      outcomes.decoded += 1
    } catch (cause) {
      const isPlaced = cause instanceof DecodeError && cause.offset >= 0 && cause.offset <= bytes.length
      if (!isPlaced || !Number.isInteger(cause.offset)) {
        const shown = bytes.toString('hex').slice(0, 4000)
        throw new Error(`input ${n} of SEED=${seed}, ${bytes.length} bytes: ${shown}`, { cause })
      }
      outcomes.refused += 1
    }
    const { user, system } = process.cpuUsage(before)
    outcomes.slowestMs = Math.max(outcomes.slowestMs, Math.round((user + system) / 1000))
  }
  assert.ok(outcomes.refused > 0 && outcomes.decoded > 0, 'both outcomes must occur')
  return outcomes
}
