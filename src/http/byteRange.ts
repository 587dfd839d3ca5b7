/** First and last byte, both included, from 0. */
export type ByteRange = { readonly first: number; readonly last: number }

/** Longer headers name many parts, which are not worth reading one by one. */
const MOST_CHARACTERS = 200

/**
 * What a `Range` header asks of a file of this size (RFC 9110, 14.2): one part, `whole` where the header is to be ignored, or
 * `unsatisfiable` where the file has no such byte. Several parts, other units and malformed headers are ignored, as the RFC allows.
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (header === undefined || header.length > MOST_CHARACTERS) return 'whole'
  const found = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header)
  if (found === null) return 'whole'
  const [, from = '', to = ''] = found
  if (from === '' && to === '') return 'whole'
  // Digits beyond what a number holds exactly are beyond every file too.
  if (from === '') {
    const length = Number(to)
    if (length === 0 || size === 0) return 'unsatisfiable'
    return { first: Math.max(0, size - length), last: size - 1 }
  }
  if (to !== '' && isLess(to, from)) return 'whole'
  const first = Number(from)
  if (first >= size) return 'unsatisfiable'
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) }
}

const isLess = (a: string, b: string): boolean => BigInt(a) < BigInt(b)

/**
 * Whether a `Range` header holds under this `If-Range` (RFC 9110, 13.1.5): only for the very same bytes. A date never holds,
 * since no file is sent with one.
 */
export const holdsIfRange = (header: string | undefined, etag: string): boolean =>
  header === undefined || header.trim() === etag
