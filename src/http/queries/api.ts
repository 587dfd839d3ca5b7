import { type Log, silentLog } from '#kernel/log.ts'
import type { QueryTool } from '#queries/index.ts'
import { createKeyChecks } from './keyChecks.ts'
import { createResultsApi } from './resultsApi.ts'
import { createRunsApi } from './runsApi.ts'
import { createSavedApi, type KeysOf } from './savedApi.ts'
import { createTablesApi } from './tablesApi.ts'

export type QueriesApi = ReturnType<typeof createQueriesApi>

/** The query tool as the API answers it. Throws ApiError only. */
export function createQueriesApi(
  tool: QueryTool,
  keysOf: KeysOf = async () => [],
  log: Pick<Log, 'warn'> = silentLog,
) {
  const checks = createKeyChecks(tool)
  return {
    ...createRunsApi(tool, checks),
    ...createResultsApi(tool, checks),
    ...createSavedApi(tool, keysOf, log),
    ...createTablesApi(tool),
  }
}
