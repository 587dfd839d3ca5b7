import { hash } from 'node:crypto'

/** SHA-512/256: hashes of transactions, blocks and merkle nodes (SIP-005). */
export const sha512Trunc256 = (bytes: Uint8Array): Buffer => hash('sha512-256', bytes, 'buffer')

/** The same as lower-case hex. */
export const sha512Trunc256Hex = (bytes: Uint8Array): string => hash('sha512-256', bytes, 'hex')

export const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/** RIPEMD-160 of SHA-256: what addresses and key hashes hold. */
export const hash160 = (bytes: Uint8Array): Buffer => hash('ripemd160', sha256(bytes), 'buffer')
