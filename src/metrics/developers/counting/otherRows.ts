import type { ColumnsOf, RowOf } from '#kernel/table.ts'
import type { devCohorts, devOverlap, devRetention } from '#warehouse/tables/developers.ts'
import type { Scope } from '../scope.ts'
import { dateOf, filled, textColumn } from './columns.ts'
import { newestDay } from './scopeSql.ts'
import { LATE_DAYS, type Tallies } from './tallies.ts'

/** Who is active, by the year in which they came: days on which there are any. */
export function cohortColumns(
  { cohorts, days }: Tallies,
  { run, ecosystems }: Scope,
): ColumnsOf<typeof devCohorts> {
  const stretches = ecosystems.map(({ name, end }, ecosystem) => {
    const start = ecosystem * days.years * days.count
    return { text: name, start, until: Math.min(days.count, end - days.first + 1), rows: 0 }
  })
  // A count of nobody is no row: first it is found out how many rows there are.
  for (const stretch of stretches)
    eachCohort(stretch, () => {
      stretch.rows += 1
    })
  const rowCount = stretches.reduce((sum, { rows }) => sum + rows, 0)
  const day = new Uint16Array(rowCount)
  const year = new Uint16Array(rowCount)
  const people = new Uint32Array(rowCount)
  let row = 0
  for (const stretch of stretches)
    eachCohort(stretch, (came, here, count) => {
      day[row] = here + days.first
      year[row] = came + days.firstYear
      people[row] = count
      row += 1
    })
  return {
    rowCount,
    run: filled(BigInt(run), rowCount),
    ecosystem: textColumn(stretches),
    day,
    year,
    people,
  }

  function eachCohort(
    { start, until }: { start: number; until: number },
    tell: (came: number, day: number, count: number) => void,
  ): void {
    for (let came = 0; came < days.years; came += 1)
      for (let here = 0, count = 0; here < until; here += 1) {
        count += cohorts[start + came * days.count + here]!
        if (count > 0) tell(came, here, count)
      }
  }
}

/** Who stayed, by months that are over and whole. */
export function retentionRows(
  { isRaw, days, came, stayed }: Tallies,
  { run, ecosystems }: Scope,
): RowOf<typeof devRetention>[] {
  return ecosystems.flatMap(({ name, wholeUntil }, ecosystem) =>
    Array.from({ length: days.months - 1 }, (_, month) => month).flatMap(month => {
      const newcomers = came[ecosystem * days.months + month]!
      const isOver = days.monthStarts[month + 1]! + days.first - 1 <= wholeUntil
      if (newcomers === 0 || !isOver) return []
      return [
        {
          run: BigInt(run),
          ecosystem: name,
          isRaw,
          month: dateOf(days.monthStarts[month]! + days.first),
          newcomers,
          retained: stayed[ecosystem * days.months + month]!,
        },
      ]
    }),
  )
}

/** Who commits in two ecosystems within a year, of ecosystems whose counts reach the newest day. */
export function overlapRows({ overlap }: Tallies, scope: Scope): RowOf<typeof devOverlap>[] {
  const { run, ecosystems } = scope
  const newest = newestDay(scope)
  const toDay = dateOf(newest)
  const isLate = ({ end }: Scope['ecosystems'][number]): boolean => end < newest - LATE_DAYS
  return ecosystems.flatMap((first, one) =>
    ecosystems.flatMap((second, two) => {
      const people = overlap[one * ecosystems.length + two]!
      const { name } = first
      const { name: other } = second
      return people === 0 || isLate(first) || isLate(second)
        ? []
        : [{ run: BigInt(run), ecosystem: name, other, people, toDay }]
    }),
  )
}
