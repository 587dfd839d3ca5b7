import { AssayError } from '#kernel/errors.ts'

/**
 * What went wrong between us and a node or its files. Codes: `node.refused`, `node.unreachable`, `node.timeout`,
 * `node.dropped`, `node.unauthorized`, `node.forbidden`, `node.http`, `node.rpc`, `node.warming_up`, `node.shape`,
 * `node.wrong_chain`, `node.lied`, `node.pruned`, `node.config`, `node.magic`, `node.file`, `node.rate_limited`,
 * `node.batch`, `node.range`, `node.method`, `node.missing`, `node.gap`, `node.reorged`, `node.disagree`, `node.none`.
 */
export class NodeError extends AssayError {}

const passing = new Set([
  'node.refused',
  'node.unreachable',
  'node.timeout',
  'node.dropped',
  'node.warming_up',
  'node.http',
  'node.rate_limited',
])

/** True where the same question may be answered a little later: a node that restarts, a line that broke. */
export const isPassing = (thrown: unknown): boolean => thrown instanceof NodeError && passing.has(thrown.code)
