import { AssayError } from './errors.ts'
import { ANCHOR_MODES, type AnchorMode, NETWORK_NAMES, type NetworkName } from './stacks.ts'

export const HASH160_BYTES = 20
export const SIGNATURE_BYTES = 65
export const MEMO_BYTES = 34
export const MOST_MULTISIG_KEYS = 15
export const MOST_UINT = (1n << 128n) - 1n

/** Input that a rule of Stacks forbids. `code` is `stacks.<rule>`; the message can be shown to who typed it. */
export class StacksInputError extends AssayError {
  constructor(rule: string, message: string, got: string | number, isExact = false) {
    super(`stacks.${rule}`, message, { facts: { got }, isExact })
  }
}

const MOST_IDENTIFIER_LENGTH = 127
const MOST_STRING_BYTES = 128
const IDENTIFIER = /^[a-zA-Z][a-zA-Z0-9\-_!?+<>=/*]*$/
const HEX = /^(?:[0-9a-f]{2})*$/i

/** An unsigned integer of Clarity, from its decimal digits: 0 to 2^128 − 1. */
export function demandUint(text: string): bigint {
  if (!/^\d{1,39}$/.test(text) || BigInt(text) > MOST_UINT) {
    throw new StacksInputError('uint', `"${text}" is no whole number from 0 to 2^128 − 1.`, text)
  }
  return BigInt(text)
}

/** A name that can be given to a variable or function. Names on chain may be more: bare operators, or 128 long. */
export function demandIdentifier(text: string): string {
  if (text.length > MOST_IDENTIFIER_LENGTH || !IDENTIFIER.test(text)) {
    throw new StacksInputError(
      'identifier',
      `"${text}" is no Clarity name: it starts with a letter, then come letters, digits and - _ ! ? + < > = / *, under 128 characters in all.`,
      text,
    )
  }
  return text
}

/** A text of at most `mostBytes` bytes of UTF-8. */
export function demandStringLength(text: string, mostBytes = MOST_STRING_BYTES): string {
  const length = new TextEncoder().encode(text).length
  if (length > mostBytes) {
    throw new StacksInputError(
      'string',
      `The text has ${length} bytes; at most ${mostBytes} are allowed.`,
      length,
    )
  }
  return text
}

/** A recoverable signature of exactly 65 bytes, in hex. */
export function demandSignature(hex: string): string {
  if (!HEX.test(hex) || hex.length !== 2 * SIGNATURE_BYTES) {
    throw new StacksInputError('signature', 'Invalid signature', hex.length, true)
  }
  return hex
}

/** Public keys of a multisig address: at most 15. */
export function demandMultisigKeys<T>(keys: readonly T[]): readonly T[] {
  if (keys.length > MOST_MULTISIG_KEYS) {
    throw new StacksInputError(
      'multisig',
      `A multisig address has at most ${MOST_MULTISIG_KEYS} public keys, not ${keys.length}.`,
      keys.length,
    )
  }
  return keys
}

export function demandNetworkName(name: string): NetworkName {
  const network = NETWORK_NAMES.find(known => known === name)
  if (network === undefined) {
    throw new StacksInputError(
      'network',
      `Invalid network name provided. Must be one of the following: ${NETWORK_NAMES.join(', ')}`,
      name,
      true,
    )
  }
  return network
}

export function demandAnchorMode(name: string): AnchorMode {
  const modes = Object.values(ANCHOR_MODES)
  const mode = modes.find(known => known === name)
  if (mode === undefined) {
    throw new StacksInputError('anchor_mode', `"${name}" is no anchor mode: ${modes.join(', ')}.`, name)
  }
  return mode
}

/** RIPEMD-160 of SHA-256 as 40 hex characters. */
export function demandHash160(hex: string): string {
  if (!HEX.test(hex) || hex.length !== 2 * HASH160_BYTES) {
    throw new StacksInputError('hash160', `A hash160 is 40 hex characters, not ${hex.length}.`, hex.length)
  }
  return hex
}

/** A private key of 32 bytes, or 33 with the mark of a compressed public key. It is never repeated in the error. */
export function demandPrivateKey(key: Uint8Array): Uint8Array {
  if (key.length !== 32 && key.length !== 33) {
    throw new StacksInputError(
      'private_key',
      `A private key has 32 or 33 bytes, not ${key.length}.`,
      key.length,
    )
  }
  return key
}
