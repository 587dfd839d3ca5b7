import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { decompressed } from './decompressed.ts'
import { FAILURES } from './failure.ts'

/** One request of ClickHouse's HTTP interface, taken apart. */
export type EngineRequest = {
  readonly queryId: string
  readonly sql: string
  /** The rows of an `INSERT … FORMAT …`, decompressed. */
  readonly rows: Readable | undefined
  /** Format of the answer where the statement names none. */
  readonly defaultFormat: string
  readonly settings: ReadonlyMap<string, string>
  /** Values of `{name:Type}`, in the escaped form of the interface. */
  readonly parameters: ReadonlyMap<string, string>
  readonly isWholeAnswer: boolean
  /** Sends the response to a user query while it runs, instead of at the end. */
  readonly isStreamed: boolean
  /** A user query is estimated instead of run. Only our own program sends it: user queries may not estimate themselves. */
  readonly isEstimate: boolean
  /** Databases of uploads that the asker owns. Only our own program sends them. */
  readonly uploads: ReadonlySet<string>
  readonly mayCompress: boolean
  readonly asker: string
}

/** Parameter of a request that asks for an estimate. */
export const ESTIMATE = 'assay_estimate'
/** Parameter that names the databases of the asker's own uploads, with commas. */
export const UPLOADS = 'assay_uploads'

const MAX_SQL_BYTES = 64 * 2 ** 20

// Known to ClickHouse's HTTP layer alone; the engine has no such settings.
const HTTP_ONLY =
  /^(query|query_id|assay_estimate|assay_upload_role|assay_uploads|database|default_format|wait_end_of_query|enable_http_compression|http_\w+|send_progress_in_http_headers|buffer_size|user|password|quota_key|role|close_session)$/

/** Reads parameters and statement; the rows of an insert stay a stream. Throws failures in ClickHouse's words. */
export async function readRequest(incoming: IncomingMessage, url: URL): Promise<EngineRequest> {
  const query = url.searchParams
  refuseUnsupported(query)
  const body = decompressed(incoming, encoding =>
    FAILURES.notImplemented(`Content-Encoding ${encoding} is not known: use gzip, deflate, br or zstd.`),
  )
  const fields = await multipartFields(incoming, body)
  const inUrl = query.get('query') ?? fields?.get('query')
  const isInsertOfRows = inUrl !== null && inUrl !== undefined && insertWithRows(inUrl) !== undefined
  const rest = fields !== undefined || isInsertOfRows ? '' : await statementOf(body)
  const settings = new Map<string, string>()
  const parameters = new Map<string, string>()
  for (const [name, value] of [...query, ...(fields ?? [])]) {
    if (name.startsWith('param_')) parameters.set(name.slice('param_'.length), value)
    else if (!HTTP_ONLY.test(name)) settings.set(name, value)
  }
  const database = query.get('database')
  if (database !== null && database !== 'default')
    throw FAILURES.notImplemented(
      'The embedded engine has one current database, `default`: name the database in the statement.',
    )
  const sql = [inUrl, rest].filter(Boolean).join('\n')
  if (sql.trim() === '') throw FAILURES.badArguments('Empty query.')
  return {
    queryId: query.get('query_id') || crypto.randomUUID(),
    sql,
    rows: isInsertOfRows ? body : undefined,
    defaultFormat: query.get('default_format') ?? headerOf(incoming, 'x-clickhouse-format') ?? 'TabSeparated',
    settings,
    parameters,
    isWholeAnswer: query.get('wait_end_of_query') === '1',
    isStreamed: query.get('wait_end_of_query') === '0',
    isEstimate: query.get(ESTIMATE) === '1',
    uploads: new Set((query.get(UPLOADS) ?? '').split(',').filter(name => /^uploads_\w+$/.test(name))),
    mayCompress: query.get('enable_http_compression') === '1',
    asker: query.get('quota_key') ?? headerOf(incoming, 'x-clickhouse-quota') ?? '',
  }
}

/**
 * Takes `INSERT INTO t (…) [SETTINGS …] FORMAT F` apart, so that rows can be read from a file:
 * what stands before and after the place of `FROM INFILE`. Undefined for any other statement.
 */
export function insertWithRows(sql: string): { head: string; tail: string } | undefined {
  const match = /^(\s*INSERT\s+INTO\s[\s\S]*?)(\s+(?:SETTINGS\s[\s\S]*?)?FORMAT\s+\w+)\s*;?\s*$/i.exec(sql)
  if (match?.[1] === undefined || match[2] === undefined) return undefined
  return /\b(SELECT|VALUES|INFILE)\b/i.test(match[1]) ? undefined : { head: match[1], tail: match[2] }
}

/** Format named at the end of a statement. A wrong guess costs streaming, never the answer. */
export const formatOf = (sql: string): string | undefined =>
  /\bFORMAT\s+([A-Za-z]\w*)\s*(?:SETTINGS\s[\s\S]*)?;?\s*$/i.exec(sql)?.[1]

function refuseUnsupported(query: URLSearchParams): void {
  if (query.has('session_id'))
    throw FAILURES.notImplemented(
      'Sessions are not kept by the embedded engine: each request stands alone. Send settings with the request.',
    )
  if (query.get('compress') === '1' || query.get('decompress') === '1')
    throw FAILURES.notImplemented(
      'The embedded engine does not speak ClickHouse’s own block compression: use gzip, br or zstd of HTTP.',
    )
}

async function statementOf(body: Readable): Promise<string> {
  let size = 0
  body.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_SQL_BYTES)
      body.destroy(FAILURES.badArguments(`The statement is longer than ${MAX_SQL_BYTES} bytes.`))
  })
  return text(body)
}

/** Long parameters come as form fields; each is text. */
async function multipartFields(
  incoming: IncomingMessage,
  body: Readable,
): Promise<Map<string, string> | undefined> {
  const type = headerOf(incoming, 'content-type')
  if (type === undefined || !type.startsWith('multipart/form-data')) return undefined
  const bytes = await buffer(body)
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
  return new Map(
    [...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : [])),
  )
}

function headerOf(incoming: IncomingMessage, name: string): string | undefined {
  const value = incoming.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
