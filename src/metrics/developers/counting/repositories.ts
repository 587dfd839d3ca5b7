import type { ColumnsOf } from '#kernel/table.ts'
import { readBlocks } from '#warehouse/decode.ts'
import { BASE_DATABASE, type Warehouse } from '#warehouse/index.ts'
import type { devRepositoryDays } from '#warehouse/tables/developers.ts'
import type { Scope } from '../scope.ts'
import { filled, textColumn } from './columns.ts'
import { partsSql, placesSql } from './scopeSql.ts'
import { ACTIVE_DAYS, FIGURES, LINE, type Tallies } from './tallies.ts'

/** Commits by repository and day, as they stand, sorted by both. */
export type RepositoryDays = {
  readonly rowCount: number
  readonly place: Uint16Array
  /** Days since 1970. */
  readonly day: Uint16Array
  readonly commits: Uint32Array
  readonly merges: Uint32Array
  readonly bots: Uint32Array
  readonly offClock: Uint32Array
}

export async function readRepositoryDays(
  { writer }: Pick<Warehouse, 'writer'>,
  scope: Scope,
): Promise<RepositoryDays> {
  const sql = `SELECT
  toUInt16(${placesSql(scope)}) AS place, c.day AS day, toUInt32(sum(c.commits)) AS commits,
  toUInt32(sumIf(c.commits, c.is_merge)) AS merges, toUInt32(sumIf(c.commits, NOT c.is_merge AND c.bot != '')) AS bots,
  toUInt32(sumIf(c.commits, NOT c.is_merge AND c.bot = '' AND c.is_off_clock)) AS off_clock
FROM ${BASE_DATABASE}.dev_commits AS c
WHERE c.part IN (${partsSql(scope)})
GROUP BY place, c.day
ORDER BY place, c.day`
  const types = {
    place: 'UInt16',
    day: 'Date',
    commits: 'UInt32',
    merges: 'UInt32',
    bots: 'UInt32',
    off_clock: 'UInt32',
  } as const
  const parts: RepositoryDays[] = []
  for await (const { rowCount, columns } of readBlocks(writer, sql, types))
    parts.push({
      rowCount,
      place: columns.place.slice(0, rowCount),
      day: columns.day.slice(0, rowCount),
      commits: columns.commits.slice(0, rowCount),
      merges: columns.merges.slice(0, rowCount),
      bots: columns.bots.slice(0, rowCount),
      offClock: columns.off_clock.slice(0, rowCount),
    })
  return joined(parts)
}

function joined(parts: readonly RepositoryDays[]): RepositoryDays {
  const rowCount = parts.reduce((sum, part) => sum + part.rowCount, 0)
  const into = <A extends Uint16Array | Uint32Array>(all: A, of: (part: RepositoryDays) => A): A => {
    let at = 0
    for (const part of parts) {
      all.set(of(part), at)
      at += part.rowCount
    }
    return all
  }
  return {
    rowCount,
    place: into(new Uint16Array(rowCount), ({ place }) => place),
    day: into(new Uint16Array(rowCount), ({ day }) => day),
    commits: into(new Uint32Array(rowCount), ({ commits }) => commits),
    merges: into(new Uint32Array(rowCount), ({ merges }) => merges),
    bots: into(new Uint32Array(rowCount), ({ bots }) => bots),
    offClock: into(new Uint32Array(rowCount), ({ offClock }) => offClock),
  }
}

export function repositoryDaysColumns(
  { rowCount, place, day, commits, merges, bots, offClock }: RepositoryDays,
  { run, repositories }: Scope,
): ColumnsOf<typeof devRepositoryDays> {
  const rowsOf = new Uint32Array(repositories.length + 1)
  for (const each of place) rowsOf[each]! += 1
  return {
    rowCount,
    run: filled(BigInt(run), rowCount),
    repository: textColumn(repositories.map(({ name }, index) => ({ text: name, rows: rowsOf[index + 1]! }))),
    day,
    commits,
    merges,
    bots,
    offClock,
  }
}

/** What repositories tell of the days of their ecosystems: commits that are left out, repositories in use. */
export function tallyRepositories(
  { rowCount, place, day, commits, merges, bots, offClock }: RepositoryDays,
  ecosystems: readonly (readonly number[])[],
  { isRaw, lines, days }: Tallies,
): void {
  const use = (of: readonly number[], from: number, to: number): void => {
    for (const ecosystem of of) {
      lines[(ecosystem * days.count + from) * LINE + FIGURES.repositories]! += 1
      lines[(ecosystem * days.count + to) * LINE + FIGURES.repositories]! -= 1
    }
  }
  let [current, since, last] = [0, -1, -1]
  const end = (): void => {
    if (since >= 0) use(ecosystems[current]!, since, last + ACTIVE_DAYS)
    since = -1
  }
  for (let row = 0; row < rowCount; row += 1) {
    const of = ecosystems[place[row]!]!
    const here = day[row]! - days.first
    if (!isRaw)
      for (const ecosystem of of) {
        const line = (ecosystem * days.count + here) * LINE
        lines[line + FIGURES.all]! += commits[row]!
        lines[line + FIGURES.merges]! += merges[row]!
        lines[line + FIGURES.bots]! += bots[row]!
        lines[line + FIGURES.offClock]! += offClock[row]!
      }
    const left = isRaw ? offClock[row]! : merges[row]! + bots[row]! + offClock[row]!
    if (place[row] !== current || (since >= 0 && here - last >= ACTIVE_DAYS && commits[row]! > left)) end()
    current = place[row]!
    if (commits[row]! <= left) continue
    if (since < 0) since = here
    last = here
  }
  end()
}

/** By ecosystem, its first day with a commit, as a number from the first of all; undefined without any. */
export function firstDaysOf(
  { rowCount, place, day, commits, offClock }: RepositoryDays,
  ecosystems: readonly (readonly number[])[],
  { isRaw, days }: Tallies,
): Map<number, number> {
  const first = new Map<number, number>()
  for (let row = 0; row < rowCount; row += 1) {
    if (isRaw && commits[row]! <= offClock[row]!) continue
    const here = day[row]! - days.first
    for (const ecosystem of ecosystems[place[row]!]!)
      if (here < (first.get(ecosystem) ?? Number.POSITIVE_INFINITY)) first.set(ecosystem, here)
  }
  return first
}
