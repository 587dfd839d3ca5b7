import { hash } from 'node:crypto'
import { Arena } from '#kernel/arena.ts'
import { type Heap, openHeap } from './heap.ts'
import { compileSha256, JOB_BYTES, MOST_LANE_BLOCKS, type Sha256Exports } from './sha256Module.ts'

/** What the ids of transactions need to know about them. */
export type TransactionPlaces = {
  readonly count: number
  readonly offset: Uint32Array
  readonly sizeBytes: Uint32Array
  readonly weightWu: Uint32Array
  readonly hasWitness: Uint8Array
}

export type Hasher = {
  /** Double SHA-256, display order. */
  hash256(message: Uint8Array): Uint8Array
  /** Double SHA-256 of many short messages of one length, one after the other; display order, 32 bytes each. */
  hash256Many(messages: Uint8Array, messageBytes: number): Uint8Array
  /** The 32 bytes at each offset, byte-reversed: wire order to display order. */
  reversed(bytes: Uint8Array, offsets: Uint32Array): Uint8Array
  /** Ids without witnesses of all transactions, display order. */
  txids(bytes: Uint8Array, txs: TransactionPlaces): Uint8Array
  /** Ids with witnesses (BIP-141), display order; where there is none it is the txid. */
  wtxids(bytes: Uint8Array, txs: TransactionPlaces, txid: Uint8Array): Uint8Array
  /** The next level of a merkle tree: pairs hashed, an odd last hash with itself; all in display order. */
  merkleLevel(level: Uint8Array): Uint8Array
}

const HASH_BYTES = 32

/**
 * Opens the hashing of one codec: four messages at a time in WebAssembly for short ones, node:crypto for long ones.
 * Answers about many messages lie in `arena`.
 */
export function openHasher(arena = new Arena()): Hasher {
  const memory = new WebAssembly.Memory({ initial: 32 })
  const sha256 = compileSha256(memory)
  const heap = openHeap(memory, arena)
  return {
    hash256,
    hash256Many: (messages, messageBytes) => hash256Many(heap, sha256, messages, messageBytes),
    reversed: (bytes, offsets) => reversed(heap, sha256, bytes, offsets),
    txids: (bytes, txs) => ids(heap, sha256, bytes, txs, undefined),
    wtxids: (bytes, txs, txid) => (txs.hasWitness.includes(1) ? ids(heap, sha256, bytes, txs, txid) : txid),
    merkleLevel: level => merkleLevel(heap, sha256, level),
  }
}

const sha256Once = (message: Uint8Array): Buffer => hash('sha256', message, 'buffer')

function hash256(message: Uint8Array): Uint8Array {
  return sha256Once(sha256Once(message)).reverse()
}

function hash256Many(
  heap: Heap,
  sha256: Sha256Exports,
  messages: Uint8Array,
  messageBytes: number,
): Uint8Array {
  if (messages.length === 0) return new Uint8Array(0)
  const count = messages.length / messageBytes
  const groups = Math.ceil(count / 4)
  const from = heap.hold(messages.subarray()) // a view of its own: the caller may reuse the memory
  const at = heap.layOut(groups * 4 * JOB_BYTES, count * HASH_BYTES)
  for (let i = 0; i < groups * 4; i++) {
    const message = Math.min(i, count - 1)
    writeJob(heap, at.jobs, i, from + message * messageBytes, messageBytes, 0, at.out + message * HASH_BYTES)
  }
  sha256.messages(at.jobs, groups, 1)
  return heap.copy(at.out, count * HASH_BYTES)
}

function reversed(heap: Heap, sha256: Sha256Exports, bytes: Uint8Array, offsets: Uint32Array): Uint8Array {
  const from = heap.hold(bytes)
  const at = heap.layOut(offsets.length * 4, offsets.length * HASH_BYTES)
  heap.u32.set(offsets, at.jobs >>> 2)
  sha256.reverse(at.jobs, offsets.length, from, at.out)
  return heap.copy(at.out, offsets.length * HASH_BYTES)
}

/** SHA-256 blocks of a message with its padding. */
const blocksOf = (byteCount: number): number => (byteCount + 72) >>> 6
/** Bytes of a transaction without its witness: weight is three times those and once all of them. */
const strippedBytes = (txs: TransactionPlaces, tx: number): number =>
  (txs.weightWu[tx]! - txs.sizeBytes[tx]!) / 3

