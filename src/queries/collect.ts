import type { Readable } from 'node:stream'

/** All bytes of a stream. Beyond `most` it throws what `tooLarge` makes; leaving the stream stops the engine. */
export async function collect(
  stream: Readable,
  most: number,
  tooLarge: () => Error,
  ended?: AbortSignal,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    ended?.throwIfAborted()
    bytes += chunk.length
    if (bytes > most) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
