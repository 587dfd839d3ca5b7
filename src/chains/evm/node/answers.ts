import { NodeError } from '../../node/errors.ts'
import { rateLimited } from '../../node/rateLimit.ts'

/** What a JSON-RPC node says in place of a result. */
export type RpcFault = { readonly code: number; readonly message: string; readonly data?: unknown }

/** Words by which nodes and the services before them say the same thing; JSON-RPC has no codes for them. */
const RATE =
  /rate.?limit|too many requests|request(s)? (limit|rate)|exceeded (the |your )?(quota|capacity|.*per second)|throttl|compute units per second/i
const RANGE =
  /block range|range (is )?(too )?(large|wide|big)|range limit|query returned more than|more than \d+ (results|logs)|too many (results|logs)|response (size|is too)|exceeds? (the )?(max|limit)|limited to (a )?\d|max(imum)? (allowed )?(block )?(range|results)|query timeout|logs matched|result (set )?too large|block distance/i
const METHOD =
  /method .*(not found|not available|not supported|does not exist|disabled|not allowed|whitelist)|unsupported method|the method .* does not exist|not implemented/i
const BATCH = /batch.*(too|limit|large|size|support|exceed|not allowed)|too many .*batch/i
const PRUNED =
  /missing trie node|pruned|history.*(unavailable|not available)|state .* not available|older than/i
const MISSING =
  /(header|block|transaction) not found|unknown block|cannot find block|block .* (not available|not exist)/i

/** The error of a call as our own, by what it means to whoever asked. */
export function faultOf(name: string, what: string, { code, message }: RpcFault): NodeError {
  const facts = { rpcCode: code }
  const said = message.length > 300 ? `${message.slice(0, 300)}…` : message
  if (BATCH.test(message))
    return new NodeError('node.batch', `${name} does not take batches of this size: ${said}`, { facts })
  if (RANGE.test(message) && /getLogs|trace/i.test(what))
    return new NodeError('node.range', `${name} does not answer ${what} over so many blocks: ${said}`, {
      facts: { ...facts, ...suggestionOf(message) },
    })
  if (RATE.test(message) || code === 429 || code === -32005 || code === -32097)
    return rateLimited(name, what, said, null)
  if (code === -32601 || METHOD.test(message))
    return new NodeError('node.method', `${name} does not offer ${what}: ${said}`, { facts })
  if (PRUNED.test(message))
    return new NodeError('node.pruned', `${name} no longer has what ${what} asks for: ${said}`, {
      hint: 'Use a node that keeps its history (an archive node).',
      facts,
    })
  if (MISSING.test(message))
    return new NodeError('node.missing', `${name} does not have the block that ${what} asks for: ${said}`, {
      facts,
    })
  return new NodeError('node.rpc', `${name} answered ${what} with an error: ${said} (${code})`, { facts })
}

/** Some services name the range that they would answer: `… this block range should work: [0x1, 0x2]`. */
function suggestionOf(message: string): { suggestedTo?: number } {
  const [, last] = /\[\s*0x[0-9a-f]+\s*,\s*(0x[0-9a-f]+)\s*\]/i.exec(message) ?? []
  return last === undefined ? {} : { suggestedTo: Number(last) }
}
