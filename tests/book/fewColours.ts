import { crc32, deflateSync } from 'node:zlib'
import { PNG } from 'pngjs'

/** A share of the picture from which on a colour is a surface: it is kept as it is. */
const SURFACE = 0.002
/** Nearer than that, in the channel that differs most, colours at edges are taken for one: of letters, which are grey, and of lines. */
const NEAR_GREY = 72
const NEAR = 40
/** Channels of a grey differ by less. */
const GREY = 24
const MOST_COLOURS = 256

/** Red, green and blue of a pixel as one number. */
const colourAt = (data: Uint8Array, at: number): number =>
  ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0)

const apart = (a: number, b: number): number =>
  Math.max(
    Math.abs((a >> 16) - (b >> 16)),
    Math.abs(((a >> 8) & 255) - ((b >> 8) & 255)),
    Math.abs((a & 255) - (b & 255)),
  )

const isGrey = (colour: number): boolean => {
  const channels = [colour >> 16, (colour >> 8) & 255, colour & 255]
  return Math.max(...channels) - Math.min(...channels) < GREY
}

function countsOf({ data, width, height }: PNG): Map<number, number> {
  const counts = new Map<number, number>()
  for (let at = 0; at < width * height * 4; at += 4) {
    const colour = colourAt(data, at)
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  return counts
}

/** Colours of the surfaces of a picture. */
export const surfacesOf = (picture: PNG): number[] =>
  [...countsOf(picture)]
    .filter(([, count]) => count >= picture.width * picture.height * SURFACE)
    .map(([colour]) => colour)

/** All colours of a picture. */
export const coloursOf = (picture: PNG): number[] => [...countsOf(picture).keys()]

/** How far the nearest of some colours is, in the channel that differs most, and its place among them. */
function nearest(colours: readonly number[], colour: number): { index: number; far: number } {
  let best = { index: 0, far: Number.POSITIVE_INFINITY }
  for (const [index, other] of colours.entries()) {
    const far = apart(other, colour)
    if (far < best.far) best = { index, far }
  }
  return best
}

/** Colours that stand for all of a picture: its surfaces, then the most frequent of the rest. */
function paletteOf(picture: PNG): number[] {
  const isSurface = new Set(surfacesOf(picture))
  const ranked = [...countsOf(picture)].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([colour]) => colour)
  const palette = ranked.filter(colour => isSurface.has(colour))
  for (const colour of ranked)
    if (palette.length < MOST_COLOURS && nearest(palette, colour).far >= (isGrey(colour) ? NEAR_GREY : NEAR))
      palette.push(colour)
  return palette
}

/** Each pixel of a picture as the place of its nearest colour. */
function indexed({ data, width, height }: PNG, palette: readonly number[]): Uint8Array {
  const known = new Map<number, number>()
  const found = new Uint8Array(width * height)
  for (let pixel = 0; pixel < found.length; pixel += 1) {
    const colour = colourAt(data, pixel * 4)
    let index = known.get(colour)
    if (index === undefined) {
      index = nearest(palette, colour).index
      known.set(colour, index)
    }
    found[pixel] = index
  }
  return found
}

/** So much nearer another colour must be than the kept one: a hair's breadth decides nothing. */
const DOUBT = 4

/** A picture as it would have been kept: each pixel in the colour of the kept one where that stands for it, else in the nearest. */
export function asKept(taken: PNG, kept: PNG): PNG {
  const { width, height } = kept
  const colours = coloursOf(kept)
  const known = new Map<number, { nearest: number; far: number }>()
  const drawn = new PNG({ width, height })
  for (let at = 0; at < width * height * 4; at += 4) {
    const [colour, before] = [colourAt(taken.data, at), colourAt(kept.data, at)]
    let found = known.get(colour)
    if (found === undefined) {
      const { index, far } = nearest(colours, colour)
      found = { nearest: colours[index] ?? 0, far }
      known.set(colour, found)
    }
    const now = apart(before, colour) <= found.far + DOUBT ? before : found.nearest
    drawn.data.writeUInt32BE(((now << 8) | 255) >>> 0, at)
  }
  return drawn
}

/** The picture as a small file, of few colours: a quarter of what a browser writes. */
export function smallFile(picture: PNG): Buffer {
  const { width, height } = picture
  const palette = paletteOf(picture)
  const pixels = indexed(picture, palette)
  const rows = Buffer.alloc((width + 1) * height)
  for (let row = 0; row < height; row += 1)
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1)
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits a pixel, which are places in the palette.
  head.set([8, 3, 0, 0, 0], 8)
  const colours = Buffer.from(palette.flatMap(colour => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A part of a PNG file (W3C PNG, 5.3). */
function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const whole = Buffer.alloc(named.length + 8)
  whole.writeUInt32BE(data.length, 0)
  named.copy(whole, 4)
  whole.writeUInt32BE(crc32(named), named.length + 4)
  return whole
}

/** Whether a colour is, to the eye, one of these. */
export const isAmong = (colours: readonly number[], colour: number): boolean =>
  nearest(colours, colour).far <= 3
