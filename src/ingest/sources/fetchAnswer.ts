/** One question as it is sent. */
export type Question = {
  readonly url: string
  /** What a redirect must begin with: the origin, behind a mirror with the host in its path. */
  readonly within: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON by POST; asked by GET without one. */
  readonly body?: unknown
  readonly maxBytes: number
  readonly timeoutMs: number
  /** Marks of the last answer that was kept, for which the publisher may say that nothing has changed. */
  readonly etag: string | null
  readonly lastModified: string | null
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
}

export type Fetched =
  | {
      readonly kind: 'json'
      readonly json: unknown
      readonly body: Buffer
      readonly status: number
      readonly etag: string | null
      readonly lastModified: string | null
    }
  | { readonly kind: 'unchanged'; readonly status: 304 }
  /** It came and cannot be what was asked for. */
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly reason: string
      readonly body: Buffer
      readonly status: number
    }
  /** Nothing came that could be judged. */
  | {
      readonly kind: 'failed'
      readonly code: string
      readonly reason: string
      readonly status: number | null
      /** Not asked again before this, milliseconds since 1970: what the publisher wants. */
      readonly retryAtMs: number | null
      /** Whether no connection came about: the host, or the way to it, is down. */
      readonly isUnreachable: boolean
    }

const MOST_REDIRECTS = 3
/** A longer rest than this is taken for a mistake of the publisher. */
const LONGEST_REST_MS = 7 * 86_400_000

/** The answer to a question: every way in which it may go wrong is one of its kinds. Throws only where `signal` aborts. */
export async function fetchAnswer(question: Question): Promise<Fetched> {
  const deadline = AbortSignal.timeout(question.timeoutMs)
  const signal = question.signal === undefined ? deadline : AbortSignal.any([deadline, question.signal])
  let body = Buffer.alloc(0)
  try {
    const response = await follow(question, signal)
    if ('kind' in response) return response
    if (response.status === 304) {
      await response.body?.cancel()
      return { kind: 'unchanged', status: 304 }
    }
    if (response.status !== 200) {
      await response.body?.cancel()
      return statusFailure(response, question.now())
    }
    const read = await readBody(response, question.maxBytes)
    body = read.body
    if (read.isTooLong)
      return {
        kind: 'refused',
        code: 'sources.too_long',
        reason: `The answer is longer than the ${megabytes(question.maxBytes)} that it may be.`,
        body,
        status: 200,
      }
    return parsed(response, body)
  } catch (thrown) {
    if (question.signal?.aborted) throw thrown
    return connectionFailure(thrown, deadline.aborted, question)
  }
}

/** The last response after redirects, which stay on the host that was asked: keys and trust are its own. */
async function follow(question: Question, signal: AbortSignal): Promise<Response | Failed> {
  const asked = new URL(question.url)
  let url = asked
  for (let redirects = 0; ; redirects++) {
    const response = await fetch(url, {
      redirect: 'manual',
      signal,
      ...(question.body !== undefined && { method: 'POST', body: JSON.stringify(question.body) }),
      headers: {
        accept: 'application/json',
        ...(question.body !== undefined && { 'content-type': 'application/json' }),
        'user-agent': 'Assay',
        ...(question.etag !== null && { 'if-none-match': question.etag }),
        ...(question.lastModified !== null && { 'if-modified-since': question.lastModified }),
        ...question.headers,
      },
    })
    const target = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || response.status === 304 || target === null)
      return response
    await response.body?.cancel()
    const next = URL.parse(target, url)
    if (next === null || !next.href.startsWith(question.within))
      return failed(
        'sources.redirect',
        `${asked.host} redirects to ${next?.host ?? 'nowhere'}, which is not allowed.`,
        response.status,
      )
    if (redirects === MOST_REDIRECTS)
      return failed(
        'sources.redirect',
        `${asked.host} redirects more than ${MOST_REDIRECTS} times.`,
        response.status,
      )
    url = next
  }
}

