import { setImmediate as breathe } from 'node:timers/promises'
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
import {
  firstDaysOf,
  type RepositoryDays,
  readRepositoryDays,
  repositoryDaysColumns,
  tallyRepositories,
} from './repositories.ts'
import { MOST_PLACES, rangesOf, readRows } from './rows.ts'
import { ecosystemsOf, newestDay, partsSql } from './scopeSql.ts'
import { createTallies, daysOf, YEAR_DAYS } from './tallies.ts'
import { createWalk } from './walk.ts'
import { createPeopleWalk, type Listeners } from './walkPeople.ts'
import { createWriters } from './writers.ts'

export type Counted = { readonly commits: number; readonly addresses: number; readonly people: number }

/** Rows after which others in this process have their turn. */
const ROWS_AT_ONCE = 100_000

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
  if (scope.parts.length === 0) return { commits: 0, addresses: 0, people: 0 }
  const [authors, repositoryDays] = await Promise.all([
    readAuthors(warehouse, scope),
    readRepositoryDays(warehouse, scope),
  ])
  const ecosystems = ecosystemsOf(scope)
  const days = daysOf(...boundsOf(repositoryDays))
  const [raw, cleaned] = [createTallies(true, days, scope), createTallies(false, days, scope)]
  const writers = createWriters(scope)
  const newestFrom = newestDay(scope) - YEAR_DAYS + 1 - days.first
  const listeners = {
    raw: createWalk(raw, scope.ecosystems.length, newestFrom),
    cleaned: createWalk(cleaned, scope.ecosystems.length, newestFrom),
    writers,
    ecosystems,
    firstDay: days.first,
  }
  await Promise.all([
    warehouse.insertColumns(devRepositoryDays, repositoryDaysColumns(repositoryDays, scope)),
    warehouse.writer.command({ query: botsSql(scope) }),
    walkPeople(warehouse, scope, authors, listeners),
  ])
  for (const tallies of [raw, cleaned]) tallyRepositories(repositoryDays, ecosystems, tallies)
  const ways = [raw, cleaned].map(tallies => ({
    tallies,
    firstDays: firstDaysOf(repositoryDays, ecosystems, tallies),
  }))
  await warehouse.insertColumns(devDays, dayColumns(ways, scope))
  await warehouse.insertColumns(devCohorts, cohortColumns(cleaned, scope))
  await warehouse.insertRows(
    devRetention,
    [raw, cleaned].flatMap(tallies => retentionRows(tallies, scope)),
  )
  await warehouse.insertRows(devOverlap, overlapRows(cleaned, scope))
  await warehouse.insertColumns(devRepositoryPeople, writers.columns())
  const commits = repositoryDays.commits.reduce((sum, each) => sum + each, 0)
  return { commits, addresses: authors.addresses, people: authors.people }
}

async function walkPeople(
  warehouse: Pick<Warehouse, 'writer'>,
  scope: Scope,
  authors: Authors,
  listeners: Listeners,
): Promise<void> {
  const { firstAddress, starts } = authors
  for (const [from, to] of rangesOf(authors)) {
    const walk = createPeopleWalk(authors, await readRows(warehouse, scope, authors, [from, to]), listeners)
    let rested = starts[firstAddress[from]!]!
    for (let person = from; person < to; person += 1) {
      walk(person)
      const rows = starts[firstAddress[person + 1]!]!
      if (rows - rested < ROWS_AT_ONCE) continue
      rested = rows
      await breathe()
    }
  }
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
