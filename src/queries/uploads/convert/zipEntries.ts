import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { UploadError } from '../uploadError.ts'

/** The parts of a ZIP file that were asked for, unpacked. */
export type ZipReader = Disposable & {
  readonly names: readonly string[]
  /** Undefined where there is no such part. Throws `uploads.too_large` beyond what all parts may unpack to. */
  read(name: string): Buffer | undefined
}

type Part = { readonly method: number; readonly packed: number; readonly size: number; readonly at: number }

const END = 0x06054b50
const CENTRAL = 0x02014b50
const LOCAL = 0x04034b50
const END_BYTES = 22
const MOST_COMMENT = 65_535
const MOST_PARTS = 10_000
const ENCRYPTED = 1

const broken = (cause?: unknown): UploadError =>
  new UploadError('uploads.unreadable', 'The file is not a whole spreadsheet.', {
    hint: 'Open it in a spreadsheet program and save it again as XLSX or CSV.',
    cause,
  })

/**
 * Reads parts of a ZIP file by its directory (APPNOTE 6.3.10, without ZIP64, which no spreadsheet within the limits needs). What the
 * directory claims of sizes is not believed: unpacking stops at the limit.
 */
export function openZip(path: string, mostBytes: number): ZipReader {
  const file = openSync(path, 'r')
  try {
    const parts = directoryOf(file)
    let left = mostBytes
    return {
      names: [...parts.keys()],
      read(name) {
        const part = parts.get(name)
        if (part === undefined) return undefined
        const head = bytesAt(file, part.at, 30)
        if (head.readUInt32LE(0) !== LOCAL || (head.readUInt16LE(6) & ENCRYPTED) !== 0) throw broken()
        const packed = bytesAt(
          file,
          part.at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28),
          part.packed,
        )
        const bytes = unpacked(packed, part.method, left, mostBytes)
        left -= bytes.length
        return bytes
      },
      [Symbol.dispose]: () => closeSync(file),
    }
  } catch (cause) {
    closeSync(file)
    throw cause
  }
}

function unpacked(packed: Buffer, method: number, left: number, mostBytes: number): Buffer {
  if (method === 0 && packed.length <= left) return packed
  if (method !== 0 && method !== 8) throw broken()
  try {
    if (method === 8) return inflateRawSync(packed, { maxOutputLength: Math.max(1, left) })
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE'))
      throw broken(cause)
  }
  throw new UploadError('uploads.too_large', `The file unpacks to more than ${mostBytes / 2 ** 20} MiB.`, {
    hint: 'Upload fewer rows or columns, or save it as CSV.',
  })
}

function directoryOf(file: number): Map<string, Part> {
  const { size } = fstatSync(file)
  const tail = bytesAt(
    file,
    Math.max(0, size - END_BYTES - MOST_COMMENT),
    Math.min(size, END_BYTES + MOST_COMMENT),
  )
  let end = tail.length - END_BYTES
  while (end >= 0 && tail.readUInt32LE(end) !== END) end--
  if (end < 0) throw broken()
  const count = tail.readUInt16LE(end + 10)
  const directory = bytesAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12))
  if (count > MOST_PARTS) throw broken()
  const parts = new Map<string, Part>()
  let at = 0
  for (let i = 0; i < count; i++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== CENTRAL) throw broken()
    const nameLength = directory.readUInt16LE(at + 28)
    const next = at + 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
    parts.set(directory.toString('utf8', at + 46, at + 46 + nameLength), {
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      at: directory.readUInt32LE(at + 42),
    })
    at = next
  }
  return parts
}

function bytesAt(file: number, at: number, length: number): Buffer {
  const { size } = fstatSync(file)
  if (at < 0 || length < 0 || at + length > size) throw broken()
  const bytes = Buffer.alloc(length)
  if (readSync(file, bytes, 0, length, at) !== length) throw broken()
  return bytes
}
