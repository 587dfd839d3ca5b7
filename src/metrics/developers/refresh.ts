import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RowOf } from '#kernel/table.ts'
import { BASE_DATABASE, type Warehouse } from '#warehouse/index.ts'
import { DEVELOPER_COUNTS, devCoverage, devRuns } from '#warehouse/tables/developers.ts'
import { ask } from '../ask.ts'
import type { RollupDeps } from '../deps.ts'
import { dateOf } from './counting/columns.ts'
import { countDevelopers } from './counting/countDevelopers.ts'
import { newestDay } from './counting/scopeSql.ts'
import { readScope, type Scope } from './scope.ts'

/** What counts, file by file, so that a change of it counts all anew. */
export const countingFiles = (): string[] =>
  globSync('*.ts', { cwd: COUNTING })
    .filter(name => !name.includes('.test'))
    .sort()
    .map(name => readFileSync(join(COUNTING, name), 'utf8'))
const COUNTING = join(import.meta.dirname, 'counting')

/**
 * Counts developers anew where the readings that stand, the catalogue or what counts are not those of the newest run: a
 * pure function of them. A run is seen once its row in the log is written, last. Returns whether it counted.
 */
export async function refreshDevelopers({
  warehouse,
  log,
}: Pick<RollupDeps, 'log'> & {
  readonly warehouse: Pick<Warehouse, 'writer' | 'insertRows' | 'insertColumns'>
}): Promise<boolean> {
  const scope = await readScope(warehouse.writer)
  if (scope === undefined) return false
  const { run: _, ...rest } = scope
  const signature = createHash('sha256')
    .update(JSON.stringify([rest, countingFiles()]))
    .digest('hex')
  const [last] = await ask<{ run: string; signature: string }>(
    warehouse.writer,
    `SELECT toString(run) AS run, signature FROM ${BASE_DATABASE}.dev_runs ORDER BY run DESC LIMIT 1`,
  )
  if (last?.signature === signature) return false
  const run = String(Math.max(Date.now(), Number(last?.run ?? 0) + 1))
  await warehouse.insertRows(devCoverage, coverageRows({ ...scope, run }))
  const { commits, addresses, people } = await countDevelopers(warehouse, { ...scope, run })
  await warehouse.insertRows(devRuns, [
    {
      run: BigInt(run),
      signature,
      commits: BigInt(commits),
      addresses,
      people,
      toDay: dateOf(newestDay(scope)),
      computedAt: Math.floor(Date.now() / 1000),
    },
  ])
  await sweep(warehouse, run)
  log.info('developers counted', { commits: String(commits), repositories: scope.repositories.length })
  return true
}

const coverageRows = ({ run, coverage }: Scope): RowOf<typeof devCoverage>[] =>
  coverage.map(({ ecosystem, repository, from, to, isCounted }) => ({
    run: BigInt(run),
    ecosystem,
    repository,
    fromDay: from === null ? null : dateOf(from),
    toDay: to === null ? null : dateOf(to),
    isCounted,
  }))

/** Tables in which older versions kept who is who and how counts change; both are counted in memory now. */
const GONE = ['dev_people', 'dev_changes']

/** The runs before: nobody sees them any more. */
async function sweep({ writer }: Pick<Warehouse, 'writer'>, run: string): Promise<void> {
  for (const name of GONE) await writer.command({ query: `DROP TABLE IF EXISTS ${BASE_DATABASE}.${name}` })
  const tables = [...DEVELOPER_COUNTS, devRuns].map(({ name }) => name)
  const isOld = `FROM ${BASE_DATABASE}.$ WHERE run < ${run}`
  const held = await ask<{ name: string }>(
    writer,
    tables.map(name => `(SELECT '${name}' AS name ${isOld.replace('$', name)} LIMIT 1)`).join(' UNION ALL '),
  )
  await Promise.all(
    held.map(({ name }) =>
      writer.command({
        query: `DELETE ${isOld.replace('$', name)}`,
        clickhouse_settings: { lightweight_deletes_sync: '2' },
      }),
    ),
  )
}
