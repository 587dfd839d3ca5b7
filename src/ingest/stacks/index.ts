export type { ArchiveOptions, ArchiveProgress, ArchiveReport } from './archiveIngest.ts'
export { openStacksIngest, type StacksIngest, type StacksIngestConfig } from './openStacksIngest.ts'
export { keepStacksTokens } from './tokenKeeper.ts'
export { verifyStacks } from './verify.ts'
