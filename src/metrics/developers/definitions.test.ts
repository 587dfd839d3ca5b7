/** Developer counts would not match their published definitions. */
import assert from 'node:assert/strict'
import process from 'node:process'
import { test } from 'node:test'
import { silentLog } from '#kernel/log.ts'
import { newSeed } from '#kernel/seed.testing.ts'
import { DEVELOPER_TABLES, devCommits, devReadings } from '#warehouse/tables/developers.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { DEVELOPER_VIEWS } from '#warehouse/views/developers.ts'
import { ask } from '../ask.ts'
import { loadEcosystems } from '../snapshot/loadEcosystems.ts'
import { LAST_DAY, type MadeCommit, madeCommits, madeReadings } from './madeCommits.testing.ts'
import { refreshDevelopers } from './refresh.ts'

const ECOSYSTEMS: Readonly<Record<string, readonly string[]>> = {
  first: ['made/a', 'made/b'],
  second: ['made/b', 'made/c', 'made/d'],
  third: ['made/e'],
}
const REPOSITORIES = ['made/a', 'made/b', 'made/c', 'made/d', 'made/e']
const ALL = 'ecosystems'

type Row = Record<string, number | string>
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000
const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
const sumOf = (commits: readonly MadeCommit[]): number => commits.reduce((sum, each) => sum + each.commits, 0)

/** The commits that count in an ecosystem, and whose they are. */
function countedIn(
  all: readonly MadeCommit[],
  repositories: readonly string[],
  isRaw: boolean,
): MadeCommit[] {
  if (isRaw) return all.filter(each => !each.isOffClock && repositories.includes(each.repository))
  const clean = all.filter(each => !each.isOffClock && !each.isMerge && each.bot === '')
  // Each work once, where the first of the repositories has it.
  const first = new Map<bigint, MadeCommit>()
  for (const repository of REPOSITORIES)
    for (const each of clean)
      if (each.repository === repository && !first.has(each.work)) first.set(each.work, each)
  return [...first.values()].filter(each => repositories.includes(each.repository))
}

type ByDay = ReadonlyMap<number, readonly MadeCommit[]>
const byDay = (commits: readonly MadeCommit[]): ByDay => Map.groupBy(commits, each => dayOf(each.day))

/** Somebody by the days on which they commit. */
type Person = { readonly first: number; on(from: number, to?: number): number }

function peopleOf(commits: readonly MadeCommit[], isRaw: boolean): Person[] {
  const byPerson = Map.groupBy(commits, each => (isRaw ? each.address : each.person))
  return [...byPerson.values()].map(own => {
    const days = new Set(own.map(each => dayOf(each.day)))
    const first = Math.min(...days)
    // How many of their days there are up to each day.
    const upTo: number[] = []
    for (let day = first; day <= LAST_DAY; day += 1) upTo.push((upTo.at(-1) ?? 0) + Number(days.has(day)))
    const count = (day: number): number => (day < first ? 0 : upTo[day - first]!)
    return { first, on: (from, to = from) => count(to) - count(from - 1) }
  })
}

/** Whether a commit makes a repository one in use. A merge whose clock was wrong stands among merges. */
const isUse =
  (isRaw: boolean) =>
  ({ isMerge, bot, isOffClock }: MadeCommit): boolean =>
    isRaw ? isMerge || bot !== '' || !isOffClock : !isMerge && bot === '' && !isOffClock

