import { createHmac, randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BotRule, Catalog } from '#catalog/index.ts'
import { AssayError, sentenceOf } from '#kernel/errors.ts'
import type { Log } from '#kernel/log.ts'
import { developersGit } from '#sources/developers.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { devAttempts } from '#warehouse/tables/developers.ts'
import { IngestError } from '../errors.ts'
import { keyedHash } from './commits.ts'
import { type ReadDeps, type Repository, readRepository, type Standing } from './readRepository.ts'

export type DevelopersConfig = {
  readonly home: string
  readonly diskBytes: number
}

type Deps = {
  readonly warehouse: Warehouse
  readonly catalog: Pick<Catalog, 'ecosystems'> & { readonly bots: readonly BotRule[] }
  readonly config: DevelopersConfig
  readonly log: Log
  readonly now?: () => number
}

/** Of a repository that answered, and of one that did not. */
const AGAIN_AFTER_S = 24 * 3600
const FAILED_AGAIN_AFTER_S = 6 * 3600
const BETWEEN_MS = 1_000
const LOOK_EVERY_MS = 60_000

/** The repositories of all ecosystems, each once. */
export const repositoriesOf = ({ ecosystems }: Pick<Catalog, 'ecosystems'>): Repository[] => [
  ...new Map(ecosystems.flatMap(({ repositories }) => repositories).map(each => [each.name, each])).values(),
]

/** The key of this installation: made once, readable by its user alone, never in the warehouse. */
export async function readKey(home: string): Promise<Uint8Array> {
  const path = join(home, 'developers.key')
  await mkdir(home, { recursive: true })
  await writeFile(path, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' }).catch(thrown => {
    if (thrown.code !== 'EEXIST') throw thrown
  })
  const text = (await readFile(path, 'utf8')).trim()
  if (/^[0-9a-f]{64}$/.test(text)) return Buffer.from(text, 'hex')
  throw new IngestError('ingest.git_key', `${path} holds no key: 64 hexadecimal digits are expected.`, {
    hint: 'Remove it. A new key is created, and all histories are read again.',
  })
}

/** Reads these repositories once, one after the other; a failure is written down and told. Returns how many were read or had not changed. */
export async function readOnce(
  { warehouse, catalog, config, log, now = Date.now }: Deps,
  repositories: readonly Repository[],
  signal?: AbortSignal,
): Promise<number> {
  const key = await readKey(config.home)
  const deps: ReadDeps = {
    warehouse,
    bots: catalog.bots,
    hash: keyedHash(key),
    keyMark: markOf(key, catalog.bots),
    folder: join(config.home, 'repositories'),
    diskBytes: config.diskBytes,
    now,
    signal,
  }
  let done = 0
  for (const repository of repositories) {
    if (signal?.aborted) break
    try {
      const { outcome, commits, clonedBytes } = await readRepository(
        deps,
        repository,
        await readStanding(warehouse, repository.name),
      )
      done += 1
      if (commits > 0) log.info('history read', { repository: repository.name, commits })
      await noteAttempt(warehouse, repository, now(), {
        outcome,
        detail: '',
        clonedBytes: BigInt(clonedBytes),
      })
    } catch (thrown) {
      if (signal?.aborted) break
      const detail = sentenceOf(thrown)
      log.warn(`The history of ${repository.name} could not be read: ${detail}`)
      const isTooLarge = thrown instanceof AssayError && thrown.code === 'ingest.git_size'
      await noteAttempt(warehouse, repository, now(), {
        outcome: isTooLarge ? 'too-large' : 'failed',
        detail: detail.slice(0, 400),
        clonedBytes: 0n,
      })
    }
  }
  return done
}

/** Raised when rows name authors in another form: all histories are read anew then. */
const AUTHOR_FORM = 2

/** Tells readings apart by the key of their hashes, the form of their authors and the rules for programs. */
const markOf = (key: Uint8Array, bots: readonly BotRule[]): string =>
  createHmac('sha256', key)
    .update(`mark\0${AUTHOR_FORM}\0${JSON.stringify(bots.map(({ id, field, text }) => [id, field, text]))}`)
    .digest('hex')
    .slice(0, 16)

const noteAttempt = (
  warehouse: Warehouse,
  { name }: Repository,
  nowMs: number,
  said: { outcome: 'read' | 'unchanged' | 'failed' | 'too-large'; detail: string; clonedBytes: bigint },
): Promise<void> =>
  warehouse.insertRows(devAttempts, [{ repository: name, at: Math.floor(nowMs / 1000), ...said }])

async function readStanding({ writer }: Warehouse, repository: string): Promise<Standing | undefined> {
  const answer = await writer.query({
    query: `SELECT
  toString(r.reading) AS reading, argMax(r.head, r.read_at) AS head, argMax(r.mailmap, r.read_at) AS mailmap,
  argMax(r.key_mark, r.read_at) AS keyMark, toUInt32(countIf(r.commits > 0)) AS parts
FROM base.dev_readings_rows AS r
WHERE r.repository = {repository:String} AND r.source = {source:String}
GROUP BY r.reading
ORDER BY r.reading DESC
LIMIT 1`,
    query_params: { repository, source: developersGit.id },
    format: 'JSONEachRow',
  })
  const [row] = await answer.json<Standing>()
  return row
}

/** Repositories whose turn it is, those that were never tried first. */
async function readDue({ warehouse, catalog, now = Date.now }: Deps): Promise<Repository[]> {
  const answer = await warehouse.writer.query({
    query: `SELECT
  a.repository AS repository, toUInt32(max(a.at)) AS at, argMax(toString(a.outcome), a.at) AS outcome
FROM base.dev_attempts AS a
GROUP BY a.repository`,
    format: 'JSONEachRow',
  })
  const tries = new Map(
    (await answer.json<{ repository: string; at: number; outcome: string }>()).map(row => [
      row.repository,
      row,
    ]),
  )
  const dueAt = ({ name }: Repository): number => {
    const last = tries.get(name)
    if (last === undefined) return 0
    const isDone = last.outcome === 'read' || last.outcome === 'unchanged'
    return Number(last.at) + (isDone ? AGAIN_AFTER_S : FAILED_AGAIN_AFTER_S)
  }
  return repositoriesOf(catalog)
    .filter(each => dueAt(each) <= now() / 1000)
    .sort((a, b) => dueAt(a) - dueAt(b))
}

/** Reads every repository once a day until the signal, one after the other. */
export async function followRepositories(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const repository of await readDue(deps)) {
      await readOnce(deps, [repository], signal)
      await delay(BETWEEN_MS, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
    }
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => {})
  }
}
