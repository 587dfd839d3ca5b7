export type { Cell } from '#kernel/sqlCells.ts'
export { bindQuery, boundStatements } from './bindQuery.ts'
export { createChainsRead } from './chainsRead.ts'
export {
  createQueries,
  type FileAnswer,
  type Queries,
  type RowsAnswer,
  type TextAnswer,
} from './createQueries.ts'
export { toCsv } from './csv.ts'
export type { AnswerColumn } from './decodeRows.ts'
export { type Edit, edited } from './edits.ts'
export { QueryError } from './errors.ts'
export { isOfQuery } from './estimate.ts'
export {
  createExecutor,
  EXECUTION_LIMITS,
  type Executor,
  type ExecutorDeps,
  type QueryRequest,
  type QueryRole,
  type ResultHeaders,
} from './execute.ts'
export { aliasAt, mayNameMetrics, metricTable, withMetrics } from './metricTables/bindMetrics.ts'
export { dataEnd, prefixBytes, SHORT, shapeOf, textAt, textEnd, varint } from './nativeShapes.ts'
export { openQueryTool, type QueryTool, type QueryToolConfig } from './openQueryTool.ts'
export {
  BLOCK_RECORDS,
  type Bundle,
  bundle,
  input,
  METRIC_TABLE,
  type MetricBundle,
  PROVENANCE_FORMAT,
  PROVENANCE_VERSION,
  selector,
} from './provenance/bundle.ts'
export { chartOf } from './provenance/chart.ts'
export type { Provenance } from './provenance/createProvenance.ts'
export { MOST_BLOCKS } from './provenance/inputs.ts'
export { type Difference, firstDifference, type Server as DataServer } from './provenance/locate.ts'
export { hashOf } from './provenance/relations.ts'
export { createSharedTurns, type QueueStore, type SharedTurns } from './queue/sharedTurns.ts'
export type { DailyUsage } from './queue/usage.ts'
export { AGGREGATIONS, type ChartGroups, type ChartRequest } from './results/chartGroups.ts'
export {
  RESULT_FILES,
  type ResultFile,
  type ResultFileFormat,
  type ResultReader,
  type Results,
  type StoredFile,
} from './results/createResults.ts'
export type { StoredResult } from './results/resultFiles.ts'
export type { ResultFilter, ResultSort, ResultView } from './results/resultSql.ts'
export type { TextForm } from './rowsText.ts'
export type { Run, RunCaller, Runs } from './runs/createRuns.ts'
export type { PastRun } from './runs/history.ts'
export { createHistory } from './runs/history.ts'
export { type RecordRun, unrecorded } from './runs/recordRun.ts'
export { COMMENT_LIMITS, type Comments, createComments } from './saved/createComments.ts'
export type { SavedQuery, SavedQueryChange } from './saved/createSaved.ts'
export { createSavedQueries } from './saved/createSaved.ts'
export {
  createScheduler,
  type ScheduleFailure,
  type Scheduler,
  type SchedulerDeps,
} from './schedules/createScheduler.ts'
export {
  createSchedules,
  SCHEDULE_LIMITS,
  type ScheduleState,
  type Schedules,
} from './schedules/createSchedules.ts'
export { isName, isSymbol, type Token, tokensOf, wordOf } from './tokens.ts'
export { slotsOf } from './turns.ts'
export { UPLOADS_WORD } from './uploads/bindUploads.ts'
export { FORMATS as UPLOAD_FORMATS } from './uploads/columnTypes.ts'
export type { ColumnChange, Draft, UploadFile } from './uploads/createDrafts.ts'
export { createUploads, type Keep as UploadKeep, type Upload, uploadTables } from './uploads/createUploads.ts'
export { UploadError } from './uploads/uploadError.ts'
export { UPLOAD_LIMITS, type UploadLimits } from './uploads/uploadLimits.ts'
