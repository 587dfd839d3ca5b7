import { snake } from '#kernel/table.ts'
import { BASE_DATABASE } from '../ddl.ts'
import { callHourRuns, callHours, nestedHours } from '../tables/callHours.ts'
import { columnType } from '../types.ts'
import { commentsOf, plainView, type View, view } from '../view.ts'

/** The condition that a row is of the newest run of its hour. */
export const NEWEST_HOUR_RUNS = `(chain, hour, run) IN (
  SELECT chain, hour, max(run) FROM ${BASE_DATABASE}.call_hour_runs GROUP BY chain, hour
)`

type HourTable = typeof callHours | typeof nestedHours

function hourView(table: HourTable): View {
  const { run: _, ...columns } = table.columns
  return view(table.name, {
    doc: table.doc,
    columns: commentsOf(columns),
    types: Object.fromEntries(
      Object.entries(columns).map(([key, column]) => [snake(key), columnType(column)]),
    ),
    sql: `SELECT ${Object.keys(columns).map(snake).join(', ')}
FROM ${BASE_DATABASE}.${table.name}
WHERE ${NEWEST_HOUR_RUNS}`,
  })
}

/** Calls by the hour: readers see the newest run of each hour. */
export const CALL_HOUR_VIEWS: readonly View[] = [
  plainView(callHourRuns),
  hourView(callHours),
  hourView(nestedHours),
]
