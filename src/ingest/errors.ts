import { AssayError } from '#kernel/errors.ts'

/** What stops ingest, or makes it refuse a block. Codes: `ingest.locked`, `ingest.deep_reorg`, `ingest.other_chain`, `ingest.link`, `ingest.height`, `ingest.value`, `ingest.missing_prevout`, `ingest.overspend`, `ingest.coinbase_value`, `ingest.refused`, `ingest.prevouts_file`, `ingest.range`, `ingest.worker`, `ingest.disk_full`. */
export class IngestError extends AssayError {}
