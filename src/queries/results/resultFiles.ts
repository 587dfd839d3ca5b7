import { createWriteStream } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import type { Log } from '#kernel/log.ts'
import { SQL_LIMITS } from '#kernel/sqlLimits.ts'
import { QueryError } from '../errors.ts'
import type { ResultHeaders } from '../execute.ts'

const storedColumn = z.strictObject({ name: z.string(), type: z.string(), shownAs: z.enum(['value', 'hex']) })

const storedResult = z.strictObject({
  /** SHA-256 in hex of what the result follows from: its address. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  sql: z.string(),
  parameters: z.record(z.string(), z.string()),
  columns: z.array(storedColumn),
  /** Rows that readers see. The file holds one more if the result was cut. */
  rowCount: z.int(),
  isTruncated: z.boolean(),
  rowLimit: z.int(),
  bytes: z.int(),
  elapsedMs: z.number(),
  readRows: z.number().nullable(),
  readBytes: z.number().nullable(),
  createdAt: z.string(),
  dataVersion: z.string(),
  /** Who alone may read it: the owner of an upload that it rests on. */
  owner: z.string().exactOptional(),
  /** The newest indexed block of each chain whose tables the query reads. */
  asOf: z.preprocess(
    // Results from before there were several chains have Bitcoin’s alone, or null.
    value =>
      Array.isArray(value) ? value : value == null ? [] : [{ chain: 'bitcoin', ...(value as object) }],
    z.array(
      z.strictObject({
        chain: z.string(),
        time: z.string(),
        height: z.int().nullable(),
        state: z.enum(['live', 'recorded', 'stale', 'overdue']),
      }),
    ),
  ),
})

/** What is known of a stored result beside its rows. */
export type StoredResult = z.infer<typeof storedResult>

/** Disposal waits until what was stored last is on the disk. */
export type ResultFiles = AsyncDisposable & {
  /** The result at this address, if it is stored. Counts as a use. */
  find(hash: string): Promise<StoredResult | undefined>
  /** What was known of a result whose rows were removed for others. */
  expired(hash: string): Promise<StoredResult | undefined>
  /**
   * Pins a result, unless the pinned results of this user or of all users would exceed their share of the budget. Returns whether
   * it is pinned.
   */
  pin(hash: string, by: string): Promise<boolean>
  /** Path of the rows in ClickHouse's Native format. */
  rowsOf(hash: string): string
  /**
   * Writes rows to a draft file. Returns its path and size. Throws `sql.disk_full`, `sql.too_large` beyond `maxBytes`, and what
   * the engine reports behind rows that broke off, by the tag that it announced (`exceptionTag`): as `sql.failed`, or as `brokenOff`
   * reads it.
   */
  draft(
    rows: Readable,
    ended: AbortSignal,
    limits: {
      maxBytes: number
      exceptionTag?: string | undefined
      brokenOff?: (message: string) => Error
      /** Called when the first bytes arrive. */
      onBegin?: (draft: GrowingDraft) => void
    },
  ): Promise<{ path: string; bytes: number }>
  /**
   * Stores a draft under its address. Its facts follow once the rows are on the disk: a process that ends before leaves no
   * result rather than half of one.
   */
  keep(draft: string, result: StoredResult): Promise<void>
  /** Resolves once a result that was kept is on the disk. */
  settled(hash: string): Promise<void>
  discard(draft: string): Promise<void>
}

/** An unfinished draft. */
export type GrowingDraft = {
  readonly path: string
  /** Bytes written so far. */
  written(): number
}

type Used = {
  at: number
  readonly bytes: number
  readonly isGuest: boolean
  /** User who pinned it last. */
  pinnedBy?: string | undefined
  facts?: StoredResult
}

/** Part of the budget that results of guests may take. */
const GUESTS_SHARE = 0.5

/** Part of the budget that pinned results may take. Beyond it, the one that was not opened for longest is pinned no more. */
const PINNED_SHARE = 0.5
/** Share of the budget for results pinned by one user. */
const OWNER_SHARE = 0.25
/** Results whose query is remembered after their rows were removed. */
const EXPIRED = 5_000

