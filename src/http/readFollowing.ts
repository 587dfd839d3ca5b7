import type { Warehouse } from '#warehouse/index.ts'
import type { Status } from './contract.ts'
import { rowsOf } from './rowsOf.ts'

type Chain = Status['chains'][number]
/** How a chain is followed, and what of it no rule reads. */
export type Following = Pick<
  Chain,
  'sourceTip' | 'lagBlocks' | 'lagSeconds' | 'askedAt' | 'answeredAt' | 'endpoints' | 'strange'
>

const isoOf = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

/** Reads, for every chain at once, how it is followed. Chains that never were have nothing to tell. */
export async function readFollowing(
  warehouse: Pick<Warehouse, 'reader'>,
): Promise<(chain: string, tip: { height: number; time: string } | null) => Following> {
  const rows = <Row>(query: string): Promise<Row[]> => rowsOf<Row>(warehouse, query)
  const [followers, endpoints, strange] = await Promise.all([
    rows<{ chain: string; sourceTip: number | null; lookedS: number; answeredS: number | null }>(
      FOLLOWERS_SQL,
    ),
    rows<Omit<Chain['endpoints'][number], 'seenAt'> & { chain: string; seenS: number }>(ENDPOINTS_SQL),
    rows<Omit<Chain['strange'][number], 'newestTime'> & { chain: string; newestS: number | null }>(
      STRANGE_SQL,
    ),
  ])
  return (chain, tip) => {
    const follower = followers.find(each => each.chain === chain)
    const sourceTip = follower?.sourceTip ?? null
    const lagBlocks = sourceTip === null || tip === null ? null : Math.max(0, sourceTip - tip.height)
    const answeredS = follower?.answeredS ?? null
    return {
      sourceTip,
      lagBlocks,
      lagSeconds:
        lagBlocks === null || tip === null || answeredS === null
          ? null
          : lagBlocks === 0
            ? 0
            : Math.max(0, answeredS - Math.floor(Date.parse(tip.time) / 1000)),
      askedAt: isoOf(follower?.lookedS ?? null),
      answeredAt: isoOf(answeredS),
      endpoints: endpoints
        .filter(each => each.chain === chain)
        .map(({ chain: _, seenS, ...endpoint }) => ({ ...endpoint, seenAt: isoOf(seenS)! })),
      strange: strange
        .filter(each => each.chain === chain)
        .map(({ chain: _, newestS, ...part }) => ({ ...part, newestTime: isoOf(newestS) })),
    }
  }
}

const FOLLOWERS_SQL = `SELECT
  chain, source_tip AS sourceTip, toUnixTimestamp(looked_at) AS lookedS,
  if(answered_at IS NULL, NULL, toUnixTimestamp(assumeNotNull(answered_at))) AS answeredS
FROM base.chain_followers FINAL`

/** Those of the process that looked last: endpoints that are not configured any more have an older row. */
const ENDPOINTS_SQL = `SELECT
  endpoints.chain AS chain, endpoints.name AS name, CAST(endpoints.state AS String) AS state,
  endpoints.answers AS answers, endpoints.failures AS failures, endpoints.lies AS lies,
  endpoints.rate_limits AS rateLimits, endpoints.latency_ms AS latencyMs, endpoints.last_fault AS lastFault,
  toUnixTimestamp(endpoints.seen_at) AS seenS
FROM base.chain_endpoints AS endpoints FINAL
INNER JOIN (SELECT chain, looked_at FROM base.chain_followers FINAL) AS followers ON followers.chain = endpoints.chain
WHERE endpoints.seen_at + INTERVAL 1 MINUTE >= followers.looked_at
ORDER BY chain, name`

/** The fifty most frequent kinds of each chain that no rule here reads. */
const STRANGE_SQL = `SELECT chain, what, name, count, newestHeight, newestS
FROM (
  SELECT
    'stacks' AS chain, CAST(what AS String) AS what, name, count() AS count,
    toNullable(max(height)) AS newestHeight, toNullable(toUnixTimestamp(max(block_time))) AS newestS
  FROM stx_unknowns
  GROUP BY what, name
  UNION ALL
  SELECT
    'stacks', 'message', if(reason = '', concat(path, ': no table of its own'), concat(path, ': ', reason)), count(), NULL,
    toNullable(toUnixTimestamp(max(received_at)))
  FROM stx_kept_messages
  GROUP BY path, reason
  UNION ALL
  SELECT
    toString(chain), 'transaction', 'a type that is not known', sum(unknown_tx_count), toNullable(max(height)),
    toNullable(toUnixTimestamp(max(block_time)))
  FROM evm_blocks
  WHERE unknown_tx_count > 0
  GROUP BY chain
)
ORDER BY chain, count DESC, name
LIMIT 50 BY chain`
