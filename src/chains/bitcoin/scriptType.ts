import { SCRIPT_TYPES, type ScriptType } from '#kernel/bitcoin.ts'
import { isBareMultisig } from './multisig.ts'

const code = (type: ScriptType): number => SCRIPT_TYPES.indexOf(type)
const UNKNOWN = code('unknown')
const P2PK = code('p2pk')
const P2PKH = code('p2pkh')
const P2MS = code('p2ms')
const P2SH = code('p2sh')
const P2WPKH = code('v0_p2wpkh')
const P2WSH = code('v0_p2wsh')
const P2TR = code('v1_p2tr')
const ANCHOR = code('anchor')
const OP_RETURN = code('op_return')

/**
 * Type of the output script `bytes[at, at + length)` as an index into `SCRIPT_TYPES`. The patterns are those of Bitcoin
 * Core's `Solver`, with two differences: every script that starts with OP_RETURN is `op_return`, whatever follows; and
 * witness programs of other versions or lengths are `unknown`.
 */
export function scriptTypeCode(bytes: Uint8Array, at: number, length: number): number {
  if (length === 0) return UNKNOWN
  const first = bytes[at]!
  switch (first) {
    case 0x00:
      if (length === 22) return bytes[at + 1] === 20 ? P2WPKH : UNKNOWN
      if (length === 34) return bytes[at + 1] === 32 ? P2WSH : UNKNOWN
      return UNKNOWN
    case 0x76:
      return length === 25 &&
        bytes[at + 1] === 0xa9 &&
        bytes[at + 2] === 20 &&
        bytes[at + 23] === 0x88 &&
        bytes[at + 24] === 0xac
        ? P2PKH
        : UNKNOWN
    case 0xa9:
      return length === 23 && bytes[at + 1] === 20 && bytes[at + 22] === 0x87 ? P2SH : UNKNOWN
    case 0x6a:
      return OP_RETURN
    case 0x21:
      return length === 35 && bytes[at + 34] === 0xac && (bytes[at + 1] === 2 || bytes[at + 1] === 3)
        ? P2PK
        : UNKNOWN
    case 0x41:
      return length === 67 && bytes[at + 66] === 0xac && isLongKeyPrefix(bytes[at + 1]!) ? P2PK : UNKNOWN
    case 0x51:
      if (length === 34 && bytes[at + 1] === 32) return P2TR
      if (length === 4 && bytes[at + 1] === 2 && bytes[at + 2] === 0x4e && bytes[at + 3] === 0x73)
        return ANCHOR
      return isBareMultisig(bytes, at, length) ? P2MS : UNKNOWN
    default:
      return first <= 0x60 && isBareMultisig(bytes, at, length) ? P2MS : UNKNOWN
  }
}

/** Type of an output script by name. */
export function scriptTypeOf(script: Uint8Array): ScriptType {
  return SCRIPT_TYPES[scriptTypeCode(script, 0, script.length)]!
}

const isLongKeyPrefix = (prefix: number): boolean => prefix === 4 || prefix === 6 || prefix === 7
