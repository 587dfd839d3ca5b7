import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import { AssayError } from '#kernel/errors.ts'

/** One message of an archive, not yet read. */
export type ArchivedMessage = {
  /** Line in the archive, from 1. */
  readonly line: number
  /** UTC milliseconds; null where the archive does not say. */
  readonly receivedAtMs: number | null
  readonly path: string
  readonly json: string
  /** Length of its line, bytes. */
  readonly sizeBytes: number
}

/** An archive that cannot be read on. `code` is `archive.<reason>`; `facts` hold file and line. */
export class ArchiveError extends AssayError {
  constructor(reason: string, message: string, facts: { file: string; line?: number }, cause?: unknown) {
    super(`archive.${reason}`, message, {
      facts,
      cause,
      hint: 'Everything before that line has been taken in. Mend or cut the file and start again.',
    })
  }
}

const TAB = 0x09
const NEWLINE = 0x0a
const READ_BYTES = 1 << 20
/** A block of 2 MB makes about 20 MB of JSON; a longer line would not fit into a text of JavaScript either. */
const MOST_LINE_BYTES = 400 * 2 ** 20

/**
 * Reads an archive of a node's messages, one line each in the order of arrival: running number, time of arrival, path, JSON,
 * tabs between them (`event_observer_requests` of the public API); a line that begins with `{` is a `/new_block` message alone.
 * gzip and zstd are told by their first bytes. Errors: `ArchiveError`.
 */
export async function* readArchive(file: string): AsyncGenerator<ArchivedMessage> {
  let line = 0
  for await (const bytes of linesOf(file)) {
    line += 1
    if (bytes.length === 0) continue
    yield archivedMessage(bytes, file, line)
  }
}

/** Reads one line of an archive. Errors: `ArchiveError` `archive.line`. */
export function archivedMessage(bytes: Buffer, file: string, line: number): ArchivedMessage {
  const sizeBytes = bytes.length
  if (bytes[0] === 0x7b)
    return { line, receivedAtMs: null, path: '/new_block', json: bytes.toString(), sizeBytes }
  const id = bytes.indexOf(TAB)
  const time = id < 0 ? -1 : bytes.indexOf(TAB, id + 1)
  const path = time < 0 ? -1 : bytes.indexOf(TAB, time + 1)
  if (path < 0 || bytes.indexOf(TAB, path + 1) >= 0)
    throw new ArchiveError('line', `${file}, line ${line}: a line has four columns with tabs between them.`, {
      file,
      line,
    })
  return {
    line,
    receivedAtMs: timeOf(bytes.toString('latin1', id + 1, time), file, line),
    path: bytes.toString('latin1', time + 1, path),
    json: bytes.toString('utf8', path + 1),
    sizeBytes,
  }
}

const TIME = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)([+-]\d{2})(?::?(\d{2}))?$/

/** A Postgres timestamp with zone. */
function timeOf(text: string, file: string, line: number): number {
  const parts = TIME.exec(text)
  if (parts !== null) {
    const [, day, clock, hours, minutes = '00'] = parts
    const timeMs = Date.parse(`${day}T${clock}${hours}:${minutes}`)
    if (Number.isFinite(timeMs)) return timeMs
  }
  throw new ArchiveError('line', `${file}, line ${line}, column 2: "${text.slice(0, 40)}" is no time.`, {
    file,
    line,
  })
}

/** Lines without their ends; the last one may lack it. Each is a view of memory that is not used again. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let restBytes = 0
  let line = 1
  try {
    for await (const chunk of await openBytes(file)) {
      const bytes = chunk as Buffer
      let from = 0
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
        const piece = bytes.subarray(from, end)
        yield withoutReturn(restBytes === 0 ? piece : Buffer.concat([...rest, piece]))
        rest = []
        restBytes = 0
        from = end + 1
        line += 1
      }
      if (from < bytes.length) {
        rest.push(bytes.subarray(from))
        restBytes += bytes.length - from
        if (restBytes > MOST_LINE_BYTES)
          throw new ArchiveError('line', `${file}, line ${line} is longer than 400 MB.`, { file, line })
      }
    }
  } catch (thrown) {
    throw readFault(thrown, file, line)
  }
  if (restBytes > 0) yield withoutReturn(Buffer.concat(rest))
}

const withoutReturn = (bytes: Buffer): Buffer =>
  bytes.at(-1) === 0x0d ? bytes.subarray(0, bytes.length - 1) : bytes

async function openBytes(file: string): Promise<Readable> {
  await using handle = await open(file)
  const head = Buffer.alloc(4)
  await handle.read(head, 0, 4, 0)
  const raw = createReadStream(file, { highWaterMark: READ_BYTES })
  const unpack =
    head.readUInt16BE(0) === 0x1f8b
      ? createGunzip({ chunkSize: READ_BYTES })
      : head.readUInt32LE(0) === 0xfd2fb528
        ? createZstdDecompress({ chunkSize: READ_BYTES })
        : undefined
  if (unpack === undefined) return raw
  // Errors reach the reader through `unpack`, which each end destroys with the other.
  pipeline(raw, unpack, () => {})
  return unpack
}

/** Trouble of the system is told by its own words; a packed file that ends early or is damaged by ours. */
function readFault(thrown: unknown, file: string, line: number): unknown {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  if (!(code.startsWith('Z_') || code.startsWith('ZSTD'))) return thrown
  return new ArchiveError(
    'packed',
    `${file} is damaged or ends too early, at line ${line} of its text.`,
    { file, line },
    thrown,
  )
}
