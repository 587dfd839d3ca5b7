/** Numbers that one seed repeats. */
export type Random = {
  /** An integer from 0 to `limit` − 1. */
  below(limit: number): number
  bytes(length: number): Buffer
}

/** A small generator (mulberry32): even enough to choose by, and the same on every machine. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  return {
    below: limit => next() % limit,
    bytes: length => Buffer.from(Array.from({ length }, () => next() & 0xff)),
  }
}
