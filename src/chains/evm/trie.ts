import { keccak } from './keccak.ts'

/**
 * Root of Ethereum's Merkle Patricia trie over a list, keyed by the RLP of the index: `transactionsRoot`, `receiptsRoot`.
 * Source: yellow paper, appendix D. The list is at hand as a whole, so the trie is built from its
 * sorted keys without an insertion.
 */
export function orderedRoot(values: readonly Uint8Array[]): Buffer {
  if (values.length === 0) return keccak(Buffer.of(0x80))
  const entries = values.map((value, i) => ({ key: nibblesOf(i), value }))
  // Index 0 has the key 0x80: it sorts behind 1 to 127.
  const [zero, ...rest] = entries
  const at = rest.findIndex(({ key }) => key[0]! >= 8)
  const sorted = at < 0 ? [...rest, zero!] : [...rest.slice(0, at), zero!, ...rest.slice(at)]
  return keccak(encodeNode(sorted, 0, sorted.length, 0))
}

type Entry = { readonly key: readonly number[]; readonly value: Uint8Array }

const nibblesOf = (index: number): number[] => indexKey(index).flatMap(byte => [byte >> 4, byte & 15])

/** RLP of an index below 65,536: the key of an item in the tries of a block. */
export function indexKey(index: number): number[] {
  if (index === 0) return [0x80]
  if (index < 0x80) return [index]
  return index < 0x100 ? [0x81, index] : [0x82, index >> 8, index & 0xff]
}

/** RLP of the node over `entries[from, to)`, whose keys agree before `depth`. */
function encodeNode(entries: readonly Entry[], from: number, to: number, depth: number): Buffer {
  const first = entries[from]!
  if (to - from === 1) return rlpList([rlpString(path(first.key.slice(depth), true)), rlpString(first.value)])
  const last = entries[to - 1]!.key
  let end = depth
  while (first.key[end] === last[end]) end += 1
  if (end > depth) {
    const child = reference(encodeNode(entries, from, to, end))
    return rlpList([rlpString(path(first.key.slice(depth, end), false)), child])
  }
  const items: Uint8Array[] = []
  let cursor = from
  for (let nibble = 0; nibble < 16; nibble++) {
    let next = cursor
    while (next < to && entries[next]!.key[depth] === nibble) next += 1
    items.push(next === cursor ? EMPTY : reference(encodeNode(entries, cursor, next, depth + 1)))
    cursor = next
  }
  items.push(EMPTY)
  return rlpList(items)
}

const EMPTY = Buffer.of(0x80)

/** A node of less than 32 bytes stands in its parent as it is, a longer one by its hash. */
const reference = (node: Buffer): Buffer => (node.length < 32 ? node : rlpString(keccak(node)))

/** Hex-prefix encoding of nibbles. */
function path(nibbles: readonly number[], isLeaf: boolean): Buffer {
  const flag = isLeaf ? 2 : 0
  const all = nibbles.length % 2 === 0 ? [flag, 0, ...nibbles] : [flag + 1, ...nibbles]
  return Buffer.from(Array.from({ length: all.length / 2 }, (_, i) => all[2 * i]! * 16 + all[2 * i + 1]!))
}

function rlpString(bytes: Uint8Array): Buffer {
  if (bytes.length === 1 && bytes[0]! < 0x80) return Buffer.from(bytes)
  return Buffer.concat([head(bytes.length, 0x80), bytes])
}

function rlpList(items: readonly Uint8Array[]): Buffer {
  const length = items.reduce((sum, item) => sum + item.length, 0)
  return Buffer.concat([head(length, 0xc0), ...items])
}

function head(length: number, base: number): Buffer {
  if (length < 56) return Buffer.of(base + length)
  if (length < 0x100) return Buffer.of(base + 56, length)
  if (length < 0x10000) return Buffer.of(base + 57, length >> 8, length & 0xff)
  return Buffer.of(base + 58, length >> 16, (length >> 8) & 0xff, length & 0xff)
}
