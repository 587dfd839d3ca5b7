import { DecodeError } from '../errors.ts'
import { type Hex, hexOf } from '../hex.ts'
import { type AbiType, headBytes, isDynamic } from './types.ts'

export type AbiValue = bigint | boolean | string | Hex | readonly AbiValue[]

type Input = {
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Values that may still be read: an honest encoder uses each word once. */
  left: number
}

/**
 * Values of `types` that fill `bytes`: integers as bigint, addresses and bytes as `0x…`, arrays and tuples as lists.
 * Strict: numbers beyond their width, offsets and lengths beyond the end are a `DecodeError` with the offset. Nothing on
 * chain checks that text is UTF-8, and users write it: a wrong byte becomes a replacement character (U+FFFD), so it cannot
 * take the other values with it. Bytes behind the values are let be, as Solidity does.
 */
export function decodeAbi(types: readonly AbiType[], bytes: Uint8Array): AbiValue[] {
  const input: Input = {
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length),
    left: 2 * Math.ceil(bytes.length / 32) + types.length,
  }
  return readTuple(input, types, 0)
}

function readTuple(input: Input, types: readonly AbiType[], start: number): AbiValue[] {
  const values: AbiValue[] = []
  let at = start
  for (const type of types) {
    values.push(
      isDynamic(type)
        ? readValue(input, type, start + readSize(input, at, start))
        : readValue(input, type, at),
    )
    at += headBytes(type)
  }
  return values
}

/** One value that begins at `at`; `at` is that of its contents, not of an offset. */
function readValue(input: Input, type: AbiType, at: number): AbiValue {
  // Tuples and arrays of fixed length have no word of their own.
  if (type.kind !== 'tuple' && !(type.kind === 'array' && type.length !== null)) input.left -= 1
  if (input.left < 0)
    throw new DecodeError('abi', 'The values share their bytes: there are more of them than words', {
      offset: at,
    })
  switch (type.kind) {
    case 'uint':
      return readUint(input, at, type.bits)
    case 'int':
      return readInt(input, at, type.bits)
    case 'bool':
      return readUint(input, at, 1) === 1n
    case 'address':
      demandZeros(input, at, 12, 'an address')
      return hexOf(input.bytes.subarray(at + 12, at + 32))
    case 'fixedBytes':
      need(input, at, 32)
      return hexOf(input.bytes.subarray(at, at + type.byteLength))
    case 'bytes':
      return hexOf(readBlob(input, at))
    case 'string':
      return decoder.decode(readBlob(input, at))
    case 'tuple':
      return readTuple(
        input,
        type.parts.map(part => part.type),
        at,
      )
    case 'array':
      return readArray(input, type, at)
  }
}

function readArray(input: Input, { of, length }: AbiType & { kind: 'array' }, at: number): AbiValue[] {
  const count = length ?? readSize(input, at, at + 32)
  const start = length === null ? at + 32 : at
  if (count * headBytes(of) > input.bytes.length - start)
    throw new DecodeError(
      'abi',
      `A list of ${count} cannot fit into the ${input.bytes.length - start} bytes left`,
      {
        offset: at,
      },
    )
  return readTuple(input, Array<AbiType>(count).fill(of), start)
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

function readBlob(input: Input, at: number): Uint8Array {
  const length = readSize(input, at, at + 32)
  need(input, at + 32, length)
  return input.bytes.subarray(at + 32, at + 32 + length)
}

/** An offset or a length: it cannot reach beyond the end, counted from `start`. */
function readSize(input: Input, at: number, start: number): number {
  demandZeros(input, at, 28, 'an offset or a length')
  const size = input.view.getUint32(at + 28)
  if (start + size > input.bytes.length)
    throw new DecodeError('abi', `An offset or a length of ${size} reaches beyond the end`, { offset: at })
  return size
}

function readUint(input: Input, at: number, bits: number): bigint {
  need(input, at, 32)
  const { view } = input
  const high = view.getBigUint64(at)
  const upper = view.getBigUint64(at + 8)
  const lower = view.getBigUint64(at + 16)
  const low = view.getBigUint64(at + 24)
  const value =
    high === 0n && upper === 0n && lower === 0n
      ? low
      : (((((high << 64n) | upper) << 64n) | lower) << 64n) | low
  if (bits < 256 && value >> BigInt(bits) !== 0n)
    throw new DecodeError('abi', `A number does not fit into ${bits} bits`, { offset: at })
  return value
}

function readInt(input: Input, at: number, bits: number): bigint {
  const value = BigInt.asIntN(256, readUint(input, at, 256))
  if (BigInt.asIntN(bits, value) !== value)
    throw new DecodeError('abi', `A signed number does not fit into ${bits} bits`, { offset: at })
  return value
}

function demandZeros(input: Input, at: number, count: number, what: string): void {
  need(input, at, 32)
  for (let i = at; i < at + count; i++)
    if (input.bytes[i] !== 0)
      throw new DecodeError('abi', `The word for ${what} is too large`, { offset: at })
}

function need(input: Input, at: number, count: number): void {
  if (count > input.bytes.length - at)
    throw new DecodeError('abi', `The bytes end inside a value: ${count} needed at ${at}`, { offset: at })
}
