import { snake, type Table } from '#kernel/table.ts'
import { BASE_DATABASE } from '../ddl.ts'
import { DEVELOPER_COUNTS, devAttempts, developerLoads, devReadings, devRuns } from '../tables/developers.ts'
import { columnType } from '../types.ts'
import { commentsOf, plainView, type View, view } from '../view.ts'

/** Rows of a table under the condition given, without the columns that say which rows those are. */
function narrowedView(table: Table, name: string, left: readonly string[], where: string): View {
  const columns = Object.fromEntries(Object.entries(table.columns).filter(([key]) => !left.includes(key)))
  const names = Object.keys(columns).map(snake)
  return view(name, {
    doc: table.doc,
    columns: commentsOf(columns),
    types: Object.fromEntries(
      Object.entries(columns).map(([key, column]) => [snake(key), columnType(column)]),
    ),
    sql: `SELECT ${names.join(', ')}
FROM ${BASE_DATABASE}.${table.name}
WHERE ${where}`,
  })
}

/** The catalogue as it was loaded last; ecosystems are written last, and by them a load is there. */
const ofLatestLoad = (table: Table, name: string): View =>
  narrowedView(
    table,
    name,
    ['loadedAt', 'catalogHash'],
    `loaded_at = (SELECT max(l.loaded_at) FROM ${BASE_DATABASE}.${developerLoads.ecosystems.name} AS l)`,
  )

/** Counts of the newest run: its row in the log is written last. */
const ofNewestRun = (table: Table): View =>
  narrowedView(
    table,
    table.name.replace(/_rows$/, ''),
    ['run'],
    `run = (SELECT max(r.run) FROM ${BASE_DATABASE}.${devRuns.name} AS r)`,
  )

/** The condition that a part is of the reading that holds: clones go before recordings, of these the newest one. */
export const STANDING_PARTS = `(repository, reading) IN (
  SELECT r.repository, argMax(r.reading, (r.source = 'developers.git', r.reading))
  FROM ${BASE_DATABASE}.${devReadings.name} AS r
  GROUP BY r.repository
)`

/** The longest window of a count of people: a recording that begins later has none of its people before. */
const WINDOW_DAYS = 84

const coverage = view('dev_coverage', {
  doc: 'One row per ecosystem and repository with a history: the days that its commits cover. Counts of two days compare only if all histories of the ecosystem cover both.',
  columns: {
    ecosystem: 'ecosystem, as in `dev_ecosystems`; `ecosystems` for all together',
    repository: 'owner and name',
    from_day: `first UTC day; where a recording lacks older commits, the one on which a window of ${WINDOW_DAYS} days is full`,
    to_day: 'last UTC day for which all commits are known',
  },
  types: { ecosystem: 'String', repository: 'String', from_day: 'Date', to_day: 'Date' },
  sql: `SELECT
  arrayJoin([r.ecosystem, 'ecosystems']) AS ecosystem, r.repository AS repository,
  max(if(h.is_recorded AND r.recorded_from_day IS NOT NULL, assumeNotNull(r.recorded_from_day) + ${WINDOW_DAYS - 1}, toDate('1970-01-01'))) AS from_day,
  min(if(h.is_recorded AND r.recorded_to_day IS NOT NULL, least(assumeNotNull(r.recorded_to_day), h.last_day), h.last_day)) AS to_day
FROM dev_repositories AS r
INNER JOIN (
  SELECT d.repository AS repository, max(d.to_day) AS last_day, any(d.source) = 'developers.recorded' AS is_recorded
  FROM dev_readings AS d
  GROUP BY d.repository
) AS h ON h.repository = r.repository
GROUP BY ecosystem, repository`,
})

/** What readers see of developers: counts and the catalogue, nobody. */
export const DEVELOPER_VIEWS: readonly View[] = [
  ofLatestLoad(developerLoads.ecosystems, 'dev_ecosystems'),
  ofLatestLoad(developerLoads.repositories, 'dev_repositories'),
  ofLatestLoad(developerLoads.programmes, 'dev_programmes'),
  narrowedView(devReadings, 'dev_readings', ['mailmap', 'keyMark'], STANDING_PARTS),
  coverage,
  plainView(devAttempts),
  ...DEVELOPER_COUNTS.map(ofNewestRun),
  plainView(devRuns),
]
