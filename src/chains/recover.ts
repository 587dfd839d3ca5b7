import { createRequire } from 'node:module'
import { recover as recoverInWasm } from 'tiny-secp256k1'

/** Uncompressed public key of 65 bytes that made a signature of 64 bytes (`r`, `s`). Throws where none can have. */
type Recover = (digest: Uint8Array, signature: Uint8Array, parity: 0 | 1) => Uint8Array

type Native = {
  ecdsaRecover(signature: Uint8Array, recid: number, digest: Uint8Array, isCompressed: boolean): Uint8Array
}

/** libsecp256k1 as the platform's own code: a fifth of the time that WebAssembly needs. */
function openNative(): Recover | undefined {
  try {
    const { ecdsaRecover } = createRequire(import.meta.url)('secp256k1/bindings.js') as Native
    return (digest, signature, parity) => ecdsaRecover(signature, parity, digest, false)
  } catch {
    // There is none for this platform.
    return undefined
  }
}

/** The same library in WebAssembly, for every platform. */
export const recoverByWasm: Recover = (digest, signature, parity) => {
  const key = recoverInWasm(digest, signature, parity, false)
  if (key === null) throw new Error('no key made this signature')
  return key
}

export const recoverNatively = openNative()

export const recover: Recover = recoverNatively ?? recoverByWasm
