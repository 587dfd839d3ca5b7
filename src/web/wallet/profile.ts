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
  return profileIn(await new Blob(await limited(await fetched(url), MOST_BYTES)).text())
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

const PICTURE_TYPES = /^image\/(?:png|jpeg|webp|gif)$/
const MOST_PICTURE_BYTES = 1024 * 1024

/**
 * The picture of a profile, asked for where this site asks at all: `hosts` are the origins of hubs that its operator allows. Only
 * by https, PNG, JPEG, WebP or GIF, up to 1 MiB and 10 s. Throws `profile.address`, `profile.unreachable`, `profile.form`.
 */
export async function profilePicture(imageUrl: string, hosts: readonly string[]): Promise<Blob> {
  const { origin, protocol } = URL.parse(imageUrl) ?? {}
  if (origin === undefined || protocol !== 'https:' || !hosts.includes(origin))
    throw new AssayError(
      'profile.address',
      'The picture is stored on a site that this site does not contact.',
    )
  const answer = await fetched(imageUrl)
  const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
  if (!PICTURE_TYPES.test(type)) throw new AssayError('profile.form', 'Unsupported image format.')
  const parts = await limited(answer, MOST_PICTURE_BYTES)
  return new Blob(parts, { type })
}

async function fetched(url: string): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(url, {
      referrerPolicy: 'origin',
      credentials: 'omit',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
  } catch (cause) {
    throw new AssayError('profile.unreachable', 'Couldn’t read the profile of this wallet.', { cause })
  }
  if (!answer.ok)
    throw new AssayError('profile.unreachable', `The profile was answered with status ${answer.status}.`)
  return answer
}

async function limited(answer: Response, mostBytes: number): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let held = 0
  for await (const part of answer.body ?? []) {
    held += part.byteLength
    if (held > mostBytes)
      throw new AssayError('profile.form', `The profile is longer than ${mostBytes} bytes.`)
    parts.push(part)
  }
  return parts
}
