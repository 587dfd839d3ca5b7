/**
 * CityHash128 in version 1.0.2, the checksum of ClickHouse's compressed blocks (later versions of CityHash give other values).
 * Source: CityHash 1.0.2, Google, MIT licence.
 */
const K0 = 0xc3a5c85c97cb3127n
const K1 = 0xb492b66fbe98f273n
const K2 = 0x9ae16a3b2f90404fn
const K3 = 0xc949d7c7509e6557n
const MULTIPLIER = 0x9ddfea08eb382d69n

type Pair = readonly [low: bigint, high: bigint]

const u64 = (value: bigint): bigint => BigInt.asUintN(64, value)
const rotate = (value: bigint, bits: number): bigint =>
  bits === 0 ? value : (value >> BigInt(bits)) | u64(value << BigInt(64 - bits))
const shiftMix = (value: bigint): bigint => value ^ (value >> 47n)
const read = (bytes: Buffer, at: number): bigint => bytes.readBigUInt64LE(at)

function hash16(low: bigint, high: bigint): bigint {
  const a = shiftMix(u64((low ^ high) * MULTIPLIER))
  return u64(shiftMix(u64((high ^ a) * MULTIPLIER)) * MULTIPLIER)
}

function hashShort(bytes: Buffer): bigint {
  const { length } = bytes
  const size = BigInt(length)
  if (length > 8) {
    const last = read(bytes, length - 8)
    return hash16(read(bytes, 0), rotate(u64(last + size), length)) ^ last
  }
  if (length >= 4) {
    const [first, last] = [BigInt(bytes.readUInt32LE(0)), BigInt(bytes.readUInt32LE(length - 4))]
    return hash16(u64((first << 3n) + size), last)
  }
  if (length === 0) return K2
  const byte = (at: number): number => bytes[at] ?? 0
  const y = BigInt(byte(0) + (byte(length >> 1) << 8))
  const z = BigInt(length + (byte(length - 1) << 2))
  return u64(shiftMix(u64(y * K2) ^ u64(z * K3)) * K2)
}

/** 32 bytes from `at` with two seeds. */
function weakHash(bytes: Buffer, at: number, seedA: bigint, seedB: bigint): Pair {
  const [w, x, y, z] = [read(bytes, at), read(bytes, at + 8), read(bytes, at + 16), read(bytes, at + 24)]
  const a = u64(seedA + w)
  const sum = u64(a + x + y)
  const b = u64(rotate(u64(seedB + a + z), 21) + rotate(sum, 44))
  return [u64(sum + z), u64(b + a)]
}

function murmur(bytes: Buffer, [seedA, seedB]: Pair): Pair {
  const { length } = bytes
  let [a, b] = [seedA, seedB]
  let c: bigint
  let d: bigint
  if (length <= 16) {
    a = u64(shiftMix(u64(a * K1)) * K1)
    c = u64(b * K1 + hashShort(bytes))
    d = shiftMix(u64(a + (length >= 8 ? read(bytes, 0) : c)))
  } else {
    c = hash16(u64(read(bytes, length - 8) + K1), a)
    d = hash16(u64(b + BigInt(length)), u64(c + read(bytes, length - 16)))
    a = u64(a + d)
    for (let at = 0; at < length - 16; at += 16) {
      a = u64((a ^ u64(shiftMix(u64(read(bytes, at) * K1)) * K1)) * K1)
      b ^= a
      c = u64((c ^ u64(shiftMix(u64(read(bytes, at + 8) * K1)) * K1)) * K1)
      d ^= c
    }
  }
  a = hash16(a, c)
  b = hash16(d, b)
  return [a ^ b, hash16(b, a)]
}

function hashLong(bytes: Buffer, [seedA, seedB]: Pair): Pair {
  let [x, y] = [seedA, seedB]
  let z = u64(K1 * BigInt(bytes.length))
  const v0 = u64(rotate(y ^ K1, 49) * K1 + read(bytes, 0))
  let v: Pair = [v0, u64(rotate(v0, 42) * K1 + read(bytes, 8))]
  let w: Pair = [u64(rotate(u64(y + z), 35) * K1 + x), u64(rotate(u64(x + read(bytes, 88)), 53) * K1)]
  const rounds = Math.floor(bytes.length / 128) * 2
  for (let round = 0; round < rounds; round++) {
    const at = round * 64
    x = u64(rotate(u64(x + y + v[0] + read(bytes, at + 16)), 37) * K1) ^ w[1]
    y = u64(rotate(u64(y + v[1] + read(bytes, at + 48)), 42) * K1) ^ v[0]
    z = rotate(z ^ w[0], 33)
    v = weakHash(bytes, at, u64(v[1] * K1), u64(x + w[0]))
    w = weakHash(bytes, at + 32, u64(z + w[1]), y)
    ;[x, z] = [z, x]
  }
  y = u64(y + rotate(w[0], 37) * K0 + z)
  x = u64(x + rotate(u64(v[0] + z), 49) * K0)
  const rest = bytes.length - rounds * 64
  // Pieces of 32 bytes from the end; the last of them may reach back into what was hashed.
  for (let done = 32; done - 32 < rest; done += 32) {
    const at = bytes.length - done
    y = u64(rotate(u64(y - x), 42) * K0 + v[1])
    const w0 = u64(w[0] + read(bytes, at + 16))
    x = u64(rotate(x, 49) * K0 + w0)
    w = [u64(w0 + v[0]), w[1]]
    v = weakHash(bytes, at, v[0], v[1])
  }
  x = hash16(x, v[0])
  y = hash16(y, w[0])
  return [u64(hash16(u64(x + v[1]), w[1]) + y), hash16(u64(x + w[1]), u64(y + v[1]))]
}

const hashSeeded = (bytes: Buffer, seed: Pair): Pair =>
  bytes.length < 128 ? murmur(bytes, seed) : hashLong(bytes, seed)

/** The hash as 16 bytes, in the order in which ClickHouse writes them. */
export function cityHash128(bytes: Buffer): Buffer {
  const [low, high] = hashOf(bytes)
  const hash = Buffer.alloc(16)
  hash.writeBigUInt64LE(low, 0)
  hash.writeBigUInt64LE(high, 8)
  return hash
}

function hashOf(bytes: Buffer): Pair {
  const { length } = bytes
  if (length >= 16) return hashSeeded(bytes.subarray(16), [read(bytes, 0) ^ K3, read(bytes, 8)])
  if (length >= 8)
    return hashSeeded(Buffer.alloc(0), [
      read(bytes, 0) ^ u64(BigInt(length) * K0),
      read(bytes, length - 8) ^ K1,
    ])
  return hashSeeded(bytes, [K0, K1])
}
