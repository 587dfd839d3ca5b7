import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { BotRule, CatalogEcosystem } from '#catalog/index.ts'
import { developersGit } from '#sources/developers.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { devCommits, devReadings } from '#warehouse/tables/developers.ts'
import { IngestError } from '../errors.ts'
import { type CommitRow, type KeyedHash, logOf, rowOf } from './commits.ts'
import { type Git, git } from './git.ts'

export type Repository = CatalogEcosystem['repositories'][number]

/** The reading of a clone that stands, and how far it has come. */
export type Standing = {
  readonly reading: string
  readonly head: string
  readonly mailmap: string
  readonly keyMark: string
  readonly parts: number
}

export type ReadDeps = {
  readonly warehouse: Pick<Warehouse, 'insertRows' | 'writer'>
  readonly bots: readonly BotRule[]
  readonly hash: KeyedHash
  /** Tells keys and rules apart: what was read with other ones is read anew. */
  readonly keyMark: string
  /** Folder of all clones, and what they may take together, bytes. */
  readonly folder: string
  readonly diskBytes: number
  readonly now: () => number
  readonly signal?: AbortSignal | undefined
}

export type ReadOutcome = {
  readonly outcome: 'read' | 'unchanged'
  readonly commits: number
  readonly clonedBytes: number
}

const ROWS_AN_INSERT = 50_000
/** Parts that a reading may have before it is made anew. */
const MOST_PARTS = 60
const OUR_REF = 'refs/heads/assay'
const WATCH_MS = 2_000

/**
 * Brings the history of a repository in: what is new since the reading that stands where its head grew out of that, else the
 * whole of it. A part is seen once its row in the log of readings is written, last: killed before, nothing has changed.
 * Throws `ingest.git`; `ingest.git_size` where the clone would take more than all may.
 */
export async function readRepository(
  deps: ReadDeps,
  repository: Repository,
  standing: Standing | undefined,
): Promise<ReadOutcome> {
  const dir = join(deps.folder, folderOf(repository.name))
  const readAt = Math.floor(deps.now() / 1000)
  await fetchAll(deps, repository, dir)
  const at: Git = { dir, protocols: protocolsOf(repository), signal: deps.signal }
  const head = await git(at, 'rev-parse', '--verify', `${OUR_REF}^{commit}`)
  const mailmap = await git(at, 'rev-parse', '--verify', '--quiet', `${OUR_REF}:.mailmap`).catch(() => '')
  const goesOn =
    standing !== undefined &&
    standing.keyMark === deps.keyMark &&
    standing.mailmap === mailmap &&
    standing.parts < MOST_PARTS &&
    (await isAncestor(at, standing.head, head))
  const part = randomBytes(8).readBigUInt64LE() >> 1n
  const row = { repository: repository.name, part, hash: deps.hash, bots: deps.bots, readAt }
  let commits = 0
  if (!(goesOn && standing.head === head)) {
    const range = [OUR_REF, '--not', '--glob=refs/upstreams/*', ...(goesOn ? [standing.head] : [])]
    let rows: CommitRow[] = []
    for await (const commit of logOf(at, ...range)) {
      rows.push(rowOf(commit, row))
      commits += 1
      if (rows.length < ROWS_AN_INSERT) continue
      await deps.warehouse.insertRows(devCommits, rows)
      rows = []
    }
    await deps.warehouse.insertRows(devCommits, rows)
  }
  const all =
    repository.upstreams.length === 0 || goesOn
      ? commits
      : Number(await git(at, 'rev-list', '--count', OUR_REF))
  const reading = goesOn ? BigInt(standing.reading) : BigInt(deps.now())
  await deps.warehouse.insertRows(devReadings, [
    {
      repository: repository.name,
      source: developersGit.id,
      reading,
      part,
      head,
      mailmap,
      keyMark: deps.keyMark,
      commits: BigInt(commits),
      inherited: BigInt(all - commits),
      toDay: new Date((readAt - 86_400) * 1000).toISOString().slice(0, 10),
      readAt,
    },
  ])
  if (!goesOn && standing !== undefined) await forget(deps, repository.name, reading)
  return { outcome: commits > 0 ? 'read' : 'unchanged', commits, clonedBytes: await sizeOf(dir) }
}

/** A folder's name of ours: what a repository is called leads nowhere on disk. */
const folderOf = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 24)