const ROWS = '.native'
const FACTS = '.json'
const DRAFT = '.draft'
const GONE = '.gone'
const PIN = '.pin'
/** Rows of another process are given their facts within this, milliseconds. */
const COMPLETE_MS = 60_000
/** A use is written down at most this often. */
const USE_MS = 60_000

/**
 * The files of stored results in one folder. Drafts of a process that ended are removed, and so are the results that were not
 * used for longest once all together exceed the budget.
 */
export async function openResultFiles(folder: string, budgetBytes: number, log: Log): Promise<ResultFiles> {
  const used = new Map<string, Used>()
  const writing = new Map<string, Promise<void>>()
  const rowsOf = (hash: string): string => join(folder, `${hash}${ROWS}`)
  const factsOf = (hash: string): string => join(folder, `${hash}${FACTS}`)
  const goneOf = (hash: string): string => join(folder, `${hash}${GONE}`)
  const pinOf = (hash: string): string => join(folder, `${hash}${PIN}`)
  let drafts = 0

  for (const name of await readdir(folder)) {
    const hash = /^([0-9a-f]{64})\.json$/.exec(name)?.[1]
    if (hash !== undefined) {
      const [facts, rows] = await Promise.all([
        stat(factsOf(hash)),
        stat(rowsOf(hash)).catch(() => undefined),
      ])
      if (rows === undefined) await remove(hash)
      else
        used.set(hash, {
          at: facts.mtimeMs,
          bytes: rows.size + facts.size,
          isGuest: await isOfGuest(factsOf(hash)),
          pinnedBy: await readFile(pinOf(hash), 'utf8').catch(() => undefined),
        })
    }
  }
  await forgetExpired()
  for (const name of await readdir(folder))
    if (name.endsWith(DRAFT) && !isOfAnother(name)) await rm(join(folder, name), { force: true })
  await removeRowsWithoutFacts()
  // What another process was about to complete is complete by then, or its process has ended.
  const later = setTimeout(() => void removeRowsWithoutFacts().catch(() => {}), COMPLETE_MS).unref()
  await evict()

  async function forgetExpired(): Promise<void> {
    const gone = (await readdir(folder)).filter(name => name.endsWith(GONE))
    const aged = await Promise.all(
      gone.map(async name => ({
        name,
        at: (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs ?? 0,
      })),
    )
    for (const { name } of aged.sort((a, b) => b.at - a.at).slice(EXPIRED))
      await rm(join(folder, name), { force: true })
  }

  /** The process ended between the two. */
  async function removeRowsWithoutFacts(): Promise<void> {
    for (const name of await readdir(folder)) {
      const hash = name.endsWith(ROWS) ? name.slice(0, -ROWS.length) : undefined
      if (hash === undefined || used.has(hash)) continue
      const [rows, facts] = await Promise.all(
        [rowsOf(hash), factsOf(hash)].map(path => stat(path).catch(() => undefined)),
      )
      if (facts === undefined && rows !== undefined && Date.now() - rows.mtimeMs > COMPLETE_MS - 1000)
        await rm(rowsOf(hash), { force: true })
    }
  }

  /** A result that another server with the same folder has stored since this one began. */
  async function ofAnotherProcess(hash: string): Promise<Used | undefined> {
    const [facts, rows] = await Promise.all(
      [factsOf(hash), rowsOf(hash)].map(path => stat(path).catch(() => undefined)),
    )
    if (facts === undefined || rows === undefined) return undefined
    const entry = {
      at: facts.mtimeMs,
      bytes: rows.size + facts.size,
      isGuest: await isOfGuest(factsOf(hash)),
      pinnedBy: await readFile(pinOf(hash), 'utf8').catch(() => undefined),
    }
    used.set(hash, entry)
    return entry
  }

  async function remove(hash: string): Promise<void> {
    used.delete(hash)
    // Facts first: without them the rows are no result.
    await rm(factsOf(hash), { force: true })
    await rm(rowsOf(hash), { force: true })
    await rm(pinOf(hash), { force: true })
  }

  /** Removes the rows, and remembers what they were of. */
  async function expire(hash: string): Promise<void> {
    // Facts that are not written yet are written for nothing.
    await rename(factsOf(hash), goneOf(hash)).catch(() => {})
    await remove(hash)
  }

  /** Those of guests may take a part only, so that nobody without an account removes the results of users. */
  async function evict(keep?: string): Promise<void> {
    unpin()
    await evictTo(budgetBytes * GUESTS_SHARE, keep, ({ isGuest }) => isGuest)
    await evictTo(budgetBytes, keep, () => true)
  }

  function unpin(): void {
    const ofOwners = new Map<string, number>()
    let total = 0
    for (const entry of [...used.values()].sort((a, b) => b.at - a.at)) {
      const { pinnedBy, bytes } = entry
      if (pinnedBy === undefined) continue
      const own = (ofOwners.get(pinnedBy) ?? 0) + bytes
      if (own > budgetBytes * OWNER_SHARE || total + bytes > budgetBytes * PINNED_SHARE) {
        entry.pinnedBy = undefined
        continue
      }
      ofOwners.set(pinnedBy, own)
      total += bytes
    }
  }

  async function evictTo(
    most: number,
    keep: string | undefined,
    of: (entry: Used) => boolean,
  ): Promise<void> {
    const oldest = [...used].filter(([, entry]) => of(entry)).sort(([, a], [, b]) => a.at - b.at)
    let total = oldest.reduce((sum, [, { bytes }]) => sum + bytes, 0)
    for (const [hash, { bytes, pinnedBy }] of oldest) {
      if (total <= most) return
      if (hash === keep || pinnedBy !== undefined) continue
      await expire(hash)
      total -= bytes
    }
  }

  async function writeFacts(result: StoredResult): Promise<void> {
    const draft = join(folder, `${process.pid}-${++drafts}-${result.hash}.facts${DRAFT}`)
    try {
      await sync(rowsOf(result.hash))
      await writeFile(draft, JSON.stringify(result))
      await rename(draft, factsOf(result.hash))
      const entry = used.get(result.hash)
      if (entry === undefined) await remove(result.hash)
      // From here on the file has them.
      else delete entry.facts
    } catch (cause) {
      // Removed meanwhile, or the disk is full: it stays readable until this process ends.
      if (used.has(result.hash))
        log.warn('A query result is stored for this process only.', {
          hash: result.hash,
          cause: String(cause),
        })
      await rm(draft, { force: true })
    }
  }

  return {
    rowsOf,
    async find(hash) {
      const entry = used.get(hash) ?? (await ofAnotherProcess(hash))
      if (entry === undefined) return undefined
      const now = Date.now()
      try {
        const facts = entry.facts ?? storedResult.parse(JSON.parse(await readFile(factsOf(hash), 'utf8')))
        if (now - entry.at > USE_MS) {
          entry.at = now
          await utimes(factsOf(hash), now / 1000, now / 1000)
        }
        return facts
      } catch (cause) {
        // Too many open files and the like pass; what is gone or is no JSON does not.
        const isGone = cause instanceof Error && 'code' in cause && cause.code !== 'ENOENT'
        log.warn('A stored query result cannot be read.', { hash, cause: String(cause) })
        if (!isGone) await remove(hash)
        return undefined
      }
    },
    async expired(hash) {
      try {
        return storedResult.parse(JSON.parse(await readFile(goneOf(hash), 'utf8')))
      } catch {
        return undefined
      }
    },
    async pin(hash, by) {
      const entry = used.get(hash)
      if (entry === undefined || entry.isGuest) return false
      // The result being pinned counts as the most recently opened.
      entry.at = Date.now()
      entry.pinnedBy = by
      unpin()
      if (entry.pinnedBy === undefined) return false
      await writeFile(pinOf(hash), by)
      return true
    },
    async draft(rows, ended, { maxBytes, exceptionTag, brokenOff, onBegin }) {
      const path = join(folder, `${process.pid}-${++drafts}-${Date.now()}${DRAFT}`)
      let bytes = 0
      const end = createTail()
      const file = createWriteStream(path, { highWaterMark: 2 ** 20 })
      const counted = async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          if (bytes === 0) onBegin?.({ path, written: () => file.bytesWritten })
          bytes += chunk.length
          if (bytes > maxBytes)
            throw new QueryError(
              'sql.too_large',
              `The result is larger than ${Math.round(maxBytes / 2 ** 20)} MiB.`,
              { hint: 'Add a LIMIT, or select fewer columns.' },
            )
          if (exceptionTag !== undefined) end.add(chunk)
          yield chunk
        }
      }
      try {
        await pipeline(rows, counted, file, { signal: ended })
        requireWhole(end.bytes(), exceptionTag, brokenOff)
        return { path, bytes }
      } catch (cause) {
        await rm(path, { force: true })
        throw isFull(cause) ? diskFull(cause) : cause
      }
    },
    async keep(draft, result) {
      await rm(goneOf(result.hash), { force: true })
      try {
        await rename(draft, rowsOf(result.hash))
      } catch (cause) {
        await rm(draft, { force: true })
        throw isFull(cause) ? diskFull(cause) : cause
      }
      used.set(result.hash, {
        at: Date.now(),
        bytes: result.bytes,
        isGuest: result.rowLimit <= SQL_LIMITS.guest.rows,
        facts: result,
      })
      writing.set(
        result.hash,
        writeFacts(result).finally(() => writing.delete(result.hash)),
      )
      await evict(result.hash)
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(later)
      await Promise.all(writing.values())
    },
    settled: async hash => writing.get(hash),
    discard: draft => rm(draft, { force: true }),
  }
}

