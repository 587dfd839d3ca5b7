export { isPassing, NodeError } from '../../node/errors.ts'
export type { EndpointHealth } from '../../node/pool.ts'
export { openStacksAccounts, type StacksAccounts } from './accounts.ts'
export { openStacksClient, RejectedError, type StacksClient, stacksBaseUrl } from './client.ts'
export * as stacksAnswers from './clientAnswers.ts'
export type { StacksEndpointConfig } from './endpoint.ts'
export { openReadOnlyCalls, type ReadOnlyCalls } from './readOnly.ts'
export {
  openStacksSource,
  type StacksAgreement,
  type StacksPlace,
  type StacksSource,
  type StacksSourceConfig,
} from './source.ts'
export { readStacksToken, type StacksTokenFacts } from './tokens.ts'
