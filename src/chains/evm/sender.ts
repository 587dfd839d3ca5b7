import { recover } from '../recover.ts'
import { type Hex, hexOf } from './hex.ts'
import { keccak } from './keccak.ts'
import type { RlpWriter } from './rlp/writer.ts'
import { authorizationHash, signingHash } from './serialize.ts'
import type { Authorization, TransactionBody } from './transaction.ts'

/** Order of secp256k1. Source: SEC 2, section 2.4.1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Who signed: the address whose key made the signature; null where the signature is none, or nobody signs. */
export function recoverSender(tx: TransactionBody, writer: RlpWriter): Hex | null {
  if (tx.signature === null) return null
  const digest = signingHash(tx, writer)
  if (digest === null) return null
  const { v, r, s } = tx.signature
  return signerOf(digest, r, s, tx.type === 0 ? parityOf(v) : Number(v))
}

/** The account that authorised code to act for it; null where nobody can have (such an entry has no effect, EIP-7702). */
export function recoverAuthority(authorization: Authorization, writer: RlpWriter): Hex | null {
  const { yParity, r, s } = authorization
  if (yParity > 1n || s > ORDER / 2n) return null
  return signerOf(authorizationHash(authorization, writer), r, s, Number(yParity))
}

const parityOf = (v: bigint): number => Number(v < 35n ? v - 27n : (v - 35n) % 2n)

function signerOf(digest: Uint8Array, r: bigint, s: bigint, parity: number): Hex | null {
  if (r === 0n || s === 0n || r >= ORDER || s >= ORDER || (parity !== 0 && parity !== 1)) return null
  const signature = Buffer.alloc(64)
  signature.write(r.toString(16).padStart(64, '0'), 0, 32, 'hex')
  signature.write(s.toString(16).padStart(64, '0'), 32, 32, 'hex')
  const key = keyOf(digest, signature, parity)
  return key && hexOf(keccak(key.subarray(1)).subarray(12))
}

/** The library throws where `r` is no coordinate of the curve: then, too, nobody signed. */
function keyOf(digest: Uint8Array, signature: Uint8Array, parity: 0 | 1): Uint8Array | null {
  try {
    return recover(digest, signature, parity)
  } catch {
    return null
  }
}
