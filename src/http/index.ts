export type { ApiDeps, Asker, FullApi, MetricsDoor } from './api.ts'
export { toApiError } from './apiError.ts'
export { type DataVersion, openDataVersion } from './cache/dataVersion.ts'
export {
  type ClickHousePort,
  type ClickHousePortDeps,
  openClickHousePort,
} from './clickhouse/openClickHousePort.ts'
export type { Schedule } from './contract.ts'
export { type ApiFor, createApi } from './createApi.ts'
export { createHttp, type HttpConfig, type HttpDeps } from './createHttp.ts'
export { type Check, openHealthWatch } from './health/watch.ts'
export { loadPages, type Pages } from './pages/loadPages.ts'
export { scheduleMail } from './queries/schedules/scheduleMail.ts'
export { noteHistories, openReadAhead } from './readAhead.ts'
export { readSchedule } from './readSchedule.ts'
export { readStatus } from './readStatus.ts'
export { readPlans } from './routes/billing.ts'
export { siteOf } from './siteOf.ts'
