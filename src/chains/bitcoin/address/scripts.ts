import { hash } from 'node:crypto'
import { scriptTypeOf } from '../scriptType.ts'
import type { SegwitProgram } from './bech32.ts'

export const p2pkhScript = (hash160: Uint8Array): Uint8Array =>
  Uint8Array.of(0x76, 0xa9, 20, ...hash160, 0x88, 0xac)

export const p2shScript = (hash160: Uint8Array): Uint8Array => Uint8Array.of(0xa9, 20, ...hash160, 0x87)

export const witnessScript = (version: number, program: Uint8Array): Uint8Array =>
  Uint8Array.of(version === 0 ? 0 : 0x50 + version, program.length, ...program)

/** Version and program of a witness output of any version (BIP-141), or undefined. */
export function witnessProgramOf(script: Uint8Array): SegwitProgram | undefined {
  const [opcode, pushed] = script
  if (script.length < 4 || script.length > 42 || pushed !== script.length - 2) return undefined
  if (opcode === 0) return { version: 0, program: script.subarray(2) }
  if (opcode === undefined || opcode < 0x51 || opcode > 0x60) return undefined
  return { version: opcode - 0x50, program: script.subarray(2) }
}

export const hash160Of = (bytes: Uint8Array): Uint8Array =>
  hash('ripemd160', hash('sha256', bytes, 'buffer'), 'buffer')

/**
 * The script that counts as the address of an output: for a bare key the p2pkh script of its hash, so that one key is one
 * address, else the script itself. The definition of `addresses.*` in the metrics.
 */
export function paymentScriptOf(script: Uint8Array): Uint8Array {
  return scriptTypeOf(script) === 'p2pk' ? p2pkhScript(hash160Of(script.subarray(1, -1))) : script
}