/** Whether a draft belongs to another process that runs. Servers share a folder on one machine alone. */
function isOfAnother(name: string): boolean {
  const pid = Number(/^\d+/.exec(name)?.[0])
  if (!(pid > 0) || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM'
  }
}

/** By the limit that it was run with. */
const isOfGuest = async (path: string): Promise<boolean> =>
  !(await readFile(path, 'utf8')).includes(`"rowLimit":${SQL_LIMITS.member.rows},`)

/** The tag by which the engine marks an error after the rows of an answer. */
export function exceptionTagOf({ 'x-clickhouse-exception-tag': tag }: ResultHeaders): string | undefined {
  return typeof tag === 'string' ? tag : tag?.[0]
}

/**
 * Throws the error that the engine wrote at the end of an answer, by the tag that it announced: as `sql.failed`, or as `brokenOff`
 * reads it.
 */
export function requireWhole(
  end: Buffer,
  exceptionTag: string | undefined,
  brokenOff?: (message: string) => Error,
): void {
  const message = exceptionTag === undefined ? undefined : brokenOffIn(end, exceptionTag)
  if (message === undefined) return
  throw brokenOff?.(message) ?? new QueryError('sql.failed', 'The engine stopped while it wrote the result.')
}

/** The error that the engine wrote after the rows, if any. Rows cannot forge it, because the tag is random. */
function brokenOffIn(end: Buffer, tag: string): string | undefined {
  const head = `__exception__\r\n${tag}\r\n`
  const at = end.lastIndexOf(head)
  if (at < 0) return undefined
  const text = end.toString('utf8', at + head.length)
  return text.replace(/\r?\n\d+ \w+\s*__exception__\s*$/, '').trim()
}

const TAIL_BYTES = 64 * 1024

/** The last chunks of a stream, long enough for an engine error. */
function createTail(): { add(chunk: Buffer): void; bytes(): Buffer } {
  const chunks: Buffer[] = []
  let size = 0
  return {
    add(chunk) {
      chunks.push(chunk)
      size += chunk.length
      for (let first = chunks[0]; first && size - first.length >= TAIL_BYTES; first = chunks[0]) {
        size -= first.length
        chunks.shift()
      }
    },
    bytes: () => Buffer.concat(chunks),
  }
}

/** The facts must not survive a loss of power that the rows did not. */
async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.datasync()
  } finally {
    await file.close()
  }
}

const isFull = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && (cause.code === 'ENOSPC' || cause.code === 'EDQUOT')

const diskFull = (cause: unknown): QueryError =>
  new QueryError('sql.disk_full', 'The disk for query results is full.', {
    hint: 'Select fewer rows or columns, or try again later.',
    cause,
  })
