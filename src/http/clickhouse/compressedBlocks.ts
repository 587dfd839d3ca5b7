import { Transform } from 'node:stream'
import { cityHash128 } from './cityHash128.ts'

/** ClickHouse's method for LZ4, the one that every client reads: those in Java refuse blocks with the method NONE. */
const METHOD_LZ4 = 0x82
/** Method and both sizes. */
const HEAD_BYTES = 9
const MAX_BLOCK_BYTES = 2 ** 20

/**
 * Bytes as ClickHouse's compressed blocks (`compress=1`): checksum, method, sizes, content. Node has no LZ4, so contents stay
 * as long as they are: a sequence of LZ4 may consist of literals alone.
 */
export const compressedBlocks = (): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (let at = 0; at < chunk.length; at += MAX_BLOCK_BYTES)
        this.push(compressedBlock(chunk.subarray(at, at + MAX_BLOCK_BYTES)))
      done()
    },
  })

export function compressedBlock(content: Buffer): Buffer {
  const literals = literalHead(content.length)
  const head = Buffer.alloc(HEAD_BYTES)
  head[0] = METHOD_LZ4
  head.writeUInt32LE(HEAD_BYTES + literals.length + content.length, 1)
  head.writeUInt32LE(content.length, 5)
  const block = Buffer.concat([head, literals, content])
  return Buffer.concat([cityHash128(block), block])
}

/** Token and length of a last sequence of LZ4 with that many literals (LZ4 block format, lz4.org). */
function literalHead(length: number): Buffer {
  if (length < 15) return Buffer.from([length << 4])
  const rest = length - 15
  return Buffer.concat([
    Buffer.from([0xf0]),
    Buffer.alloc(Math.floor(rest / 255), 255),
    Buffer.from([rest % 255]),
  ])
}
