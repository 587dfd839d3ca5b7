import type { Scope } from '../scope.ts'
import { newestDay } from './scopeSql.ts'
import { type Tallies, YEAR_DAYS } from './tallies.ts'
import { createWalk } from './walk.ts'

/** Takes the commits of people one by one. */
export type Buckets = {
  /** Commits of somebody on a day in an ecosystem; no day before the one told last. */
  add(ecosystem: number, day: number, commits: number): void
  /** There is no further commit of theirs. */
  leave(): void
  /** There is nobody left. */
  end(): void
}

/** Days that an ecosystem collects before they are walked through: no fewer than anybody can have, a day is 16 bits. */
const DAYS_A_WALK = 2 ** 16

/**
 * Collects days by ecosystem and walks through those of many people at once: the counters of one ecosystem fit into the
 * processor's cache, those of all do not, and people change between ecosystems with every commit.
 */
export function createBuckets(tallies: Tallies, scope: Scope): Buckets {
  const newestFrom = newestDay(scope) - YEAR_DAYS + 1 - tallies.days.first
  const width = scope.ecosystems.length
  const buckets = scope.ecosystems.map((_, ecosystem) => ({
    walk: createWalk(tallies, ecosystem),
    days: new Int32Array(DAYS_A_WALK),
    commits: new Int32Array(DAYS_A_WALK),
    /** Where the days of each one end. */
    ends: [0],
    length: 0,
  }))
  type Bucket = (typeof buckets)[number]
  const visited: number[] = []

  const empty = (bucket: Bucket): void => {
    const { walk, days, commits, ends } = bucket
    for (let at = 1; at < ends.length; at += 1) walk(days, commits, ends[at - 1]!, ends[at]!)
    const done = ends.at(-1)!
    days.copyWithin(0, done, bucket.length)
    commits.copyWithin(0, done, bucket.length)
    bucket.length -= done
    bucket.ends = [0]
  }

  return {
    add(ecosystem, day, commits) {
      const bucket = buckets[ecosystem]!
      const { ends } = bucket
      let { length } = bucket
      const start = ends[ends.length - 1]!
      if (length > start && bucket.days[length - 1] === day) {
        bucket.commits[length - 1]! += commits
        return
      }
      if (length === start) visited.push(ecosystem)
      if (length === bucket.days.length) {
        empty(bucket)
        length = bucket.length
      }
      bucket.days[length] = day
      bucket.commits[length] = commits
      bucket.length = length + 1
    },
    leave() {
      for (const ecosystem of visited) {
        const { days, ends, length } = buckets[ecosystem]!
        ends.push(length)
        if (days[length - 1]! >= newestFrom)
          for (const other of visited) {
            const of = buckets[other]!
            if (of.days[of.length - 1]! >= newestFrom) tallies.overlap[ecosystem * width + other]! += 1
          }
      }
      visited.length = 0
    },
    end() {
      for (const bucket of buckets) empty(bucket)
    },
  }
}
