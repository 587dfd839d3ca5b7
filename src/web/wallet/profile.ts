import { AssayError } from '#kernel/errors.ts'
import { fieldOf, textIn } from './askWallet.ts'

/** What a wallet's user tells of themselves. */
export type WalletProfile = {
  readonly name: string | null
  /** An https address; null where there is none. */
  readonly imageUrl: string | null
}

const LIMIT_MS = 10_000
const MOST_BYTES = 256 * 1024

/**
 * Reads the profile at the address that a wallet named at sign-in: a text, read as JSON, plain or as a list of signed tokens
 * (blockstack profiles). Only by https, up to 256 KiB and 10 s. Throws `profile.address`, `profile.unreachable`, `profile.form`.
 */
export async function walletProfile(url: string): Promise<WalletProfile> {
  if (URL.parse(url)?.protocol !== 'https:')
    throw new AssayError('profile.address', 'Profiles are read by https alone.')
  let answer: Response
  try {
    answer = await fetch(url, {
      referrerPolicy: 'origin',
      credentials: 'omit',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
  } catch (cause) {
    throw new AssayError('profile.unreachable', 'The profile of this wallet cannot be read.', { cause })
  }
  if (!answer.ok)
    throw new AssayError('profile.unreachable', `The profile was answered with status ${answer.status}.`)
  return profileIn(await limitedText(answer))
}

/** What of a profile's text is shown; any other form throws `profile.form`. */
export function profileIn(text: string): WalletProfile {
  let read: unknown
  try {
    read = JSON.parse(text)
  } catch (cause) {
    throw new AssayError('profile.form', 'The profile is no JSON.', { cause })
  }
  const first: unknown = Array.isArray(read) ? read[0] : read
  const claim = fieldOf(fieldOf(fieldOf(first, 'decodedToken'), 'payload'), 'claim') ?? first
  if (typeof claim !== 'object' || claim === null)
    throw new AssayError('profile.form', 'The profile has an unknown form.')
  const images = fieldOf(claim, 'image')
  const listed = Array.isArray(images) ? images.map(one => textIn(one, 'contentUrl')) : []
  const imageUrl = listed.find(one => URL.parse(one ?? '')?.protocol === 'https:')
  return { name: textIn(claim, 'name')?.slice(0, 100) ?? null, imageUrl: imageUrl ?? null }
}

async function limitedText(answer: Response): Promise<string> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let held = 0
  for await (const part of answer.body ?? []) {
    held += part.byteLength
    if (held > MOST_BYTES)
      throw new AssayError('profile.form', `The profile is longer than ${MOST_BYTES} bytes.`)
    parts.push(part)
  }
  return new Blob(parts).text()
}