/** Protocols that may be spoken: those of its own addresses. */
const protocolsOf = ({ url, upstreams }: Repository): string[] => [
  ...new Set([url, ...upstreams].map(each => new URL(each).protocol.replace(':', ''))),
]

const isAncestor = (at: Git, old: string, head: string): Promise<boolean> =>
  git(at, 'merge-base', '--is-ancestor', old, head).then(
    () => true,
    () => false,
  )

/** Commits of readings before: no view shows them any more. */
async function forget({ warehouse }: ReadDeps, repository: string, reading: bigint): Promise<void> {
  await warehouse.writer.command({
    query: `DELETE FROM base.dev_commits
WHERE part IN (
  SELECT part FROM base.dev_readings_rows
  WHERE repository = {repository:String} AND source = {source:String} AND reading < {reading:UInt64}
)`,
    query_params: { repository, source: developersGit.id, reading: String(reading) },
    clickhouse_settings: { lightweight_deletes_sync: '2' },
  })
}

/** Clones or goes on fetching, without the contents of files; stops before the disk’s share is used up. */
async function fetchAll(deps: ReadDeps, repository: Repository, dir: string): Promise<void> {
  const stop = new AbortController()
  const signal = deps.signal ? AbortSignal.any([deps.signal, stop.signal]) : stop.signal
  const at: Git = { dir, protocols: protocolsOf(repository), signal }
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const watch = setInterval(() => {
    void makeRoom(deps, dir).then(
      hasRoom => {
        if (!hasRoom) stop.abort()
      },
      () => {},
    )
  }, WATCH_MS)
  try {
    if (!existsSync(join(dir, 'HEAD'))) {
      await git(at, 'init', '--quiet', '--bare')
      await git(at, 'symbolic-ref', 'HEAD', OUR_REF)
    }
    await fetchOne(at, 'origin', repository.url, `+HEAD:${OUR_REF}`)
    for (const [index, url] of repository.upstreams.entries())
      await fetchOne(at, `upstream${index}`, url, `+refs/heads/*:refs/upstreams/${index}/*`)
    await utimes(dir, new Date(), new Date())
  } catch (cause) {
    if (!stop.signal.aborted) throw cause
    await rm(dir, { recursive: true, force: true })
  } finally {
    clearInterval(watch)
  }
  if (stop.signal.aborted || !(await makeRoom(deps, dir))) {
    await rm(dir, { recursive: true, force: true })
    throw new IngestError(
      'ingest.git_size',
      `Its history takes more than ${Math.round(deps.diskBytes / 2 ** 20)} MB on disk.`,
      { hint: 'Raise DEVELOPERS_DISK_MB.' },
    )
  }
}

async function fetchOne(at: Git, remote: string, url: string, ref: string): Promise<void> {
  const known = await git(at, 'config', '--get', `remote.${remote}.url`).catch(() => undefined)
  if (known === undefined) await git(at, 'remote', 'add', remote, url)
  else if (known !== url) await git(at, 'remote', 'set-url', remote, url)
  await git(
    at,
    'fetch',
    '--quiet',
    '--no-tags',
    '--force',
    '--no-write-fetch-head',
    '--filter=blob:none',
    remote,
    ref,
  )
}

/** Lets go of other clones, the one that was used longest ago first, until all fit. Returns whether they do. */
async function makeRoom({ folder, diskBytes }: ReadDeps, keep: string): Promise<boolean> {
  const names = await readdir(folder)
  const clones = await Promise.all(
    names.map(async name => {
      const dir = join(folder, name)
      const used = await stat(dir).catch(() => undefined)
      return { dir, usedMs: used?.mtimeMs ?? 0, bytes: await sizeOf(dir) }
    }),
  )
  let total = clones.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { dir, bytes } of clones.filter(each => each.dir !== keep).sort((a, b) => a.usedMs - b.usedMs)) {
    if (total <= diskBytes) return true
    await rm(dir, { recursive: true, force: true })
    total -= bytes
  }
  return total <= diskBytes
}

/** Bytes of the files below a folder; those that go meanwhile do not count. */
async function sizeOf(dir: string): Promise<number> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => [])
  const sizes = await Promise.all(
    entries
      .filter(entry => entry.isFile())
      .map(entry =>
        stat(join(entry.parentPath, entry.name)).then(
          ({ size }) => size,
          () => 0,
        ),
      ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
