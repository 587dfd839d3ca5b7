import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { z } from 'zod'
import { RESULT_FILES, type ResultFileFormat, type ResultView } from '#queries/index.ts'
import { ApiError, problemOf } from '../apiError.ts'
import { byteRangeOf, holdsIfRange } from '../byteRange.ts'
import type { Body } from '../cache/answerCache.ts'
import type { QueryResult } from '../contract.ts'
import { asFile } from '../format.ts'
import { provenanceLink } from '../provenanceLink.ts'
import { done, type FileStream } from '../route.ts'
import { isHeld } from '../send.ts'
import type { QueriesApi } from './api.ts'
import type { QueryCaller } from './callers.ts'
import type { resultRequest } from './schema.ts'

export type ResultQuery = z.output<typeof resultRequest>

type FileRequest = {
  readonly result: QueryResult
  readonly query: ResultQuery & { readonly format: ResultFileFormat }
  readonly caller: QueryCaller
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly signal: AbortSignal
}

/** Browsers revalidate each time, in case access was revoked. */
export const PRIVATE = { 'cache-control': 'private, no-cache' } as const

/** A result as a file: the stored file if possible, otherwise one written for this request. */
export async function resultFile(api: QueriesApi, request: FileRequest): Promise<Body | FileStream> {
  const { result, query, caller, method, signal } = request
  const isHead = method === 'HEAD'
  const isAsStored =
    query.format === 'native' && Object.keys(query).every(name => name === 'format' || name === 'offset')
  const stored =
    isAsStored && query.offset === 0 ? await api.storedFile(result.hash, caller, signal) : undefined
  if (stored !== undefined) {
    let isRead = false
    try {
      const part = partOf(stored, request)
      if ('status' in part && part.status === 304) return { ...done(part.headers), status: 304 }
      const stream = isHead ? nothing() : await stored.read(part.first, part.last)
      isRead = !isHead
      return { stream, contentType: RESULT_FILES.native.media, status: part.status, headers: part.headers }
    } finally {
      if (!isRead) await stored.close()
    }
  }
  const view = viewOf(query)
  if (isHead) await api.checkFile(result.hash, view, query.format, caller)
  const { stream, bytes } = isHead
    ? { stream: nothing(), bytes: undefined }
    : await api.file(result.hash, view, query.format, caller, signal)
  return {
    stream,
    contentType: RESULT_FILES[query.format].media,
    headers: {
      ...headersOf(result, query),
      ...(bytes !== undefined && { 'content-length': String(bytes) }),
      'accept-ranges': 'none',
      etag: tagOf(result, query),
    },
  }
}

/** Response body for HEAD. */
const nothing = (): Readable => Readable.from([])

type Part = { first: number; last: number; status: 200 | 206 | 304; headers: Record<string, string> }

/** The requested byte range of a stored file. Throws `http.range`. */
function partOf({ bytes, tag }: { bytes: number; tag: string }, request: FileRequest): Part {
  const { result, query, method, headers: asked } = request
  const etag = `"${tag}"`
  const headers = { ...headersOf(result, query), 'accept-ranges': 'bytes', etag }
  const whole = { first: 0, last: bytes - 1 }
  if (isHeld(asked['if-none-match'], etag)) return { ...whole, status: 304, headers: { ...PRIVATE, etag } }
  const isPart = method === 'GET' && holdsIfRange(asked['if-range'] as string | undefined, etag)
  const range = isPart ? byteRangeOf(asked.range, bytes) : 'whole'
  if (range === 'unsatisfiable')
    throw new ApiError(
      problemOf('http.range', `The file has ${bytes} bytes, and the requested range includes none of them.`),
      { facts: { contentRange: `bytes */${bytes}` } },
    )
  if (range === 'whole')
    return { ...whole, status: 200, headers: { ...headers, 'content-length': String(bytes) } }
  return {
    ...range,
    status: 206,
    headers: {
      ...headers,
      'content-range': `bytes ${range.first}-${range.last}/${bytes}`,
      'content-length': String(range.last - range.first + 1),
    },
  }
}

function headersOf(result: QueryResult, query: FileRequest['query']): Record<string, string> {
  const { hash, isTruncated, rowCount } = result
  return {
    ...PRIVATE,
    ...asFile(`assay-${hash.slice(0, 12)}${partName(result, query)}.${RESULT_FILES[query.format].extension}`),
    link: provenanceLink(`/api/v1/queries/results/${hash}/provenance`),
    'assay-truncated': String(isTruncated),
    'assay-rows': String(rowCount),
  }
}

/** Describes the rows in the file name. The number of filtered rows is unknown when the name is sent. */
function partName(
  { isTruncated, rowCount }: QueryResult,
  { offset, limit, filter = [] }: FileRequest['query'],
): string {
  const last = Math.min(offset + (limit ?? rowCount), rowCount)
  const isPart = offset > 0 || last < rowCount
  const rows = isPart ? (offset < last ? `-rows-${offset + 1}-${last}` : '-no-rows') : ''
  const part = filter.length > 0 ? '-filtered' : rows
  return `${part}${isTruncated ? `${part === '' ? '' : '-of'}-first-${rowCount}-rows` : ''}`
}

/** The content depends on the result address, the run that stored it and the query string. */
export const tagOf = ({ hash, createdAt }: QueryResult, query: ResultQuery): string =>
  `W/"${hash.slice(0, 32)}-${createHash('sha256')
    .update(JSON.stringify([createdAt, query]))
    .digest('base64url')
    .slice(0, 16)}"`

/** Sort columns count from 1 in the API, so each can have a minus sign. */
export function viewOf({ sort, filter, columns, offset, limit, format }: ResultQuery): ResultView {
  const position = sort === undefined ? undefined : Number(sort.replace('-', ''))
  const isFile = format !== undefined && format !== 'json'
  return {
    ...(filter && { filters: filter }),
    ...(columns !== undefined && { columns: columns.split(',').map(Number) }),
    ...(position !== undefined && {
      sort: { column: position - 1, isDescending: sort?.startsWith('-') === true },
    }),
    ...(isFile &&
      (offset > 0 || limit !== undefined) && { window: { offset, limit: limit ?? Number.MAX_SAFE_INTEGER } }),
  }
}
