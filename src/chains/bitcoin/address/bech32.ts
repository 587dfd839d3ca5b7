export const BECH32_ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]
const BECH32 = 1
const BECH32M = 0x2bc830a3
const CHECKSUM_LENGTH = 6
const LONGEST = 90

export type SegwitProgram = { readonly version: number; readonly program: Uint8Array }
/** Why a text is no segwit address: the words that `AddressError` codes end in. */
export type Bech32Fault =
  | 'characters'
  | 'case'
  | 'separator'
  | 'checksum'
  | 'version'
  | 'program'
  | 'padding'
  | 'length'

/** Segwit address: bech32 for version 0 (BIP-173), bech32m from version 1 on (BIP-350). */
export function segwitEncode(hrp: string, version: number, program: Uint8Array): string {
  const values = [version]
  let bits = 0
  let buffer = 0
  for (const byte of program) {
    buffer = ((buffer << 8) | byte) & 0xfff
    bits += 8
    while (bits >= 5) {
      bits -= 5
      values.push((buffer >> bits) & 31)
    }
  }
  if (bits > 0) values.push((buffer << (5 - bits)) & 31)
  let state = hrpState(hrp)
  for (const value of values) state = polymodStep(state, value)
  for (let i = 0; i < CHECKSUM_LENGTH; i++) state = polymodStep(state, 0)
  state ^= checksumConstant(version)
  for (let i = 0; i < CHECKSUM_LENGTH; i++) values.push((state >>> (5 * (5 - i))) & 31)
  let text = `${hrp}1`
  for (const value of values) text += BECH32_ALPHABET[value]
  return text
}

/** Human-readable part, version and program of a segwit address, or why it is none. */
export function segwitDecode(text: string): (SegwitProgram & { readonly hrp: string }) | Bech32Fault {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return 'case'
  if (text.length > LONGEST) return 'length'
  const separator = lower.lastIndexOf('1')
  if (separator < 1 || separator + 1 + CHECKSUM_LENGTH > lower.length) return 'separator'
  const hrp = lower.slice(0, separator)
  if (!/^[\x21-\x7e]+$/.test(hrp)) return 'characters'
  const values: number[] = []
  for (const character of lower.slice(separator + 1)) {
    const value = BECH32_ALPHABET.indexOf(character)
    if (value < 0) return 'characters'
    values.push(value)
  }
  let state = hrpState(hrp)
  for (const value of values) state = polymodStep(state, value)
  if (state !== BECH32 && state !== BECH32M) return 'checksum'
  const [version, ...five] = values.slice(0, -CHECKSUM_LENGTH)
  if (version === undefined || version > 16) return 'version'
  if (state !== checksumConstant(version)) return 'checksum'
  const program = bytesOfFives(five)
  if (program === undefined) return 'padding'
  if (program.length < 2 || program.length > 40) return 'program'
  if (version === 0 && program.length !== 20 && program.length !== 32) return 'program'
  return { hrp, version, program }
}

function bytesOfFives(five: readonly number[]): Uint8Array | undefined {
  const bytes: number[] = []
  let bits = 0
  let buffer = 0
  for (const value of five) {
    buffer = ((buffer << 5) | value) & 0xfff
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((buffer >> bits) & 0xff)
    }
  }
  const isPaddedWithZeros = (buffer & ((1 << bits) - 1)) === 0
  return bits < 5 && isPaddedWithZeros ? Uint8Array.from(bytes) : undefined
}

/** What the checksum state must end in: bech32 for version 0, bech32m from version 1 on. */
export const checksumConstant = (version: number): number => (version === 0 ? BECH32 : BECH32M)

/** Checksum state after the human-readable part. */
export function hrpState(hrp: string): number {
  let state = 1
  for (let i = 0; i < hrp.length; i++) state = polymodStep(state, hrp.charCodeAt(i) >> 5)
  state = polymodStep(state, 0)
  for (let i = 0; i < hrp.length; i++) state = polymodStep(state, hrp.charCodeAt(i) & 31)
  return state
}

export function polymodStep(state: number, value: number): number {
  const top = state >>> 25
  let next = ((state & 0x1ffffff) << 5) ^ value
  for (let i = 0; i < 5; i++) if ((top >>> i) & 1) next ^= GENERATOR[i]!
  return next
}
