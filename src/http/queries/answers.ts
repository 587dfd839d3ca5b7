import type { DailyUsage, Run, SavedQuery, StoredResult } from '#queries/index.ts'
import { toApiError } from '../apiError.ts'
import type {
  QueryResult,
  QueryRun,
  QueryRunEvent,
  SavedQuery as SavedQueryAnswer,
  SavedQueries as SavedQueryList,
} from '../contract.ts'

export const chartOf = (chart: SavedQuery['chart']): SavedQueryAnswer['chart'] =>
  chart && { ...chart, values: [...chart.values] }

export const savedOf = ({ createdAt, changedAt, ...query }: SavedQuery): SavedQueryAnswer => ({
  ...query,
  parameters: { ...query.parameters },
  chart: chartOf(query.chart),
  createdAt: createdAt.toISOString(),
  changedAt: changedAt.toISOString(),
})

export function summaryOf(query: SavedQuery): SavedQueryList['own'][number] {
  const { sql: _sql, parameters: _parameters, chart: _chart, ...summary } = savedOf(query)
  return summary
}

export const usageAnswer = ({ resetsAt, ...parts }: DailyUsage) => ({
  ...parts,
  resetsAt: new Date(resetsAt).toISOString(),
})

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export function runOf(run: Run): QueryRun {
  return {
    id: run.id,
    state: run.state,
    sql: run.sql,
    parameters: { ...run.parameters },
    createdAt: new Date(run.createdAt).toISOString(),
    startedAt: iso(run.startedAt),
    endedAt: iso(run.endedAt),
    queue: run.queue,
    ...(run.usage && { usage: usageAnswer(run.usage) }),
    progress: run.progress,
    result: run.result && resultOf(run.result),
    isReused: run.isReused,
    problem:
      run.state === 'failed' ? ((run.problem as QueryRun['problem']) ?? toApiError(run.error).problem) : null,
  }
}

export const firstRowsOf = (found: Run['firstRows']): Pick<QueryRunEvent, 'firstRows'> =>
  found === undefined ? {} : { firstRows: { columns: [...found.columns], rows: [...found.rows] } }

export const resultOf = ({
  sql: _sql,
  parameters: _parameters,
  owner,
  ...result
}: StoredResult): QueryResult => ({
  ...result,
  isPrivate: owner !== undefined,
})
