import { fieldOf, textIn } from '../askWallet.ts'
import { keepEtag, storedSession, UNNAMED_VERSION } from '../session.ts'
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
    const answer = await ask(`${place.server}/store/${place.address}/${encodePath(path)}`, {
      method: 'POST',
      headers: {
        'content-type': contentType,
        authorization: `bearer ${place.token}`,
        ...conditionOf(storedSession()?.etags[path]),
      },
      // TypeScript counts shared memory among arrays of bytes; there is none here.
      body: bytes as Uint8Array<ArrayBuffer>,
    })
    if (answer.ok) {
      const told = await jsonOf(answer)
      keepEtag(path, strongEtag(textIn(told, 'etag')))
      return textIn(told, 'publicURL') ?? `${place.readUrl}${place.address}/${encodePath(path)}`
    }
    if (isSecond || !mayChange(answer.status)) throw hubRefusal(answer.status, place.maxBytes)
  }
}

/** What must hold of the file at the hub: none known, none of that name; a known version, that one; an unnamed version, anything. */
const conditionOf = (etag: string | undefined): Record<string, string> =>
  etag === undefined ? { 'if-none-match': '*' } : etag === UNNAMED_VERSION ? {} : { 'if-match': etag }

/** A mark by which a write can be tied to a version. Weak ones never match there (RFC 9110, 13.1.1). */
const strongEtag = (etag: string | null | undefined): string =>
  etag == null || etag === '' || etag.startsWith('W/') ? UNNAMED_VERSION : etag

const mayChange = (status: number): boolean => status === 401 || status === 409 || status >= 500

/** Reads a file of the user's; null where there is none. Throws `HubError`. */
export async function getFile(path: string): Promise<HubFile | null> {
  const { readUrl, address, maxBytes } = await connectHub()
  const answer = await ask(`${readUrl}${address}/${encodePath(path)}`, { cache: 'no-store' })
  if (answer.status === 404 || answer.status === 410) {
    keepEtag(path, undefined)
    return null
  }
  if (!answer.ok) throw hubRefusal(answer.status, maxBytes)
  const etag = answer.headers.get('etag')
  keepEtag(path, strongEtag(etag))
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
    const told = await jsonOf(answer)
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
    throw new HubError('none', 'The connected wallet did not provide a hub.', {
      hint: 'Leather and Xverse bring one where they sign in by token.',
    })
  const { connectToGaiaHub } = await import('../locks.ts')
  const readHub: typeof fetch = async (input, init) => {
    const answer = await ask(String(input), init ?? {})
    if (!answer.ok) throw hubRefusal(answer.status, DEFAULT_MAX_MB * MEGABYTE)
    const told = await jsonOf(answer)
    if (URL.parse(textIn(told, 'read_url_prefix') ?? '') === null) throw notAHub(answer.url)
    return Response.json(told)
  }
  const server = user.hubUrl.replace(/\/$/, '')
  const hub = await connectToGaiaHub(
    server,
    user.appPrivateKey.slice(0, 64),
    user.associationToken ?? undefined,
    readHub,
  ).catch((cause: unknown) => {
    throw cause instanceof HubError ? cause : notAHub(server, cause)
  })
  const maxMb: unknown = hub.max_file_upload_size_megabytes
  return {
    server: hub.server,
    address: hub.address,
    token: hub.token,
    // Hubs state the prefix with and without the slash that ends it.
    readUrl: hub.url_prefix.replace(/\/*$/, '/'),
    maxBytes: (typeof maxMb === 'number' && maxMb > 0 ? maxMb : DEFAULT_MAX_MB) * MEGABYTE,
  }
}

/** The JSON of an answer. Throws `HubError` for a page in its place, as gateways send. */
async function jsonOf(answer: Response): Promise<unknown> {
  try {
    return await answer.json()
  } catch (cause) {
    throw cause instanceof SyntaxError ? notAHub(answer.url, cause) : unreachable(answer.url, cause)
  }
}

const notAHub = (url: string, cause?: unknown): HubError =>
  new HubError('answer', `${URL.parse(url)?.host ?? 'The hub'} did not answer as a hub does.`, {
    hint: 'Something between you and the hub may have answered instead. Try again later.',
    cause,
  })

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

async function ask(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { referrerPolicy: 'origin', signal: AbortSignal.timeout(LIMIT_MS), ...init })
  } catch (cause) {
    throw unreachable(url, cause)
  }
}

const unreachable = (url: string, cause: unknown): HubError =>
  new HubError('unreachable', `The hub at ${URL.parse(url)?.host ?? 'its address'} is unreachable.`, {
    hint: 'Is it one that this site allows (HUB_HOSTS), and are you online?',
    cause,
  })
