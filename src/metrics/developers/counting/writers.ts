import type { ColumnsOf } from '#kernel/table.ts'
import type { devRepositoryPeople } from '#warehouse/tables/developers.ts'
import type { Scope } from '../scope.ts'
import { filled } from './columns.ts'
import { newestDay } from './scopeSql.ts'
import { ACTIVE_DAYS, YEAR_DAYS } from './tallies.ts'

/** How many people have written each repository, by its place, and how the newest commits are shared. */
export type WriterTallies = {
  readonly people: Uint32Array
  readonly monthPeople: Uint32Array
  /** The commits of a year of each of those who have any. */
  readonly shares: readonly number[][]
}

export type Writers = {
  readonly tallies: WriterTallies
  /** Commits of somebody on a day, days since 1970, in the repository of the place. */
  add(place: number, day: number, commits: number): void
  /** There is no further commit of theirs. */
  leave(): void
}

export function createWriters(scope: Scope): Writers {
  const end = newestDay(scope)
  const places = scope.repositories.length + 1
  const ofYear = new Float64Array(places)
  const newest = new Int32Array(places).fill(-1)
  const written: number[] = []
  const people = new Uint32Array(places)
  const monthPeople = new Uint32Array(places)
  const shares = Array.from({ length: places }, (): number[] => [])
  return {
    tallies: { people, monthPeople, shares },
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
  }
}

/** Those of other people besides. */
export function addWriters(to: WriterTallies, more: WriterTallies): void {
  for (let place = 0; place < to.people.length; place += 1) {
    to.people[place]! += more.people[place]!
    to.monthPeople[place]! += more.monthPeople[place]!
    for (const share of more.shares[place]!) to.shares[place]!.push(share)
  }
}

export function writerColumns(
  { people, monthPeople, shares }: WriterTallies,
  scope: Scope,
): ColumnsOf<typeof devRepositoryPeople> {
  const found = scope.repositories
    .map(({ name }, index) => ({ name, place: index + 1 }))
    .filter(({ place }) => people[place]! > 0)
  const of = (value: (place: number) => number) => Uint32Array.from(found, ({ place }) => value(place))
  return {
    rowCount: found.length,
    run: filled(BigInt(scope.run), found.length),
    repository: found.map(({ name }) => name),
    people: of(place => people[place]!),
    yearPeople: of(place => shares[place]!.length),
    monthPeople: of(place => monthPeople[place]!),
    halfPeople: of(place => halfOf(shares[place]!)),
    toDay: new Uint16Array(found.length).fill(newestDay(scope)),
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
