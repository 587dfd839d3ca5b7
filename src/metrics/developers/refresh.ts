import { createHash } from 'node:crypto'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { DEVELOPER_COUNTS, devPeople, devRuns } from '#warehouse/tables/developers.ts'
import { ask } from '../ask.ts'
import type { RollupDeps } from '../deps.ts'
import {
  botsSql,
  changesSql,
  cohortsSql,
  daysSql,
  overlapSql,
  repositoryChangesSql,
  repositoryDaysSql,
  repositoryPeopleSql,
  retentionSql,
  type Scope,
} from './countSql.ts'
import { type Identity, personsOf } from './people.ts'
import { readScope } from './scope.ts'

type Warehouse = RollupDeps['warehouse']

/** Commits that one statement counts: their people's days stand in memory. */
const COMMITS_A_SLICE = 1_250_000

/** The statements, so that a change of one of them counts all anew. */
const STATEMENTS = [
  botsSql,
  changesSql,
  cohortsSql,
  daysSql,
  overlapSql,
  repositoryChangesSql,
  repositoryDaysSql,
  repositoryPeopleSql,
  retentionSql,
  personsOf,
]
  .map(String)
  .join('\n')

/**
 * Counts developers anew where the readings that stand, the catalogue or the statements are not those of the newest run: a
 * pure function of them. A run is seen once its row in the log is written, last. Returns whether it counted.
 */
export async function refreshDevelopers({
  warehouse,
  log,
}: Pick<RollupDeps, 'warehouse' | 'log'>): Promise<boolean> {
  const scope = await readScope(warehouse.writer)
  if (scope === undefined) return false
  const { run: _, ...rest } = scope
  const signature = createHash('sha256').update(JSON.stringify(rest)).update(STATEMENTS).digest('hex')
  const [last] = await ask<{ run: string; signature: string }>(
    warehouse.writer,
    `SELECT toString(run) AS run, signature FROM ${BASE_DATABASE}.dev_runs ORDER BY run DESC LIMIT 1`,
  )
  if (last?.signature === signature) return false
  const run = String(Math.max(Date.now(), Number(last?.run ?? 0) + 1))
  const counted = await count(warehouse, { ...scope, run })
  await warehouse.insertRows(devRuns, [
    {
      run: BigInt(run),
      signature,
      commits: BigInt(counted.commits),
      addresses: Number(counted.addresses),
      people: Number(counted.people),
      toDay: dayOf(Math.max(...scope.ecosystems.map(({ end }) => end))),
      computedAt: Math.floor(Date.now() / 1000),
    },
  ])
  await sweep(warehouse, run)
  log.info('developers counted', { commits: counted.commits, repositories: scope.repositories.length })
  return true
}

const dayOf = (number: number): string => new Date(number * 86_400_000).toISOString().slice(0, 10)

type Counted = { readonly commits: string; readonly addresses: string; readonly people: string }

async function count(warehouse: Warehouse, scope: Scope): Promise<Counted> {
  const { writer } = warehouse
  const parts = scope.parts.map(({ part }) => part).join(', ')
  await mergePeople(warehouse, scope, parts)
  const [sums] = await ask<Counted & { rows: string }>(
    writer,
    `SELECT
  toString(sum(c.commits)) AS commits, toString(count()) AS rows, toString(uniqExact(c.address)) AS addresses,
  toString(uniqExact(if(p.person = 0, c.address, p.person))) AS people
FROM ${BASE_DATABASE}.dev_commits AS c
LEFT ANY JOIN (SELECT address, person FROM ${BASE_DATABASE}.dev_people WHERE run = ${scope.run}) AS p ON p.address = c.address
WHERE c.part IN (${parts})`,
  )
  const slices = Math.max(1, Math.ceil(Number(sums?.rows ?? 0) / COMMITS_A_SLICE))
  const statements = [
    ...Array.from({ length: slices }, (_, slice) => changesSql(scope, slice, slices)),
    repositoryDaysSql(scope),
    repositoryChangesSql(scope),
    repositoryPeopleSql(scope),
    botsSql(scope),
    overlapSql(scope),
    daysSql(scope),
    cohortsSql(scope),
    retentionSql(scope),
  ]
  for (const query of statements) await writer.command({ query })
  return sums ?? { commits: '0', addresses: '0', people: '0' }
}

/** Writes down whose addresses belong together. */
async function mergePeople(warehouse: Warehouse, { run }: Scope, parts: string): Promise<void> {
  const rows = await ask<{ address: string; alias: string; name: string }>(
    warehouse.writer,
    `SELECT DISTINCT toString(c.address) AS address, toString(c.alias) AS alias, toString(c.name) AS name
FROM ${BASE_DATABASE}.dev_commits AS c
WHERE c.part IN (${parts}) AND c.bot = '' AND (c.alias != c.address OR c.name != 0)`,
  )
  const identities: Identity[] = rows.map(({ address, alias, name }) => ({
    address: BigInt(address),
    alias: BigInt(alias),
    name: BigInt(name),
  }))
  const persons = [...personsOf(identities)]
  await warehouse.insertRows(
    devPeople,
    persons.map(([address, person]) => ({ run: BigInt(run), address, person })),
  )
}

/** What a run leaves behind, and the runs before it: nobody sees them any more. */
async function sweep({ writer }: Warehouse, run: string): Promise<void> {
  const tables = [...DEVELOPER_COUNTS.map(({ name }) => name), 'dev_people', 'dev_runs']
  const statements = [
    `TRUNCATE TABLE ${BASE_DATABASE}.dev_changes`,
    ...tables.map(name => `DELETE FROM ${BASE_DATABASE}.${name} WHERE run < ${run}`),
  ]
  for (const query of statements)
    await writer.command({ query, clickhouse_settings: { lightweight_deletes_sync: '2' } })
}
