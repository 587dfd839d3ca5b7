import type { Network } from '#kernel/bitcoin.ts'
import { AddressError } from '../errors.ts'
import { base58CheckEncode, base58Checksum, base58Decode } from './base58.ts'
import { segwitDecode, segwitEncode } from './bech32.ts'
import { ADDRESS_FORMS } from './networks.ts'
import { p2pkhScript, p2shScript, witnessProgramOf, witnessScript } from './scripts.ts'

/**
 * Address text of an output script, or null where the script has none: bare keys and bare multisig, OP_RETURN, and what
 * follows no pattern. Witness programs of versions yet to come have one (BIP-350), as in Bitcoin Core. For a bare key the
 * pages show the address of `paymentScriptOf(script)`.
 */
export function addressOf(script: Uint8Array, network: Network): string | null {
  const forms = ADDRESS_FORMS[network]
  const { length } = script
  if (length === 25 && script[0] === 0x76) {
    const isP2pkh = script[1] === 0xa9 && script[2] === 20 && script[23] === 0x88 && script[24] === 0xac
    return isP2pkh ? base58CheckEncode(forms.p2pkhVersion, script.subarray(3, 23)) : null
  }
  if (length === 23 && script[0] === 0xa9) {
    const isP2sh = script[1] === 20 && script[22] === 0x87
    return isP2sh ? base58CheckEncode(forms.p2shVersion, script.subarray(2, 22)) : null
  }
  const witness = witnessProgramOf(script)
  if (witness === undefined) return null
  if (witness.version === 0 && witness.program.length !== 20 && witness.program.length !== 32) return null
  return segwitEncode(forms.hrp, witness.version, witness.program)
}

/**
 * Output script of an address of `network`. Errors: `AddressError` with `address.network` for an address of another
 * network, and what is wrong with a text that is no address at all.
 */
export function scriptOf(address: string, network: Network): Uint8Array {
  const forms = ADDRESS_FORMS[network]
  const looksSegwit = /^(bc|tb|bcrt)1/i.test(address)
  if (looksSegwit) {
    const decoded = segwitDecode(address)
    if (typeof decoded === 'string') throw noAddress(decoded, address, network)
    if (decoded.hrp !== forms.hrp) throw otherNetwork(address, network)
    return witnessScript(decoded.version, decoded.program)
  }
  const bytes = address.length > 100 ? undefined : base58Decode(address)
  if (bytes === undefined) throw noAddress('characters', address, network)
  if (bytes.length !== 25) throw noAddress('length', address, network)
  const payload = bytes.subarray(0, 21)
  const checksum = base58Checksum(payload)
  if (!checksum.every((byte, i) => byte === bytes[21 + i])) throw noAddress('checksum', address, network)
  const [version] = payload
  const hash160 = payload.subarray(1)
  if (version === forms.p2pkhVersion) return p2pkhScript(hash160)
  if (version === forms.p2shVersion) return p2shScript(hash160)
  const isKnown = Object.values(ADDRESS_FORMS).some(
    other => other.p2pkhVersion === version || other.p2shVersion === version,
  )
  throw isKnown ? otherNetwork(address, network) : noAddress('version', address, network)
}

const FAULTS: Readonly<Record<string, string>> = {
  characters: 'it holds characters that no address has',
  case: 'it mixes upper and lower case',
  separator: 'its prefix or checksum is missing',
  checksum: 'its checksum does not fit',
  version: 'its version is unknown',
  program: 'its program has a length that its version does not allow',
  padding: 'its last character carries stray bits',
  length: 'it has the wrong length',
}

function noAddress(reason: string, address: string, network: Network): AddressError {
  const shown = address.slice(0, 100)
  return new AddressError(
    reason,
    `“${shown}” is no Bitcoin address: ${FAULTS[reason]}.`,
    { address: shown, network },
    'Compare it with where it came from: one wrong character is enough.',
  )
}

function otherNetwork(address: string, network: Network): AddressError {
  return new AddressError(
    'network',
    `“${address}” is an address of another network than ${network}.`,
    { address, network },
    'Ask for the network that the address belongs to.',
  )
}
