import { BASE_DATABASE, type Warehouse } from '#warehouse/index.ts'
import {
  devCohorts,
  devDays,
  devOverlap,
  devRepositoryDays,
  devRepositoryPeople,
  devRetention,
} from '#warehouse/tables/developers.ts'
import { MetricsError } from '../../errors.ts'
import type { Scope } from '../scope.ts'
import { type Authors, readAuthors } from './authors.ts'
import { dayColumns } from './dayRows.ts'
import { cohortColumns, overlapRows, retentionRows } from './otherRows.ts'
import { readRows } from './readRows.ts'
import {
  firstDaysOf,
  type RepositoryDays,
  readRepositoryDays,
  repositoryDaysColumns,
  tallyRepositories,
} from './repositories.ts'
import { MOST_PLACES, type Range, rangesOf, rowsBefore } from './rows.ts'
import { ecosystemsOf, partsSql } from './scopeSql.ts'
import { daysOf } from './tallies.ts'
import { walkInThreads } from './walkInThreads.ts'
import { addCounts, type Counts } from './walkPeople.ts'
import { writerColumns } from './writers.ts'

export type Counted = { readonly commits: number; readonly addresses: number; readonly people: number }

/** Rows that wait in memory at once, 20 bytes each, and how many of them are looked at together: as many as a cache holds. */
const MOST_ROWS = 16_000_000
const ROWS_A_BATCH = 2 ** 15

const NOBODY: Counted = { commits: 0, addresses: 0, people: 0 }

/**
 * Counts developers over all readings of the scope and writes the counts under its run. The engine reads and adds up; who is
 * active when is told here, by one walk through each person's days, and counters by day are all that is kept of it.
 */
export async function countDevelopers(
  warehouse: Pick<Warehouse, 'writer' | 'insertRows' | 'insertColumns'>,
  scope: Scope,
): Promise<Counted> {
  if (scope.repositories.length >= MOST_PLACES)
    throw new MetricsError(
      'metrics.repositories',
      `More than ${MOST_PLACES - 1} repositories cannot be counted.`,
    )
  if (scope.parts.length === 0) return NOBODY
  const authors = await readAuthors(warehouse, scope)
  if (authors.people === 0) return NOBODY
  const { counts, repositoryDays } = await countPeople(warehouse, scope, authors)
  const { raw, cleaned, writers } = counts
  const ecosystems = ecosystemsOf(scope)
  for (const tallies of [raw, cleaned]) tallyRepositories(repositoryDays, ecosystems, tallies)
  const ways = [raw, cleaned].map(tallies => ({
    tallies,
    firstDays: firstDaysOf(repositoryDays, ecosystems, tallies),
  }))
  await Promise.all([
    warehouse.insertColumns(devRepositoryDays, repositoryDaysColumns(repositoryDays, scope)),
    warehouse.writer.command({ query: botsSql(scope) }),
    warehouse.insertColumns(devDays, dayColumns(ways, scope)),
    warehouse.insertColumns(devCohorts, cohortColumns(cleaned, scope)),
    warehouse.insertRows(
      devRetention,
      [raw, cleaned].flatMap(tallies => retentionRows(tallies, scope)),
    ),
    warehouse.insertRows(devOverlap, overlapRows(cleaned, scope)),
    warehouse.insertColumns(devRepositoryPeople, writerColumns(writers, scope)),
  ])
  const commits = repositoryDays.commits.reduce((sum, each) => sum + each, 0)
  return { commits, addresses: authors.addresses, people: authors.people }
}

/** What people's days tell, of so many people at once as fit into memory; and commits by repository, which tell how many days there are. */
async function countPeople(
  warehouse: Pick<Warehouse, 'writer'>,
  scope: Scope,
  authors: Authors,
): Promise<{ counts: Counts; repositoryDays: RepositoryDays }> {
  const { firstAddress, starts } = authors
  const all: Counts[] = []
  let known: RepositoryDays | undefined
  for (const group of groupsOf(authors, rangesOf(authors, ROWS_A_BATCH))) {
    // While rows arrive, the engine has time for a second statement.
    const [rows, repositoryDays] = await Promise.all([
      readRows(warehouse, scope, authors, group),
      known ?? readRepositoryDays(warehouse, scope),
    ])
    known = repositoryDays
    const days = daysOf(...boundsOf(repositoryDays))
    const batches = [0, group.length] as const
    all.push(await walkInThreads({ scope, days, authors: { firstAddress, starts }, rows, batches }))
  }
  return {
    counts: all.reduce(addCounts),
    repositoryDays: known ?? (await readRepositoryDays(warehouse, scope)),
  }
}

/** Batches whose rows are in memory at once. */
function groupsOf(authors: Authors, batches: readonly Range[]): Range[][] {
  const groups: Range[][] = []
  for (const batch of batches) {
    const group = groups.at(-1)
    const isFull =
      group !== undefined && rowsBefore(authors, batch[1]) - rowsBefore(authors, group[0]![0]) > MOST_ROWS
    if (group === undefined || isFull) groups.push([batch])
    else group.push(batch)
  }
  return groups
}

/** The first day with a commit and the last one. */
function boundsOf({ day }: RepositoryDays): [number, number] {
  let [first, last] = [Number.POSITIVE_INFINITY, 0]
  for (const each of day) {
    if (each < first) first = each
    if (each > last) last = each
  }
  return [first, last]
}

/** Commits by rule that tells them to be a program's. */
const botsSql = (scope: Scope): string => `INSERT INTO ${BASE_DATABASE}.dev_bots_rows
SELECT ${scope.run}, c.bot, toUInt32(uniqExact(c.address)), sum(c.commits)
FROM ${BASE_DATABASE}.dev_commits AS c
WHERE c.part IN (${partsSql(scope)}) AND c.bot != '' AND NOT c.is_merge
GROUP BY c.bot`
