import type { Status } from '#http/contract.ts'
import { timeText } from '../format/day.ts'
import { grouped } from '../format/figure.ts'
import styles from './StatusPage.module.css'

export type StatusChain = Status['chains'][number]

/** What is done with a chain, in a sentence. */
export function stateText(chain: StatusChain): string {
  if (!chain.isConfigured) return chain.tip ? 'recorded data only, not synced' : 'no data, not synced'
  if (chain.halted !== null)
    return chain.isWaiting
      ? `unreachable, retrying automatically: ${chain.halted}`
      : `halted, operator action required: ${chain.halted}`
  if (chain.isFollowing) return 'follows the tip'
  return chain.askedAt === null ? 'sync starting' : `not synced since ${timeText(chain.askedAt)}`
}

/** How far the sources are ahead of what is held. */
export function sourceTipText({ sourceTip, lagBlocks, lagSeconds, answeredAt }: StatusChain): string {
  const lag =
    lagBlocks === null
      ? ''
      : lagBlocks === 0
        ? ', which is indexed'
        : `, ${grouped(String(lagBlocks))} ${lagBlocks === 1 ? 'block' : 'blocks'} and ${grouped(String(lagSeconds ?? 0))} s ahead`
  const when = answeredAt === null ? '' : `, reported ${timeText(answeredAt)}`
  return `block ${grouped(String(sourceTip ?? 0))}${lag}${when}`
}

/** Which endpoints are asked, and how each fares. */
export function Endpoints({ chain: { endpoints } }: { chain: StatusChain }) {
  if (endpoints.length === 0) return null
  return (
    <table className={styles.ranges}>
      <caption className="visually-hidden">Polled endpoints</caption>
      <thead>
        <tr>
          <th scope="col">Endpoint</th>
          <th scope="col">Answers</th>
          <th scope="col">How it fares</th>
        </tr>
      </thead>
      <tbody>
        {endpoints.map(endpoint => (
          <tr key={endpoint.name}>
            <th scope="row">{endpoint.name.replace(/^the node at /, '')}</th>
            <td>{grouped(String(endpoint.answers))}</td>
            <td>{fareText(endpoint)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function fareText(endpoint: StatusChain['endpoints'][number]): string {
  const { state, failures, lies, rateLimits, latencyMs, lastFault } = endpoint
  const parts = [
    state === 'aside' ? 'set aside: another chain' : state,
    ...(latencyMs === null ? [] : [`${grouped(String(latencyMs))} ms`]),
    ...(failures === 0 ? [] : [`${grouped(String(failures))} failures`]),
    ...(lies === 0 ? [] : [`${grouped(String(lies))} answers that contradict themselves`]),
    ...(rateLimits === 0 ? [] : [`${grouped(String(rateLimits))} rate limit responses`]),
    ...(lastFault === '' ? [] : [`last: ${lastFault}`]),
  ]
  return parts.join(', ')
}

/** What no rule here reads, kept as it came. */
export function Strange({ chain: { strange } }: { chain: StatusChain }) {
  if (strange.length === 0) return null
  return (
    <table className={styles.ranges}>
      <caption className="visually-hidden">Undecoded items, stored raw</caption>
      <thead>
        <tr>
          <th scope="col">Stored as received</th>
          <th scope="col">Count</th>
          <th scope="col">Newest</th>
        </tr>
      </thead>
      <tbody>
        {strange.map(({ what, name, count, newestHeight, newestTime }) => (
          <tr key={`${what} ${name}`}>
            <th scope="row">
              {what}: {name}
            </th>
            <td>{grouped(String(count))}</td>
            <td>
              {newestHeight === null ? '' : `block ${grouped(String(newestHeight))}, `}
              {newestTime === null ? '' : timeText(newestTime)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
