import { faultIn } from './errors.ts'

/** What the first bytes of a picture say. */
export type PictureHead = {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly width: number
  readonly height: number
}

/** Longest picture, bytes. */
export const PICTURE_BYTES = 1024 * 1024
/** Widest and highest, pixels: more would only fill the memory of readers. */
const MOST_PIXELS = 8192

/**
 * Type and size in pixels of a PNG, JPEG or WebP by its own bytes, whatever its name says. Throws `content.invalid` for
 * anything else: other formats may carry scripts.
 */
export function readPicture(bytes: Buffer, place: string): PictureHead {
  if (bytes.length > PICTURE_BYTES)
    throw faultIn(place, `has ${bytes.length} bytes; ${PICTURE_BYTES} are the most`)
  const head = pngOf(bytes) ?? jpegOf(bytes) ?? webpOf(bytes)
  if (head === undefined) throw faultIn(place, 'is no PNG, JPEG or WebP')
  const { width, height } = head
  if (width < 1 || height < 1 || width > MOST_PIXELS || height > MOST_PIXELS)
    throw faultIn(place, `is ${width} × ${height} pixels; ${MOST_PIXELS} each way are the most`)
  return head
}

/** PNG, W3C 3rd edition, 5.2 and 11.2.1: signature, then IHDR. */
function pngOf(bytes: Buffer): PictureHead | undefined {
  if (bytes.length < 33 || bytes.subarray(0, 8).toString('hex') !== '89504e470d0a1a0a') return undefined
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

/** JPEG, ITU-T T.81, B.1 and B.2.2: markers up to a start of frame. */
function jpegOf(bytes: Buffer): PictureHead | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame)
      return { type: 'image/jpeg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** WebP, RFC 9649, 2.3 to 2.7: RIFF with a chunk VP8, VP8L or VP8X. */
function webpOf(bytes: Buffer): PictureHead | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined
  const size = (width: number, height: number): PictureHead => ({ type: 'image/webp', width, height })
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return size(bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff)
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21)
      return size((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1)
    }
    case 'VP8X':
      return size(bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1)
    default:
      return undefined
  }
}
