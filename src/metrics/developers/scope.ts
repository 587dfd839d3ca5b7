import type { ClickHouseClient } from '@clickhouse/client'
import { ALL_ECOSYSTEMS } from '#catalog/index.ts'
import { developersGit } from '#sources/developers.ts'
import { ask } from '../ask.ts'
import { GONE_DAYS, LATE_DAYS, YEAR_DAYS } from './counting/tallies.ts'

/** What a refresh counts over. */
export type Scope = {
  readonly run: string
  /** Parts that stand, each with the place of its repository, from 1. */
  readonly parts: readonly { readonly part: string; readonly place: number }[]
  /** By place: repositories, in the order in which a commit that several have goes to them. */
  readonly repositories: readonly {
    readonly name: string
    /** The ecosystems whose counts include it. */
    readonly ecosystems: readonly number[]
    /** Whether the counts of all together include it. */
    readonly isInAll: boolean
  }[]
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
  /** Every listed repository of every ecosystem, those without a history too. */
  readonly coverage: readonly Coverage[]
}

/** The days that the history of a repository covers, days since 1970, and whether the counts of an ecosystem include it. */
export type Coverage = {
  readonly ecosystem: string
  readonly repository: string
  readonly from: number | null
  readonly to: number | null
  readonly isCounted: boolean
}

type Reading = {
  readonly repository: string
  readonly source: string
  readonly part: string
  readonly commits: string
  readonly end: number
  readonly readAt: number
}
type Listed = {
  readonly repository: string
  readonly ecosystem: string
  /** Days since 1970 between which a recording has its commits; 0 where it has all. */
  readonly recordedFrom: number
  readonly recordedTo: number
}
/** A repository whose history is read. */
type Read = {
  readonly repository: string
  readonly from: number
  readonly to: number
  readonly youngUntil: number
  readonly readAt: number
  readonly source: string
}

/** What there is to count: the readings that stand, of repositories that the catalogue names; undefined without any. */
export async function readScope(reader: ClickHouseClient): Promise<Scope | undefined> {
  const [readings, listed] = await Promise.all([
    ask<Reading>(
      reader,
      `SELECT repository, source, toString(part) AS part, toString(commits) AS commits, toInt32(to_day) AS end, toUInt32(read_at) AS readAt
FROM dev_readings
ORDER BY repository, part`,
    ),
    ask<Listed>(
      reader,
      `SELECT
  repository, ecosystem, toInt32(ifNull(recorded_from_day, toDate(0))) AS recordedFrom,
  toInt32(ifNull(recorded_to_day, toDate(0))) AS recordedTo
FROM dev_repositories
ORDER BY place, repository, ecosystem`,
    ),
  ])
  const byRepository = Map.groupBy(readings, ({ repository }) => repository)
  const read = new Map<string, Read>()
  for (const each of listed) {
    const own = byRepository.get(each.repository)
    if (own !== undefined) read.set(each.repository, readOf(each, own))
  }
  if (read.size === 0) return undefined
  const all = [...Map.groupBy(listed, ({ repository }) => repository)]
  const names = [
    ...new Set(listed.filter(({ repository }) => read.has(repository)).map(({ ecosystem }) => ecosystem)),
  ].sort()
  const readIn = (name: string): Read[] =>
    all.flatMap(([repository, rows]) => {
      const found = read.get(repository)
      const isOwn = name === ALL_ECOSYSTEMS || rows.some(({ ecosystem }) => ecosystem === name)
      return found !== undefined && isOwn ? [found] : []
    })
  const windows = [ALL_ECOSYSTEMS, ...names].map(name => ({ name, ...windowOf(readIn(name)) }))
  const countedIn = windows.map(({ counted }) => new Set(counted.map(({ repository }) => repository)))
  const repositories = all
    .filter(([name]) => read.has(name))
    .map(([name]) => ({
      name,
      ecosystems: windows.flatMap((_, place) => (place > 0 && countedIn[place]?.has(name) ? [place] : [])),
      isInAll: countedIn[0]?.has(name) === true,
    }))
  const isCounted = (ecosystem: string, repository: string): boolean =>
    countedIn[windows.findIndex(({ name }) => name === ecosystem)]?.has(repository) === true
  return {
    run: '',
    parts: repositories.flatMap(({ name }, index) =>
      (byRepository.get(name) ?? [])
        .filter(({ commits }) => commits !== '0')
        .map(({ part }) => ({ part, place: index + 1 })),
    ),
    repositories,
    ecosystems: windows.map(({ counted: _, ...window }) => window),
    coverage: all.flatMap(([repository, rows]) =>
      [ALL_ECOSYSTEMS, ...rows.map(({ ecosystem }) => ecosystem)].map(ecosystem => ({
        ecosystem,
        repository,
        from: read.get(repository)?.from ?? null,
        to: read.get(repository)?.to ?? null,
        isCounted: isCounted(ecosystem, repository),
      })),
    ),
  }
}

/** The days that a repository's history covers. A clone has the whole history up to its reading, a recording may be cut. */
function readOf({ repository, recordedFrom, recordedTo }: Listed, readings: readonly Reading[]): Read {
  const end = Math.max(...readings.map(reading => Number(reading.end)))
  const readAt = Math.max(...readings.map(reading => Number(reading.readAt)))
  const source = readings[0]?.source ?? ''
  const isCut = source !== developersGit.id
  const from = isCut ? Number(recordedFrom) : 0
  return {
    repository,
    // Before a window is full, a recording that begins late lacks some of its people.
    from: from === 0 ? 0 : from + GONE_DAYS - 1,
    to: isCut && Number(recordedTo) > 0 ? Math.min(end, Number(recordedTo)) : end,
    youngUntil: from === 0 ? 0 : from + YEAR_DAYS,
    readAt,
    source,
  }
}

/**
 * Which repositories the counts include, and up to which day. The last day is the newest that at least half of the
 * repositories reach. A repository that ends more than a week earlier is left out on all days, and so is one whose history
 * begins within the year before, unless most do: otherwise a missing history would pass for people who left or came.
 */
function windowOf(read: readonly Read[]) {
  const half = read.map(({ to }) => to).sort((a, b) => b - a)[Math.ceil(read.length / 2) - 1] ?? 0
  const reaching = read.filter(({ to }) => to >= half - LATE_DAYS)
  const yearLong = reaching.filter(({ from }) => from <= half - LATE_DAYS - YEAR_DAYS)
  const counted = yearLong.length * 2 >= reaching.length ? yearLong : reaching
  const newest = counted.reduce((a, b) => (b.readAt > a.readAt ? b : a))
  return {
    counted,
    end: half,
    youngUntil: Math.max(...counted.map(({ youngUntil }) => youngUntil)),
    wholeUntil: Math.min(half, ...counted.map(({ to }) => to)),
    readAt: newest.readAt,
    source: newest.source,
  }
}
