export type { EvmOutcome } from './advanceEvm.ts'
export {
  type EvmBackfillOptions,
  type EvmIngest,
  type EvmIngestConfig,
  type EvmStatus,
  evmHaltSentence,
  openEvmIngest,
} from './openEvmIngest.ts'
export { type EvmVerifyOptions, type EvmVerifyReport, verifyEvm } from './verifyEvm.ts'
