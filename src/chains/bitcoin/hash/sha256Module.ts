import {
  at,
  compress,
  K,
  LANE_BLOCKS,
  LANES,
  MASK,
  put,
  roundConstants,
  STATE,
  secondHash,
  setMaskToAll,
  setPadding,
  setState,
  WORDS,
} from './sha256Compress.ts'
import { stage } from './sha256Stage.ts'
import {
  type Code,
  call,
  get,
  I32,
  i32,
  i32Add,
  i32GtU,
  i32Load,
  i32LtU,
  i32Mul,
  i32Store,
  i32Sub,
  i32x4LtU,
  ifElse,
  moduleBytes,
  set,
  shuffle,
  tee,
  V128,
  v128Load,
  v128Splat,
  v128Store,
  type WasmFunction,
  whileLoop,
} from './wasm.ts'

/** Messages of more 64-byte blocks than this, padding included, do not fit into a lane. */
export const MOST_LANE_BLOCKS = 20

/** Room before and behind a lane for what is zeroed or copied in whole vectors. */
const LANE_SLACK = 128
const LANE_BYTES = MOST_LANE_BLOCKS * 64 + 2 * LANE_SLACK
const laneAt = (lane: number): number => LANES + lane * LANE_BYTES + LANE_SLACK
/** Where the caller's part of the memory begins. */
export const FREE = LANES + 4 * LANE_BYTES
/** A job is four 32-bit numbers: where the message starts, its length, the size of the transaction if it is one in
 * witness form (0 otherwise), where the hash goes. */
export const JOB_BYTES = 16

// Functions are called by their number in the module.
const COMPRESS = 0
const SECOND_HASH = 1
const STAGE = 2

export type Sha256Exports = {
  /** SHA-256 of four messages a group, once or twice; jobs one after the other. Hashes are written byte-reversed. */
  messages(jobs: number, groupCount: number, isDouble: 0 | 1): void
  /** Double SHA-256 of the 64 bytes of each pair of hashes, four pairs a group; display order in and out. */
  pairs(input: number, groupCount: number, output: number): void
  /** Copies 32 bytes from `base` + each offset, byte-reversed. */
  reverse(offsets: number, count: number, base: number, output: number): void
}

/** Compiles the module; `memory` must not be used for anything below `FREE`. */
export function compileSha256(memory: WebAssembly.Memory): Sha256Exports {
  new Uint32Array(memory.buffer, K, 256).set(roundConstants().flatMap(k => [k, k, k, k]))
  new Uint32Array(memory.buffer, MASK, 4).fill(0xffffffff)
  const functions = [compress(), secondHash(COMPRESS), stage(), messages(), pairs(), reverse()]
  const instance = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes(functions)), {
    env: { memory },
  })
  // The exports are those of the functions above, by name and signature.
  return instance.exports as unknown as Sha256Exports
}

const range = (from: number): number[] => Array.from({ length: 4 }, (_, i) => from + i)
const LOW_PAIRS = [...range(0), ...range(16), ...range(4), ...range(20)]
const HIGH_PAIRS = [...range(8), ...range(24), ...range(12), ...range(28)]
const LOW_HALVES = [...range(0), ...range(4), ...range(16), ...range(20)]
const HIGH_HALVES = [...range(8), ...range(12), ...range(24), ...range(28)]
const SWAP_WORDS = [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]
const REVERSE = Array.from({ length: 16 }, (_, i) => 15 - i)

/** Turns four rows (locals) of four words into four columns, which `use` consumes; locals 4 to 7 from `row` on are scratch. */
function transposed(row: number, use: (column: number, value: Code) => Code): Code {
  const [r0, r1, r2, r3, t0, t1, t2, t3] = Array.from({ length: 8 }, (_, i) => row + i) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return [
    ...shuffle(get(r0), get(r1), LOW_PAIRS),
    ...set(t0),
    ...shuffle(get(r0), get(r1), HIGH_PAIRS),
    ...set(t1),
    ...shuffle(get(r2), get(r3), LOW_PAIRS),
    ...set(t2),
    ...shuffle(get(r2), get(r3), HIGH_PAIRS),
    ...set(t3),
    ...use(0, shuffle(get(t0), get(t2), LOW_HALVES)),
    ...use(1, shuffle(get(t0), get(t2), HIGH_HALVES)),
    ...use(2, shuffle(get(t1), get(t3), LOW_HALVES)),
    ...use(3, shuffle(get(t1), get(t3), HIGH_HALVES)),
  ]
}

/** Writes the four states, byte-reversed, to the addresses that `target` gives. Locals from `row` on are scratch. */
function storeReversed(row: number, target: (lane: number) => Code): Code {
  return [0, 1].flatMap(half => [
    // The last word comes first: reversed words in little-endian order are reversed bytes.
    ...range(0).flatMap(i => [...at(STATE + 16 * (7 - 4 * half - i)), ...set(row + i)]),
    ...transposed(row, (lane, value) => v128Store(target(lane), value, 16 * half)),
  ])
}

