import { AssayError } from '#kernel/errors.ts'

/** What stops ingest, or makes it refuse a block. Codes: `ingest.locked`, `ingest.deep_reorg`, `ingest.other_chain`, `ingest.link`, `ingest.height`, `ingest.value`, `ingest.missing_prevout`, `ingest.overspend`, `ingest.coinbase_value`, `ingest.refused`, `ingest.prevouts_file`, `ingest.range`, `ingest.worker`, `ingest.disk_full`. */
export class IngestError extends AssayError {}

/** Whether the system said that a disk or a quota is full. */
export const isDiskFull = (thrown: unknown): boolean =>
  thrown instanceof Error && 'code' in thrown && (thrown.code === 'ENOSPC' || thrown.code === 'EDQUOT')

export const diskFull = (path: string, cause: unknown): IngestError =>
  new IngestError('ingest.disk_full', `The disk that holds ${path} is full.`, {
    hint: 'Free space there, then continue. Committed data is intact, and nothing else was written.',
    cause,
  })
