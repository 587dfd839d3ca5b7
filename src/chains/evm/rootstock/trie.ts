import { keccak } from '../keccak.ts'
import { indexKey } from '../trie.ts'

/**
 * Root of Rootstock's binary trie over a list of transactions or receipts, keyed by the RLP of their index. `unitrie` is
 * the node form of RSKIP-107 (since Wasabi), `orchid` the one before. Source: RSKIP-107, rskj Trie.
 */
export function rootstockRoot(values: readonly Uint8Array[], form: 'unitrie' | 'orchid'): Buffer {
  if (values.length === 0) return keccak(Buffer.of(0x80))
  const entries = values.map((value, i) => ({ key: bitsOf(indexKey(i)), value }))
  return keccak((form === 'unitrie' ? unitrieNode : orchidNode)(entries, 0).message)
}

type Entry = { readonly key: readonly number[]; readonly value: Uint8Array }
type Node = { readonly message: Buffer; readonly isTerminal: boolean; readonly size: number }

/** A value of more bytes stands in its node by its hash. */
const LONG_VALUE = 32
/** A leaf of at most as many bytes stands in its parent as it is. */
const MOST_EMBEDDED = 44

const bitsOf = (bytes: readonly number[]): number[] =>
  bytes.flatMap(byte => [7, 6, 5, 4, 3, 2, 1, 0].map(bit => (byte >> bit) & 1))

/** The bits that all keys share from `depth` on, and the two sides behind them; no key begins with another one. */
function split(entries: readonly Entry[], depth: number) {
  const first = entries[0]!.key
  let end = first.length
  for (const { key } of entries)
    for (let bit = depth; bit < end; bit++) if (key[bit] !== first[bit]) end = bit
  const shared = first.slice(depth, end)
  if (entries.length === 1) return { shared, value: entries[0]!.value, sides: [] as Entry[][], next: 0 }
  const sides = [0, 1].map(side => entries.filter(({ key }) => key[end] === side))
  return { shared, value: null, sides, next: end + 1 }
}

function packed(bits: readonly number[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8))
  for (const [i, bit] of bits.entries()) if (bit === 1) bytes[i >> 3]! |= 0x80 >> (i & 7)
  return bytes
}

function unitrieNode(entries: readonly Entry[], depth: number): Node {
  const { shared, value, sides, next } = split(entries, depth)
  const children = sides.map(side => unitrieNode(side, next))
  const isEmbedded = children.map(({ message, isTerminal }) => isTerminal && message.length <= MOST_EMBEDDED)
  const isLong = value !== null && value.length > LONG_VALUE
  let flags = 0b0100_0000
  if (isLong) flags |= 0b0010_0000
  if (shared.length > 0) flags |= 0b0001_0000
  if (children.length > 0) flags |= 0b0000_1100
  if (isEmbedded[0]) flags |= 0b10
  if (isEmbedded[1]) flags |= 0b01
  const parts: Uint8Array[] = [Buffer.of(flags)]
  if (shared.length > 0) parts.push(sharedLength(shared.length), packed(shared))
  for (const [i, { message }] of children.entries())
    parts.push(...(isEmbedded[i] ? [Buffer.of(message.length), message] : [keccak(message)]))
  const childrenSize = children.reduce((sum, { size }) => sum + size, 0)
  if (children.length > 0) parts.push(varint(childrenSize))
  if (value !== null)
    parts.push(
      ...(isLong
        ? [keccak(value), Buffer.of(value.length >> 16, (value.length >> 8) & 0xff, value.length & 0xff)]
        : [value]),
    )
  const message = Buffer.concat(parts)
  return {
    message,
    isTerminal: children.length === 0,
    size: childrenSize + (isLong ? value.length : 0) + message.length,
  }
}

function orchidNode(entries: readonly Entry[], depth: number): Node {
  const { shared, value, sides, next } = split(entries, depth)
  const children = sides.map(side => orchidNode(side, next))
  const isLong = value !== null && value.length > LONG_VALUE
  const head = Buffer.alloc(6)
  head[0] = 2
  head[1] = isLong ? 2 : 0
  head.writeUInt16BE(children.length > 0 ? 0b11 : 0, 2)
  head.writeUInt16BE(shared.length, 4)
  const message = Buffer.concat([
    head,
    packed(shared),
    ...children.map(child => keccak(child.message)),
    value === null ? Buffer.alloc(0) : isLong ? keccak(value) : value,
  ])
  return { message, isTerminal: children.length === 0, size: 0 }
}

/** RSKIP-107: the usual lengths take one byte. */
function sharedLength(length: number): Buffer {
  if (length <= 32) return Buffer.of(length - 1)
  if (length >= 160 && length <= 382) return Buffer.of(length - 128)
  return Buffer.concat([Buffer.of(255), varint(length)])
}

/** Bitcoin's variable-length integer. */
function varint(value: number): Buffer {
  if (value < 0xfd) return Buffer.of(value)
  const bytes = Buffer.alloc(value <= 0xffff ? 3 : 5)
  bytes[0] = value <= 0xffff ? 0xfd : 0xfe
  if (value <= 0xffff) bytes.writeUInt16LE(value, 1)
  else bytes.writeUInt32LE(value, 1)
  return bytes
}
