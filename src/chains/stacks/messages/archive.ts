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
const RETURN = 0x0d
const READ_BYTES = 1 << 20
/** A block of 2 MB makes about 20 MB of JSON; a longer line would not fit into a text of JavaScript either. */
const MOST_LINE_BYTES = 400 * 2 ** 20

/** Whole lines of an archive, in memory that threads may share. */
export type ArchivePart = {
  readonly file: string
  /** Its first line, from 1. */
  readonly line: number
  readonly lineCount: number
  readonly bytes: Uint8Array<SharedArrayBuffer>
}

/**
 * Reads an archive of a node's messages, one line each in the order of arrival: running number, time of arrival, path, JSON,
 * tabs between them (`event_observer_requests` of the public API); a line that begins with `{` is a `/new_block` message alone.
 * gzip and zstd are told by their first bytes. Errors: `ArchiveError`.
 */
export async function* readArchive(file: string): AsyncGenerator<ArchivedMessage> {
  for await (const part of readArchiveParts(file, READ_BYTES)) yield* messagesOf(part)
}

/** The messages of a part, each time anew. Errors: `ArchiveError` `archive.line`. */
export const messagesOf = (part: ArchivePart): Iterable<ArchivedMessage> => ({
  [Symbol.iterator]: () => readPart(part),
})

function* readPart({ file, line: first, bytes }: ArchivePart): Generator<ArchivedMessage> {
  const part = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (let from = 0, line = first; from < part.length; line++) {
    const newline = part.indexOf(NEWLINE, from)
    const end = newline < 0 ? part.length : newline
    const isBlank = end === from || (end === from + 1 && part[from] === RETURN)
    if (!isBlank)
      yield archivedMessage(part.subarray(from, part[end - 1] === RETURN ? end - 1 : end), file, line)
    from = end + 1
  }
}

function archivedMessage(bytes: Buffer, file: string, line: number): ArchivedMessage {
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

/**
 * Reads an archive in parts of about so many bytes, from a line on. What is whole before a damage comes before its error.
 * Errors: `ArchiveError`.
 */
export async function* readArchiveParts(
  file: string,
  partBytes: number,
  fromLine = 1,
): AsyncGenerator<ArchivePart> {
  const lines = openLines(file, fromLine)
  let damage: unknown
  try {
    for await (const chunk of await openBytes(file)) {
      // A chunk of the file may hold many parts.
      for (let at = 0; at < chunk.length; at += partBytes) {
        lines.add((chunk as Buffer).subarray(at, at + partBytes))
        if (lines.wholeBytes >= partBytes) yield lines.take()
      }
    }
    lines.end()
  } catch (thrown) {
    damage = readFault(thrown, file, lines.line)
  }
  if (lines.wholeBytes > 0) yield lines.take()
  if (damage !== undefined) throw damage
}

/** Collects chunks and gives away whole lines; those before `fromLine` are counted and let go. */
function openLines(file: string, fromLine: number) {
  let chunks: Buffer[] = []
  let wholeBytes = 0
  let restBytes = 0
  let first = fromLine
  let wholeLines = 0
  let skipped = 1

  /** Bytes of the lines before `fromLine` that a chunk holds. */
  function skip(chunk: Buffer): number {
    let from = 0
    while (skipped < fromLine) {
      const end = chunk.indexOf(NEWLINE, from)
      if (end < 0) return chunk.length
      skipped += 1
      from = end + 1
    }
    return from
  }

  return {
    /** The line that is being read. */
    get line() {
      return skipped < fromLine ? skipped : first + wholeLines
    },
    get wholeBytes() {
      return wholeBytes
    },
    add(chunk: Buffer) {
      const wanted = chunk.subarray(skip(chunk))
      if (wanted.length === 0) return
      chunks.push(wanted)
      const last = wanted.lastIndexOf(NEWLINE)
      if (last < 0) restBytes += wanted.length
      else {
        wholeBytes += restBytes + last + 1
        restBytes = wanted.length - last - 1
        for (let at = wanted.indexOf(NEWLINE); at >= 0; at = wanted.indexOf(NEWLINE, at + 1)) wholeLines += 1
      }
      if (restBytes <= MOST_LINE_BYTES) return
      const line = first + wholeLines
      throw new ArchiveError('line', `${file}, line ${line} is longer than 400 MB.`, { file, line })
    },
    /** The last line may lack its end. */
    end() {
      if (restBytes > 0) wholeLines += 1
      wholeBytes += restBytes
      restBytes = 0
    },
    take(): ArchivePart {
      const bytes = new Uint8Array(new SharedArrayBuffer(wholeBytes))
      let at = 0
      let rest: Buffer | undefined
      for (const chunk of chunks) {
        const here = chunk.subarray(0, wholeBytes - at)
        bytes.set(here, at)
        at += here.length
        if (here.length < chunk.length) rest = chunk.subarray(here.length)
      }
      const part = { file, line: first, lineCount: wholeLines, bytes }
      chunks = rest === undefined ? [] : [rest]
      first += wholeLines
      wholeBytes = 0
      wholeLines = 0
      return part
    },
  }
}

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
