import { zstdDecompressSync } from 'node:zlib'
import { cityHash128 } from './cityHash128.ts'
import { REFUSALS } from './failure.ts'

const METHOD_NONE = 0x02
const METHOD_LZ4 = 0x82
const METHOD_ZSTD = 0x90
const CHECKSUM_BYTES = 16
/** Method and both sizes. */
const HEAD_BYTES = 9

/**
 * The content of a request in ClickHouse's compressed blocks (`decompress=1`), as clients in Java send it. Throws BAD_ARGUMENTS
 * for blocks that are cut or changed, and TOO_MANY_BYTES for more than `most` bytes of content.
 */
export function readBlocks(bytes: Buffer, most: number): Buffer {
  const contents: Buffer[] = []
  let size = 0
  for (let at = 0; at < bytes.length; ) {
    const start = at + CHECKSUM_BYTES
    if (start + HEAD_BYTES > bytes.length) throw broken()
    const end = start + bytes.readUInt32LE(start + 1)
    const contentSize = bytes.readUInt32LE(start + 5)
    if (end < start + HEAD_BYTES || end > bytes.length) throw broken()
    size += contentSize
    if (size > most) throw REFUSALS.tooLarge(`A request body may have ${most} bytes after decompression.`)
    const block = bytes.subarray(start, end)
    if (!cityHash128(block).equals(bytes.subarray(at, start))) throw broken()
    const content = contentOf(block[0] ?? 0, block.subarray(HEAD_BYTES), contentSize)
    if (content.length !== contentSize) throw broken()
    contents.push(content)
    at = end
  }
  return Buffer.concat(contents)
}

function contentOf(method: number, packed: Buffer, size: number): Buffer {
  switch (method) {
    case METHOD_NONE:
      return packed
    case METHOD_LZ4:
      return unpackLz4(packed, size)
    case METHOD_ZSTD:
      try {
        return zstdDecompressSync(packed, { maxOutputLength: Math.max(size, 1) })
      } catch {
        throw broken()
      }
    default:
      throw REFUSALS.notImplemented('Compressed blocks of a request can use LZ4, ZSTD or no compression.')
  }
}

/** A block of LZ4 (LZ4 block format, lz4.org): literals and copies of what came before, in turn. */
function unpackLz4(packed: Buffer, size: number): Buffer {
  const content = Buffer.alloc(size)
  let from = 0
  let to = 0
  const byte = (): number => {
    const value = packed[from++]
    if (value === undefined) throw broken()
    return value
  }
  const length = (first: number): number => {
    let total = first
    if (first !== 15) return total
    for (let next = 255; next === 255; total += next) next = byte()
    return total
  }
  while (from < packed.length) {
    const token = byte()
    const literals = length(token >> 4)
    if (from + literals > packed.length || to + literals > size) throw broken()
    packed.copy(content, to, from, from + literals)
    from += literals
    to += literals
    if (from === packed.length) break
    const distance = byte() | (byte() << 8)
    const copied = length(token & 15) + 4
    if (distance === 0 || distance > to || to + copied > size) throw broken()
    // A copy may overlap itself, so it goes byte by byte.
    for (let left = copied; left > 0; left--, to++) content[to] = content[to - distance] ?? 0
  }
  return content.subarray(0, to)
}

const broken = () => REFUSALS.badArguments('The compressed blocks of the request body cannot be read.')
