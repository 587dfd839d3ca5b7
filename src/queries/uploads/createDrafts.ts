import { randomUUID } from 'node:crypto'
import { mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FileReader } from '#warehouse/index.ts'
import { type ColumnChoice, type Inferred, isUploadType, type TextFormat } from './columnTypes.ts'
import type { Converted } from './convert/cellWriter.ts'
import { columnNames } from './convert/columnNames.ts'
import { convertFile, diskFull } from './convert/convertFile.ts'
import { fileKind } from './convert/fileKind.ts'
import { type ReadParquet, readParquet } from './readParquet.ts'
import {
  type CellReader,
  type CellSource,
  createCellReader,
  type Looked,
  type Misfits,
} from './readUploads.ts'
import { cellWords, UploadError } from './uploadError.ts'
import type { UploadLimits } from './uploadLimits.ts'

/** A column of a file that was read but not kept yet. */
export type DraftColumn = {
  readonly name: string
  /** The header in the file. */
  readonly header: string
  readonly type: string
  readonly format: TextFormat
  readonly nulls: number
  /** Values that may be meant otherwise, or do not fit the type; null for none. */
  readonly doubt: {
    readonly reason: string
    readonly count: number
    readonly rows: readonly { readonly row: number; readonly value: string }[]
  } | null
}

export type Draft = {
  readonly id: string
  readonly fileName: string
  readonly bytes: number
  readonly rowCount: number
  readonly columns: readonly DraftColumn[]
  /** The first rows, as texts. */
  readonly sample: readonly (readonly (string | null)[])[]
}

export type ColumnChange = {
  readonly name?: string | undefined
  readonly type: string
  readonly format: TextFormat
}

export type UploadFile = {
  readonly fileName: string
  readonly hasHeader: boolean
  readonly body: Readable
  /** What the sender says of its size. */
  readonly announcedBytes?: number
}

/** A draft and where its cells are. */
export type OpenDraft = { readonly draft: Draft; readonly source: CellSource }

/** A draft that cannot be removed to free disk space until it is disposed. */
export type HeldDraft = OpenDraft & Disposable

/** Files that were read but not kept. They belong to one server process and last an hour. */
export type Drafts = {
  /** Throws UploadError with row and column of what cannot be read. */
  add(owner: string, file: UploadFile, signal: AbortSignal): Promise<Draft>
  /** The draft with other names and types. Throws `uploads.unknown_draft`, `uploads.column`. */
  change(owner: string, id: string, columns: readonly ColumnChange[], signal: AbortSignal): Promise<Draft>
  get(owner: string, id: string): Draft
  open(owner: string, id: string): HeldDraft
  remove(owner: string, id: string): Promise<void>
  readonly cells: CellReader
}

const KEPT_MS = 3_600_000
/** Drafts of one owner, and of all. */
const MOST_DRAFTS = 3
const MOST_IN_ALL = 50
const SAMPLE_ROWS = 20
/** Disk space for all drafts of a server, including files still being read. */
export const DRAFT_BYTES = 4 * 2 ** 30
/** How often the size of a file being written is checked. */
const LOOK_MS = 200

type Entry = {
  draft: Draft
  readonly source: CellSource
  readonly owner: string
  readonly folder: string
  readonly at: number
  readonly bytes: number
  usedAt: number
  /** Number of requests that are reading it. */
  readers: number
}

/** A file being read and its disk usage. */
type Reading = { readonly owner: string; bytes: number }

