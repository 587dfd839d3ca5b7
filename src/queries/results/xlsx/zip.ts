import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file within an archive. A text is held whole, a stream is never. */
export type ZipEntry = { readonly name: string; readonly content: string | AsyncIterable<Buffer> }

/** Sizes are written in 32 bits. */
const MOST_BYTES = 2 ** 32 - 1
const DEFLATED = 8
/** Sizes follow the bytes; names are UTF-8. */
const FLAGS = 0x0008 | 0x0800
const VERSION = 20
/** 1 January 1980, the earliest time of the format, so a file does not reveal when it was exported. */
const DATE = 0x0021

type Written = {
  readonly name: Buffer
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly at: number
}

/** An archive as it is written, entry by entry (APPNOTE.TXT 6.3.10). Throws a RangeError for one beyond 4 GiB. */
export async function* zip(entries: Iterable<ZipEntry>): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let at = 0
  for (const { name: text, content } of entries) {
    const name = Buffer.from(text)
    const head = Buffer.concat([
      header(
        0x04034b50,
        [2, VERSION],
        [2, FLAGS],
        [2, DEFLATED],
        [2, 0],
        [2, DATE],
        [4, 0],
        [4, 0],
        [4, 0],
        [2, name.length],
        [2, 0],
      ),
      name,
    ])
    yield head
    let crc = 0
    let size = 0
    let packed = 0
    const source = typeof content === 'string' ? [Buffer.from(content)] : content
    const counted = async function* () {
      for await (const chunk of source) {
        crc = crc32(chunk, crc)
        size += chunk.length
        yield chunk
      }
    }
    const deflate = createDeflateRaw({ level: 4 })
    const read = Readable.from(counted(), { objectMode: false })
    read.once('error', cause => deflate.destroy(cause))
    try {
      for await (const chunk of read.pipe(deflate) as AsyncIterable<Buffer>) {
        packed += chunk.length
        if (size > MOST_BYTES || at + packed > MOST_BYTES)
          throw new RangeError('The archive is larger than 4 GiB')
        yield chunk
      }
    } finally {
      read.destroy()
    }
    yield header(0x08074b50, [4, crc], [4, packed], [4, size])
    written.push({ name, crc, packed, size, at })
    at += head.length + packed + 16
  }
  const directory = Buffer.concat(
    written.flatMap(each => [
      header(
        0x02014b50,
        [2, VERSION],
        [2, VERSION],
        [2, FLAGS],
        [2, DEFLATED],
        [2, 0],
        [2, DATE],
        [4, each.crc],
        [4, each.packed],
        [4, each.size],
        [2, each.name.length],
        [2, 0],
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, each.at],
      ),
      each.name,
    ]),
  )
  yield directory
  yield header(
    0x06054b50,
    [2, 0],
    [2, 0],
    [2, written.length],
    [2, written.length],
    [4, directory.length],
    [4, at],
    [2, 0],
  )
}

/** A signature and fields of two or four bytes. */
function header(signature: number, ...fields: readonly (readonly [2 | 4, number])[]): Buffer {
  const bytes = Buffer.alloc(4 + fields.reduce((sum, [width]) => sum + width, 0))
  let at = bytes.writeUInt32LE(signature)
  for (const [width, value] of fields) at = bytes.writeUIntLE(value, at, width)
  return bytes
}
