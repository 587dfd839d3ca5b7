import { hexOf as digitsOf } from '../hex.ts'

/** `0x` and lower-case hexadecimal digits. */
export type Hex = `0x${string}`

export const ZERO_ADDRESS: Hex = `0x${'00'.repeat(20)}`
export const ZERO_HASH: Hex = `0x${'00'.repeat(32)}`

/** Bytes of a hexadecimal text whose digits were checked. */
export const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')

export const hexOf = (bytes: Uint8Array): Hex => `0x${digitsOf(bytes)}`

/** How many bytes a hexadecimal text holds. */
export const byteCount = (hex: string): number => (hex.length - 2) / 2
