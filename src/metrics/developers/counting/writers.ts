import type { ColumnsOf } from '#kernel/table.ts'
import type { devRepositoryPeople } from '#warehouse/tables/developers.ts'
import type { Scope } from '../scope.ts'
import { filled } from './columns.ts'
import { newestDay } from './scopeSql.ts'
import { ACTIVE_DAYS, YEAR_DAYS } from './tallies.ts'

/** How many people have written each repository, and how few half of its newest commits. */
export type Writers = {
  /** Commits of somebody on a day, days since 1970, in the repository of the place. */
  add(place: number, day: number, commits: number): void
  /** There is no further commit of theirs. */
  leave(): void
  columns(): ColumnsOf<typeof devRepositoryPeople>
}

export function createWriters(scope: Scope): Writers {
  const end = newestDay(scope)
  const places = scope.repositories.length + 1
  const ofYear = new Float64Array(places)
  const newest = new Int32Array(places).fill(-1)
  const written: number[] = []
  const people = new Uint32Array(places)
  const monthPeople = new Uint32Array(places)
  /** By place, the commits of a year of each of those who have any. */
  const shares = Array.from({ length: places }, (): number[] => [])
  return {
    add(place, day, commits) {
      if (newest[place] === -1) written.push(place)
      if (day > newest[place]!) newest[place] = day
      if (day > end - YEAR_DAYS) ofYear[place]! += commits
    },
    leave() {
      for (const place of written) {
        people[place]! += 1
        if (newest[place]! > end - ACTIVE_DAYS) monthPeople[place]! += 1
        if (ofYear[place]! > 0) shares[place]!.push(ofYear[place]!)
        ofYear[place] = 0
        newest[place] = -1
      }
      written.length = 0
    },
    columns() {
      const those = scope.repositories.flatMap(({ name }, index) =>
        people[index + 1]! > 0 ? [{ name, place: index + 1 }] : [],
      )
      const of = (value: (place: number) => number) => Uint32Array.from(those, ({ place }) => value(place))
      return {
        rowCount: those.length,
        run: filled(BigInt(scope.run), those.length),
        repository: those.map(({ name }) => name),
        people: of(place => people[place]!),
        yearPeople: of(place => shares[place]!.length),
        monthPeople: of(place => monthPeople[place]!),
        halfPeople: of(place => halfOf(shares[place]!)),
        toDay: new Uint16Array(those.length).fill(end),
      }
    },
  }
}

/** The fewest who have half of all; 0 of none. */
function halfOf(shares: readonly number[]): number {
  const sum = shares.reduce((all, share) => all + share, 0)
  let [have, people] = [0, 0]
  for (const share of shares.toSorted((a, b) => b - a)) {
    if (have * 2 >= sum) break
    have += share
    people += 1
  }
  return people
}
