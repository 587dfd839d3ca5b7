/** Difficulty of a compact target: the target of `1d00ffff` ÷ this one. Source: Bitcoin Core `GetDifficulty`. */
export function difficultyOf(bits: number): number {
  const shift = 0x1d - (bits >>> 24)
  return (0xffff / (bits & 0x007fffff)) * 256 ** shift
}

/**
 * Full target of a compact one; undefined where it is negative, zero or beyond 256 bits. Source: Bitcoin Core
 * `arith_uint256::SetCompact`.
 */
export function targetOf(bits: number): bigint | undefined {
  const exponent = bits >>> 24
  const mantissa = BigInt(bits & 0x007fffff)
  if (mantissa === 0n || (bits & 0x00800000) !== 0) return undefined
  const target =
    exponent <= 3 ? mantissa >> BigInt(8 * (3 - exponent)) : mantissa << BigInt(8 * (exponent - 3))
  return target === 0n || target >= 1n << 256n ? undefined : target
}

/**
 * Median time past: the median of the header times of a block and up to ten before it, in any order. Null without any.
 * Source: BIP-113, Bitcoin Core `GetMedianTimePast`.
 */
export function medianTimePast(timesS: readonly number[]): number | null {
  const last = timesS.slice(-11).sort((a, b) => a - b)
  return last[Math.floor(last.length / 2)] ?? null
}
