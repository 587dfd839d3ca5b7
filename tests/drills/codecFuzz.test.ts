/** A malformed Bitcoin block would crash the ingest or be accepted. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import {
  type BitcoinCodec,
  CheckError,
  DecodeError,
  openBitcoinCodec,
  summaryOf,
  txsOf,
} from '#chains/bitcoin/index.ts'
import { newSeed } from '#kernel/seed.testing.ts'
import { encodeBlock, encodeTransactions, varint } from '../encodeBlock.ts'
import { dataScript, madeBlock, P2PKH } from '../madeBlock.ts'
import { recordedBlock, recordedBlocks } from '../recordedBlocks.ts'
import { skipWithoutShared } from '../shared.ts'
import { mutated } from './mutated.ts'
import { type Random, randomFrom } from './random.ts'

const isFull = process.env.ASSAY_DRILL === '1'
const SMALL_BYTES = 20_000
const seed = newSeed()
const codec = openBitcoinCodec({ network: 'mainnet' })

test(`mutated blocks of up to 20 kB are refused with their place or decode without loss (SEED=${seed})`, {
  timeout: isFull ? 3_600_000 : 120_000,
}, t => {
  const random = randomFrom(seed)
  const corpus = smallBlocks(random)
  const outcomes = fuzz(corpus, isFull ? 1_000_000 : 30_000, random)
  t.diagnostic(`${JSON.stringify(outcomes)} of ${corpus.length} originals, SEED=${seed}`)
  assert.ok(outcomes.refused > 0 && outcomes.decoded > 0, 'both outcomes must occur')
})

test(`mutated whole blocks are refused with their place or decode without loss (SEED=${seed})`, {
  ...skipWithoutShared,
  timeout: isFull ? 7_200_000 : 120_000,
}, t => {
  const random = randomFrom(seed + 1)
  const corpus = [...recordedBlocks('blocks.json')]
    .map(({ bytes }) => bytes)
    .filter(bytes => bytes.length > SMALL_BYTES)
  const outcomes = fuzz(corpus, isFull ? 10_000 : 60, random)
  t.diagnostic(`${JSON.stringify(outcomes)} of ${corpus.length} originals, SEED=${seed}`)
})

type Outcomes = { refused: number; decoded: number; slowestMs: number }

/** Mutates and decodes `count` times; any other outcome than the two allowed fails with what repeats it. */
function fuzz(corpus: readonly Buffer<ArrayBuffer>[], count: number, random: Random): Outcomes {
  const outcomes: Outcomes = { refused: 0, decoded: 0, slowestMs: 0 }
  for (let n = 0; n < count; n++) {
    const bytes = mutated(corpus, random, TELLING, COUNTS)
    const start = performance.now()
    try {
      outcomes[outcomeOf(codec, bytes, n)] += 1
    } catch (cause) {
      throw new Error(
        `input ${n} of SEED=${seed}, ${bytes.length} bytes: ${bytes.toString('hex').slice(0, 4000)}`,
        { cause },
      )
    }
    outcomes.slowestMs = Math.max(outcomes.slowestMs, Math.round(performance.now() - start))
  }
  return outcomes
}

function outcomeOf(
  { decodeBlock, payloads, addressTexts, checkBlock }: BitcoinCodec,
  bytes: Buffer,
  n: number,
): 'refused' | 'decoded' {
  let block: ReturnType<typeof decodeBlock>
  try {
    block = decodeBlock(bytes)
  } catch (error) {
    assert.ok(error instanceof DecodeError)
    assert.ok(Number.isInteger(error.offset) && error.offset >= 0 && error.offset <= bytes.length)
    return 'refused'
  }
  assert.ok(encodeBlock(block).equals(bytes), 'the columns must give the same bytes back')
  const { txs } = block
  for (let tx = 0; tx < txs.count; tx++) {
    const whole = bytes.subarray(txs.offset[tx]!, txs.offset[tx + 1]!)
    assert.equal(idAt(txs.wtxid, tx), hash256(whole))
    if (txs.hasWitness[tx] === 0) assert.equal(idAt(txs.txid, tx), hash256(whole))
  }
  const stripped = strippedTransactions(block)
  for (const [tx, message] of stripped) assert.equal(idAt(txs.txid, tx), hash256(message))
  const summary = summaryOf(block, payloads(block))
  assert.equal(summary.hash, hash256(bytes.subarray(0, 80)))
  assert.equal(addressTexts(block).length, block.outputs.count)
  if (n % 50 === 0) assert.equal(txsOf(block).length, summary.txCount)
  try {
    checkBlock(block)
  } catch (error) {
    assert.ok(error instanceof CheckError)
  }
  return 'decoded'
}

