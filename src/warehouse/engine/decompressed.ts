import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'

/** The body of a request without its Content-Encoding. Throws what `refuse` makes of an encoding that is not one of HTTP's four. */
export function decompressed(incoming: IncomingMessage, refuse: (encoding: string) => Error): Readable {
  const encoding = incoming.headers['content-encoding'] || 'identity'
  switch (encoding) {
    case 'identity':
      return incoming
    case 'gzip':
      return through(incoming, createGunzip())
    case 'deflate':
      return through(incoming, createInflate())
    case 'br':
      return through(incoming, createBrotliDecompress())
    case 'zstd':
      return through(incoming, createZstdDecompress())
    default:
      throw refuse(encoding)
  }
}

/** `pipe` alone does not pass on that the sender broke off. */
function through(incoming: IncomingMessage, to: NodeJS.ReadWriteStream & Readable): Readable {
  incoming.on('error', cause => to.destroy(cause))
  // Whoever reads sees the error; when nobody does any more, it must not end the process.
  to.on('error', () => {})
  incoming.on('close', () => {
    if (!incoming.complete) to.destroy(new Error('the sender broke off'))
  })
  return incoming.pipe(to)
}
