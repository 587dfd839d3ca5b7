import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request as open } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { until } from '#kernel/until.testing.ts'
import { dataEnd, prefixBytes, shapeOf, textAt, textEnd, varint } from '#queries/index.ts'
import { KEYS, type TestPort } from './port.testing.ts'
import { readBlocks } from './readBlocks.ts'

/** One request as a driver sent it, without host and key. */
type Recorded = {
  readonly clients: readonly string[]
  /** The product whose steps the driver took. */
  readonly as: string
  readonly step: string
  readonly key?: 'wrong'
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    /** A body that is no text, in base64. */
    readonly packed?: string
  }
  readonly answer: {
    readonly status: number
    readonly code?: number
    readonly format?: string
    readonly encoding?: string
    readonly rows?: number
    /** For lists that grow with the tables of Assay. */
    readonly minRows?: number
  }
  /** Runs until the next request stops it. */
  readonly isEndless?: true
}
type Answer = { readonly found: Recorded['answer']; readonly differences: string[] }

const MOST_BYTES = 2 ** 24
const RECORDED = readFileSync(new URL('./recorded.cases.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Recorded)

/** The programs whose drivers were recorded. */
export const PROGRAMS = [...new Set(RECORDED.map(({ as }) => as))]

/** Sends the requests of a program in their order. Returns those that are not answered as its driver expects. */
export async function differingAnswers(port: TestPort, program: string): Promise<unknown[]> {
  const differing: unknown[] = []
  let running: { recorded: Recorded; answer: Promise<Answer> } | undefined
  for (const recorded of RECORDED.filter(({ as }) => as === program)) {
    const answer = answerTo(port, recorded)
    if (recorded.isEndless) {
      running = { recorded, answer }
      await until('the query runs', () => isRunning(port))
      continue
    }
    differing.push(...differences(recorded, await answer))
    if (running === undefined) continue
    differing.push(...differences(running.recorded, await running.answer))
    running = undefined
  }
  return differing
}

function differences(recorded: Recorded, { found, differences }: Answer): unknown[] {
  const { rows, minRows, ...answer } = recorded.answer
  const { rows: foundRows, ...others } = found
  const all = [...differences]
  try {
    assert.deepEqual(others, answer)
    if (rows !== undefined) assert.equal(foundRows, rows)
    if (minRows !== undefined) assert.ok((foundRows ?? 0) >= minRows, `${foundRows} rows`)
  } catch (error) {
    all.push((error as Error).message)
  }
  return all.length > 0 ? [{ step: recorded.step, request: recorded.request, all }] : []
}

async function answerTo(port: TestPort, { request, key, isEndless }: Recorded): Promise<Answer> {
  const body = request.packed === undefined ? (request.body ?? '') : Buffer.from(request.packed, 'base64')
  const { status, headers, bytes } = await send(
    port,
    request.path,
    headersOf(request.headers, key),
    body,
    request.method,
  )
  const url = new URL(request.path, 'http://port')
  const differences: string[] = []
  const id = url.searchParams.get('query_id')
  if (
    id !== null &&
    headers['x-clickhouse-query-id'] !== undefined &&
    headers['x-clickhouse-query-id'] !== id
  )
    differences.push(`query id ${String(headers['x-clickhouse-query-id'])}`)
  const code = headers['x-clickhouse-exception-code']
  const format = headers['x-clickhouse-format']
  const encoding = headers['content-encoding']
  const content =
    url.searchParams.get('compress') === '1' ? readBlocks(bytes, MOST_BYTES) : decoded(bytes, encoding)
  const found = {
    status,
    ...(code !== undefined && { code: Number(code) }),
    ...(format !== undefined && { format: String(format) }),
    ...(encoding !== undefined && { encoding }),
  }
  if (code !== undefined) {
    if (!content.toString().startsWith(`Code: ${code}. DB::Exception: `)) differences.push(content.toString())
    return { found, differences }
  }
  if (isEndless || format === undefined) return { found, differences }
  const counted = await countedRows(port, request, content, String(format))
  return { found: { ...found, rows: counted.rows }, differences: [...differences, ...counted.differences] }
}

/** Rows of an answer. Formats without an end of row are compared with the same result in JSON. */
async function countedRows(
  port: TestPort,
  request: Recorded['request'],
  content: Buffer,
  format: string,
): Promise<{ rows: number; differences: string[] }> {
  if (format === 'Native') return { rows: nativeRows(content), differences: [] }
  if (format !== 'RowBinaryWithNamesAndTypes')
    return { rows: content.toString().split('\n').length - 1, differences: [] }
  const url = new URL(request.path, 'http://port')
  for (const name of ['compress', 'decompress', 'query_id', 'enable_http_compression'])
    url.searchParams.delete(name)
  const sql =
    request.packed === undefined
      ? (request.body ?? '')
      : readBlocks(Buffer.from(request.packed, 'base64'), MOST_BYTES).toString()
  const headers = { authorization: request.headers.authorization ?? '', 'x-clickhouse-format': 'JSONCompact' }
  const { bytes } = await send(port, `/${url.search}`, headersOf(headers), sql)
  const { meta, rows } = JSON.parse(bytes.toString()) as {
    meta: { name: string; type: string }[]
    rows: number
  }
  const head = columnsOf(content)
  const named = meta.map(({ name, type }) => `${name} ${type}`)
  return {
    rows,
    differences: head.join() === named.join() ? [] : [`columns ${head.join()} and not ${named.join()}`],
  }
}

/** Names and types of RowBinaryWithNamesAndTypes. */
function columnsOf(bytes: Buffer): string[] {
  const count = varint(bytes, 0)
  let at = count.end
  const next = (): string => {
    const text = textAt(bytes, at)
    at = textEnd(bytes, at)
    return text
  }
  const names = Array.from({ length: count.value }, next)
  return names.map(name => `${name} ${next()}`)
}

/** Rows of Native as clients of protocol version 54454 read it: every byte must belong to a block. */
function nativeRows(bytes: Buffer): number {
  let rows = 0
  let at = 0
  while (at < bytes.length) {
    at += 8
    const columns = varint(bytes, at)
    const inBlock = varint(bytes, columns.end)
    at = inBlock.end
    rows += inBlock.value
    for (let column = 0; column < columns.value; column++) {
      const typeAt = textEnd(bytes, at)
      const shape = shapeOf(textAt(bytes, typeAt))
      at = textEnd(bytes, typeAt) + 1
      if (inBlock.value > 0) at += dataEnd(shape, bytes.subarray(at), prefixBytes(shape), inBlock.value)
    }
  }
  assert.equal(at, bytes.length)
  return rows
}

function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  switch (encoding) {
    case undefined:
      return bytes
    case 'gzip':
      return gunzipSync(bytes)
    case 'deflate':
      return inflateSync(bytes)
    case 'br':
      return brotliDecompressSync(bytes)
    case 'lz4':
      return plainFrame(bytes)
    default:
      throw new Error(`No client asked for ${encoding}.`)
  }
}

/** The content of a frame of LZ4 whose blocks are not compressed. */
function plainFrame(bytes: Buffer): Buffer {
  const blocks: Buffer[] = []
  let at = 7
  for (let size = bytes.readUInt32LE(at); size !== 0; size = bytes.readUInt32LE(at)) {
    const end = at + 4 + size - 2 ** 31
    blocks.push(bytes.subarray(at + 4, end))
    at = end
  }
  assert.equal(at + 4, bytes.length)
  return Buffer.concat(blocks)
}

/** `{user:key}` becomes the credentials of a member. */
function headersOf(recorded: Readonly<Record<string, string>>, key?: 'wrong'): Record<string, string> {
  const password = key === 'wrong' ? 'assay_wrong' : KEYS.member
  return Object.fromEntries(
    Object.entries(recorded).map(([name, value]) => [
      name,
      value
        .replace(/\{(\w+):key\}/, (_, user: string) => Buffer.from(`${user}:${password}`).toString('base64'))
        .replace('{key}', password),
    ]),
  )
}

/** Sent without a client that would add headers of its own. */
function send(
  port: TestPort,
  path: string,
  headers: Record<string, string>,
  body: string | Buffer,
  method = 'POST',
) {
  type Response = { status: number; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }
  return new Promise<Response & { headers: { 'content-encoding'?: string } }>((resolve, reject) => {
    const sent = open(
      `${port.url}${path}`,
      { method, headers },
      response =>
        void buffer(response).then(
          bytes => resolve({ status: response.statusCode ?? 0, headers: response.headers as never, bytes }),
          reject,
        ),
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

async function isRunning(port: TestPort): Promise<boolean> {
  const result = await port.site.warehouse.reader.query({
    query:
      "SELECT count() AS n FROM system.processes WHERE query LIKE '%sipHash64(number) = 1%' AND query NOT LIKE '%system.processes%'",
    format: 'JSONEachRow',
  })
  return (await result.json<{ n: number }>()).some(({ n }) => Number(n) > 0)
}
