import { type MiningPool, poolOf } from '#chains/bitcoin/index.ts'
import type { Arena } from '#kernel/arena.ts'
import { type Network, SCRIPT_TYPES, subsidySat } from '#kernel/bitcoin.ts'
import { wordsOf } from '../outputBatch.ts'
import type { Chunk } from './chunk.ts'
import { allNull, type BlockToStore, blobColumn, hashColumn } from './toStore.ts'

const TAPROOT = SCRIPT_TYPES.indexOf('v1_p2tr')

/** Runes begin at this height. Source: ord, `Rune::first_rune_height`. */
const FIRST_RUNE_HEIGHT: Readonly<Record<Network, number>> = {
  mainnet: 840_000,
  testnet3: 2_520_000,
  testnet4: 0,
  signet: 0,
  regtest: 0,
}

/** The rows of `btc_blocks`; fees and median time are null so far. */
export function blockRows(
  arena: Arena,
  store: readonly BlockToStore[],
  pools: readonly MiningPool[],
  network: Network,
): Chunk['blocks'] {
  const count = store.length
  const u32 = (of: (one: BlockToStore) => number): Uint32Array => Uint32Array.from(store, of)
  const matches = store.map(one => poolOf(pools, coinbaseScript(one), payoutScripts(one), network))
  return {
    rowCount: count,
    batch: new Uint32Array(count),
    height: u32(({ height }) => height),
    hash: hashColumn(store.map(({ block }) => block.hash)),
    prevHash: hashColumn(store.map(({ block }) => block.prevHash)),
    merkleRoot: hashColumn(store.map(({ block }) => block.merkleRoot)),
    blockTime: u32(({ block }) => block.timeS),
    medianTime: allNull(arena, new Uint32Array(count)),
    version: Int32Array.from(store, ({ block }) => block.version),
    bits: u32(({ block }) => block.bits),
    nonce: u32(({ block }) => block.nonce),
    sizeBytes: u32(({ block }) => block.sizeBytes),
    strippedSizeBytes: u32(({ block }) => block.strippedSizeBytes),
    weightWu: u32(({ block }) => block.weightWu),
    txCount: u32(({ block }) => block.txs.count),
    inputCount: u32(({ block }) => block.inputs.count),
    outputCount: u32(({ block }) => block.outputs.count),
    segwitTxCount: u32(({ block }) => countOf(block.txs.hasWitness, 1)),
    outputSat: BigUint64Array.from(store, one => sumSat(one, 0, one.block.outputs.count)),
    coinbaseSat: BigUint64Array.from(store, one => sumSat(one, 0, one.block.txs.firstOutput[1]!)),
    subsidySat: BigUint64Array.from(store, ({ height }) => subsidySat(height, network)),
    feeSat: allNull(arena, new BigUint64Array(count)),
    taprootOutputCount: u32(({ block }) => countOf(block.outputs.scriptType, TAPROOT)),
    opReturnCount: u32(({ payloads }) => payloads.opReturnCount),
    opReturnBytes: u32(({ payloads }) => payloads.opReturnBytes.reduce((sum, bytes) => sum + bytes, 0)),
    inscriptionCount: u32(({ payloads }) => payloads.envelopes.length),
    inscriptionBytes: u32(({ payloads }) => payloads.inscriptionBytes),
    runestoneCount: u32(({ height, payloads }) =>
      height < FIRST_RUNE_HEIGHT[network] ? 0 : payloads.runestoneCount,
    ),
    coinbaseScript: blobColumn(arena, store.map(coinbaseScript)),
    pool: matches.map(match => match?.pool ?? ''),
    poolRule: matches.map(match => match?.rule ?? ''),
  }
}

function coinbaseScript({ block: { bytes, inputs } }: BlockToStore): Uint8Array {
  const start = inputs.scriptOffset[0]!
  return bytes.subarray(start, start + inputs.scriptLength[0]!)
}

function payoutScripts({ block: { bytes, txs, outputs } }: BlockToStore): Uint8Array[] {
  const scripts: Uint8Array[] = []
  for (let o = 0; o < txs.firstOutput[1]!; o++) {
    const start = outputs.scriptOffset[o]!
    scripts.push(bytes.subarray(start, start + outputs.scriptLength[o]!))
  }
  return scripts
}

/** Halves are summed apart: their sums are exact, and a sum of big integers makes garbage of each step. */
function sumSat({ block: { outputs } }: BlockToStore, from: number, to: number): bigint {
  const words = wordsOf(outputs.valueSat)
  let low = 0
  let high = 0
  for (let o = from; o < to; o++) {
    low += words[2 * o]!
    high += words[2 * o + 1]!
  }
  return (BigInt(high) << 32n) + BigInt(low)
}

function countOf(values: Uint8Array, wanted: number): number {
  let count = 0
  for (const value of values) if (value === wanted) count++
  return count
}
