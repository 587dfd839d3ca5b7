/** Malformed data of an EVM node would crash the ingest or be accepted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CheckError,
  createEventIndex,
  DecodeError,
  EventFacts,
  type EvmBlock,
  type EvmCodec,
  openEvmCodec,
  readCallTracer,
  readTraceBlock,
} from '#chains/evm/index.ts'
import { keccakHex } from '#chains/evm/keccak.ts'
import { RlpWriter } from '#chains/evm/rlp/writer.ts'
import { writeTransaction } from '#chains/evm/serialize.ts'
import { newSeed } from '#kernel/seed.testing.ts'
import catalogEvents from '../../catalog/evm/events.json' with { type: 'json' }
import { recordedEvmBlocks, recordedJson, recordedLines } from '../recordedEvm.ts'
import { skipWithoutShared } from '../shared.ts'
import { mutated } from './mutated.ts'
import { mutatedJson } from './mutatedJson.ts'
import { type Random, randomFrom } from './random.ts'

const isFull = process.env.ASSAY_DRILL === '1'
const seed = newSeed()
const ethereum = openEvmCodec({ chainId: 1, headerForm: 'standard', checksumChainId: null })
const rootstock = openEvmCodec({ chainId: 30, headerForm: 'rootstock', checksumChainId: 30 })
const writer = new RlpWriter()
type Outcomes = Record<string, number>

/** Prefixes of RLP at the ends of their ranges, types of transactions, small numbers. */
const TELLING = [
  0x00, 0x01, 0x02, 0x20, 0x7e, 0x7f, 0x80, 0x81, 0x94, 0xa0, 0xb7, 0xb8, 0xbf, 0xc0, 0xc1, 0xf7, 0xf8, 0xff,
]
/** Where the prefixes of a transaction or a header stand close together. */
const BEGINNING = { from: 0, length: 120 }

/** Runs `one` as often as asked; whatever is thrown comes with what repeats it. */
function fuzz(count: number, one: (n: number) => string): Outcomes {
  const outcomes: Outcomes = {}
  for (let n = 0; n < count; n++) {
    let outcome: string
    try {
      outcome = one(n)
    } catch (cause) {
      throw new Error(`input ${n} of SEED=${seed}`, { cause })
    }
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  return outcomes
}

const bytesOf = (hex: string): Buffer<ArrayBuffer> => Buffer.from(hex.slice(2), 'hex')

function refusedAt(thrown: unknown, length: number): string {
  assert.ok(thrown instanceof DecodeError, String(thrown))
  const { offset } = thrown.facts
  assert.ok(offset !== undefined && offset >= 0 && offset <= length, `offset ${offset} of ${length}`)
  return 'refused'
}

test(`mutated raw transactions are refused with their place or decode without loss (SEED=${seed})`, {
  ...skipWithoutShared,
  timeout: isFull ? 7_200_000 : 120_000,
}, t => {
  const random = randomFrom(seed)
  const kinds = ['signedLegacy', 'signedEip155', 'signedBerlin', 'signedLondon', 'signedCancun']
  const corpus = [
    ...recordedJson('vectors-transactions.json.gz').flatMap((vector: Record<string, string>) =>
      kinds.flatMap(kind => (vector[kind] ? [bytesOf(vector[kind])] : [])),
    ),
    ...recordedLines('op-stack-deposits.jsonl').flatMap(({ raw }) => (raw ? [bytesOf(raw)] : [])),
  ]
  const outcomes = fuzz(isFull ? 400_000 : 4_000, () => {
    const bytes = mutated(corpus, random, TELLING, BEGINNING)
    let tx: ReturnType<EvmCodec['decodeTransaction']>
    try {
      tx = ethereum.decodeTransaction(bytes)
    } catch (thrown) {
      return refusedAt(thrown, bytes.length)
    }
    assert.ok(writeTransaction(tx, writer)!.equals(bytes), 'the fields must give the same bytes back')
    assert.equal(tx.hash, keccakHex(bytes))
    return 'decoded'
  })
  t.diagnostic(`${JSON.stringify(outcomes)} of ${corpus.length} originals, SEED=${seed}`)
  assert.ok(outcomes.refused! > 0 && outcomes.decoded! > 0, 'both outcomes must occur')
})

test(`mutated raw headers are refused with their place or keep their hash (SEED=${seed})`, {
  ...skipWithoutShared,
  timeout: isFull ? 3_600_000 : 120_000,
}, t => {
  const random = randomFrom(seed + 1)
  const corpus = recordedLines('rootstock-mainnet-headers.jsonl.gz').map(({ rlp }) => bytesOf(rlp))
  const hashes = new Set(recordedLines('rootstock-mainnet-headers.jsonl.gz').map(({ hash }) => hash))
  const outcomes = fuzz(isFull ? 200_000 : 5_000, n => {
    const bytes = mutated(corpus, random, TELLING, BEGINNING)
    try {
      const header = rootstock.decodeHeader(bytes)
      if (n % 10 === 0) rootstock.mergedMining({ header } as EvmBlock)
      return hashes.has(header.hash) ? 'same' : 'decoded'
    } catch (thrown) {
      return refusedAt(thrown, bytes.length)
    }
  })
  t.diagnostic(`${JSON.stringify(outcomes)} of ${corpus.length} originals, SEED=${seed}`)
  assert.ok(outcomes.refused! > 0 && outcomes.decoded! > 0)
})

/** What the checks vouch for; the rest is what a node says and nobody can recompute. */
function vouched({ header, transactions, receipts, uncles }: EvmBlock): unknown {
  return {
    header: { ...header, hashForMergedMining: null, bitcoinMerkleProof: null, bitcoinCoinbase: null },
    transactions: transactions.map(({ gasPrice, raw, ...tx }) => ({
      ...tx,
      gasPrice: tx.type <= 1 ? gasPrice : null,
    })),
    receipts: receipts?.map(({ transactionHash, isSuccess, root, gasUsed, cumulativeGasUsed, logs }) => ({
      transactionHash,
      isSuccess,
      root: isSuccess === null ? root : null,
      gasUsed,
      cumulativeGasUsed,
      logs,
    })),
    uncles: header.form === 'rootstock' ? uncles.length : 0,
  }
}
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? `${one}n` : one))

