import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CatalogEcosystem, readCatalog } from '#catalog/index.ts'
import { CATALOG_DIR } from '#catalog/testing.ts'
import { readOnce } from '#ingest/developers/follow.ts'
import type { Log } from '#kernel/log.ts'
import { DEVELOPER_TABLES } from '#warehouse/tables/developers.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { DEVELOPER_VIEWS } from '#warehouse/views/developers.ts'
import { ask } from '../ask.ts'
import { loadEcosystems } from '../snapshot/loadEcosystems.ts'
import { refreshDevelopers } from './refresh.ts'

/** Who writes a commit, when: days as `2026-03-01`, noon UTC unless a clock is given. */
type Author = { name: string; address: string }
type Made = { authored?: string; committed?: string; message?: string; file?: string; text?: string }

const atNoon = (day: string): string => (/^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T12:00:00Z` : day)

/** A real git repository in a folder of its own. */
export function madeRepository(folder = mkdtempSync(join(tmpdir(), 'assay-git-'))) {
  mkdirSync(folder, { recursive: true })
  const run = (args: readonly string[], env: Record<string, string> = {}, input?: string): string =>
    execFileSync('git', ['-C', folder, '-c', 'commit.gpgSign=false', ...args], {
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(input !== undefined && { input }),
      env: {
        PATH: process.env.PATH ?? '',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_COMMITTER_NAME: 'committer',
        GIT_COMMITTER_EMAIL: 'committer@example.org',
        ...env,
      },
    }).trim()
  let count = 0
  return {
    url: `file://${folder}/.git`,
    folder,
    run,
    init() {
      run(['init', '--quiet', '--initial-branch=main'])
      run(['config', 'uploadpack.allowFilter', 'true'])
      return this
    },
    commit({ name, address }: Author, day: string, { authored, committed, message, file, text }: Made = {}) {
      count += 1
      writeFileSync(join(folder, file ?? `file${count}.txt`), text ?? `${count} ${day}`)
      run(['add', '.'])
      const at = atNoon(authored ?? day)
      run(['commit', '--quiet', '--allow-empty-message', '-m', message ?? `change ${count}`], {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: address,
        GIT_AUTHOR_DATE: at,
        GIT_COMMITTER_DATE: atNoon(committed ?? authored ?? day),
      })
      return run(['rev-parse', 'HEAD'])
    },
    /** A commit of these bytes, whatever git thinks of them, as the head. */
    raw(text: (tree: string, parent: string) => string) {
      const body = text(run(['rev-parse', 'HEAD^{tree}']), run(['rev-parse', 'HEAD']))
      const hash = run(['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], {}, body)
      run(['update-ref', 'refs/heads/main', hash])
      return hash
    },
  }
}

export type MadeRepository = ReturnType<typeof madeRepository>
type Listed = Partial<CatalogEcosystem['repositories'][number]> & { name: string; url: string }

/** A warehouse that reads these ecosystems with git; `now` is a day. */
export async function openMade(ecosystems: Readonly<Record<string, readonly Listed[]>>) {
  const { bots } = await readCatalog(CATALOG_DIR)
  // Nothing else is asked: a whole schema takes ten times as long to make.
  const schema = { tables: DEVELOPER_TABLES, baseViews: [], fills: [], views: DEVELOPER_VIEWS }
  const warehouse = await openTestWarehouse({ schema })
  const told: string[] = []
  const log: Log = { info() {}, warn: text => void told.push(text), error: text => void told.push(text) }
  const catalog = {
    bots,
    layers: [],
    ecosystems: Object.entries(ecosystems).map(([id, repositories]) => ({
      id,
      name: id,
      repositories: repositories.map(each => ({ upstreams: [], ...each })),
      programmes: [],
      origin: {},
    })),
  }
  await loadEcosystems(warehouse, catalog)
  const all = catalog.ecosystems.flatMap(({ repositories }) => repositories)
  const rows = <Row = Record<string, unknown>>(sql: string) => ask<Row>(warehouse.reader, sql)
  return {
    warehouse,
    told,
    rows,
    /** Reads all once, as on that day, and counts. */
    async read(day: string, diskBytes = 2 ** 30) {
      const config = { home: warehouse.home, diskBytes }
      const now = () => Date.parse(`${day}T12:00:00Z`)
      const done = await readOnce({ warehouse, catalog, config, log, now }, all)
      await refreshDevelopers({ warehouse, log })
      return done
    },
    /** Counts what has been read. */
    count: () => refreshDevelopers({ warehouse, log }),
    /** Counts of a day, cleaned unless said. */
    async day(ecosystem: string, day: string, isRaw = false) {
      const [row] = await rows<Record<string, number>>(
        `SELECT * FROM dev_days WHERE ecosystem = '${ecosystem}' AND is_raw = ${isRaw} AND day = '${day}'`,
      )
      return row
    },
    [Symbol.asyncDispose]: () => warehouse[Symbol.asyncDispose](),
  }
}
