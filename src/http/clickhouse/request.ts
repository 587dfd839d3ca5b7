import type { IncomingMessage } from 'node:http'
import { decompressed } from '#warehouse/index.ts'
import { PortFailure, REFUSALS } from './failure.ts'
import { readBlocks } from './readBlocks.ts'
import { takeSettings } from './settingsClause.ts'

/** One request of ClickHouse's HTTP interface. */
export type PortRequest = {
  readonly sql: string
  /** The statement as the client sent it, with its SETTINGS clauses. */
  readonly sentSql: string
  /** Undefined if the client leaves the id to the server. */
  readonly queryId: string | undefined
  /** Where the statement names none. */
  readonly format: string
  readonly settings: ReadonlyMap<string, string>
  /** Values of `{name:Type}`. */
  readonly parameters: Readonly<Record<string, string>>
  /** Results in ClickHouse's own compressed blocks. */
  readonly isBlockCompressed: boolean
  readonly mayCompress: boolean
  /** How results in the format Native are framed; 0 for the plain form. */
  readonly protocolVersion: number
}

/** Longest body after decompression, bytes: a statement may have 100,000 characters, its parameters 60,000 bytes. */
const MAX_BODY_BYTES = 2 ** 20
const MAX_ID_LENGTH = 256

/** Parameters of the HTTP interface that are not settings. */
const TRANSPORT = new Set([
  'client_protocol_version',
  'close_session',
  'compress',
  'database',
  'decompress',
  'default_format',
  'enable_http_compression',
  'password',
  'query',
  'query_id',
  'quota_key',
  'role',
  'session_id',
  'stacktrace',
  'user',
])

/** Reads address, headers and body. Throws PortFailure. */
export async function readRequest(incoming: IncomingMessage, url: URL): Promise<PortRequest> {
  const given = url.searchParams
  checkDatabase(given.get('database'))
  checkDatabase(headerOf(incoming, 'x-clickhouse-database'))
  const sent = await bodyOf(incoming)
  const body = given.get('decompress') === '1' ? readBlocks(sent, MAX_BODY_BYTES) : sent
  const fields = await fieldsOf(incoming, body)
  const all = [...given, ...fields]
  const settings = new Map<string, string>()
  const parameters = new Map<string, string>()
  for (const [name, value] of all) {
    if (name.startsWith('param_')) parameters.set(name.slice('param_'.length), value)
    else if (!TRANSPORT.has(name)) settings.set(name, value)
  }
  const inUrl = given.get('query') ?? fields.find(([name]) => name === 'query')?.[1]
  const inBody = fields.length > 0 ? '' : textOf(body)
  const queryId = given.get('query_id') ?? headerOf(incoming, 'x-clickhouse-query-id')
  if (queryId !== undefined && (queryId.length > MAX_ID_LENGTH || !/^[\x20-\x7e]*$/.test(queryId)))
    throw REFUSALS.badArguments(`A query id has at most ${MAX_ID_LENGTH} printable ASCII characters.`)
  const sentSql = [inUrl, inBody].filter(Boolean).join('\n')
  const { sql, settings: inClauses } = takeSettings(sentSql)
  for (const [name, value] of inClauses) settings.set(name, value)
  return {
    sql,
    sentSql,
    queryId: queryId === '' ? undefined : queryId,
    format: given.get('default_format') ?? headerOf(incoming, 'x-clickhouse-format') ?? 'TabSeparated',
    settings,
    parameters: Object.fromEntries(parameters),
    isBlockCompressed: given.get('compress') === '1',
    mayCompress: given.get('enable_http_compression') === '1',
    protocolVersion: Number(/^\d{1,9}$/.exec(given.get('client_protocol_version') ?? '')?.[0] ?? 0),
  }
}

/** The one value of a header; repeated headers are joined by Node and match nothing. */
export function headerOf(incoming: IncomingMessage, name: string): string | undefined {
  const value = incoming.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function checkDatabase(name: string | null | undefined): void {
  if (name && name !== 'default') throw REFUSALS.unknownDatabase(name.slice(0, 64))
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const body = decompressed(incoming, () =>
    REFUSALS.notImplemented('This Content-Encoding is not supported. Use gzip, deflate, br or zstd.'),
  )
  const chunks: Buffer[] = []
  let size = 0
  try {
    // Counted after decompression: a small body may unpack to any size.
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length
      if (size > MAX_BODY_BYTES)
        throw REFUSALS.tooLarge(`A request body may have ${MAX_BODY_BYTES} bytes after decompression.`)
      chunks.push(chunk as Buffer)
    }
  } catch (cause) {
    if (cause instanceof PortFailure) throw cause
    throw REFUSALS.badArguments('The request body cannot be read.')
  } finally {
    if (body !== incoming) body.destroy()
  }
  return Buffer.concat(chunks)
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw REFUSALS.badArguments('The statement is not UTF-8.')
  }
}

/** Clients send long parameters as fields of a form. Files would be external tables, which are not supported. */
async function fieldsOf(incoming: IncomingMessage, body: Buffer): Promise<(readonly [string, string])[]> {
  const type = headerOf(incoming, 'content-type')
  if (type === undefined || !type.startsWith('multipart/form-data')) return []
  let form: FormData
  try {
    form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
  } catch {
    throw REFUSALS.badArguments('The form in the request body cannot be read.')
  }
  return [...form].map(([name, value]) => {
    if (typeof value === 'string') return [name, value] as const
    throw REFUSALS.notImplemented('External tables are not supported.')
  })
}
