/** A repository that cannot be read would look like developers leaving. */
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { DEVELOPER_TABLES } from '#explorer/developers/index.ts'
import { silentLog } from '#kernel/log.ts'
import { devCommits, devReadings } from '#warehouse/tables/developers.ts'
import { ask } from '../ask.ts'
import { loadEcosystems } from '../snapshot/loadEcosystems.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'
import { refreshDevelopers } from './refresh.ts'

/** A repository with commits by day of people, and how far its history is read. */
type Made = {
  readonly name: string
  /** Last day of which all commits are known. Absent: never read. */
  readonly toDay?: string
  readonly recorded?: { readonly from?: string; readonly to?: string }
  /** Number of the author and the days of the commits. */
  readonly commits: readonly (readonly [author: number, ...days: string[]])[]
}

let site: TestMetrics
beforeEach(async () => {
  site = await openEmptyMetrics()
})
afterEach(() => site[Symbol.asyncDispose]())

/** Counts ecosystems of these repositories, in an empty warehouse. */
async function count(ecosystems: Readonly<Record<string, readonly Made[]>>): Promise<void> {
  const { warehouse } = site
  await loadEcosystems(warehouse, {
    layers: [],
    ecosystems: Object.entries(ecosystems).map(([id, repositories]) => ({
      id,
      name: id,
      programmes: [],
      origin: {},
      repositories: repositories.map(({ name, recorded }) => ({
        name,
        url: `https://example.org/${name}`,
        upstreams: [],
        ...(recorded && { recorded: { head: '', commits: 0, ...recorded } }),
      })),
    })),
  })
  const made = [...new Map(Object.values(ecosystems).flatMap(own => own.map(each => [each.name, each])))]
  for (const [index, [repository, { toDay, recorded, commits }]] of made.entries()) {
    if (toDay === undefined) continue
    const part = BigInt(index + 1)
    await warehouse.insertRows(
      devCommits,
      commits.flatMap(([author, ...days]) =>
        days.map(day => ({
          part,
          day,
          address: BigInt(author),
          alias: BigInt(author),
          name: 0n,
          // The same commit where somebody has one of the same day elsewhere.
          work: BigInt(author) * 1_000_000n + BigInt(Date.parse(day) / 86_400_000),
          isMerge: false,
          bot: '',
          isOffClock: false,
          commits: 1,
        })),
      ),
    )
    await warehouse.insertRows(devReadings, [
      {
        repository,
        source: recorded ? 'developers.recorded' : 'developers.git',
        reading: 1n,
        part,
        head: '',
        mailmap: '',
        keyMark: '',
        commits: BigInt(commits.length),
        inherited: 0n,
        toDay,
        readAt: Date.parse(toDay) / 1000 + 86_400,
      },
    ])
  }
  await refreshDevelopers({ warehouse, log: silentLog })
}

const monthly = async (entity: string) => {
  const { point, change, coverage } = await site.metrics.figure({
    id: 'dev.monthly',
    entity,
    changeRange: '1y',
  })
  return { day: point?.day, value: point && Number(point.value), change, coverage }
}
const table = async (name: 'ecosystems' | 'repositories' | 'overlap') =>
  ask<Record<string, unknown>>(site.warehouse.reader, DEVELOPER_TABLES[name]!.sql())

const NEWEST = '2026-04-19'
const LAST_MONTH = '2026-04-10'
const YEAR_BEFORE = '2025-04-10'
const nameOf = (name: string) => `made/${name}`

/** Two people now and one a year before in two repositories, three more in a third that is read up to a day. */
const withThird = (toDay: string | undefined): Made[] => [
  { name: nameOf('a'), toDay: NEWEST, commits: [[1, YEAR_BEFORE, LAST_MONTH]] },
  { name: nameOf('b'), toDay: NEWEST, commits: [[2, LAST_MONTH]] },
  {
    name: nameOf('c'),
    ...(toDay !== undefined && { toDay }),
    commits: [
      [3, YEAR_BEFORE],
      [4, YEAR_BEFORE],
      [5, YEAR_BEFORE],
    ],
  },
]

test('a repository that cannot be read any more leaves the counts of both days of a change', async () => {
  await count({ citrea: withThird('2026-01-31') })
  const coverage = { name: 'repositories', count: 2, of: 3, missing: ['made/c'] }
  for (const entity of ['citrea', 'ecosystems'])
    assert.deepEqual(await monthly(entity), { day: NEWEST, value: 2, change: 1, coverage }, entity)
  const [row] = await table('ecosystems')
  assert.deepEqual(
    [row?.monthly, row?.change, row?.day, row?.repositories, row?.missing, row?.newcomers],
    [2, 1, NEWEST, '2 of 3', 'made/c', '1'],
  )
  // Nobody knows how many wrote it since.
  const rows = new Map((await table('repositories')).map(each => [each.repository, each]))
  const { counted, month_people, year_people, year_commits, people, held } = rows.get('made/c') ?? {}
  assert.deepEqual(
    [counted, month_people, year_people, year_commits, people, held],
    ['no', null, null, null, 3, 'to 2026-01-31'],
  )
  assert.deepEqual([rows.get('made/a')?.counted, rows.get('made/a')?.month_people], ['yes', 1])
})

