import { isUtf8 } from 'node:buffer'
import { type Reader, readCount, readU8, readU32, refusal, take, unknownKind } from '../reader.ts'
import { readAscii, STRING_SPACES } from './ascii.ts'
import { encodeValue } from './encodeValue.ts'
import { readClarityName } from './names.ts'
import { readAddress, readContractPrincipal } from './principal.ts'
import { type ClarityField, type ClarityValue, MOST_VALUE_BYTES, TYPE_PREFIX } from './value.ts'

const NONE: ClarityValue = { type: 'optional', value: null }
const TRUE: ClarityValue = { type: 'bool', value: true }
const FALSE: ClarityValue = { type: 'bool', value: false }
const EMPTY_LIST: ClarityValue = { type: 'list', items: [] }
/** A name of one character (length byte, character) and a value of one byte. */
const LEAST_FIELD_BYTES = 3

/**
 * Reads one serialized value of at most `mostDepth` levels; a lone integer is one level, a list of integers two. Source: SIP-005,
 * stacks-core `clarity-types/src/types/serialization.rs`, `Value::deserialize_read` without an expected type. What the node refuses
 * for its type alone (a list of values that have no common type, a type larger than a megabyte) is not refused here.
 */
export function readValue(r: Reader, mostDepth: number): ClarityValue {
  if (mostDepth <= 0) throw tooDeep(r)
  const at = r.pos
  const prefix = readU8(r, 'Clarity type')
  switch (prefix) {
    case TYPE_PREFIX.int:
      return { type: 'int', value: readInt(r) }
    case TYPE_PREFIX.uint:
      return { type: 'uint', value: readUint(r) }
    case TYPE_PREFIX.buffer: {
      const length = readLength(r, 'buffer')
      const start = take(r, length, 'buffer')
      return { type: 'buffer', value: r.bytes.subarray(start, start + length) }
    }
    case TYPE_PREFIX.true:
      return TRUE
    case TYPE_PREFIX.false:
      return FALSE
    case TYPE_PREFIX.standardPrincipal:
      return { type: 'principal', value: readAddress(r, 'principal') }
    case TYPE_PREFIX.contractPrincipal:
      return { type: 'principal', value: readContractPrincipal(r, 'principal') }
    case TYPE_PREFIX.ok:
      return { type: 'response', isOk: true, value: readValue(r, mostDepth - 1) }
    case TYPE_PREFIX.err:
      return { type: 'response', isOk: false, value: readValue(r, mostDepth - 1) }
    case TYPE_PREFIX.none:
      return NONE
    case TYPE_PREFIX.some:
      return { type: 'optional', value: readValue(r, mostDepth - 1) }
    case TYPE_PREFIX.list:
      return readList(r, mostDepth)
    case TYPE_PREFIX.tuple:
      return readTuple(r, mostDepth, at)
    case TYPE_PREFIX.stringAscii:
      return {
        type: 'string-ascii',
        value: readAscii(r, readLength(r, 'string-ascii'), STRING_SPACES, 'string-ascii'),
      }
    case TYPE_PREFIX.stringUtf8:
      return { type: 'string-utf8', value: readUtf8(r) }
    default:
      throw unknownKind('Clarity type', prefix, at, '0 to 14')
  }
}

function readUint(r: Reader): bigint {
  const at = take(r, 16, 'uint')
  const low = r.view.getBigUint64(at + 8)
  // Nearly all amounts fit into 64 bits.
  return r.view.getUint32(at + 4) === 0 && r.view.getUint32(at) === 0
    ? low
    : (r.view.getBigUint64(at) << 64n) | low
}

function readInt(r: Reader): bigint {
  const at = take(r, 16, 'int')
  return (r.view.getBigInt64(at) << 64n) | r.view.getBigUint64(at + 8)
}

function readList(r: Reader, mostDepth: number): ClarityValue {
  const count = readCount(r, 1, 'list length')
  if (count === 0) return EMPTY_LIST
  if (mostDepth <= 1) throw tooDeep(r)
  const items: ClarityValue[] = []
  for (let i = 0; i < count; i++) items.push(readValue(r, mostDepth - 1))
  return { type: 'list', items }
}

function readTuple(r: Reader, mostDepth: number, start: number): ClarityValue {
  const at = r.pos
  const count = readCount(r, LEAST_FIELD_BYTES, 'number of tuple fields')
  if (count === 0)
    throw refusal('tuple', 'The tuple has no fields', 'tuple', at, { got: 0, expected: 'at least 1' })
  if (mostDepth <= 1) throw tooDeep(r)
  const fields: ClarityField[] = []
  const rewritesBefore = r.rewrites.length
  /** Names so far; made when one stands out of order. */
  let names: Set<string> | undefined
  let last = ''
  for (let i = 0; i < count; i++) {
    const nameAt = r.pos
    const name = readClarityName(r, 'field name')
    if (name <= last && names === undefined) names = new Set(fields.map(field => field.name))
    if (names?.has(name)) {
      throw refusal('tuple', `The tuple has two fields "${name}"`, 'field name', nameAt, { got: name })
    }
    names?.add(name)
    last = name
    fields.push({ name, value: readValue(r, mostDepth - 1) })
  }
  if (names === undefined) return { type: 'tuple', fields }
  fields.sort((a, b) => (a.name < b.name ? -1 : 1))
  const tuple: ClarityValue = { type: 'tuple', fields }
  // The node keeps fields sorted and so writes them sorted.
  r.rewrites.length = rewritesBefore
  r.rewrites.push({ at: start, end: r.pos, bytes: encodeValue(tuple) })
  return tuple
}

function readUtf8(r: Reader): string {
  const length = readLength(r, 'string-utf8')
  const start = take(r, length, 'string-utf8')
  if (!isUtf8(r.bytes.subarray(start, start + length))) {
    throw refusal('text', 'The bytes of a string-utf8 are no UTF-8', 'string-utf8', start)
  }
  return r.bytes.toString('utf8', start, start + length)
}

function readLength(r: Reader, what: string): number {
  const at = r.pos
  const length = readU32(r, what)
  if (length > MOST_VALUE_BYTES) {
    throw refusal('count', `A ${what} of ${length} bytes is too long`, what, at, {
      got: length,
      expected: `at most ${MOST_VALUE_BYTES}`,
    })
  }
  return length
}

function tooDeep(r: Reader): Error {
  return refusal('depth', 'The value is nested too deep', 'Clarity value', r.pos)
}
