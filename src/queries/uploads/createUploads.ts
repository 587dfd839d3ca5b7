import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { AssayError, sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import type { Store } from '#store/index.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { quotedName } from '../results/resultSql.ts'
import type { UploadTable } from './bindUploads.ts'
import { engineTypeOf } from './columnTypes.ts'
import { diskFull } from './convert/convertFile.ts'
import { type Draft, type Drafts, misfitError } from './createDrafts.ts'
import { UploadError } from './uploadError.ts'
import { UPLOAD_LIMITS, type UploadLimits } from './uploadLimits.ts'

export type UploadColumn = { readonly name: string; readonly type: string }

/** A private table of one owner. In SQL it is `uploads.name`. */
export type Upload = {
  readonly name: string
  readonly fileName: string
  readonly columns: readonly UploadColumn[]
  readonly rowCount: number
  /** Size of the files that it was made of. */
  readonly bytes: number
  readonly createdAt: Date
  readonly changedAt: Date
}

export type KeepMode = 'create' | 'replace' | 'append'

export type Keep = {
  readonly draft: string
  readonly name: string
  readonly mode: KeepMode
  /** What becomes of values that do not fit their type. */
  readonly misfits: 'refuse' | 'empty'
}

/** Private tables made of files. An owner is a `personKey`. Throws UploadError. */
export type Uploads = {
  readonly limits: UploadLimits
  list(owner: string): Promise<Upload[]>
  /** Makes a table of a draft: whole or not at all. */
  keep(owner: string, keep: Keep, signal: AbortSignal): Promise<Upload>
  remove(owner: string, name: string): Promise<void>
  /** On a ClickHouse server: checks its access control, and sets it for the uploads of earlier releases and restored servers. */
  protect(): Promise<void>
  /** Drops what a process that ended left behind. */
  sweep(): Promise<void>
}

type Row = {
  name: string
  database: string
  file_name: string
  columns: UploadColumn[]
  row_count: string
  bytes: string
  created_at: Date
  changed_at: Date
}

/** What may be named `uploads.name`. */
export const UPLOAD_NAME = /^[a-z][a-z0-9_]{0,62}$/

/** A database that is written for so long belongs to a process that ended. */
const LEFT_MS = 3_600_000

export type UploadsDeps = {
  readonly warehouse: Pick<Warehouse, 'writer' | 'uploadAccess'>
  readonly store: Pick<Store, 'query'>
  readonly drafts: Drafts
  readonly limits?: UploadLimits
  readonly log: Log
  readonly now?: () => number
}

/** What the store says of uploads, for who needs no engine. */
export const uploadTables = ({ query }: Pick<Store, 'query'>) => ({
  /** Where the uploads of an owner are. */
  tablesOf: (owner: string): Promise<UploadTable[]> =>
    query<UploadTable>('SELECT name, database FROM assay.uploads WHERE owner = $1', [owner]),
  /** For the export of everything that is a person's. */
  export: (owner: string): Promise<unknown> =>
    query(
      'SELECT name, file_name, columns, row_count, bytes, created_at, changed_at FROM assay.uploads WHERE owner = $1 ORDER BY name',
      [owner],
    ),
  /** Nobody can query them from now on; the next sweep drops their tables. */
  async deleteAll(owner: string): Promise<void> {
    await query(
      `WITH gone AS (DELETE FROM assay.uploads WHERE owner = $1 RETURNING database)
INSERT INTO assay.upload_leftovers (database, since) SELECT database, to_timestamp(0) FROM gone`,
      [owner],
    )
  },
})

/**
 * Each version of an upload is a table in a database of its own, whose name cannot be guessed. The row in the store says which
 * database is the upload: a change writes a new one and moves the row, so that readers see the old or the new rows, and a stored
 * result of the old ones is not taken for one of the new.
 */
export function createUploads({
  warehouse,
  store,
  drafts,
  limits = UPLOAD_LIMITS,
  log,
  now = Date.now,
}: UploadsDeps): Uploads {
  const { writer, uploadAccess } = warehouse
  const query: Store['query'] = (text, values) => store.query(text, values)
  const command = (sql: string) => writer.command({ query: sql })
  const find = async (owner: string, name: string): Promise<Row | undefined> =>
    (await query<Row>('SELECT * FROM assay.uploads WHERE owner = $1 AND name = $2', [owner, name]))[0]

  /** Drops a database and forgets it. What fails is tried again by `sweep`. */
  async function drop(database: string): Promise<void> {
    try {
      await command(`DROP DATABASE IF EXISTS ${database}`)
      await uploadAccess?.close(database)
      await query('DELETE FROM assay.upload_leftovers WHERE database = $1', [database])
    } catch (cause) {
      log.warn('The table of an upload could not be dropped yet.', { cause: sentenceOf(cause) })
    }
  }

  async function insert(into: string, rows: Readable): Promise<void> {
    const { stream } = await writer.exec({ query: `INSERT INTO ${into} FORMAT Native`, values: rows })
    for await (const _ of stream) {
      // An insert answers with nothing; the body has to be read for the connection to be free again.
    }
  }

  /** Writes the table of a new version. `before` are rows that it begins with. */
  async function write(
    {
      owner,
      database,
      name,
      columns,
    }: { owner: string; database: string; name: string; columns: readonly UploadColumn[] },
    { before, rows, rowCount }: { before: Row | undefined; rows: Readable; rowCount: number },
  ): Promise<void> {
    const table = `${database}.${quotedName(name)}`
    await command(`CREATE DATABASE ${database}`)
    await command(
      `CREATE TABLE ${table} (${columns.map(({ name: column, type }) => `${quotedName(column)} ${type}`).join(', ')}) ENGINE = MergeTree ORDER BY tuple()`,
    )
    if (before !== undefined)
      await command(
        `INSERT INTO ${table} (${columns.map(column => quotedName(column.name)).join(', ')}) SELECT ${columns.map(column => quotedName(column.name)).join(', ')} FROM ${before.database}.${quotedName(before.name)}`,
      )
    await insert(table, rows)
    const counted = await writer.query({
      query: `SELECT toFloat64(count()) AS rows FROM ${table}`,
      format: 'JSONEachRow',
    })
    const [found] = await counted.json<{ rows: number }>()
    const expected = rowCount + Number(before?.row_count ?? 0)
    if (found?.rows !== expected)
      throw new UploadError(
        'uploads.unreadable',
        `Only ${found?.rows ?? 0} of ${expected} rows could be kept, so none were.`,
      )
    await openToOwner(owner, database, name)
  }

  /** On a ClickHouse server, an upload that is not kept apart from other users is no upload. */
  async function openToOwner(owner: string, database: string, name: string): Promise<void> {
    await uploadAccess?.open({ owner, database, table: quotedName(name) }).catch(cause => {
      log.error(
        'An upload was refused, because the ClickHouse server does not keep it apart from other users.',
        {
          cause: sentenceOf(cause),
          hint: cause instanceof AssayError ? cause.hint : undefined,
        },
      )
      throw new UploadError(
        'uploads.not_private',
        'The server could not make the upload private, so it was not saved.',
        {
          hint: 'Try again later.',
          cause,
        },
      )
    })
  }

  async function keepDraft(
    owner: string,
    { draft: id, name, mode, misfits }: Keep,
    signal: AbortSignal,
  ): Promise<Upload> {
    if (!UPLOAD_NAME.test(name))
      throw new UploadError('uploads.name', `An upload cannot be named ${name.slice(0, 80)}.`, {
        hint: 'Use up to 63 small letters, digits and underscores, beginning with a letter.',
        facts: { parameter: 'name' },
      })
    const { cells, open } = drafts
    using held = open(owner, id)
    const { draft, source } = held
    const existing = await find(owner, name)
    if (mode === 'create' && existing !== undefined) throw taken(name)
    if (mode !== 'create' && existing === undefined) throw unknown(name)
    const choices = draft.columns.map(({ name: column, type, format, nulls }) => ({
      name: column,
      type,
      format,
      nulls,
    }))
    const unfit = await cells.misfits(source, choices, signal)
    const looked: Draft = {
      ...draft,
      columns: draft.columns.map((column, at) => ({
        ...column,
        doubt: { reason: '', count: unfit[at]?.count ?? 0, rows: unfit[at]?.rows ?? [] },
      })),
    }
    const misfit = misfitError(looked)
    if (misfit !== undefined && misfits === 'refuse') throw misfit
    const columns = choices.map((choice, at) => ({
      ...choice,
      isNullable: choice.nulls > 0 || (unfit[at]?.count ?? 0) > 0,
    }))
    const shape = columns.map(column => ({
      name: column.name,
      type: engineTypeOf(column.type, column.isNullable),
    }))
    const before = mode === 'append' ? existing : undefined
    const rowCount = draft.rowCount + Number(before?.row_count ?? 0)
    const made = before === undefined ? shape : joined(before.columns, shape)
    checkSize({ rowCount, bytes: draft.bytes + Number(before?.bytes ?? 0) })
    const database = `uploads_${randomBytes(16).toString('hex')}`
    await query('INSERT INTO assay.upload_leftovers (database, since) VALUES ($1, $2)', [
      database,
      new Date(now()),
    ])
    try {
      await write(
        { owner, database, name, columns: made },
        { before, rows: await cells.rows(source, columns, signal), rowCount: draft.rowCount },
      )
      await publish(owner, { name, mode, database, draft, columns: made, rowCount, existing })
    } catch (cause) {
      await drop(database)
      throw isDiskFull(cause) ? diskFull(cause) : cause
    }
    if (existing !== undefined) await drop(existing.database)
    await drafts.remove(owner, id).catch(() => {})
    const kept = await find(owner, name)
    if (kept === undefined) throw unknown(name)
    return uploadOf(kept)
  }

  function checkSize({ rowCount, bytes }: { rowCount: number; bytes: number }): void {
    if (rowCount > limits.rows)
      throw new UploadError(
        'uploads.too_many_rows',
        `The upload would have more than ${limits.rows.toLocaleString('en-US')} rows.`,
      )
    if (bytes > limits.fileBytes)
      throw new UploadError(
        'uploads.too_large',
        `The upload would be larger than ${limits.fileBytes / 2 ** 20} MiB.`,
      )
  }

  /** The one statement that makes a written table the upload. */
  async function publish(
    owner: string,
    {
      name,
      mode,
      database,
      draft,
      columns,
      rowCount,
      existing,
    }: {
      name: string
      mode: KeepMode
      database: string
      draft: Draft
      columns: readonly UploadColumn[]
      rowCount: number
      existing: Row | undefined
    },
  ): Promise<void> {
    const at = new Date(now())
    const bytes = draft.bytes + (mode === 'append' ? Number(existing?.bytes ?? 0) : 0)
    const values = [
      owner,
      name,
      database,
      draft.fileName.slice(0, 200),
      JSON.stringify(columns),
      rowCount,
      bytes,
      at,
    ]
    const done =
      existing === undefined
        ? await query(
            `WITH made AS (
INSERT INTO assay.uploads (owner, name, database, file_name, columns, row_count, bytes, created_at, changed_at)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $8 WHERE (SELECT count(*) FROM assay.uploads WHERE owner = $1) < ${limits.tables}
ON CONFLICT (owner, name) DO NOTHING RETURNING name
), written AS (DELETE FROM assay.upload_leftovers WHERE database = $3 AND EXISTS (SELECT 1 FROM made))
SELECT name FROM made`,
            values,
          )
        : await query(
            `WITH moved AS (
UPDATE assay.uploads SET database = $3, file_name = $4, columns = $5, row_count = $6, bytes = $7, changed_at = $8
WHERE owner = $1 AND name = $2 AND database = $9 RETURNING name
), written AS (DELETE FROM assay.upload_leftovers WHERE database = $3 AND EXISTS (SELECT 1 FROM moved)
), replaced AS (INSERT INTO assay.upload_leftovers (database, since) SELECT $9, $8 FROM moved)
SELECT name FROM moved`,
            [...values, existing.database],
          )
    if (done.length > 0) return
    if (existing !== undefined)
      throw new UploadError('uploads.changed', `The upload ${name} was changed by somebody else meanwhile.`, {
        hint: 'Look at it, then try again.',
      })
    if ((await find(owner, name)) !== undefined) throw taken(name)
    throw full()
  }

  const full = () =>
    new UploadError('uploads.full', `You have ${limits.tables} uploads, the most possible.`, {
      hint: 'Delete one that you no longer need, or append to one.',
    })

  return {
    limits,
    async list(owner) {
      return (await query<Row>('SELECT * FROM assay.uploads WHERE owner = $1 ORDER BY name', [owner])).map(
        uploadOf,
      )
    },
    async keep(owner, keep, signal) {
      if (keep.mode === 'create') {
        const [{ count } = { count: '0' }] = await query<{ count: string }>(
          'SELECT count(*) AS count FROM assay.uploads WHERE owner = $1',
          [owner],
        )
        if (Number(count) >= limits.tables) throw full()
      }
      return keepDraft(owner, keep, signal)
    },
    async remove(owner, name) {
      const [gone] = await query<{ database: string }>(
        `WITH gone AS (DELETE FROM assay.uploads WHERE owner = $1 AND name = $2 RETURNING database
), left_over AS (INSERT INTO assay.upload_leftovers (database, since) SELECT database, $3 FROM gone)
SELECT database FROM gone`,
        [owner, name, new Date(now())],
      )
      if (gone === undefined) throw unknown(name)
      await drop(gone.database)
    },
    async protect() {
      if (uploadAccess === undefined) return
      const all = await query<Row & { owner: string }>('SELECT owner, database, name FROM assay.uploads')
      // Before the check, because old grants are open to everybody also on a server that fails it.
      const unchanged: unknown[] = []
      for (const { database } of all)
        await uploadAccess.revokeFromAll(database).catch(cause => unchanged.push(cause))
      if (unchanged.length > 0)
        log.warn(`Old grants of ${unchanged.length} uploads could not be revoked.`, {
          cause: sentenceOf(unchanged[0]),
        })
      await uploadAccess.check()
      for (const { owner, database, name } of all) {
        try {
          await uploadAccess.open({ owner, database, table: quotedName(name) })
        } catch (cause) {
          log.warn('An upload could not be opened to its owner.', { cause: sentenceOf(cause) })
        }
      }
    },
    async sweep() {
      const left = await query<{ database: string }>(
        'SELECT database FROM assay.upload_leftovers WHERE since < $1 AND database NOT IN (SELECT database FROM assay.uploads)',
        [new Date(now() - LEFT_MS)],
      )
      for (const { database } of left) await drop(database)
    },
  }
}

/** Columns of an upload with rows appended to it: the same names and types, with empty values where either has them. */
function joined(before: readonly UploadColumn[], added: readonly UploadColumn[]): UploadColumn[] {
  const bare = (type: string) => type.replace(/^Nullable\((.*)\)$/, '$1')
  return before.map((column, at) => {
    const other = added[at]
    if (
      before.length !== added.length ||
      other?.name !== column.name ||
      bare(other.type) !== bare(column.type)
    )
      throw new UploadError(
        'uploads.append',
        `Column ${at + 1} of the file is not ${column.name} of type ${bare(column.type)}.`,
        {
          hint: 'Append needs the same columns in the same order. Change their names and types, or replace the upload.',
        },
      )
    return { name: column.name, type: other.type.startsWith('Nullable') ? other.type : column.type }
  })
}

const uploadOf = (row: Row): Upload => ({
  name: row.name,
  fileName: row.file_name,
  columns: row.columns,
  rowCount: Number(row.row_count),
  bytes: Number(row.bytes),
  createdAt: row.created_at,
  changedAt: row.changed_at,
})

const taken = (name: string): UploadError =>
  new UploadError('uploads.taken', `You already have an upload named ${name}.`, {
    hint: 'Choose another name, replace it, or append to it.',
    facts: { parameter: 'name' },
  })

const unknown = (name: string): UploadError =>
  new UploadError('uploads.unknown', `You have no upload named ${name.slice(0, 80)}.`, {
    hint: 'GET /api/v1/uploads lists your uploads.',
  })

const isDiskFull = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'warehouse.disk_full'