/** The counts of a day as the columns of `dev_days` define them. */
function countsOf(day: number, given: { people: Person[]; counted: ByDay; own: ByDay; isRaw: boolean }): Row {
  const { people, isRaw } = given
  const month = ({ on }: Person): number => on(day - 27, day)
  const active = people.filter(each => month(each) > 0)
  const full = active.filter(each => month(each) >= 10)
  const part = active.filter(each => month(each) < 10 && each.on(day - 83, day) >= 10)
  const ageOf = ({ first }: Person): number => day - first
  const own = given.own.get(day) ?? []
  const merges = own.filter(each => each.isMerge)
  const bots = own.filter(each => !each.isMerge && each.bot !== '')
  const offClock = own.filter(each => !each.isMerge && each.bot === '' && each.isOffClock)
  const newest = Array.from({ length: 28 }, (_, ago) => given.own.get(day - ago) ?? []).flat()
  const commits = sumOf(given.counted.get(day) ?? [])
  const left = sumOf(own) - sumOf(merges) - sumOf(bots) - sumOf(offClock) - commits
  return {
    day: dateOf(day),
    daily: people.filter(each => each.on(day) > 0).length,
    monthly: active.length,
    full_time: full.length,
    part_time: part.length,
    one_time: active.length - full.length - part.length,
    newcomers: people.filter(({ first }) => first === day).length,
    returned: people.filter(each => each.on(day) > 0 && each.first < day && each.on(day - 83, day - 1) === 0)
      .length,
    leavers: people.filter(each => each.on(day - 84) > 0 && each.on(day - 83, day - 1) === 0).length,
    first_year: active.filter(each => ageOf(each) < 365).length,
    second_year: active.filter(each => ageOf(each) >= 365 && ageOf(each) < 730).length,
    longer: active.filter(each => ageOf(each) >= 730).length,
    repositories: new Set(newest.filter(isUse(isRaw)).map(({ repository }) => repository)).size,
    commits,
    merges: isRaw ? 0 : sumOf(merges),
    bots: isRaw ? 0 : sumOf(bots),
    off_clock: isRaw ? 0 : sumOf(offClock),
    copies: isRaw ? 0 : left,
  }
}

async function openCounted(commits: readonly MadeCommit[]) {
  const schema = { tables: DEVELOPER_TABLES, baseViews: [], fills: [], views: DEVELOPER_VIEWS }
  const warehouse = await openTestWarehouse({ schema })
  const ecosystems = Object.entries(ECOSYSTEMS).map(([id, names]) => ({
    id,
    name: id,
    repositories: names.map(name => ({ name, url: `https://example.org/${name}`, upstreams: [] })),
    programmes: [],
    origin: {},
  }))
  await loadEcosystems(warehouse, { ecosystems, layers: [] })
  await warehouse.insertRows(
    devCommits,
    commits.map(({ person, repository, ...row }) => row),
  )
  await warehouse.insertRows(devReadings, madeReadings(REPOSITORIES))
  assert.equal(await refreshDevelopers({ warehouse, log: silentLog }), true)
  const rows = (sql: string) => ask<Row>(warehouse.reader, sql)
  return { rows, warehouse, [Symbol.asyncDispose]: () => warehouse[Symbol.asyncDispose]() }
}

