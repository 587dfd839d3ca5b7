export type Random = {
  /** 32 random bits. */
  u32(): number
  /** A number in [0, 1). */
  unit(): number
  /** An integer in [0, below). */
  below(below: number): number
  fill(bytes: Uint8Array, from: number, to: number): void
}

/** A generator that gives the same numbers for the same seed everywhere. Source: Chris Doty-Humphrey's sfc32. */
export function createRandom(seed: number): Random {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = seed | 0
  let counter = 1
  const u32 = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  for (let i = 0; i < 12; i++) u32()
  return {
    u32,
    unit: () => u32() / 2 ** 32,
    below: below => Math.floor((u32() / 2 ** 32) * below),
    fill(bytes, from, to) {
      for (let i = from; i < to; i += 4) {
        const word = u32()
        const end = Math.min(4, to - i)
        for (let byte = 0; byte < end; byte++) bytes[i + byte] = word >>> (8 * byte)
      }
    },
  }
}