export async function createDrafts(
  reader: FileReader,
  limits: UploadLimits,
  draftBytes = DRAFT_BYTES,
): Promise<Drafts> {
  const root = join(reader.folder, 'uploads')
  // Of a process that ended.
  await rm(root, { recursive: true, force: true })
  await mkdir(root, { recursive: true })
  const entries = new Map<string, Entry>()
  const adding = new Map<string, number>()
  const readings = new Set<Reading>()
  /** Counter instead of a time, because two uses can fall in the same millisecond. */
  let uses = 0
  const cells = createCellReader(reader)

  const drop = async (entry: Entry): Promise<void> => {
    entries.delete(entry.draft.id)
    await rm(entry.folder, { recursive: true, force: true })
  }
  const entryOf = (owner: string, id: string): Entry => {
    const entry = entries.get(id)
    if (entry !== undefined && entry.owner === owner && entry.at > Date.now() - KEPT_MS) {
      entry.usedAt = ++uses
      return entry
    }
    throw new UploadError('uploads.unknown_draft', 'The file is not here anymore.', {
      hint: 'Upload it again. Files not saved as a table are removed after an hour, or earlier if disk space runs out.',
    })
  }
  const hold = (entry: Entry): HeldDraft => {
    entry.readers++
    return {
      draft: entry.draft,
      source: entry.source,
      [Symbol.dispose]() {
        entry.readers--
      },
    }
  }
  const usedBytes = (): number =>
    [...entries.values(), ...readings].reduce((sum, { bytes }) => sum + bytes, 0)

  /** Throws `uploads.drafts_full` if this many bytes cannot fit, before any draft is removed for them. */
  function requireRoom(bytes: number): void {
    const inUse = [...entries.values()].filter(({ readers }) => readers > 0)
    const taken = [...inUse, ...readings].reduce((sum, each) => sum + each.bytes, bytes)
    if (taken > draftBytes) throw noRoom()
  }

  /** Updates the disk usage of a file. Removes unused drafts if necessary: first those of the same owner, then the least recently used. */
  async function grow(reading: Reading, bytes: number): Promise<void> {
    reading.bytes = Math.max(reading.bytes, bytes)
    requireRoom(0)
    if (usedBytes() <= draftBytes) return
    const isOwn = ({ owner }: Entry) => Number(owner === reading.owner)
    const unused = [...entries.values()]
      .filter(({ readers }) => readers === 0)
      .sort((a, b) => isOwn(b) - isOwn(a) || a.usedAt - b.usedAt)
    // Another request may open a draft while an earlier one is being removed.
    for (const entry of unused) if (entry.readers === 0 && usedBytes() > draftBytes) await drop(entry)
    if (usedBytes() > draftBytes) throw noRoom()
  }

  /** Runs a file reader that writes to `path`, and stops it if the disk for drafts is used up. */
  async function growing<T>(
    reading: Reading,
    { path, signal }: { path: string; signal: AbortSignal },
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const full = new AbortController()
    const rawBytes = reading.bytes
    let isOver = false
    const look = async () => {
      const size = await stat(path).then(
        ({ size }) => size,
        () => 0,
      )
      // A late check would count the removed file again.
      if (!isOver) await grow(reading, rawBytes + size)
    }
    const timer = setInterval(() => {
      look().catch(cause => full.abort(cause))
    }, LOOK_MS).unref()
    try {
      const result = await read(AbortSignal.any([signal, full.signal]))
      await look()
      return result
    } catch (cause) {
      throw full.signal.aborted ? full.signal.reason : cause
    } finally {
      isOver = true
      clearInterval(timer)
    }
  }
  /** Takes a place for one more, before anything else can. Expired drafts go, and the oldest of the owner. */
  async function takePlace(owner: string): Promise<void> {
    for (const entry of entries.values()) if (entry.at <= Date.now() - KEPT_MS) await drop(entry)
    const own = [...entries.values()].filter(entry => entry.owner === owner && entry.readers === 0)
    for (const entry of own.slice(0, Math.max(0, own.length + 1 - MOST_DRAFTS))) await drop(entry)
    // Nothing waits between this check and the count: files that come at once would all pass it.
    const running = [...adding.values()].reduce((sum, count) => sum + count, 0)
    if ((adding.get(owner) ?? 0) >= 2 || entries.size + running >= MOST_IN_ALL)
      throw new UploadError('uploads.busy', 'Too many files are being uploaded.', {
        hint: 'Try again in a minute.',
      })
    adding.set(owner, (adding.get(owner) ?? 0) + 1)
  }

  async function read(
    { folder, id, reading }: { folder: string; id: string; reading: Reading },
    file: UploadFile,
    signal: AbortSignal,
  ): Promise<OpenDraft> {
    const { fileName, hasHeader, body, announcedBytes = 0 } = file
    const raw = join(folder, 'file')
    // A declared size alone must not remove other drafts.
    requireRoom(announcedBytes)
    const bytes = await receive(body, { path: raw, limits, onBytes: count => grow(reading, count) }, signal)
    const source = { path: join(folder, 'cells.tsv'), width: 0 }
    const kind = await fileKind(raw, fileName)
    const paths = { from: raw, to: source.path }
    const { parquet, headers, rowCount } = await growing(
      reading,
      { path: source.path, signal },
      async (ended): Promise<Converted & { parquet?: ReadParquet }> => {
        if (kind !== 'parquet') return convertFile({ ...paths, kind, hasHeader, limits }, ended)
        const parquet = await readParquet(reader, paths, limits, ended)
        return { ...parquet, parquet }
      },
    )
    await rm(raw, { force: true })
    reading.bytes = (await stat(source.path)).size
    const wide = { ...source, width: headers.length }
    const [inferred, sample, nulls] = [
      // A Parquet file says itself what its columns are.
      parquet?.choices.map(declared) ?? (await cells.infer(wide, signal)),
      await cells.sample(wide, SAMPLE_ROWS, signal),
      await cells.nulls(wide, signal),
    ]
    const looked = inferred.map(
      ({ choice, doubt }): Looked =>
        doubt === undefined ? choice : { ...doubt.almost, isAll: doubt.isAmbiguous === true },
    )
    const misfits = inferred.some(({ doubt }) => doubt !== undefined)
      ? await cells.misfits(wide, looked, signal)
      : []
    const names = columnNames(headers)
    const columns = inferred.map(({ choice, doubt }, at): DraftColumn => {
      const { count, rows } = misfits[at] ?? NONE
      return {
        name: names[at] ?? `column_${at + 1}`,
        header: headers[at] ?? '',
        ...choice,
        nulls: nulls[at] ?? 0,
        doubt: doubt === undefined || count === 0 ? null : { reason: doubt.reason, count, rows },
      }
    })
    return { draft: { id, fileName, bytes, rowCount, columns, sample }, source: wide }
  }

  return {
    cells,
    async add(owner, file, signal) {
      if ((file.announcedBytes ?? 0) > limits.fileBytes) throw tooLarge(limits.fileBytes)
      await takePlace(owner)
      const id = randomUUID()
      const folder = join(root, id)
      const reading: Reading = { owner, bytes: 0 }
      readings.add(reading)
      try {
        await mkdir(folder)
        const opened = await read({ folder, id, reading }, file, signal)
        entries.set(id, {
          ...opened,
          owner,
          folder,
          at: Date.now(),
          usedAt: ++uses,
          readers: 0,
          bytes: reading.bytes,
        })
        return opened.draft
      } catch (cause) {
        await rm(folder, { recursive: true, force: true })
        throw isFull(cause) ? diskFull(cause) : cause
      } finally {
        readings.delete(reading)
        const left = (adding.get(owner) ?? 1) - 1
        if (left > 0) adding.set(owner, left)
        else adding.delete(owner)
      }
    },
    async change(owner, id, changes, signal) {
      const entry = entryOf(owner, id)
      using held = hold(entry)
      const { draft, source } = held
      const choices = checked(draft, changes)
      const misfits = await cells.misfits(source, choices, signal)
      const columns = draft.columns.map((column, at): DraftColumn => {
        const choice = choices[at] as ColumnChoice & { name: string }
        const { count, rows } = misfits[at] ?? NONE
        const isSame = choice.type === column.type && choice.format === column.format
        return {
          ...column,
          ...choice,
          doubt:
            count > 0
              ? { reason: `These values are not of type ${choice.type}.`, count, rows }
              : isSame
                ? column.doubt
                : null,
        }
      })
      entry.draft = { ...draft, columns }
      return entry.draft
    },
    get: (owner, id) => entryOf(owner, id).draft,
    open: (owner, id) => hold(entryOf(owner, id)),
    remove: async (owner, id) => drop(entryOf(owner, id)),
  }
}

