import { hash } from 'node:crypto'
import type { Hex } from './hex.ts'

/** Keccak-256 as Ethereum uses it (the padding before SHA-3 was standardised), 32 bytes; OpenSSL's own. */
export const keccak = (message: Uint8Array): Buffer => hash('keccak-256', message, 'buffer')

/** Keccak-256 as `0x…`. */
export const keccakHex = (message: Uint8Array | string): Hex => `0x${hash('keccak-256', message, 'hex')}`
