import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './schema.ts'

export type { components, paths } from './schema.ts'

type Schemas = components['schemas']
export type Run = Schemas['QueryRun']
export type ResultPage = Schemas['QueryResultPage']
export type Problem = Schemas['Problem']
export type Cell = ResultPage['rows'][number][number]

/** An error of the API. `code` is stable, `detail` says what was wrong, `hint` what to do. */
export class AssayError extends Error {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly hint: string | undefined
  readonly problem: Problem

  constructor(problem: Problem) {
    super([problem.detail, problem.hint].filter(Boolean).join(' '))
    this.name = 'AssayError'
    this.status = problem.status
    this.code = problem.code
    this.detail = problem.detail
    this.hint = problem.hint
    this.problem = problem
  }
}

/** The result was truncated at the row limit: the query returns more rows than are stored. */
export class TruncatedError extends AssayError {
  readonly rowCount: number

  constructor(rowCount: number) {
    super({
      ...problemOf(
        200,
        'client.truncated',
        `The result is truncated. Only its first ${rowCount} rows are stored.`,
      ),
      hint: 'Aggregate or filter in SQL, or read the stored rows with allowTruncated.',
    })
    this.name = 'TruncatedError'
    this.rowCount = rowCount
  }
}

export type AssayOptions = {
  /** Address of the server, `https://assay.example`. */
  readonly url: string
  /** API key. Without it, requests have the limits of visitors. */
  readonly key?: string
  /** How often a request is sent again after 429 and 503; 4 unless given. */
  readonly retries?: number
  readonly fetch?: (request: Request) => Promise<Response>
}

export type RunOptions = {
  readonly parameters?: Readonly<Record<string, string>>
  /** Runs even if a stored result of the same query on the same data exists. */
  readonly isFresh?: boolean
  /** Cancels the run. */
  readonly signal?: AbortSignal
  /** Called with the state of the run while it is queued or running. */
  readonly onState?: (run: Run) => void
}

export type FileFormat = 'csv' | 'json-array' | 'jsonl' | 'xlsx' | 'arrow' | 'parquet' | 'native'

export type ReadOptions = {
  /** Reads the stored rows of a truncated result instead of throwing TruncatedError. */
  readonly allowTruncated?: boolean
}

export type FileOptions = ReadOptions & {
  /** Rows to skip. */
  readonly offset?: number
  /** Maximum number of rows. All by default. */
  readonly limit?: number
}

export type Assay = {
  /** Every operation of the API by its path, with types: `api.GET('/api/v1/metrics')`. */
  readonly api: Client<paths>
  /** Runs a query and waits for its end. Throws AssayError for one that fails or is canceled. */
  run(sql: string, options?: RunOptions): Promise<Run>
  /** Runs a saved query by its id. */
  runSaved(id: string, options?: RunOptions): Promise<Run>
  /** The rows of a stored result, page by page. Throws TruncatedError before the first page of a truncated result. */
  pages(hash: string, options?: ReadOptions & { pageRows?: number }): AsyncGenerator<ResultPage>
  /**
   * A stored result as a file. The body is a stream. The server writes the whole file before it sends the first byte, which
   * takes at most 300 seconds. Throws TruncatedError for a truncated result.
   */
  file(hash: string, format: FileFormat, options?: FileOptions): Promise<Response>
  /** The series of a metric. */
  metric(
    id: string,
    query?: NonNullable<paths['/api/v1/metrics/{id}']['get']['parameters']['query']>,
  ): Promise<Schemas['Series']>
  /** Reads a file and keeps it as a private table, `uploads.name` in SQL. */
  upload(
    name: string,
    file: Blob,
    options: { fileName: string; mode?: 'create' | 'replace' | 'append' },
  ): Promise<Schemas['Upload']>
}

const WAIT_SECONDS = 20
const PAGE_ROWS = 1000
const MAX_WAIT_S = 60
const STATUSES_TO_RETRY = new Set([429, 503])

