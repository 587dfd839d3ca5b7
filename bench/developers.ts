import { readCatalog } from '#catalog/index.ts'
import { CATALOG_DIR } from '#catalog/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { refreshDevelopers } from '#metrics/developers/refresh.ts'
import { loadEcosystems } from '#metrics/snapshot/loadEcosystems.ts'
import { BASE_DATABASE, type Warehouse } from '#warehouse/index.ts'
import { DEVELOPER_TABLES, devCommits, devReadings } from '#warehouse/tables/developers.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { DEVELOPER_VIEWS } from '#warehouse/views/developers.ts'
import { timed } from './measure.ts'
import { memoryOf } from './memory/processes.ts'
import { type BenchContext, type Figure, rounded, type Suite, within } from './suite.ts'

const COMMITS = 10_000_000
const PEOPLE = 60_000
/** 1 January 2014. */
const FIRST_DAY = 16_071
const DAYS = 4_600
const LIMIT_S = 5
const LIMIT_MB = 1024
const SAMPLE_EVERY_MS = 50
/** What the engine may take; the rest of the limit is for everything else in these processes. */
const ENGINE_BYTES = 700 * 2 ** 20
const COMMITS_A_STATEMENT = 1_000_000

/** All counts of people, of every day and ecosystem, over histories as long as those of whole ecosystems: from commits to what the page reads. */
export const developers: Suite = {
  name: 'developers',
  about: 'all counts of developers over ten million commits, every day and ecosystem anew',
  async run({ isQuick, say }: BenchContext): Promise<readonly Figure[]> {
    const commits = isQuick ? COMMITS / 10 : COMMITS
    const catalog = await readCatalog(CATALOG_DIR)
    const schema = { tables: DEVELOPER_TABLES, baseViews: [], fills: [], views: DEVELOPER_VIEWS }
    await using warehouse = await openTestWarehouse({ schema, memoryBytes: ENGINE_BYTES })
    await loadEcosystems(warehouse, catalog)
    const repositories = [
      ...new Set(catalog.ecosystems.flatMap(each => each.repositories.map(({ name }) => name))),
    ]
    await fill(warehouse, repositories, commits)
    say(`${rounded(commits / 1e6)} M commits in ${repositories.length} repositories`)
    let most = 0
    const look = () => {
      most = Math.max(most, memoryOf(process.pid, warehouse.home).anonymousBytes)
    }
    const timer = setInterval(look, SAMPLE_EVERY_MS)
    const took = await timed(() => refreshDevelopers({ warehouse, log: silentLog }))
    clearInterval(timer)
    look()
    const shown = `${rounded(commits / 1e6)} M commits of ${rounded(PEOPLE / 1000)} k people, ${repositories.length} repositories, ${catalog.ecosystems.length} ecosystems`
    return [
      {
        figure: `developers counted, ${shown}`,
        ...within(took / 1000, LIMIT_S, 's'),
        against: 'the limit of a refresh',
      },
      {
        figure: 'most anonymous memory meanwhile, all processes',
        ...within(most / 2 ** 20, LIMIT_MB, 'MiB'),
        against: 'the limit of a refresh',
      },
    ]
  },
}

/**
 * Histories in which few write most, people come and go, some under two addresses, and forks have commits of others: every
 * thirtieth row is a copy of another, `m`, in another repository. Nine of ten commits are in the repository that somebody
 * works on, as in the recorded histories (90.6 % of 165,841).
 */
async function fill(warehouse: Warehouse, repositories: readonly string[], commits: number): Promise<void> {
  const hash = (...of: string[]) => `cityHash64(${of.join(', ')})`
  const person = `toUInt64(pow(${hash('m', '1')} % 1000000 / 1000000, 3) * ${PEOPLE})`
  const hasTwo = 'person % 5 = 0'
  for (let from = 0; from < commits; from += COMMITS_A_STATEMENT)
    await warehouse.writer.command({
      query: `INSERT INTO ${BASE_DATABASE}.${devCommits.name} (part, day, address, alias, name, work, is_merge, bot, is_off_clock, commits)
SELECT
  1 + if(n % 30 = 0 OR n % 10 = 7, ${hash('n', '2')}, ${hash('person', '9')}) % ${repositories.length},
  toDate(${FIRST_DAY} + least(${DAYS}, ${hash('person', '3')} % ${DAYS} + ${hash('m', '4')} % (30 + ${hash('person', '5')} % 1500))),
  if(${hasTwo} AND m % 3 = 0, ${hash('person', '6')}, ${hash('person', '7')}), ${hash('person', '7')}, 0,
  ${hash('m', '8')}, m % 8 = 0, if(m % 40 = 1, 'made', ''), 0, 1
FROM (SELECT n, m, ${person} AS person FROM (SELECT number + ${from} AS n, if(n % 30 = 0, n - 15, n) AS m FROM numbers(${Math.min(COMMITS_A_STATEMENT, commits - from)})))`,
    })
  const readAt = (FIRST_DAY + DAYS + 1) * 86_400
  await warehouse.insertRows(
    devReadings,
    repositories.map((repository, index) => ({
      repository,
      source: 'developers.git',
      reading: 1n,
      part: BigInt(index + 1),
      head: '',
      mailmap: '',
      keyMark: 'made',
      commits: BigInt(Math.floor(commits / repositories.length)),
      inherited: 0n,
      toDay: new Date((FIRST_DAY + DAYS) * 86_400_000).toISOString().slice(0, 10),
      readAt,
    })),
  )
}
