import type { BitcoinCodec, MiningPool } from '#chains/bitcoin/index.ts'
import { HEADER_BYTES, NETWORK_MARKS, readHeader } from '#chains/bitcoin/node/index.ts'
import { Arena } from '#kernel/arena.ts'
import { AssayError } from '#kernel/errors.ts'
import { IngestError } from '../errors.ts'
import { wordsOf } from '../outputBatch.ts'
import { blockRows } from './blockRows.ts'
import {
  blockBytes,
  type Chunk,
  type ChunkJob,
  type PlacedBlock,
  type RefusedBlock,
  type UnplacedBlock,
} from './chunk.ts'
import { inputRows, scriptRoom } from './inputRows.ts'
import { outputRows } from './outputRows.ts'
import { inscriptionRows, layerOpRows } from './payloadRows.ts'
import type { BlockToStore } from './toStore.ts'
import { txRows } from './txRows.ts'

/** No valid amount is above it: 21 million BTC in satoshis. Source: Bitcoin Core MAX_MONEY. */
const MAX_MONEY_SAT = 2_100_000_000_000_000

/**
 * Decodes and checks the blocks of a job and lays their rows out in columns. A block that fails is left out and named in
 * `refused`; the others go on. Pure but for the time it takes: runs in a worker or in place.
 */
export function decodeChunk(codec: BitcoinCodec, pools: readonly MiningPool[], job: ChunkJob): Chunk {
  const placed: PlacedBlock[] = []
  const refused: RefusedBlock[] = []
  const unplaced: UnplacedBlock[] = []
  const store: BlockToStore[] = []
  const left = new Set(job.without)
  for (let index = 0; index < job.heights.length; index++) {
    if (left.has(index)) continue
    const bytes = blockBytes(job, index)
    const given = job.heights[index]!
    try {
      const block = codec.decodeBlock(bytes)
      codec.checkBlock(block, { proofOfWork: job.checksWork })
      const hash = hexOf(block.hash)
      const height = heightOf(job, given, block.height, hash)
      checkAmounts(block, hash)
      if (height === null) {
        unplaced.push({ index, hash, txCount: block.txs.count })
        continue
      }
      placed.push({ index, height, hash, prevHash: hexOf(block.prevHash), timeS: block.timeS })
      store.push({ block, height, payloads: codec.payloads(block) })
    } catch (thrown) {
      if (!(thrown instanceof AssayError)) throw thrown
      refused.push({
        index,
        height: given < 0 ? null : given,
        hash: bytes.length < HEADER_BYTES ? '00'.repeat(32) : readHeader(bytes).hash,
        code: thrown.code,
        reason: thrown.message,
      })
    }
  }
  const first = firsts(store)
  const arena = new Arena(job.memory)
  const txs = txRows(arena, store, first)
  const columns = {
    bytes: job.bytes,
    offsets: job.offsets,
    placed,
    refused,
    unplaced,
    ...first,
    blocks: blockRows(arena, store, pools, job.network),
    txs,
    inputs: inputRows(arena, store, first, txs.txid),
    outputs: outputRows(arena, store, first, txs.txid),
    inscriptions: inscriptionRows(arena, store),
    layerOps: layerOpRows(store),
    room: scriptRoom(arena, first.firstInput.at(-1) ?? 0),
    memory: job.memory,
  }
  return { ...columns, neededBytes: arena.neededBytes }
}

function heightOf(job: ChunkJob, given: number, stated: number | null, hash: string): number | null {
  if (given < 0) return stated
  const isBinding = given >= NETWORK_MARKS[job.network].bip34Height
  if (isBinding && stated !== null && stated !== given)
    throw new IngestError(
      'ingest.height',
      `Block ${hash} was offered for height ${given}, but its coinbase states ${stated} (BIP-34).`,
      { facts: { hash, given, stated } },
    )
  return given
}

/** The overflow of block 74,638 (2010) was never valid: each output and each sum of a transaction stays in range. */
function checkAmounts({ txs, outputs }: BlockToStore['block'], hash: string): void {
  const { count, firstOutput } = txs
  const words = wordsOf(outputs.valueSat)
  for (let tx = 0; tx < count; tx++) {
    const end = firstOutput[tx + 1]!
    let sum = 0
    for (let o = firstOutput[tx]!; o < end; o++) sum += words[2 * o + 1]! * 2 ** 32 + words[2 * o]!
    // Exact up to 2^53, and far beyond the limit where it is not.
    if (sum > MAX_MONEY_SAT)
      throw new IngestError(
        'ingest.value',
        `Transaction ${tx} of block ${hash} pays out more than 21 million BTC.`,
        {
          facts: { hash, tx },
        },
      )
  }
}

function firsts(store: readonly BlockToStore[]): Pick<Chunk, 'firstTx' | 'firstInput' | 'firstOutput'> {
  const txCount = store.reduce((sum, { block }) => sum + block.txs.count, 0)
  const firstTx = new Uint32Array(store.length + 1)
  const firstInput = new Uint32Array(txCount + 1)
  const firstOutput = new Uint32Array(txCount + 1)
  let tx = 0
  let input = 0
  let output = 0
  store.forEach(({ block: { txs } }, i) => {
    firstTx[i] = tx
    setShifted(firstInput, tx, txs.firstInput, input)
    setShifted(firstOutput, tx, txs.firstOutput, output)
    tx += txs.count
    input += txs.firstInput[txs.count]!
    output += txs.firstOutput[txs.count]!
  })
  firstTx[store.length] = tx
  return { firstTx, firstInput, firstOutput }
}

/** Sets the numbers, each raised by `by`, from `at` on; the last of a block is overwritten by the first of the next. */
function setShifted(target: Uint32Array, at: number, numbers: Uint32Array, by: number): void {
  for (let i = 0; i < numbers.length; i++) target[at + i] = by + numbers[i]!
}

const hexOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
