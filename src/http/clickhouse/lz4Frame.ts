import { Transform } from 'node:stream'

/** Magic number, independent blocks without checksums, at most 4 MiB each, and the checksum of these settings. */
const HEAD = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x70, 0x73])
const MAX_BLOCK_BYTES = 4 * 2 ** 20
/** Says that a block is not compressed. */
const PLAIN = 2 ** 31
const END = Buffer.alloc(4)

/**
 * Bytes as a frame of LZ4 (LZ4 frame format, lz4.org), the encoding `lz4` of ClickHouse's HTTP interface. Node has no LZ4, so
 * blocks are plain: for clients that read nothing else.
 */
export function lz4Frame(): Transform {
  let isStarted = false
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!isStarted) this.push(HEAD)
      isStarted = true
      for (let at = 0; at < chunk.length; at += MAX_BLOCK_BYTES)
        this.push(plainBlock(chunk.subarray(at, at + MAX_BLOCK_BYTES)))
      done()
    },
    flush(done) {
      if (!isStarted) this.push(HEAD)
      done(null, END)
    },
  })
}

/** A short text as a whole frame. */
export const lz4Framed = (content: Buffer): Buffer => Buffer.concat([HEAD, plainBlock(content), END])

function plainBlock(content: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(content.length + PLAIN)
  return Buffer.concat([size, content])
}
