import { dataEnd, prefixBytes, SHORT, shapeOf, textAt, textEnd, varint } from '#queries/index.ts'

/** The newest framing of the format Native that is written. Clients decode by the smaller of this and their own. */
export const PROTOCOL_VERSION = 54_454

/** From this version on, a byte behind the type of each column says that it has no serialization of its own. */
const WITH_CUSTOM_SERIALIZATION = 54_454

/** Neither overflow rows nor a bucket: fields 1 and 2, and the end of them. */
const BLOCK_INFO = Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0])
const NO_CUSTOM_SERIALIZATION = Buffer.from([0])
const READ_BYTES = 64 * 1024

/**
 * Blocks of the format Native, as the engine writes them, with the framing that a client of this protocol version expects:
 * information before each block and a byte within each column. Throws `sql.type` for types whose length is not known here.
 */
export async function* framed(chunks: AsyncIterable<Buffer>, clientVersion: number): AsyncGenerator<Buffer> {
  const version = Math.min(clientVersion, PROTOCOL_VERSION)
  const source = chunks[Symbol.asyncIterator]()
  let read: Buffer = Buffer.alloc(0)

  /** Reads as much again as there is: measuring a column anew then costs no more than twice its length. */
  async function readMore(): Promise<boolean> {
    const parts = [read]
    const wanted = Math.max(READ_BYTES, read.length)
    let size = 0
    while (size < wanted) {
      const next = await source.next()
      if (next.done) break
      parts.push(next.value)
      size += next.value.length
    }
    if (size === 0) return false
    read = Buffer.concat(parts)
    return true
  }

  /** What `measure` finds the end of. */
  async function take(measure: (bytes: Buffer) => number): Promise<Buffer> {
    for (;;) {
      try {
        const end = measure(read)
        if (end > read.length) throw SHORT
        const taken = read.subarray(0, end)
        read = read.subarray(end)
        return taken
      } catch (cause) {
        if (cause !== SHORT || !(await readMore())) throw cause
      }
    }
  }

  while (read.length > 0 || (await readMore())) {
    const head = await take(bytes => varint(bytes, varint(bytes, 0).end).end)
    const columns = varint(head, 0)
    const rows = varint(head, columns.end).value
    const parts = [BLOCK_INFO, head]
    for (let column = 0; column < columns.value; column++) {
      const names = await take(bytes => textEnd(bytes, textEnd(bytes, 0)))
      parts.push(names)
      if (version >= WITH_CUSTOM_SERIALIZATION) parts.push(NO_CUSTOM_SERIALIZATION)
      if (rows === 0) continue
      const shape = shapeOf(textAt(names, textEnd(names, 0)))
      parts.push(await take(bytes => dataEnd(shape, bytes, prefixBytes(shape), rows)))
    }
    yield Buffer.concat(parts)
  }
}
