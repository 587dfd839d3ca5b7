import type { RowOf } from '#kernel/table.ts'
import type { devCommits, devReadings } from '#warehouse/tables/developers.ts'

export type MadeCommit = RowOf<typeof devCommits> & {
  readonly repository: string
  /** Who wrote it, whatever the address. */
  readonly person: number
}

/** Numbers from 0 up to 1 that a seed settles. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export const FIRST_DAY = 18_200
export const LAST_DAY = 19_500

const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)

/**
 * Commits of people who come, go, return and stay, some under several addresses, in repositories of which some have commits of
 * others; merges, programs and wrong clocks among them.
 */
export function madeCommits(seed: number, repositories: readonly string[]): MadeCommit[] {
  const random = seeded(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const oneOf = <T>(items: readonly T[]): T => items[below(items.length)]!
  return Array.from({ length: 40 }, (_, person) => {
    const addresses = Array.from({ length: 1 + below(3) }, (_, index) => BigInt(1000 + person * 10 + index))
    // Some write daily, some once in a while, in one repository or in all.
    const gap = oneOf([2, 5, 20, 120])
    const own = repositories.slice(0, 1 + below(repositories.length))
    const commits: MadeCommit[] = []
    for (let day = FIRST_DAY + below(900); day < LAST_DAY; day += below(gap * 2) + Number(random() < 0.6)) {
      const address = oneOf(addresses)
      const repository = oneOf(own)
      const commit = {
        repository,
        person,
        part: partOf(repositories, repository),
        day: dateOf(day),
        address,
        alias: addresses[0]!,
        name: 0n,
        work: BigInt(1 + person * 100_000 + commits.length) * 1_000_003n,
        isMerge: random() < 0.1,
        bot: '',
        isOffClock: random() < 0.05,
        commits: random() < 0.1 ? 1 + below(5) : 1,
      }
      commits.push(commit)
      while (random() < 0.15) {
        const other = oneOf(repositories)
        commits.push({ ...commit, repository: other, part: partOf(repositories, other) })
      }
      if (random() < 0.01) day += below(400)
    }
    // A program has an address of its own.
    return person < 37 ? commits : commits.map(each => ({ ...each, bot: 'made', alias: each.address }))
  }).flat()
}

const partOf = (repositories: readonly string[], repository: string): bigint =>
  BigInt(1 + repositories.indexOf(repository))

/** A reading of each repository, whole up to the last day. */
export const madeReadings = (repositories: readonly string[]): RowOf<typeof devReadings>[] =>
  repositories.map(repository => ({
    repository,
    source: 'developers.git',
    reading: 1n,
    part: partOf(repositories, repository),
    head: '',
    mailmap: '',
    keyMark: '',
    commits: 1n,
    inherited: 0n,
    toDay: dateOf(LAST_DAY),
    readAt: (LAST_DAY + 1) * 86_400,
  }))
