import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Smaller bodies gain nothing: the header costs as much. */
const LEAST_BYTES = 600

const brotli = promisify(brotliCompress)
const deflate = promisify(gzip)

/** `hot` is packed once and sent many times, `once` is sent once. */
export async function compress(bytes: Buffer, encoding: Encoding, use: 'hot' | 'once'): Promise<Buffer> {
  switch (encoding) {
    case 'br':
      return brotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: use === 'hot' ? 6 : 4,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })
    case 'gzip':
      return deflate(bytes, { level: 6 })
    case 'identity':
      return bytes
  }
}

const PACKABLE = /^(?:text\/|application\/(?:json|problem\+json|javascript|manifest\+json|xml)|image\/svg)/

export const isPackable = (contentType: string, sizeBytes: number): boolean =>
  sizeBytes >= LEAST_BYTES && PACKABLE.test(contentType)

/** The best encoding that the Accept-Encoding header admits (RFC 9110): brotli before gzip before none. */
export function encodingFor(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity'
  const weights = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...rest] = part.split(';')
    const quality = rest.map(text => /^\s*q=([\d.]+)\s*$/.exec(text)?.[1]).find(found => found !== undefined)
    weights.set(name.trim(), quality === undefined ? 1 : Number(quality))
  }
  const weightOf = (name: Encoding): number => weights.get(name) ?? weights.get('*') ?? 0
  return ENCODINGS.find(name => name !== 'identity' && weightOf(name) > 0) ?? 'identity'
}
