const CHECKMULTISIG = 0xae
/** `OP_1`, a key of 33 bytes behind its length, `OP_1`, `OP_CHECKMULTISIG`. */
const MIN_BYTES = 37

/**
 * Whether `bytes[at, at + length)` is a bare multisig script: `m <keys> n OP_CHECKMULTISIG` with 1 ≤ m ≤ n ≤ 20. As in
 * Bitcoin Core's `MatchMultisig`, a key may stand behind any push opcode and is recognized by its length and first byte
 * alone (data in place of a key need not be a point on the curve); only the two numbers must be pushed in the shortest form.
 */
export function isBareMultisig(bytes: Uint8Array, at: number, length: number): boolean {
  const end = at + length
  if (length < MIN_BYTES || bytes[end - 1] !== CHECKMULTISIG) return false
  const required = numberAt(bytes, at)
  if (required === 0) return false
  let pos = at + numberWidth(bytes[at]!)
  let keys = 0
  for (let next = keyEnd(bytes, pos, end); next !== 0; next = keyEnd(bytes, pos, end)) {
    pos = next
    keys += 1
  }
  if (pos >= end - 1) return false
  return pos + numberWidth(bytes[pos]!) === end - 1 && numberAt(bytes, pos) === keys && required <= keys
}

/** The keys of a bare multisig script, in order: 33 or 65 bytes each. Call it only where `isBareMultisig` holds. */
export function multisigKeys(script: Uint8Array): Uint8Array[] {
  const keys: Uint8Array[] = []
  let pos = numberWidth(script[0]!)
  for (let next = keyEnd(script, pos, script.length); next !== 0; next = keyEnd(script, pos, script.length)) {
    keys.push(script.subarray(next - keyLengthOf(script, pos), next))
    pos = next
  }
  return keys
}

/** Where the key ends whose push begins at `at`; 0 where the next instruction pushes no key. */
function keyEnd(bytes: Uint8Array, at: number, end: number): number {
  const length = keyLengthOf(bytes, at)
  if (length === 0) return 0
  const key = at + 1 + lengthWidth(bytes[at]!)
  return key + length <= end && isKeyPrefix(bytes[key]!, length) ? key + length : 0
}

/** The length that the push at `at` states, if a key can have it, else 0. */
function keyLengthOf(bytes: Uint8Array, at: number): number {
  const opcode = bytes[at]!
  const width = lengthWidth(opcode)
  const length = width === 0 ? opcode : bytes[at + 1]!
  if (length !== 33 && length !== 65) return 0
  for (let i = 2; i <= width; i++) if (bytes[at + i] !== 0) return 0
  return opcode <= OP_PUSHDATA4 ? length : 0
}

const OP_PUSHDATA1 = 0x4c
const OP_PUSHDATA2 = 0x4d
const OP_PUSHDATA4 = 0x4e

/** Bytes of the length behind a push opcode, little-endian; a short push states its length in the opcode. */
const lengthWidth = (opcode: number): number =>
  opcode < OP_PUSHDATA1 ? 0 : opcode === OP_PUSHDATA1 ? 1 : opcode === OP_PUSHDATA2 ? 2 : 4

/** Source: Bitcoin Core `CPubKey::GetLen`. */
const isKeyPrefix = (prefix: number, length: number): boolean =>
  length === 33 ? prefix === 2 || prefix === 3 : prefix === 4 || prefix === 6 || prefix === 7

/** OP_1 to OP_16, or 17 to 20 as a pushed byte; 0 for anything else. */
function numberAt(bytes: Uint8Array, at: number): number {
  const opcode = bytes[at]!
  if (opcode >= 0x51 && opcode <= 0x60) return opcode - 0x50
  const pushed = bytes[at + 1]!
  return opcode === 0x01 && pushed >= 17 && pushed <= 20 ? pushed : 0
}

const numberWidth = (opcode: number): number => (opcode === 0x01 ? 2 : 1)