/** Txids; or wtxids, if the txids are given. */
function ids(
  heap: Heap,
  sha256: Sha256Exports,
  bytes: Uint8Array,
  txs: TransactionPlaces,
  txid: Uint8Array | undefined,
): Uint8Array {
  const { count, offset, sizeBytes, hasWitness } = txs
  const isStripped = txid === undefined
  const outBytes = count * HASH_BYTES
  // Behind the results: the first hashes of long messages, to be hashed once more.
  const from = heap.hold(bytes)
  const at = heap.layOut((count + 8) * JOB_BYTES, 2 * outBytes)
  if (!isStripped) heap.u8.set(txid, at.out)

  // Messages of one number of blocks share a group where they can: a counting sort gives each its place.
  const next = new Uint32Array(MOST_LANE_BLOCKS + 2)
  for (let tx = 0; tx < count; tx++) {
    if (!isStripped && hasWitness[tx] === 0) continue
    const blocks = blocksOf(isStripped ? strippedBytes(txs, tx) : sizeBytes[tx]!)
    if (blocks <= MOST_LANE_BLOCKS) next[blocks + 1]! += 1
  }
  for (let blocks = 1; blocks < next.length; blocks++) next[blocks]! += next[blocks - 1]!
  const shortCount = next[MOST_LANE_BLOCKS + 1]!
  const longJobs = Math.ceil(shortCount / 4) * 4
  let longCount = 0
  for (let tx = 0; tx < count; tx++) {
    if (!isStripped && hasWitness[tx] === 0) continue
    const start = offset[tx]!
    const size = sizeBytes[tx]!
    const length = isStripped ? strippedBytes(txs, tx) : size
    const isCut = length !== size
    const blocks = blocksOf(length)
    const out = at.out + tx * HASH_BYTES
    if (blocks <= MOST_LANE_BLOCKS) {
      writeJob(heap, at.jobs, next[blocks]!++, from + start, length, isCut ? size : 0, out)
      continue
    }
    const message = bytes.subarray(start, start + size)
    const staged = at.out + outBytes + longCount * HASH_BYTES
    heap.u8.set(sha256Once(isCut ? withoutWitness(message, length) : message), staged)
    writeJob(heap, at.jobs, longJobs + longCount, staged, HASH_BYTES, 0, out)
    longCount += 1
  }
  runJobs(heap, sha256, at.jobs, shortCount, 1)
  runJobs(heap, sha256, at.jobs + longJobs * JOB_BYTES, longCount, 0)
  return heap.copy(at.out, outBytes)
}

function merkleLevel(heap: Heap, sha256: Sha256Exports, level: Uint8Array): Uint8Array {
  const pairCount = Math.ceil(level.length / 64)
  const groups = Math.ceil(pairCount / 4)
  const { jobs: from, out } = heap.layOut(groups * 256, groups * 128)
  heap.u8.set(level, from)
  if (level.length % 64 !== 0) heap.u8.set(level.subarray(-HASH_BYTES), from + level.length)
  sha256.pairs(from, groups, out)
  return heap.copy(out, pairCount * HASH_BYTES)
}

/** Fills the last group up with its last job, and hashes. */
function runJobs(heap: Heap, sha256: Sha256Exports, jobs: number, count: number, isDouble: 0 | 1): void {
  const from = (jobs + count * JOB_BYTES - JOB_BYTES) >>> 2
  for (let i = count; i % 4 !== 0; i++) heap.u32.copyWithin((jobs + i * JOB_BYTES) >>> 2, from, from + 4)
  sha256.messages(jobs, Math.ceil(count / 4), isDouble)
}

function writeJob(
  { u32 }: Heap,
  jobs: number,
  index: number,
  start: number,
  length: number,
  txBytes: number,
  out: number,
): void {
  const at = (jobs >>> 2) + 4 * index
  u32[at] = start
  u32[at + 1] = length
  u32[at + 2] = txBytes
  u32[at + 3] = out
}

function withoutWitness(transaction: Uint8Array, stripped: number): Uint8Array {
  const message = new Uint8Array(stripped)
  message.set(transaction.subarray(0, 4))
  message.set(transaction.subarray(6, stripped - 2), 4)
  message.set(transaction.subarray(-4), stripped - 4)
  return message
}
