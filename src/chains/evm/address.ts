import { AddressError } from './errors.ts'
import { bytesOf, type Hex, hexOf } from './hex.ts'
import { keccak } from './keccak.ts'
import { RlpWriter } from './rlp/writer.ts'

/**
 * Mixed-case form of an address. `checksumChainId` is the chain id where the chain puts it into the checksum (EIP-1191,
 * Rootstock's RSKIP-60: 30 and 31); null for EIP-55.
 */
export function checksumAddress(address: Hex, checksumChainId: number | null = null): Hex {
  const lower = address.slice(2).toLowerCase()
  const digest = keccak(
    Buffer.from(checksumChainId === null ? lower : `${checksumChainId}0x${lower}`, 'latin1'),
  )
  let text = '0x'
  for (let i = 0; i < 40; i++) {
    const nibble = i % 2 === 0 ? digest[i >> 1]! >> 4 : digest[i >> 1]! & 15
    text += nibble >= 8 ? lower[i]!.toUpperCase() : lower[i]
  }
  return text as Hex
}

/**
 * Reads what a person wrote: lower case, upper case, or with a checksum, which must then be right. Answers lower case.
 * @throws AddressError `address.form`, `address.checksum`.
 */
export function parseAddress(text: string, checksumChainId: number | null = null): Hex {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text))
    throw new AddressError('form', 'An address is 0x and 40 hexadecimal digits.', { text: text.slice(0, 60) })
  const lower = text.toLowerCase() as Hex
  const digits = text.slice(2)
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) return lower
  // Wallets write EIP-55 on every chain: both forms are taken, so a mistyped digit is still found.
  const forms = new Set([checksumAddress(lower, checksumChainId), checksumAddress(lower)])
  if (forms.has(text as Hex)) return lower
  throw new AddressError(
    'checksum',
    'The capital letters of this address do not fit its digits: at least one of them is wrong.',
    { expected: checksumAddress(lower, checksumChainId) },
    'Compare it with where you copied it from, or write it in lower case.',
  )
}

/** Address of a contract made by CREATE: keccak256(rlp([creator, nonce]))[12:]. */
export function createAddress(creator: Hex, nonce: bigint): Hex {
  const writer = new RlpWriter(64)
  writer.quantity(nonce)
  writer.hex(creator)
  writer.list(0)
  return hexOf(keccak(writer.since(0)).subarray(12))
}

/** Address of a contract made by CREATE2 (EIP-1014): keccak256(0xff ‖ creator ‖ salt ‖ keccak256(init code))[12:]. */
export function create2Address(creator: Hex, salt: Hex, initCodeHash: Hex): Hex {
  const bytes = Buffer.concat([Buffer.of(0xff), bytesOf(creator), bytesOf(salt), bytesOf(initCodeHash)])
  return hexOf(keccak(bytes).subarray(12))
}
