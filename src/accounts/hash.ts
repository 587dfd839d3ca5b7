import { createHash, randomBytes } from 'node:crypto'

/** Of a secret with enough chance in it: what is stored in its place. Passwords are hashed slowly instead (`passwords.ts`). */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** 256 bits by chance, as an address may carry them. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
