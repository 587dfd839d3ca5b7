import { DecodeError } from '../errors.ts'
import { type Hex, hexOf } from '../hex.ts'

/** An item: bytes as a view into the input, or a list. `offset` is where its prefix begins. */
export type RlpItem =
  | { readonly offset: number; readonly bytes: Uint8Array; readonly items?: undefined }
  | { readonly offset: number; readonly items: readonly RlpItem[]; readonly bytes?: undefined }

/** No structure of a chain nests deeper than access lists do. */
const MOST_LEVELS = 32

/** One item that fills all of `bytes`. Every length must be in its shortest form, as the yellow paper demands. */
export function readRlp(bytes: Uint8Array, start = 0): RlpItem {
  const { item, next } = readItem(bytes, start, bytes.length, 0)
  if (next !== bytes.length)
    throw new DecodeError('trailing', `${bytes.length - next} bytes follow the end`, { offset: next })
  return item
}

function readItem(
  bytes: Uint8Array,
  at: number,
  end: number,
  level: number,
): { item: RlpItem; next: number } {
  if (at >= end) throw new DecodeError('short', 'The bytes end where an item should begin', { offset: at })
  if (level > MOST_LEVELS)
    throw new DecodeError('depth', `Lists nest deeper than ${MOST_LEVELS}`, { offset: at })
  const first = bytes[at]!
  if (first < 0x80) return { item: { offset: at, bytes: bytes.subarray(at, at + 1) }, next: at + 1 }
  const isList = first >= 0xc0
  const short = first - (isList ? 0xc0 : 0x80)
  let from = at + 1
  let length = short
  if (short > 55) {
    const count = short - 55
    length = readLength(bytes, from, count, end, at)
    from += count
  }
  if (length > end - from)
    throw new DecodeError('short', `An item states ${length} bytes, ${end - from} are left`, { offset: at })
  const next = from + length
  if (!isList) {
    if (length === 1 && bytes[from]! < 0x80)
      throw new DecodeError('shortest_form', 'A byte below 0x80 has a prefix it must not have', {
        offset: at,
      })
    return { item: { offset: at, bytes: bytes.subarray(from, next) }, next }
  }
  const items: RlpItem[] = []
  for (let cursor = from; cursor < next; ) {
    const one = readItem(bytes, cursor, next, level + 1)
    items.push(one.item)
    cursor = one.next
  }
  return { item: { offset: at, items }, next }
}

function readLength(bytes: Uint8Array, from: number, count: number, end: number, at: number): number {
  if (count > end - from) throw new DecodeError('short', 'The bytes end inside a length', { offset: at })
  let length = 0
  for (let i = 0; i < count; i++) length = length * 256 + bytes[from + i]!
  if (bytes[from] === 0 || length < 56)
    throw new DecodeError('shortest_form', 'A length is not in its shortest form', { offset: at })
  return length
}

export function rlpList(
  item: RlpItem | undefined,
  what: string,
  counts: readonly number[] = [],
): readonly RlpItem[] {
  if (item?.items === undefined)
    throw new DecodeError('list', `The ${what} is no list`, { offset: item?.offset ?? 0 })
  if (counts.length > 0 && !counts.includes(item.items.length))
    throw new DecodeError('list', `The ${what} has ${item.items.length} items, not ${counts.join(' or ')}`, {
      offset: item.offset,
    })
  return item.items
}

export function rlpBytes(item: RlpItem | undefined, what: string, lengths: readonly number[] = []): Hex {
  if (item?.bytes === undefined)
    throw new DecodeError('list', `The ${what} is a list, not bytes`, { offset: item?.offset ?? 0 })
  if (lengths.length > 0 && !lengths.includes(item.bytes.length))
    throw new DecodeError(
      'length',
      `The ${what} has ${item.bytes.length} bytes, not ${lengths.join(' or ')}`,
      {
        offset: item.offset,
      },
    )
  return hexOf(item.bytes)
}

/** A number of at most 32 bytes without leading zeros. */
export function rlpQuantity(item: RlpItem | undefined, what: string, mostBytes = 32): bigint {
  const hex = rlpBytes(item, what)
  if (hex === '0x') return 0n
  if (hex.startsWith('0x00'))
    throw new DecodeError('shortest_form', `The ${what} has leading zeros`, { offset: item?.offset ?? 0 })
  if (hex.length > 2 + 2 * mostBytes)
    throw new DecodeError('range', `The ${what} is longer than ${mostBytes} bytes`, {
      offset: item?.offset ?? 0,
    })
  return BigInt(hex)
}