function messages(): WasmFunction {
  const [JOBS, GROUPS, IS_DOUBLE, BLOCK, MOST, AT] = [0, 1, 2, 3, 4, 5] as const
  const ROW = 6
  const loadWords = [0, 1, 2, 3].flatMap(quarter => [
    ...range(0).flatMap(lane => [
      ...shuffle(
        v128Load(get(AT), laneAt(lane) + 16 * quarter),
        v128Load(get(AT), laneAt(lane) + 16 * quarter),
        SWAP_WORDS,
      ),
      ...set(ROW + lane),
    ]),
    ...transposed(ROW, (column, value) => put(WORDS + 16 * (4 * quarter + column), value)),
  ])
  return {
    name: 'messages',
    params: [I32, I32, I32],
    results: [],
    locals: [I32, I32, I32, ...Array(8).fill(V128)],
    body: whileLoop(get(GROUPS), [
      ...i32(0),
      ...set(MOST),
      ...range(0).flatMap(lane => [
        ...i32Store(i32(LANE_BLOCKS + 4 * lane), [
          ...i32Add(get(JOBS), i32(JOB_BYTES * lane)),
          ...i32(laneAt(lane)),
          ...call(STAGE),
          ...tee(BLOCK),
        ]),
        ...ifElse(i32GtU(get(BLOCK), get(MOST)), [...get(BLOCK), ...set(MOST)], []),
      ]),
      ...setState(),
      ...i32(0),
      ...set(BLOCK),
      ...whileLoop(i32LtU(get(BLOCK), get(MOST)), [
        ...i32Mul(get(BLOCK), i32(64)),
        ...set(AT),
        ...loadWords,
        ...put(MASK, i32x4LtU(v128Splat(get(BLOCK)), at(LANE_BLOCKS))),
        ...call(COMPRESS),
        ...i32Add(get(BLOCK), i32(1)),
        ...set(BLOCK),
      ]),
      ...ifElse(get(IS_DOUBLE), call(SECOND_HASH), []),
      ...storeReversed(ROW, lane => i32Load(get(JOBS), JOB_BYTES * lane + 12)),
      ...i32Add(get(JOBS), i32(4 * JOB_BYTES)),
      ...set(JOBS),
      ...i32Sub(get(GROUPS), i32(1)),
      ...set(GROUPS),
    ]),
  }
}

function pairs(): WasmFunction {
  const [INPUT, GROUPS, OUTPUT] = [0, 1, 2] as const
  const ROW = 3
  // Of a hash in display order the last four bytes, little-endian, are its first word.
  const loadWords = [16, 0, 48, 32].flatMap((start, quarter) => [
    ...range(0).flatMap(lane => [...v128Load(get(INPUT), 64 * lane + start), ...set(ROW + lane)]),
    ...transposed(ROW, (column, value) => put(WORDS + 16 * (4 * quarter + 3 - column), value)),
  ])
  return {
    name: 'pairs',
    params: [I32, I32, I32],
    results: [],
    locals: Array(8).fill(V128),
    body: whileLoop(get(GROUPS), [
      ...setState(),
      ...setMaskToAll(),
      ...loadWords,
      ...call(COMPRESS),
      ...setPadding(0, 512),
      ...call(COMPRESS),
      ...call(SECOND_HASH),
      ...storeReversed(ROW, lane => i32Add(get(OUTPUT), i32(32 * lane))),
      ...i32Add(get(INPUT), i32(256)),
      ...set(INPUT),
      ...i32Add(get(OUTPUT), i32(128)),
      ...set(OUTPUT),
      ...i32Sub(get(GROUPS), i32(1)),
      ...set(GROUPS),
    ]),
  }
}

function reverse(): WasmFunction {
  const [OFFSETS, COUNT, BASE, OUTPUT, FROM] = [0, 1, 2, 3, 4] as const
  const half = (start: number): Code =>
    shuffle(v128Load(get(FROM), start), v128Load(get(FROM), start), REVERSE)
  return {
    name: 'reverse',
    params: [I32, I32, I32, I32],
    results: [],
    locals: [I32],
    body: whileLoop(get(COUNT), [
      ...i32Add(get(BASE), i32Load(get(OFFSETS))),
      ...set(FROM),
      ...v128Store(get(OUTPUT), half(16)),
      ...v128Store(get(OUTPUT), half(0), 16),
      ...i32Add(get(OFFSETS), i32(4)),
      ...set(OFFSETS),
      ...i32Add(get(OUTPUT), i32(32)),
      ...set(OUTPUT),
      ...i32Sub(get(COUNT), i32(1)),
      ...set(COUNT),
    ]),
  }
}
