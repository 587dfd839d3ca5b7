import { AssayError } from '#kernel/errors.ts'

/** What cannot be locked or opened. Codes: `cipher.keys`, `cipher.form`, `cipher.mac`, `cipher.key`. */
export class CipherError extends AssayError {}

/** A text or bytes, locked for the holder of one key (ECIES: AES-256-CBC, HMAC-SHA-256). Numbers in hex. */
export type CipherObject = {
  readonly iv: string
  readonly ephemeralPK: string
  readonly cipherText: string
  readonly mac: string
  readonly wasString: boolean
  /** Hex where it is absent. */
  readonly cipherTextEncoding?: 'hex' | 'base64'
}

type Keys = { readonly publicKey?: string | undefined; readonly privateKey?: string | undefined }

/** Locks for the holder of a key, who is named by one of the two: the public key, or the private one that it belongs to. */
export async function encrypt(content: string | Uint8Array, keys: Keys): Promise<CipherObject> {
  const { publicKey, privateKey } = keys
  if (publicKey !== undefined && privateKey !== undefined)
    throw new CipherError('cipher.keys', 'Do not pass both publicKey and privateKey to encrypt.')
  if (publicKey === undefined && privateKey === undefined)
    throw new CipherError('cipher.keys', 'Pass publicKey or privateKey to encrypt.')
  const { encryptECIES, getPublicKeyFromPrivate } = await import('./locks.ts')
  const isText = typeof content === 'string'
  const bytes = isText ? new TextEncoder().encode(content) : content
  return encryptECIES(publicKey ?? getPublicKeyFromPrivate(privateKey ?? ''), bytes, isText, 'base64')
}

/** Opens with the private key, hex: a text where it was one, else bytes. Nothing of it is read before its code of authenticity holds. */
export async function decrypt(
  locked: CipherObject | string,
  privateKey: string,
): Promise<string | Uint8Array> {
  const cipher = typeof locked === 'string' ? parsed(locked) : locked
  if (typeof cipher?.ephemeralPK !== 'string' || cipher.ephemeralPK === '')
    throw new CipherError('cipher.form', 'No ephemeralPK found in cipher object', {
      hint: 'This is nothing that was locked by Assay.',
    })
  const { decryptECIES } = await import('./locks.ts')
  try {
    return await decryptECIES(privateKey, cipher)
  } catch (cause) {
    const [first = ''] = (cause instanceof Error ? cause.message : '').split('\n')
    if (first.startsWith('Decryption failed: failure in MAC check'))
      throw new CipherError('cipher.mac', 'Decryption failed: failure in MAC check', {
        hint: 'It was encrypted for another key, or changed since.',
        cause,
      })
    throw new CipherError('cipher.key', 'This cannot be opened with the key of this wallet.', { cause })
  }
}

function parsed(text: string): CipherObject | undefined {
  try {
    // Its fields are checked where they are used.
    return JSON.parse(text) as CipherObject
  } catch {
    return undefined
  }
}