// A new seed belongs to the drill. `SEED` repeats it in any run.
const MORE = process.env.ASSAY_DRILL === '1' || process.env.SEED !== undefined ? [newSeed()] : []
// With the second, the oldest commit of an ecosystem is a merge whose clock was wrong.
for (const seed of [1, 133_690_694, ...MORE])
  test(`every count is what its definition says, commit by commit (SEED=${seed})`, async () => {
    const commits = madeCommits(seed, REPOSITORIES)
    await using site = await openCounted(commits)
    const cohorts: Row[] = []
    const retention: Row[] = []
    for (const [ecosystem, names] of [[ALL, REPOSITORIES] as const, ...Object.entries(ECOSYSTEMS)])
      for (const isRaw of [false, true]) {
        const own = commits.filter(each => names.includes(each.repository))
        const counted = countedIn(commits, names, isRaw)
        const people = peopleOf(counted, isRaw)
        const begins = isRaw ? own.filter(isUse(true)) : own
        const first = Math.min(...begins.map(each => dayOf(each.day)))
        const days = Array.from({ length: LAST_DAY - first + 1 }, (_, index) => first + index)
        const given = { people, counted: byDay(counted), own: byDay(own), isRaw }
        const columns = Object.keys(countsOf(first, given))
        const rows = await site.rows(
          `SELECT ${columns.join(', ')} FROM dev_days WHERE ecosystem = '${ecosystem}' AND is_raw = ${isRaw} ORDER BY day`,
        )
        assert.equal(rows.length, days.length)
        for (const [index, day] of days.entries())
          assert.deepEqual(
            rows[index],
            countsOf(day, given),
            `${ecosystem}, ${isRaw ? 'raw' : 'cleaned'}, ${dateOf(day)}`,
          )
        const years = Map.groupBy(people, ({ first: came }) => new Date(came * 86_400_000).getUTCFullYear())
        for (const [year, came] of isRaw ? [] : years)
          for (const day of days) {
            const active = came.filter(each => each.on(day - 27, day) > 0).length
            if (active > 0) cohorts.push({ ecosystem, day: dateOf(day), year, people: active })
          }
        for (const [month, came] of Map.groupBy(people, person => laterMonth(person.first))) {
          const [from, to] = [dayOf(month), dayOf(nextMonth(month)) - 1]
          if (to > LAST_DAY) continue
          const retained = came.filter(each => each.on(from, to) > 0).length
          retention.push({ ecosystem, is_raw: Number(isRaw), month, newcomers: came.length, retained })
        }
      }
    await sameRows(site, 'dev_cohorts', 'ecosystem, day, year, people', cohorts)
    await sameRows(
      site,
      'dev_retention',
      'ecosystem, toUInt8(is_raw) AS is_raw, month, newcomers, retained',
      retention,
    )
    await sameRows(site, 'dev_overlap', 'ecosystem, other, people', overlapsOf(commits))
    await sameRows(
      site,
      'dev_repository_people',
      'repository, people, year_people, month_people, half_people',
      repositoriesOf(commits),
    )
  })

const laterMonth = (day: number): string => {
  const date = new Date(day * 86_400_000)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 6)).toISOString().slice(0, 10)
}
const nextMonth = (month: string): string => {
  const date = new Date(month)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)).toISOString().slice(0, 10)
}

/** Who commits in two ecosystems in the last 365 days. */
function overlapsOf(commits: readonly MadeCommit[]): Row[] {
  const all = [[ALL, REPOSITORIES] as const, ...Object.entries(ECOSYSTEMS)]
  const people = new Map(
    all.map(([ecosystem, names]) => {
      const newest = countedIn(commits, names, false).filter(each => dayOf(each.day) > LAST_DAY - 365)
      return [ecosystem, new Set(newest.map(({ person }) => person))]
    }),
  )
  return all.flatMap(([ecosystem]) =>
    all.flatMap(([other]) => {
      const both = people.get(ecosystem)!.intersection(people.get(other)!).size
      return both === 0 ? [] : [{ ecosystem, other, people: both }]
    }),
  )
}

/** How many wrote each repository: copies count where they stand. */
const repositoriesOf = (commits: readonly MadeCommit[]): Row[] =>
  REPOSITORIES.map(repository => {
    const own = commits.filter(
      each => each.repository === repository && !each.isOffClock && !each.isMerge && each.bot === '',
    )
    const since = (day: number) => own.filter(each => dayOf(each.day) > day)
    const shares = [...Map.groupBy(since(LAST_DAY - 365), ({ person }) => person).values()].map(sumOf)
    const sum = shares.reduce((all, share) => all + share, 0)
    const most = shares.toSorted((a, b) => b - a)
    const sumOfMost = (count: number) => most.slice(0, count).reduce((all, share) => all + share, 0)
    return {
      repository,
      people: new Set(own.map(({ person }) => person)).size,
      year_people: shares.length,
      month_people: new Set(since(LAST_DAY - 28).map(({ person }) => person)).size,
      half_people: most.findIndex((_, index) => sumOfMost(index + 1) * 2 >= sum) + 1,
    }
  })

async function sameRows(
  site: { rows(sql: string): Promise<Row[]> },
  view: string,
  columns: string,
  expected: readonly Row[],
): Promise<void> {
  assert.ok(expected.length > 0, view)
  const sorted = (rows: readonly Row[]) => rows.map(row => JSON.stringify(Object.values(row))).sort()
  assert.deepEqual(sorted(await site.rows(`SELECT ${columns} FROM ${view}`)), sorted(expected), view)
}
