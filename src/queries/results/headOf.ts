import { Readable } from 'node:stream'

/**
 * All bytes of a stream that has at most `most`; otherwise a stream of the same bytes. Throws what the stream throws until then.
 */
export async function headOf(
  stream: Readable,
  most: number,
): Promise<{ all: Buffer } | { stream: Readable }> {
  const chunks: Buffer[] = []
  let bytes = 0
  const rest = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  for (let chunk = await rest.next(); !chunk.done; chunk = await rest.next()) {
    chunks.push(chunk.value)
    bytes += chunk.value.length
    if (bytes > most) return { stream: Readable.from(joined(chunks, rest), { objectMode: false }) }
  }
  return { all: Buffer.concat(chunks) }
}

/** Not a generator: one that was never read would not end the source when its reader leaves. */
function joined(head: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncIterable<Buffer> {
  let read = 0
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const value = head[read++]
        return value === undefined ? rest.next() : { done: false, value }
      },
      return: async () => (await rest.return?.()) ?? { done: true, value: undefined },
    }),
  }
}