test('a repository that fell silent yet is read counts as before', async () => {
  await count({ citrea: withThird(NEWEST) })
  const coverage = { name: 'repositories', count: 3, of: 3, missing: [] }
  assert.deepEqual(await monthly('citrea'), { day: NEWEST, value: 2, change: -0.5, coverage })
})

test('a repository that failed for some days holds the last full day back, and nothing leaves', async () => {
  await count({ citrea: withThird('2026-04-15') })
  const coverage = { name: 'repositories', count: 3, of: 3, missing: [] }
  assert.deepEqual(await monthly('citrea'), { day: '2026-04-15', value: 2, change: -0.5, coverage })
})

test('a repository that never could be read is named and is no zero', async () => {
  await count({ citrea: withThird(undefined) })
  const { value, change, coverage } = await monthly('citrea')
  assert.deepEqual([value, change, coverage?.missing], [2, 1, ['made/c']])
  const row = (await table('repositories')).find(({ repository }) => repository === 'made/c')
  assert.deepEqual([row?.people, row?.commits, row?.month_people, row?.held], [null, null, null, 'none'])
})

test('a repository that is added late counts on both days with all of its history, and not at all with half a year of it', async () => {
  const added = (recorded?: Made['recorded']): Made[] => [
    ...withThird(NEWEST),
    {
      name: nameOf('d'),
      toDay: NEWEST,
      ...(recorded && { recorded }),
      commits: [[6, ...(recorded ? [] : [YEAR_BEFORE]), LAST_MONTH]],
    },
  ]
  await count({ citrea: added() })
  assert.deepEqual(await monthly('citrea'), {
    day: NEWEST,
    value: 3,
    change: 3 / 5 - 1,
    coverage: { name: 'repositories', count: 4, of: 4, missing: [] },
  })
  await site[Symbol.asyncDispose]()
  site = await openEmptyMetrics()
  await count({ citrea: added({ from: '2025-10-01' }) })
  assert.deepEqual(await monthly('citrea'), {
    day: NEWEST,
    value: 2,
    change: -0.5,
    coverage: { name: 'repositories', count: 3, of: 4, missing: ['made/d'] },
  })
})

test('where no repository is read any more, figures end with the last full day and are no zeros', async () => {
  const ended = (name: string, toDay: string): Made => ({
    name: nameOf(name),
    toDay,
    commits: [
      [7, '2025-01-20', '2026-01-20'],
      [8, '2026-01-20'],
    ],
  })
  await count({
    citrea: [ended('x', '2026-01-31'), ended('y', '2026-01-30')],
    goat: withThird(NEWEST),
  })
  const coverage = { name: 'repositories', count: 2, of: 2, missing: [] }
  assert.deepEqual(await monthly('citrea'), { day: '2026-01-30', value: 2, change: 1, coverage })
  // All together goes on without them, and names them.
  assert.deepEqual(await monthly('ecosystems'), {
    day: NEWEST,
    value: 2,
    change: -0.5,
    coverage: { name: 'repositories', count: 3, of: 5, missing: ['made/x', 'made/y'] },
  })
  const { points } = await site.metrics.series({
    id: 'dev.by_ecosystem',
    entity: 'ecosystems',
    from: '2026-04-19',
    to: '2026-04-19',
  })
  assert.deepEqual(
    points.map(({ key, value }) => [key, Number(value)]),
    [['goat', 2]],
  )
  // A year up to the newest day is not known of citrea.
  assert.ok(!(await table('overlap')).some(({ name, other }) => name === 'citrea' || other === 'citrea'))
})

test('a commit stays counted once where the repository that had it first leaves', async () => {
  // A fork has all commits of its origin, which is read for some months only.
  const copied: Made['commits'] = [
    [1, YEAR_BEFORE, LAST_MONTH],
    [2, YEAR_BEFORE],
  ]
  await count({
    citrea: [
      {
        name: nameOf('a-origin'),
        toDay: '2025-12-31',
        commits: copied.map(([author]) => [author, YEAR_BEFORE]),
      },
      { name: nameOf('b-fork'), toDay: NEWEST, commits: copied },
      { name: nameOf('c'), toDay: NEWEST, commits: [[3, YEAR_BEFORE]] },
    ],
  })
  const { value, change, coverage } = await monthly('citrea')
  assert.deepEqual(
    [value, change?.toFixed(9), coverage?.missing],
    [1, (1 / 3 - 1).toFixed(9), ['made/a-origin']],
  )
})
