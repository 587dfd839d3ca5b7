import { fieldOf, textIn } from '../askWallet.ts'
import { keepEtag, storedSession } from '../session.ts'
import { HubError, hubRefusal, tooLarge } from './hubError.ts'

/** Where the hub states no limit. */
const DEFAULT_MAX_MB = 20
const MEGABYTE = 1024 * 1024
const LIMIT_MS = 30_000
/** Pages of a list that are read before it counts as endless. */
const MOST_PAGES = 100

/** A place of a wallet's user at a Gaia hub, as far as one request needs it. */
type Place = {
  readonly server: string
  readonly address: string
  readonly token: string
  readonly readUrl: string
  readonly maxBytes: number
}

export type HubFile = { readonly bytes: Uint8Array; readonly etag: string | null }

/** Whether the connected wallet brought a hub of its user. */
export const hasHub = (): boolean => {
  const user = storedSession()?.userData
  return Boolean(user?.hubUrl && user.appPrivateKey)
}

/**
 * Writes a file to the hub of the connected wallet's user and returns its public address. The version that was read or written last is replaced; one
 * that somebody else wrote meanwhile is not (412). Asks once more after 401, 409 and 5xx, with a new proof. Throws `HubError`;
 * content above the hub's limit is not sent.
 * Source: stacks-network/gaia `docs/hub`.
 */
export async function putFile(
  path: string,
  content: string | Uint8Array,
  contentType = 'application/json',
): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  for (let isSecond = false; ; isSecond = true) {
    const place = await connectHub()
    if (bytes.byteLength > place.maxBytes)
      throw new HubError('too_large', tooLarge(place.maxBytes), {
        maxBytes: place.maxBytes,
        hint: `The content has ${bytes.byteLength} bytes.`,
      })
    const etag = storedSession()?.etags[path]
    const answer = await ask(`${place.server}/store/${place.address}/${encodePath(path)}`, {
      method: 'POST',
      headers: {
        'content-type': contentType,
        authorization: `bearer ${place.token}`,
        ...(etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag }),
      },
      // TypeScript counts shared memory among arrays of bytes; there is none here.
      body: bytes as Uint8Array<ArrayBuffer>,
    })
    if (answer.ok) {
      const told: unknown = await answer.json().catch(() => undefined)
      keepEtag(path, textIn(told, 'etag'))
      return textIn(told, 'publicURL') ?? `${place.readUrl}${place.address}/${encodePath(path)}`
    }
    if (isSecond || !mayChange(answer.status)) throw hubRefusal(answer.status, place.maxBytes)
  }
}

const mayChange = (status: number): boolean => status === 401 || status === 409 || status >= 500

/** Reads a file of the user's; null where there is none. Throws `HubError`. */
export async function getFile(path: string): Promise<HubFile | null> {
  const { readUrl, address, maxBytes } = await connectHub()
  const answer = await ask(`${readUrl}${address}/${encodePath(path)}`, { cache: 'no-store' })
  if (answer.status === 404) return null
  if (!answer.ok) throw hubRefusal(answer.status, maxBytes)
  const etag = answer.headers.get('etag')
  keepEtag(path, etag ?? undefined)
  return { bytes: new Uint8Array(await answer.arrayBuffer()), etag }
}

/** Paths of all files of the user's at the hub. Throws `HubError`. */
export async function listFiles(): Promise<string[]> {
  const { server, address, token, maxBytes } = await connectHub()
  const files: string[] = []
  let page: unknown = null
  for (let i = 0; i < MOST_PAGES; i++) {
    const answer = await ask(`${server}/list-files/${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `bearer ${token}` },
      body: JSON.stringify({ page }),
    })
    if (!answer.ok) throw hubRefusal(answer.status, maxBytes)
    const told: unknown = await answer.json()
    const entries = fieldOf(told, 'entries')
    if (Array.isArray(entries)) files.push(...entries.filter(one => typeof one === 'string'))
    page = fieldOf(told, 'page') ?? null
    if (page === null) break
  }
  return files
}

async function connectHub(): Promise<Place> {
  const user = storedSession()?.userData
  if (!user?.hubUrl || !user.appPrivateKey)
    throw new HubError('none', 'The connected wallet brought no hub of yours.', {
      hint: 'Leather and Xverse bring one where they sign in by token.',
    })
  const { connectToGaiaHub } = await import('../locks.ts')
  const readHub: typeof fetch = async (input, init) => {
    const answer = await ask(String(input), init ?? {})
    if (!answer.ok) throw hubRefusal(answer.status, DEFAULT_MAX_MB * MEGABYTE)
    return answer
  }
  const hub = await connectToGaiaHub(
    user.hubUrl.replace(/\/$/, ''),
    user.appPrivateKey.slice(0, 64),
    user.associationToken ?? undefined,
    readHub,
  )
  return {
    server: hub.server,
    address: hub.address,
    token: hub.token,
    readUrl: hub.url_prefix,
    maxBytes: (hub.max_file_upload_size_megabytes ?? DEFAULT_MAX_MB) * MEGABYTE,
  }
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

async function ask(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { referrerPolicy: 'origin', signal: AbortSignal.timeout(LIMIT_MS), ...init })
  } catch (cause) {
    throw new HubError(
      'unreachable',
      `The hub at ${URL.parse(url)?.host ?? 'its address'} cannot be reached.`,
      {
        hint: 'Is it one that this site allows (HUB_HOSTS), and are you online?',
        cause,
      },
    )
  }
}
