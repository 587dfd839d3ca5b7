import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib'
import type { ResultHeaders } from '#queries/index.ts'
import { compressedBlocks } from './compressedBlocks.ts'
import { lz4Frame } from './lz4Frame.ts'
import { framed } from './nativeFrames.ts'
import type { PortRequest } from './request.ts'

const ENCODERS = {
  zstd: () => createZstdCompress(),
  br: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }),
  gzip: () => createGzip({ level: 3 }),
  deflate: () => createDeflate({ level: 3 }),
  lz4: lz4Frame,
} as const
type Encoding = keyof typeof ENCODERS

/** Rows and bytes that a query has read, where the result ends with them. */
export type ReportedReads = { readonly readRows?: number; readonly readBytes?: number }

/**
 * Writes a result as it comes from the engine, at the pace of the reader. Calls `onRead` before the end reaches the client.
 * Returns what the engine reports as read within the result.
 */
export async function sendResult(
  { incoming, response }: { incoming: IncomingMessage; response: ServerResponse },
  request: PortRequest,
  format: string,
  {
    stream,
    headers,
    ended,
    onRead,
  }: { stream: Readable; headers: ResultHeaders; ended: AbortSignal; onRead: () => void },
): Promise<ReportedReads> {
  const encoding = request.mayCompress && !request.isBlockCompressed ? acceptedEncoding(incoming) : undefined
  const body = await bodyOf(stream, request, format)
  body.once('end', onRead)
  const summary = headers['x-clickhouse-summary']
  response.writeHead(200, {
    'Content-Type': request.isBlockCompressed
      ? 'application/octet-stream'
      : String(headers['content-type'] ?? 'text/plain; charset=UTF-8'),
    'X-ClickHouse-Format': format,
    ...(summary !== undefined && { 'X-ClickHouse-Summary': summary }),
    // Progress without the rows that were read would say nothing.
    ...(hasReads(summary) &&
      request.settings.get('send_progress_in_http_headers') === '1' && { 'X-ClickHouse-Progress': summary }),
    ...(encoding !== undefined && { 'Content-Encoding': encoding }),
  })
  const end = keepEnd()
  await pipeline(
    [
      body,
      ...(WITH_STATISTICS.test(format) ? [end.stream] : []),
      ...(request.isBlockCompressed ? [compressedBlocks()] : []),
      ...(encoding === undefined ? [] : [ENCODERS[encoding]()]),
      response,
    ],
    { signal: ended },
  )
  return readsAtEnd(end.text())
}

/** Formats that end with statistics, unless `output_format_write_statistics` turns them off. */
const WITH_STATISTICS = /^(?:JSON(?:Strings|Compact|CompactStrings|ColumnsWithMetadata)?|XML)$/
/** Longer than what follows the rows. */
const END_BYTES = 512

/** Passes bytes on and keeps the last of them. */
function keepEnd(): { readonly stream: Transform; text(): string } {
  let end: Buffer = Buffer.alloc(0)
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      end = Buffer.concat([end, chunk.subarray(-END_BYTES)]).subarray(-END_BYTES)
      done(null, chunk)
    },
  })
  return { stream, text: () => end.toString('latin1') }
}

/** Only the very end counts: text within rows may look the same. */
function readsAtEnd(text: string): ReportedReads {
  const found =
    /"rows_read": (\d+),\s*"bytes_read": (\d+)\s*\}\s*\}\s*$/.exec(text) ??
    /<rows_read>(\d+)<\/rows_read>\s*<bytes_read>(\d+)<\/bytes_read>\s*<\/statistics>\s*<\/result>\s*$/.exec(
      text,
    )
  return found === null ? {} : { readRows: Number(found[1]), readBytes: Number(found[2]) }
}

/** Whether a summary counts the rows that were read, which the embedded engine does not. */
const hasReads = (summary: string | string[] | undefined): summary is string =>
  typeof summary === 'string' && summary.includes('"read_rows"')

/** The first of our encodings that the client accepts. */
export function acceptedEncoding({ headers }: IncomingMessage): Encoding | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
    .split(',')
    .filter(part => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map(part => part.split(';')[0]?.trim().toLowerCase())
  return (Object.keys(ENCODERS) as Encoding[]).find(name => accepted.includes(name))
}

/** The result in the framing of the client. What cannot be framed is known before anything is sent. */
async function bodyOf(stream: Readable, { protocolVersion }: PortRequest, format: string): Promise<Readable> {
  if (format !== 'Native' || protocolVersion === 0) return stream
  const blocks = framed(stream, protocolVersion)
  const first = await blocks.next()
  return Readable.from(
    (async function* () {
      if (first.done) return
      yield first.value
      yield* blocks
    })(),
  )
}