test(`mutated answers about blocks are refused by field or by rule, or say what they said (SEED=${seed})`, {
  ...skipWithoutShared,
  timeout: isFull ? 7_200_000 : 120_000,
}, t => {
  const random = randomFrom(seed + 2)
  const corpus = recordedEvmBlocks
    .filter(({ name }) => !/18500000|cronos|arbitrum|256082/.test(name))
    .map(({ codec, answers }) => {
      const original = answers()
      const block = codec.readBlock(original)
      codec.checkBlock(block)
      return { codec, text: JSON.stringify(original), vouched: textOf(vouched(block)) }
    })
  const outcomes = fuzz(isFull ? 300_000 : 1_500, n => {
    const {
      codec,
      text,
      vouched: expected,
    } = corpus[random.below(4) === 0 ? random.below(corpus.length) : 0]!
    const answers = mutatedJson(text, random)
    let block: EvmBlock
    try {
      block = codec.readBlock(answers as { block: unknown; receipts: unknown })
    } catch (thrown) {
      if (answers === null || typeof answers !== 'object') return 'no answers'
      assert.ok(thrown instanceof DecodeError, String(thrown))
      assert.ok(typeof thrown.facts.path === 'string' && thrown.facts.path !== '')
      return 'refused by field'
    }
    try {
      const proofs = codec.checkBlock(block, { senders: n % 10 === 0 })
      if (!proofs.receipts) return 'without receipts'
    } catch (thrown) {
      assert.ok(thrown instanceof CheckError, String(thrown))
      return 'refused by rule'
    }
    // A sender is vouched for by its signature alone, which is recovered in every tenth round.
    if (n % 10 === 0) assert.equal(textOf(vouched(block)), expected, 'a change went unnoticed')
    return 'unchanged where it matters'
  })
  t.diagnostic(`${JSON.stringify(outcomes)} of ${corpus.length} originals, SEED=${seed}`)
  assert.ok(outcomes['refused by field']! > 0 && outcomes['refused by rule']! > 0)
})

test(`mutated logs are read or left unread, never more than that (SEED=${seed})`, {
  ...skipWithoutShared,
  timeout: isFull ? 3_600_000 : 120_000,
}, t => {
  const random: Random = randomFrom(seed + 3)
  const events = createEventIndex(EventFacts.parse(catalogEvents))
  const logs = recordedEvmBlocks.flatMap(({ codec, answers }) =>
    (codec.readBlock(answers()).receipts ?? []).flatMap(receipt =>
      receipt.logs.filter(log => events.decode(log) !== null),
    ),
  )
  const outcomes = fuzz(isFull ? 200_000 : 10_000, () => {
    const log = logs[random.below(logs.length)]!
    const data = mutated(
      [bytesOf(log.data), Buffer.concat(logs.slice(0, 20).map(one => bytesOf(one.data)))],
      random,
      TELLING,
      BEGINNING,
    )
    const topics = random.below(3) === 0 ? log.topics.slice(0, 1 + random.below(4)) : log.topics
    return events.decode({ ...log, topics, data: `0x${data.toString('hex')}` }) === null ? 'unread' : 'read'
  })
  t.diagnostic(`${JSON.stringify(outcomes)}, SEED=${seed}`)
  assert.ok(outcomes.read! > 0 && outcomes.unread! > 0)
})

test(`mutated traces are refused by field or read (SEED=${seed})`, {
  timeout: isFull ? 3_600_000 : 120_000,
}, t => {
  const random = randomFrom(seed + 4)
  const account = `0x${'a1'.repeat(20)}`
  const frame = { type: 'CALL', from: account, to: account, value: '0x1', gasUsed: '0x5', input: '0x01' }
  const tracer = JSON.stringify([
    {
      result: {
        ...frame,
        calls: [
          { ...frame, type: 'CREATE' },
          { ...frame, error: 'reverted', calls: [frame] },
        ],
      },
    },
  ])
  const flat = JSON.stringify([
    {
      type: 'call',
      transactionPosition: 0,
      traceAddress: [],
      action: { callType: 'call', from: account, to: account, value: '0x0', input: '0x' },
      result: { gasUsed: '0x1' },
    },
    {
      type: 'create',
      transactionPosition: 0,
      traceAddress: [0],
      action: { from: account, init: '0x60' },
      result: { address: account },
    },
  ])
  const outcomes = fuzz(isFull ? 100_000 : 5_000, n => {
    try {
      if (n % 2 === 0) readCallTracer(mutatedJson(tracer, random))
      else readTraceBlock(mutatedJson(flat, random))
      return 'read'
    } catch (thrown) {
      assert.ok(thrown instanceof DecodeError, String(thrown))
      return 'refused'
    }
  })
  t.diagnostic(`${JSON.stringify(outcomes)}, SEED=${seed}`)
  assert.ok(outcomes.read! > 0 && outcomes.refused! > 0)
})
