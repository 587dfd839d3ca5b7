import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { publicKeyToBtcAddress } from '@stacks/encryption'

/** A hub on this machine that speaks Gaia's protocol. */
export type MadeHub = AsyncDisposable & {
  readonly url: string
  /** By `address/path`. */
  readonly files: Map<string, { bytes: Buffer; etag: string }>
  /** Method and path of all that was asked, in order. */
  readonly asked: string[]
  /** Statuses that the next writes are refused with, in order. */
  readonly refusals: number[]
  /** What it answers otherwise than a hub does by default. */
  readonly manner: Manner
}

export type Manner = {
  /** End of the prefix of its public addresses; a slash by default. */
  prefixEnd?: string
  /** Answered in place of `hub_info`. */
  infoPage?: string
  /** Answered to writes, which are not carried out. */
  storePage?: string
  /** The etag of a read as a network of copies passes it on; null leaves it out. */
  passEtag?: (etag: string) => string | null
  /** Whether a write names the etag. */
  namesWritten?: boolean
}

const CHALLENGE = JSON.stringify(['gaiahub', '0', 'hub.test', 'blockstack_storage_please_sign'])

/**
 * `POST /store/{address}/{path}` with a token whose issuer owns the address, etags as of RFC 9110, `GET /read/…`, `POST /list-files/{address}`.
 * Source: stacks-network/gaia `hub/src/server/http.ts`. `maxMb` undefined states no limit.
 */
export async function openHub({ maxMb }: { maxMb?: number } = {}): Promise<MadeHub> {
  const files: MadeHub['files'] = new Map()
  const asked: string[] = []
  const refusals: number[] = []
  const manner: Manner = {}
  const server = createServer(async (request, reply) => {
    const { method = '', url = '' } = request
    asked.push(`${method} ${url}`)
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) => {
      reply.writeHead(status, {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
        'access-control-expose-headers': 'etag',
        ...headers,
      })
      reply.end(body instanceof Buffer ? body : JSON.stringify(body))
    }
    const body = await bodyOf(request)
    if (method === 'OPTIONS') return send(204, '')
    const page = (text: string) => {
      reply.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' })
      reply.end(text)
    }
    if (url === '/hub_info' && manner.infoPage !== undefined) return page(manner.infoPage)
    if (url === '/hub_info')
      return send(200, {
        challenge_text: CHALLENGE,
        latest_auth_version: 'v1',
        read_url_prefix: `${base()}/read${manner.prefixEnd ?? '/'}`,
        ...(maxMb !== undefined && { max_file_upload_size_megabytes: maxMb }),
      })
    const [, verb = '', rest = ''] = /^\/(read|store|list-files)\/(.*)$/.exec(url) ?? []
    if (verb === 'read') {
      const file = files.get(decodeURIComponent(rest))
      if (file === undefined) return send(404, { message: 'none' })
      const etag = manner.passEtag === undefined ? file.etag : manner.passEtag(file.etag)
      return send(200, file.bytes, etag === null ? {} : { etag })
    }
    const [address = ''] = rest.split('/')
    if (ownerOf(request) !== address) return send(401, { message: 'no proof', error: 'ValidationError' })
    if (verb === 'list-files') {
      const paths = [...files.keys()].filter(key => key.startsWith(`${address}/`))
      return send(200, { entries: paths.map(key => key.slice(address.length + 1)), page: null })
    }
    const refusal = refusals.shift()
    if (refusal !== undefined) return send(refusal, { message: 'refused' })
    if (manner.storePage !== undefined) return page(manner.storePage)
    const key = decodeURIComponent(rest)
    const held = files.get(key)?.etag
    const { 'if-match': match, 'if-none-match': none } = request.headers
    if ((none === '*' && held !== undefined) || (match !== undefined && match !== held))
      return send(412, { message: 'changed', error: 'PreconditionFailedError' })
    const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
    files.set(key, { bytes: body, etag })
    send(202, { publicURL: `${base()}/read/${rest}`, ...(manner.namesWritten !== false && { etag }) })
  })
  // A machine that has much else to do may take its time between two requests.
  server.keepAliveTimeout = 60_000
  const base = () => {
    const at = server.address()
    return `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}`
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: base(),
    files,
    asked,
    refusals,
    manner,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts)
}

/** Address of the issuer of the token `bearer v1:…`, whose challenge must be ours; what signed it is the library’s business, and tested there. */
function ownerOf({ headers }: IncomingMessage): string | undefined {
  const [, payload] = /^bearer v1:[\w-]+\.([\w-]+)\.[\w-]+$/.exec(headers.authorization ?? '') ?? []
  if (payload === undefined) return undefined
  const { gaiaChallenge, iss } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return gaiaChallenge === CHALLENGE ? publicKeyToBtcAddress(iss) : undefined
}