type Failed = Fetched & { kind: 'failed' }

const failed = (code: string, reason: string, status: number | null): Failed => ({
  kind: 'failed',
  code,
  reason,
  status,
  retryAtMs: null,
  isUnreachable: false,
})

function statusFailure(response: Response, nowMs: number): Failed {
  const retryAtMs = retryAt(response.headers.get('retry-after'), nowMs)
  const { status } = response
  if (status === 429)
    return {
      ...failed(
        'sources.limited',
        `The publisher takes no more requests for now (429)${restWords(retryAtMs)}.`,
        status,
      ),
      retryAtMs,
    }
  return {
    ...failed(
      'sources.status',
      `The publisher answered with status ${status}${restWords(retryAtMs)}.`,
      status,
    ),
    retryAtMs,
  }
}

const restWords = (retryAtMs: number | null): string =>
  retryAtMs === null ? '' : ` and requests a pause until ${new Date(retryAtMs).toISOString().slice(0, 19)}Z`

/** `Retry-After` as a moment, milliseconds since 1970: seconds or a date; null where there is none to go by. RFC 9110 § 10.2.3. */
export function retryAt(header: string | null, nowMs: number): number | null {
  if (header === null) return null
  const at = /^\s*\d+\s*$/.test(header) ? nowMs + Number(header) * 1000 : Date.parse(header)
  return Number.isFinite(at) && at > nowMs ? Math.min(at, nowMs + LONGEST_REST_MS) : null
}

async function readBody(
  response: Response,
  maxBytes: number,
): Promise<{ body: Buffer<ArrayBuffer>; isTooLong: boolean }> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    parts.push(part)
    size += part.length
    // Leaving the loop ends the connection.
    if (size > maxBytes) return { body: Buffer.concat(parts), isTooLong: true }
  }
  return { body: Buffer.concat(parts), isTooLong: false }
}

function parsed(response: Response, body: Buffer): Fetched {
  const { status, headers } = response
  const refused = (reason: string): Fetched => ({
    kind: 'refused',
    code: 'sources.not_json',
    reason,
    body,
    status,
  })
  if (body.length === 0) return refused('The answer is empty.')
  const text = body.toString('utf8')
  if (/^\s*</.test(text)) return refused('The answer is a web page, not JSON.')
  try {
    return {
      kind: 'json',
      json: JSON.parse(text),
      body,
      status,
      etag: headers.get('etag'),
      lastModified: headers.get('last-modified'),
    }
  } catch (thrown) {
    return refused(`The answer is not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}.`)
  }
}

const UNREACHABLE = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
])

function connectionFailure(thrown: unknown, isLate: boolean, { url, timeoutMs }: Question): Failed {
  const { host } = new URL(url)
  if (isLate)
    return failed('sources.timeout', `${host} did not answer whole within ${timeoutMs / 1000} s.`, null)
  const { code, message } = innermost(thrown)
  if (UNREACHABLE.has(code))
    return {
      ...failed('sources.unreachable', `${host} cannot be reached (${code}).`, null),
      isUnreachable: true,
    }
  if (/CERT|SIGNED|SSL|TLS|VERIFY|ISSUER/.test(code))
    return failed('sources.certificate', `${host} has no certificate that proves it (${code}).`, null)
  return failed('sources.cut_off', `The connection to ${host} broke off (${code || message}).`, null)
}

/** `fetch` says no more than that it failed; the reason is the cause of the cause, or one of several tries. */
function innermost(thrown: unknown): { code: string; message: string } {
  let at = thrown
  while (at instanceof Error && at.cause !== undefined) at = at.cause
  if (at instanceof AggregateError) at = at.errors[0] ?? at
  const { code = '', message = String(at) } = at as { code?: string; message?: string }
  return { code: String(code), message }
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toLocaleString('en-US')} MB`
