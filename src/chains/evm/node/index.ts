export { isPassing, NodeError } from '../../node/errors.ts'
export { type EndpointHealth, type EvmClient, type EvmClientConfig, openEvmClient } from './client.ts'
export type { EndpointConfig, RpcCall } from './endpoint.ts'
export { type LogFilter, type LogStretch, logsIn, openRangeSize, type RangeSize } from './logRanges.ts'
export {
  type Agreement,
  createEvmSource,
  type EvmBlockRef,
  type EvmSource,
  type SourcedBlock,
  type SourceOptions,
} from './source.ts'
export { readTokens, type TokenFacts } from './tokens.ts'
