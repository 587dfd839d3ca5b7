const P = 2n ** 255n - 19n
/** −121665 ÷ 121666. */
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/** Whether 32 bytes are a compressed point of edwards25519, as a VRF key must be. Source: RFC 8032, 5.1.3. */
export function isEd25519Point(bytes: Uint8Array): boolean {
  let encoded = 0n
  for (let i = 31; i >= 0; i--) encoded = (encoded << 8n) | BigInt(bytes[i]!)
  const y = modulo(encoded & (2n ** 255n - 1n))
  const u = modulo(y * y - 1n)
  const v = modulo(D * y * y + 1n)
  const xSquared = modulo(u * power(v, P - 2n))
  return xSquared === 0n || power(xSquared, (P - 1n) / 2n) === 1n
}

function modulo(n: bigint): bigint {
  const rest = n % P
  return rest < 0n ? rest + P : rest
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let square = modulo(base)
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = modulo(result * square)
    square = modulo(square * square)
  }
  return result
}