/** A client of one server. */
export function createAssay({ url, key, retries = 4, fetch: send = fetch }: AssayOptions): Assay {
  const base = url.replace(/\/+$/, '')
  /** Sends again after 429 and 503, when the server says. A body that was sent is sent anew from a copy. */
  const patiently = async (request: Request): Promise<Response> => {
    for (let left = retries; ; left--) {
      const answer = await send(request.clone())
      if (left <= 0 || !STATUSES_TO_RETRY.has(answer.status)) return answer
      await answer.body?.cancel()
      await pause(waitOf(answer.headers.get('retry-after')), request.signal)
    }
  }
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const api = createClient<paths>({ baseUrl: base, headers, fetch: patiently })

  const ended = async (first: Run, { signal, onState }: RunOptions): Promise<Run> => {
    const path = { params: { path: { id: first.id } } }
    const cancel = () => void api.DELETE('/api/v1/queries/runs/{id}', path).catch(() => {})
    signal?.addEventListener('abort', cancel, { once: true })
    let run = first
    try {
      for (let waitS = 0.2; run.endedAt === null; waitS = Math.min(waitS * 1.5, 3)) {
        onState?.(run)
        await pause(waitS, signal)
        run = found(await api.GET('/api/v1/queries/runs/{id}', path))
      }
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
    if (run.problem !== null) throw new AssayError(run.problem)
    if (run.state === 'cancelled')
      throw new AssayError(problemOf(499, 'sql.cancelled', 'The query was canceled.'))
    return run
  }

  return {
    api,
    async run(sql, options = {}) {
      const { parameters = {}, isFresh = false, signal = null } = options
      const body = { sql, parameters, isFresh, waitSeconds: WAIT_SECONDS }
      return ended(found(await api.POST('/api/v1/queries/runs', { body, signal })), options)
    },
    async runSaved(id, options = {}) {
      const { parameters = {}, isFresh = false, signal = null } = options
      const body = { parameters, isFresh, waitSeconds: WAIT_SECONDS }
      const params = { path: { id } }
      return ended(found(await api.POST('/api/v1/queries/{id}/runs', { params, body, signal })), options)
    },
    async *pages(hash, { pageRows = PAGE_ROWS, allowTruncated = false } = {}) {
      for (let offset = 0; ; ) {
        const params = { path: { hash }, query: { offset, limit: pageRows } }
        const page = found(await api.GET('/api/v1/queries/results/{hash}', { params })) as ResultPage
        if (page.result.isTruncated && !allowTruncated) throw new TruncatedError(page.result.rowCount)
        yield page
        offset += page.rows.length
        if (page.rows.length === 0 || offset >= page.matchingRows) return
      }
    },
    async file(hash, format, { allowTruncated = false, offset, limit } = {}) {
      const query = new URLSearchParams({ format })
      if (offset !== undefined) query.set('offset', String(offset))
      if (limit !== undefined) query.set('limit', String(limit))
      const request = new Request(`${base}/api/v1/queries/results/${encodeURIComponent(hash)}?${query}`, {
        headers,
      })
      const answer = await patiently(request)
      if (!answer.ok) throw new AssayError(await problemIn(answer))
      if (answer.headers.get('assay-truncated') === 'true' && !allowTruncated) {
        await answer.body?.cancel()
        throw new TruncatedError(Number(answer.headers.get('assay-rows')))
      }
      return answer
    },
    async metric(id, query = {}) {
      return found(
        await api.GET('/api/v1/metrics/{id}', { params: { path: { id }, query } }),
      ) as Schemas['Series']
    },
    async upload(name, file, { fileName, mode = 'create' }) {
      const address = `${base}/api/v1/uploads/drafts?fileName=${encodeURIComponent(fileName)}`
      const request = new Request(address, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/octet-stream' },
        body: file,
      })
      const answer = await patiently(request)
      if (!answer.ok) throw new AssayError(await problemIn(answer))
      const { id } = (await answer.json()) as Schemas['UploadDraft']
      return found(await api.POST('/api/v1/uploads', { body: { draft: id, name, mode, misfits: 'refuse' } }))
    },
  }
}

/** The answer of an operation. Throws AssayError for any other. */
export function found<Data>(answer: {
  data?: Data
  error?: unknown
  response: Response
}): Exclude<Data, undefined> {
  if (answer.data !== undefined) return answer.data as Exclude<Data, undefined>
  const { error, response } = answer
  throw new AssayError(
    isProblem(error) ? error : problemOf(response.status, 'http.no_reason', 'The server gave no reason.'),
  )
}

async function problemIn(answer: Response): Promise<Problem> {
  const said: unknown = await answer.json().catch(() => undefined)
  return isProblem(said) ? said : problemOf(answer.status, 'http.no_reason', 'The server gave no reason.')
}

/** Seconds to wait as the server asks, within reason. */
function waitOf(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? 1)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), MAX_WAIT_S) : 1
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'code' in value && 'detail' in value

const problemOf = (status: number, code: string, detail: string): Problem => ({
  type: 'about:blank',
  title: detail,
  status,
  detail,
  code,
})

const pause = (seconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, seconds * 1000)
    if (signal?.aborted) end()
    else signal?.addEventListener('abort', end, { once: true })
  })
