/** First and last byte, both inclusive, from 0. */
export type ByteRange = { readonly first: number; readonly last: number }

/** Longer headers have many ranges, which are ignored anyway. */
const MOST_CHARACTERS = 200

/**
 * Parses a `Range` header for a file of this size (RFC 9110, 14.2). Returns a range, `whole` if the header is ignored, or
 * `unsatisfiable` if the file has no such bytes. Multiple ranges, other units and malformed headers are ignored, as the RFC allows.
 */
export function byteRangeOf(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  if (header === undefined || header.length > MOST_CHARACTERS) return 'whole'
  const found = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header)
  if (found === null) return 'whole'
  const [, from = '', to = ''] = found
  if (from === '' && to === '') return 'whole'
  // Positions too large for an exact number are past the end of any file.
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
 * Whether `If-Range` allows the range (RFC 9110, 13.1.5): only if the ETag matches exactly. A date never matches, because files
 * are sent without one.
 */
export const holdsIfRange = (header: string | undefined, etag: string): boolean =>
  header === undefined || header.trim() === etag
