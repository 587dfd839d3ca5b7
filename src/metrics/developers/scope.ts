import type { ClickHouseClient } from '@clickhouse/client'
import { ALL_ECOSYSTEMS } from '#catalog/index.ts'
import { developersGit } from '#sources/developers.ts'
import { ask } from '../ask.ts'

/** What a refresh counts over. */
export type Scope = {
  readonly run: string
  /** Parts that stand, each with the place of its repository, from 1. */
  readonly parts: readonly { readonly part: string; readonly place: number }[]
  /** By place: repositories, in the order in which a commit that several have goes to them. */
  readonly repositories: readonly { readonly name: string; readonly ecosystems: readonly number[] }[]
  /** By place, from 1; 0 is all together. */
  readonly ecosystems: readonly {
    readonly name: string
    /** Last day that is counted, days since 1970. */
    readonly end: number
    /** Before this day newcomers may be old. */
    readonly youngUntil: number
    /** Days after this one are not whole. */
    readonly wholeUntil: number
    readonly readAt: number
    readonly source: string
  }[]
}

type Reading = {
  readonly repository: string
  readonly source: string
  readonly part: string
  readonly commits: string
  readonly end: number
  readonly readAt: number
}
type Repository = {
  readonly repository: string
  readonly ecosystem: string
  readonly youngUntil: number
}

/** A repository that has not been read for so long holds nobody up: its own days stand still. */
const LATE_DAYS = 7

/** What there is to count: the readings that stand, of repositories that the catalogue names; undefined without any. */
export async function readScope(reader: ClickHouseClient): Promise<Scope | undefined> {
  const [readings, listed] = await Promise.all([
    ask<Reading>(
      reader,
      `SELECT repository, source, toString(part) AS part, toString(commits) AS commits, toInt32(to_day) AS end, toUInt32(read_at) AS readAt
FROM dev_readings
ORDER BY repository, part`,
    ),
    ask<Repository>(
      reader,
      `SELECT repository, ecosystem, if(recorded_from_day IS NULL, 0, toInt32(assumeNotNull(recorded_from_day)) + 365) AS youngUntil
FROM dev_repositories
ORDER BY place, repository, ecosystem`,
    ),
  ])
  const byRepository = Map.groupBy(readings, ({ repository }) => repository)
  const read = listed.filter(({ repository }) => byRepository.has(repository))
  if (read.length === 0) return undefined
  const names = [...new Set(read.map(({ ecosystem }) => ecosystem))].sort()
  const repositories = [...Map.groupBy(read, ({ repository }) => repository)].map(([name, rows]) => ({
    name,
    ecosystems: rows.map(({ ecosystem }) => names.indexOf(ecosystem) + 1),
  }))
  const ofEcosystem = (name: string): Scope['ecosystems'][number] => {
    const own = read.filter(({ ecosystem }) => name === ALL_ECOSYSTEMS || ecosystem === name)
    const last = own.map(({ repository }) => newestOf(byRepository.get(repository) ?? []))
    const end = Math.max(...last.map(each => each.end))
    const cloned = last.filter(({ source }) => source === developersGit.id)
    const newest = last.reduce((a, b) => (b.readAt > a.readAt ? b : a))
    return {
      name,
      end,
      // Clones have the whole history.
      youngUntil: Math.max(
        0,
        ...own
          .filter((_, index) => last[index]?.source !== developersGit.id)
          .map(({ youngUntil }) => Number(youngUntil)),
      ),
      wholeUntil: Math.min(end, ...cloned.map(each => each.end).filter(day => day >= end - LATE_DAYS)),
      readAt: newest.readAt,
      source: newest.source,
    }
  }
  return {
    run: '',
    parts: repositories.flatMap(({ name }, index) =>
      (byRepository.get(name) ?? [])
        .filter(({ commits }) => commits !== '0')
        .map(({ part }) => ({ part, place: index + 1 })),
    ),
    repositories,
    ecosystems: [ALL_ECOSYSTEMS, ...names].map(ofEcosystem),
  }
}

function newestOf(readings: readonly Reading[]): { end: number; readAt: number; source: string } {
  const end = Math.max(...readings.map(reading => Number(reading.end)))
  const readAt = Math.max(...readings.map(reading => Number(reading.readAt)))
  return { end, readAt, source: readings[0]?.source ?? '' }
}
