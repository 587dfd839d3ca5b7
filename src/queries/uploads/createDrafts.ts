import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FileReader } from '#warehouse/index.ts'
import { type ColumnChoice, type Inferred, isUploadType, type TextFormat } from './columnTypes.ts'
import { columnNames } from './convert/columnNames.ts'
import { convertFile, diskFull } from './convert/convertFile.ts'
import { fileKind } from './convert/fileKind.ts'
import { readParquet } from './readParquet.ts'
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

/** Files that were read but not kept. They belong to one server process and last an hour. */
export type Drafts = {
  /** Throws UploadError with row and column of what cannot be read. */
  add(owner: string, file: UploadFile, signal: AbortSignal): Promise<Draft>
  /** The draft with other names and types. Throws `uploads.unknown_draft`, `uploads.column`. */
  change(owner: string, id: string, columns: readonly ColumnChange[], signal: AbortSignal): Promise<Draft>
  get(owner: string, id: string): Draft
  open(owner: string, id: string): OpenDraft
  remove(owner: string, id: string): Promise<void>
  readonly cells: CellReader
}

const KEPT_MS = 3_600_000
/** Drafts of one owner, and of all. */
const MOST_DRAFTS = 3
const MOST_IN_ALL = 50
const SAMPLE_ROWS = 20

type Entry = OpenDraft & { readonly owner: string; readonly folder: string; readonly at: number }

export async function createDrafts(reader: FileReader, limits: UploadLimits): Promise<Drafts> {
  const root = join(reader.folder, 'uploads')
  // Of a process that ended.
  await rm(root, { recursive: true, force: true })
  await mkdir(root, { recursive: true })
  const entries = new Map<string, Entry>()
  const adding = new Map<string, number>()
  const cells = createCellReader(reader)

  const drop = async (entry: Entry): Promise<void> => {
    entries.delete(entry.draft.id)
    await rm(entry.folder, { recursive: true, force: true })
  }
  const entryOf = (owner: string, id: string): Entry => {
    const entry = entries.get(id)
    if (entry !== undefined && entry.owner === owner && entry.at > Date.now() - KEPT_MS) return entry
    throw new UploadError('uploads.unknown_draft', 'The file is not here anymore.', {
      hint: 'Files that are not kept as an upload are removed after an hour. Upload it again.',
    })
  }
  /** Takes a place for one more, before anything else can. Expired drafts go, and the oldest of the owner. */
  async function takePlace(owner: string): Promise<void> {
    for (const entry of entries.values()) if (entry.at <= Date.now() - KEPT_MS) await drop(entry)
    const own = [...entries.values()].filter(entry => entry.owner === owner)
    for (const entry of own.slice(0, Math.max(0, own.length + 1 - MOST_DRAFTS))) await drop(entry)
    // Nothing waits between this check and the count: files that come at once would all pass it.
    const running = [...adding.values()].reduce((sum, count) => sum + count, 0)
    if ((adding.get(owner) ?? 0) >= 2 || entries.size + running >= MOST_IN_ALL)
      throw new UploadError('uploads.busy', 'Too many files are being uploaded.', {
        hint: 'Try again in a minute.',
      })
    adding.set(owner, (adding.get(owner) ?? 0) + 1)
  }

  async function read(folder: string, id: string, file: UploadFile, signal: AbortSignal): Promise<OpenDraft> {
    const { fileName, hasHeader, body } = file
    const raw = join(folder, 'file')
    const bytes = await receive(body, raw, limits, signal)
    const source = { path: join(folder, 'cells.tsv'), width: 0 }
    const kind = await fileKind(raw, fileName)
    const paths = { from: raw, to: source.path }
    const parquet = kind === 'parquet' ? await readParquet(reader, paths, limits, signal) : undefined
    const { headers, rowCount } =
      parquet ??
      (await convertFile(
        { ...paths, kind: kind as Exclude<typeof kind, 'parquet'>, hasHeader, limits },
        signal,
      ))
    await rm(raw, { force: true })
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
      try {
        await mkdir(folder)
        const opened = await read(folder, id, file, signal)
        entries.set(id, { ...opened, owner, folder, at: Date.now() })
        return opened.draft
      } catch (cause) {
        await rm(folder, { recursive: true, force: true })
        throw isFull(cause) ? diskFull(cause) : cause
      } finally {
        const left = (adding.get(owner) ?? 1) - 1
        if (left > 0) adding.set(owner, left)
        else adding.delete(owner)
      }
    },
    async change(owner, id, changes, signal) {
      const entry = entryOf(owner, id)
      const { draft, source } = entry
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
      const changed = { ...entry, draft: { ...draft, columns } }
      entries.set(id, changed)
      return changed.draft
    },
    get: (owner, id) => entryOf(owner, id).draft,
    open: (owner, id) => entryOf(owner, id),
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
  path: string,
  { fileBytes }: UploadLimits,
  signal: AbortSignal,
): Promise<number> {
  const file = await open(path, 'wx')
  let bytes = 0
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      signal.throwIfAborted()
      bytes += chunk.length
      if (bytes > fileBytes) throw tooLarge(fileBytes)
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
