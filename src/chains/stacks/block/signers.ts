import { recover } from '../../recover.ts'

const SIGNATURE_BYTES = 65
const KEY_BYTES = 33

/**
 * Public keys, compressed, that made the signatures of a Nakamoto header, one behind the other and each once. `signatures` are 65
 * bytes each: parity, `r`, `s`; what is signed is the header's hash. A signature that no key can have made is left out.
 * Source: SIP-021; stacks-core `NakamotoBlockHeader::recover_signer_pks`.
 */
export function signersOf(headerHash: Uint8Array, signatures: Uint8Array): Uint8Array {
  const keys = new Map<string, Uint8Array>()
  for (let at = 0; at + SIGNATURE_BYTES <= signatures.length; at += SIGNATURE_BYTES) {
    const parity = signatures[at]!
    if (parity > 1) continue
    let long: Uint8Array
    try {
      long = recover(headerHash, signatures.subarray(at + 1, at + SIGNATURE_BYTES), parity as 0 | 1)
    } catch {
      continue
    }
    const key = new Uint8Array(KEY_BYTES)
    key.set(long.subarray(1, KEY_BYTES), 1)
    key[0] = 2 + (long[64]! & 1)
    keys.set(Buffer.from(key).toString('hex'), key)
  }
  return Buffer.concat([...keys.values()])
}
