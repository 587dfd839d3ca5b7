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

/** What readers see of developers: counts and the catalogue, nobody. */
export const DEVELOPER_VIEWS: readonly View[] = [
  ofLatestLoad(developerLoads.ecosystems, 'dev_ecosystems'),
  ofLatestLoad(developerLoads.repositories, 'dev_repositories'),
  ofLatestLoad(developerLoads.programmes, 'dev_programmes'),
  narrowedView(devReadings, 'dev_readings', ['mailmap', 'keyMark'], STANDING_PARTS),
  plainView(devAttempts),
  ...DEVELOPER_COUNTS.map(ofNewestRun),
  plainView(devRuns),
]
