/**
 * A few words of WebAssembly's binary format: enough to write a module of functions over one memory by hand.
 * Source: WebAssembly core specification 2.0, chapter 5.
 */
export type Code = readonly number[]

export const I32 = 0x7f
export const V128 = 0x7b

export type WasmFunction = {
  /** Exported under this name; internal if undefined. */
  readonly name?: string
  readonly params: readonly number[]
  readonly results: readonly number[]
  /** Types of the locals behind the parameters. */
  readonly locals: readonly number[]
  readonly body: Code
}

/** Bytes of a module that imports a memory as `env.memory` and holds the functions, numbered in their order. */
export function moduleBytes(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(f => [0x60, ...list(f.params.map(t => [t])), ...list(f.results.map(t => [t]))])
  const exported = functions.flatMap((f, i) =>
    f.name === undefined ? [] : [[...text(f.name), 0x00, ...leb(i)]],
  )
  const bodies = functions.map(f => {
    const body = [...list(f.locals.map(t => [1, t])), ...f.body, 0x0b]
    return [...leb(body.length), ...body]
  })
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, list(types)),
    ...section(2, list([[...text('env'), ...text('memory'), 0x02, 0x00, 0x01]])),
    ...section(3, list(functions.map((_, i) => leb(i)))),
    ...section(7, list(exported)),
    ...section(10, list(bodies)),
  ])
}

export const get = (local: number): Code => [0x20, ...leb(local)]
export const set = (local: number): Code => [0x21, ...leb(local)]
export const tee = (local: number): Code => [0x22, ...leb(local)]
export const call = (index: number): Code => [0x10, ...leb(index)]

export const i32 = (value: number): Code => [0x41, ...signedLeb(value | 0)]
export const i32Load = (address: Code, offset = 0): Code => [...address, 0x28, 0, ...leb(offset)]
export const i32Store = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  0x36,
  0,
  ...leb(offset),
]
export const i32Store8 = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  0x3a,
  0,
  ...leb(offset),
]
const i32Binary =
  (opcode: number) =>
  (a: Code, b: Code): Code => [...a, ...b, opcode]
export const i32Add = i32Binary(0x6a)
export const i32Sub = i32Binary(0x6b)
export const i32Mul = i32Binary(0x6c)
export const i32Shl = i32Binary(0x74)
export const i32ShrU = i32Binary(0x76)
export const i32GtU = i32Binary(0x4b)
export const i32LtU = i32Binary(0x49)

/** `while (condition) body`. */
export const whileLoop = (condition: Code, body: Code): Code => [
  ...[0x02, 0x40, 0x03, 0x40],
  ...condition,
  ...[0x45, 0x0d, 1],
  ...body,
  ...[0x0c, 0, 0x0b, 0x0b],
]
export const ifElse = (condition: Code, then: Code, otherwise: Code): Code => [
  ...condition,
  ...[0x04, 0x40],
  ...then,
  0x05,
  ...otherwise,
  0x0b,
]

const simd = (opcode: number): Code => [0xfd, ...leb(opcode)]
const simdBinary =
  (opcode: number) =>
  (a: Code, b: Code): Code => [...a, ...b, ...simd(opcode)]
export const v128Load = (address: Code, offset = 0): Code => [...address, ...simd(0), 0, ...leb(offset)]
export const v128Store = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  ...simd(11),
  0,
  ...leb(offset),
]
/** The four lanes all equal to `word`. */
export const v128Words = (word: number): Code => [...i32(word), ...simd(17)]
export const v128Splat = (value: Code): Code => [...value, ...simd(17)]
export const v128And = simdBinary(0x4e)
export const v128Xor = simdBinary(0x51)
/** Bits of `a` where `mask` is 1, of `b` where it is 0. */
export const v128Bitselect = (a: Code, b: Code, mask: Code): Code => [...a, ...b, ...mask, ...simd(0x52)]
export const i32x4Add = simdBinary(0xae)
export const i32x4LtU = simdBinary(0x3a)
export const i32x4Shl = (a: Code, bits: number): Code => [...a, ...i32(bits), ...simd(0xab)]
export const i32x4ShrU = (a: Code, bits: number): Code => [...a, ...i32(bits), ...simd(0xad)]
/** Bytes of the result: 0 to 15 are those of `a`, 16 to 31 those of `b`. */
export const shuffle = (a: Code, b: Code, bytes: readonly number[]): Code => [
  ...a,
  ...b,
  ...simd(13),
  ...bytes,
]

const section = (id: number, content: Code): Code => [id, ...leb(content.length), ...content]
const list = (items: readonly Code[]): Code => [...leb(items.length), ...items.flat()]
const text = (value: string): Code => list([...Buffer.from(value)].map(byte => [byte]))

function leb(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  do {
    const low = rest & 0x7f
    rest >>>= 7
    bytes.push(rest === 0 ? low : low | 0x80)
  } while (rest !== 0)
  return bytes
}

function signedLeb(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (true) {
    const low = rest & 0x7f
    rest >>= 7
    const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
    bytes.push(isLast ? low : low | 0x80)
    if (isLast) return bytes
  }
}
