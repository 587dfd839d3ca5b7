import {
  type Code,
  call,
  get,
  i32,
  i32x4Add,
  i32x4Shl,
  i32x4ShrU,
  set,
  V128,
  v128And,
  v128Bitselect,
  v128Load,
  v128Store,
  v128Words,
  v128Xor,
  type WasmFunction,
} from './wasm.ts'

// Fixed places in the memory. A vector holds one 32-bit word of four messages, one a lane.
export const K = 0
export const STATE = 1024
export const WORDS = STATE + 128
export const LANE_BLOCKS = WORDS + 256
export const MASK = LANE_BLOCKS + 16
export const LANES = 2048

/** The vector at a fixed place. */
export const at = (address: number): Code => v128Load(i32(0), address)
/** Writes a vector to a fixed place. */
export const put = (address: number, value: Code): Code => v128Store(i32(0), value, address)

/** First 32 bits of the fractional parts of the square and cube roots of the first primes (FIPS 180-4). */
const primes = (count: number): number[] => {
  const isPrime = (n: number): boolean => n > 1 && ![2, 3, 5, 7, 11, 13, 17].some(d => n > d && n % d === 0)
  return Array.from({ length: 312 }, (_, n) => n)
    .filter(isPrime)
    .slice(0, count)
}
const fraction = (root: number): number => Math.floor((root - Math.floor(root)) * 2 ** 32)
export const roundConstants = (): number[] => primes(64).map(p => fraction(Math.cbrt(p)))
const initialState = (): number[] => primes(8).map(p => fraction(Math.sqrt(p)))

/**
 * One compression of four messages: state and words are read from their places; a lane whose mask is zero keeps its
 * state. Rounds are unrolled; the words of the schedule live in sixteen locals that are overwritten in turn.
 */
export function compress(): WasmFunction {
  return { params: [], results: [], locals: Array(28).fill(V128), body: compressBody() }
}

function compressBody(): Code {
  const word = (i: number): number => i % 16
  const variable = (i: number): number => 16 + (((i % 8) + 8) % 8)
  const T1 = 24
  const T2 = 25
  const AB = 26
  const BC = 27
  const code: number[] = []
  for (let i = 0; i < 16; i++) code.push(...at(WORDS + 16 * i), ...set(word(i)))
  for (let v = 0; v < 8; v++) code.push(...at(STATE + 16 * v), ...set(variable(v)))
  code.push(...v128Xor(get(variable(1)), get(variable(2))), ...set(BC))
  for (let round = 0; round < 64; round++) {
    const [a, b, , d, e, f, g, h] = Array.from({ length: 8 }, (_, v) => variable(v - round)) as [
      number,
      number,
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    if (round >= 16) {
      const s0 = smallSigma(word(round - 15), 7, 18, 3)
      const s1 = smallSigma(word(round - 2), 17, 19, 10)
      code.push(
        ...i32x4Add(i32x4Add(get(word(round)), s0), i32x4Add(get(word(round - 7)), s1)),
        ...set(word(round)),
      )
    }
    const choice = v128Bitselect(get(f), get(g), get(e))
    const keyed = i32x4Add(get(h), i32x4Add(get(word(round)), at(K + 16 * round)))
    code.push(...i32x4Add(i32x4Add(keyed, choice), bigSigma(e, 6, 11, 25)), ...set(T1))
    code.push(...i32x4Add(get(d), get(T1)), ...set(d))
    // majority(a, b, c) = b ^ ((a ^ b) & (b ^ c)); a ^ b is the next round's b ^ c.
    const [ab, bc] = round % 2 === 0 ? [AB, BC] : [BC, AB]
    code.push(...v128Xor(get(a), get(b)), ...set(ab))
    code.push(...v128Xor(get(b), v128And(get(ab), get(bc))), ...set(T2))
    code.push(...i32x4Add(i32x4Add(get(T1), get(T2)), bigSigma(a, 2, 13, 22)), ...set(h))
  }
  for (let v = 0; v < 8; v++) {
    code.push(...put(STATE + 16 * v, i32x4Add(at(STATE + 16 * v), v128And(get(variable(v)), at(MASK)))))
  }
  return code
}

const rotated = (local: number, bits: number): Code =>
  v128Xor(i32x4ShrU(get(local), bits), i32x4Shl(get(local), 32 - bits))
const bigSigma = (local: number, x: number, y: number, z: number): Code =>
  v128Xor(v128Xor(rotated(local, x), rotated(local, y)), rotated(local, z))
const smallSigma = (local: number, x: number, y: number, shift: number): Code =>
  v128Xor(v128Xor(rotated(local, x), rotated(local, y)), i32x4ShrU(get(local), shift))

export const setState = (): Code => initialState().flatMap((word, i) => put(STATE + 16 * i, v128Words(word)))
export const setMaskToAll = (): Code => put(MASK, v128Words(-1))
/** Words of a last block that holds nothing but padding from word `from` on. */
export const setPadding = (from: number, bits: number): Code =>
  Array.from({ length: 16 - from }, (_, i) => from + i).flatMap(i =>
    put(WORDS + 16 * i, v128Words(i === from ? 0x80000000 : i === 15 ? bits : 0)),
  )

/** Replaces the four states by the states after hashing them once more. */
export function secondHash(compressIndex: number): WasmFunction {
  return {
    params: [],
    results: [],
    locals: [],
    body: [
      ...Array.from({ length: 8 }, (_, i) => put(WORDS + 16 * i, at(STATE + 16 * i))).flat(),
      ...setPadding(8, 256),
      ...setState(),
      ...setMaskToAll(),
      ...call(compressIndex),
    ],
  }
}
