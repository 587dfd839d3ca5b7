import type { Network } from '#kernel/bitcoin.ts'
import { ADDRESS_VERSIONS } from '#kernel/stacks.ts'
import { addressOf, scriptOf } from '../../bitcoin/address/address.ts'
import { p2pkhScript, p2shScript, witnessProgramOf, witnessScript } from '../../bitcoin/address/scripts.ts'
import { type ClarityValue, fieldOf } from '../clarity/value.ts'
import { AddressError } from '../errors.ts'
import { decodeAddress } from './c32.ts'

/** Where PoX pays to, as contracts name it. Source: SIP-007, stacks-core `AddressHashMode` and `PoxAddress`. */
export type PoxAddress = {
  /** 0 P2PKH, 1 P2SH, 2 P2SH-P2WPKH, 3 P2SH-P2WSH, 4 P2WPKH, 5 P2WSH, 6 P2TR. */
  readonly version: number
  /** 20 bytes, or 32 for versions 5 and 6. */
  readonly hashBytes: Uint8Array
}

const FIRST_SEGWIT = 4
const P2TR = 6
/** Bytes of the hash by version. */
const HASH_LENGTHS = [20, 20, 20, 20, 20, 32, 32]

/** Bitcoin address of a PoX address; null for a version or a length that PoX pays nothing to. */
export function bitcoinAddressOf({ version, hashBytes }: PoxAddress, network: Network): string | null {
  if (HASH_LENGTHS[version] !== hashBytes.length) return null
  return addressOf(poxScript(version, hashBytes), network)
}

/**
 * PoX address of a Bitcoin address. An address cannot tell what its script hash wraps: each P2SH address is version 1. Errors:
 * `AddressError`.
 */
export function poxAddressOf(address: string, network: Network): PoxAddress {
  const script = scriptOf(address, network)
  if (script.length === 25) return { version: 0, hashBytes: script.subarray(3, 23) }
  if (script.length === 23 && script[0] === 0xa9) return { version: 1, hashBytes: script.subarray(2, 22) }
  const witness = witnessProgramOf(script)
  const version = witness && (witness.version === 1 ? P2TR : witness.program.length === 20 ? 4 : 5)
  if (
    witness === undefined ||
    version === undefined ||
    witness.version > 1 ||
    HASH_LENGTHS[version] !== witness.program.length
  ) {
    throw new AddressError('pox', `“${address}” is of a kind that PoX pays nothing to.`, { address })
  }
  return { version, hashBytes: witness.program }
}

/** The PoX address in a tuple `{version: (buff 1), hashbytes: (buff 32)}`, or null where the value is no such tuple. */
export function poxAddressIn(value: ClarityValue): PoxAddress | null {
  if (value.type !== 'tuple') return null
  const version = fieldOf(value, 'version')
  const hashBytes = fieldOf(value, 'hashbytes')
  if (version?.type !== 'buffer' || hashBytes?.type !== 'buffer' || version.value.length !== 1) return null
  return { version: version.value[0]!, hashBytes: hashBytes.value }
}

/**
 * The Bitcoin address that the same key or keys have: on the main network for its versions, else in the form of `testNetwork`; null
 * for versions that no network uses. Errors: `AddressError`. Source: SIP-005, “transaction authorization”.
 */
export function bitcoinTwinOf(address: string, testNetwork: Network = 'testnet3'): string | null {
  const { version, hash160 } = decodeAddress(address)
  switch (version) {
    case ADDRESS_VERSIONS.mainnetSinglesig:
      return addressOf(p2pkhScript(hash160), 'mainnet')
    case ADDRESS_VERSIONS.mainnetMultisig:
      return addressOf(p2shScript(hash160), 'mainnet')
    case ADDRESS_VERSIONS.testnetSinglesig:
      return addressOf(p2pkhScript(hash160), testNetwork)
    case ADDRESS_VERSIONS.testnetMultisig:
      return addressOf(p2shScript(hash160), testNetwork)
    default:
      return null
  }
}

function poxScript(version: number, hashBytes: Uint8Array): Uint8Array {
  if (version === 0) return p2pkhScript(hashBytes)
  if (version < FIRST_SEGWIT) return p2shScript(hashBytes)
  return witnessScript(version === P2TR ? 1 : 0, hashBytes)
}
