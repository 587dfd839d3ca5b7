export type { Outcome } from './advance.ts'
export type { Range } from './batchLog.ts'
export { IngestError } from './errors.ts'
export type { FilesReport, FileToIngest } from './ingestFiles.ts'
export { type IngestState, readIngestState } from './ingestState.ts'
export type { LoneBlockEnd } from './islands.ts'
export {
  type BackfillOptions,
  haltSentence,
  type Ingest,
  type IngestConfig,
  type IngestStatus,
  openIngest,
} from './openIngest.ts'
export type { IngestProgress, OnProgress } from './progress.ts'
export type { Difference, VerifyOptions, VerifyReport } from './verify.ts'