/** A column whose type the file declares. Values that do not fit are doubtful. */
const declared = (choice: ColumnChoice): Inferred => ({
  choice,
  values: 0,
  doubt: { almost: choice, reason: `These values are not of type ${choice.type}.` },
})

const NONE: Misfits = { count: 0, rows: [] }

/** Names and types for all columns of a draft. Throws `uploads.column`. */
function checked(draft: Draft, changes: readonly ColumnChange[]): (ColumnChoice & { name: string })[] {
  const fault = (message: string) =>
    new UploadError('uploads.column', message, { hint: 'The draft lists the columns of the file.' })
  if (changes.length !== draft.columns.length)
    throw fault(`The file has ${draft.columns.length} columns, and the request ${changes.length}.`)
  const taken = new Set<string>()
  return draft.columns.map((column, at) => {
    const { name = column.name, type, format } = changes[at] as ColumnChange
    if (!isUploadType(type)) throw fault(`${type.slice(0, 100)} is not a type of a column.`)
    const [plain] = columnNames([name])
    if (plain !== name)
      throw fault(`A column cannot be named ${name.slice(0, 100)}. Use letters, digits and underscores.`)
    if (taken.has(name.toLowerCase())) throw fault(`Two columns are named ${name}.`)
    taken.add(name.toLowerCase())
    return { name, type, format }
  })
}

/** Writes the body to a file. What is refused stays unread, so that the answer still reaches the sender. */
async function receive(
  body: Readable,
  {
    path,
    limits: { fileBytes },
    onBytes,
  }: { path: string; limits: UploadLimits; onBytes: (bytes: number) => Promise<void> },
  signal: AbortSignal,
): Promise<number> {
  const file = await open(path, 'wx')
  let bytes = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      bytes += chunk.length
      if (bytes > fileBytes) throw tooLarge(fileBytes)
      await onBytes(bytes)
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
  if (bytes > 0) return bytes
  throw new UploadError('uploads.empty', 'The file is empty.')
}

export const tooLarge = (fileBytes: number): UploadError =>
  new UploadError('uploads.too_large', `The file is larger than ${fileBytes / 2 ** 20} MiB.`, {
    hint: 'Upload fewer rows or columns, or split the file and append the parts.',
  })

const noRoom = (): UploadError =>
  new UploadError('uploads.drafts_full', 'Other uploads are using all the disk space for uploaded files.', {
    hint: 'Upload a smaller file, or try again in a few minutes.',
  })

const isFull = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT')

/** The first value that does not fit the type of its column, as an error. */
export function misfitError({ columns }: Draft): UploadError | undefined {
  for (const { name, type, doubt } of columns) {
    const [first] = doubt?.rows ?? []
    if (first !== undefined)
      return new UploadError(
        'uploads.value',
        `${cellWords(first.row, name)}: “${first.value}” is not of type ${type}.`,
        {
          hint: 'Choose another type for the column, or keep the upload with such values left empty.',
          facts: { row: first.row, column: name },
        },
      )
  }
  return undefined
}