/** Bytes that a txid is the hash of, for each transaction with witness. */
function* strippedTransactions(block: ReturnType<BitcoinCodec['decodeBlock']>): Generator<[number, Buffer]> {
  const { txs } = block
  for (let tx = 0; tx < txs.count; tx++) {
    if (txs.hasWitness[tx] === 0) continue
    const one = {
      ...block,
      txs: {
        ...txs,
        count: 1,
        version: txs.version.subarray(tx),
        lockTime: txs.lockTime.subarray(tx),
        firstInput: txs.firstInput.subarray(tx),
        firstOutput: txs.firstOutput.subarray(tx),
        hasWitness: new Uint8Array(1),
      },
    }
    yield [tx, encodeTransactions(one)]
  }
}

const idAt = (ids: Uint8Array, tx: number): string =>
  Buffer.from(ids.subarray(32 * tx, 32 * tx + 32)).toString('hex')
const hash256 = (bytes: Uint8Array): string =>
  hash('sha256', hash('sha256', bytes, 'buffer'), 'buffer')
    .reverse()
    .toString('hex')

/** Blocks of at most 20 kB: made ones, and coinbases with some transactions of recorded blocks of several eras. */
function smallBlocks(random: Random): Buffer<ArrayBuffer>[] {
  const outputs = [`51024e73`, `5120${'44'.repeat(32)}`, dataScript('5832700102'), '6a5d0102', P2PKH]
  const made = madeBlock({
    txs: [
      {
        inputs: [{ txid: '11'.repeat(32), vout: 1, witness: ['', 'aa', '51'] }],
        outputs: outputs.map(script => ({ script, valueSat: 5n })),
      },
      { version: 1, lockTime: 7 },
    ],
  })
  const corpus = [Buffer.from(made.bytes)]
  if (skipWithoutShared.skip !== false) return corpus
  for (const name of ['170-8dd4a2ee', '57043-aaac1fd8', '481829-b975e726', '757739-1cabd0ea']) {
    const bytes = recordedBlock(name)
    if (bytes.length <= SMALL_BYTES) corpus.push(bytes)
  }
  for (const name of [
    '210000-a171342e',
    '413567-325d4069',
    '514485-6c8a3295',
    '702861-726dafae',
    '739990-d50c626e',
    '831124-250792d6',
    '951658-db9ca628',
  ]) {
    const block = codec.decodeBlock(recordedBlock(name))
    for (let n = 0; n < 12; n++) corpus.push(someTransactions(block, random))
  }
  return corpus
}

/** The header and coinbase of a block with a few of its transactions behind. */
function someTransactions(
  { bytes, txs }: ReturnType<BitcoinCodec['decodeBlock']>,
  random: Random,
): Buffer<ArrayBuffer> {
  const bytesOf = (tx: number): Uint8Array => bytes.subarray(txs.offset[tx]!, txs.offset[tx + 1]!)
  const chosen = [bytesOf(0)]
  const wanted = random.below(12)
  let size = 83 + txs.sizeBytes[0]!
  for (let n = 0; n < wanted; n++) {
    const tx = 1 + random.below(txs.count - 1)
    if (size + txs.sizeBytes[tx]! > SMALL_BYTES - 1_000) continue
    size += txs.sizeBytes[tx]!
    chosen.push(bytesOf(tx))
  }
  return Buffer.concat([bytes.subarray(0, 80), varint(chosen.length), ...chosen])
}

const TELLING = [
  0x00, 0x01, 0x02, 0x10, 0x4c, 0x4d, 0x4e, 0x51, 0x63, 0x6a, 0x7f, 0x80, 0xfc, 0xfd, 0xfe, 0xff,
]
/** Behind the header, where the counts stand close together. */
const COUNTS = { from: 80, length: 200 }
