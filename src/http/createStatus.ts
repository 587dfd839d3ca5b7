import type { ClickHouseClient } from '@clickhouse/client'
import type { Network } from '#kernel/bitcoin.ts'
import type { SourceRef, Status } from './contract.ts'

type Chain = Status['chains'][number]
type Range = Chain['coverage'][number]

export type StatusDeps = {
  warehouse: { reader: Pick<ClickHouseClient, 'query'> }
  metrics: { sources(): Promise<SourceRef[]> }
  network: Network
  version: string
}

/** Reads where base rows stand, as any process may: ingest leaves its word in the warehouse. */
export function createStatus({ warehouse, metrics, network, version }: StatusDeps): () => Promise<Status> {
  const ask = async <Row>(query: string): Promise<Row[]> => {
    const answer = await warehouse.reader.query({
      query,
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    })
    return answer.json<Row>()
  }

  return async () => {
    const [batches, statistics, tips, states, refusals, sources] = await Promise.all([
      ask<Range & { decidedAt: number }>(BATCHES_SQL),
      ask<{ from: number; to: number }>(STATISTICS_SQL),
      ask<{ height: number; hash: string; timeS: number }>(TIP_SQL),
      ask<{ state: string; sentence: string }>(STATE_SQL),
      ask<{ refused: number }>('SELECT count() AS refused FROM base.btc_refused_blocks'),
      metrics.sources(),
    ])
    const [tip] = tips
    const [state] = states
    const lastCommit = Math.max(0, ...batches.map(({ decidedAt }) => decidedAt))
    return {
      version,
      chains: [
        {
          chain: 'bitcoin',
          network,
          coverage: [
            ...joined(batches),
            ...statistics.map(range => ({ ...range, origin: 'statistics', isIsland: false })),
          ],
          tip: tip ? { height: tip.height, hash: tip.hash, time: isoOf(tip.timeS) } : null,
          lastCommit: lastCommit === 0 ? null : isoOf(lastCommit),
          isFollowing: state?.state === 'following',
          halted: state?.state === 'halted' ? state.sentence : null,
          refused: refusals[0]?.refused ?? 0,
        },
      ],
      sources,
    }
  }
}

const BATCHES_SQL = `SELECT
  any(from_height) AS \`from\`,
  any(to_height) AS \`to\`,
  toString(any(origin)) AS origin,
  any(is_island) AS isIsland,
  toUnixTimestamp(max(decided_at)) AS decidedAt
FROM base.btc_batches
GROUP BY batch
HAVING argMax(is_live, seq)
ORDER BY \`from\``

/** Runs of heights of which only statistics are held. */
const STATISTICS_SQL = `SELECT min(height) AS \`from\`, max(height) AS \`to\`
FROM (
  SELECT height, height - row_number() OVER (ORDER BY height) AS run
  FROM btc_block_stats
  WHERE height NOT IN (SELECT height FROM btc_blocks)
)
GROUP BY run
ORDER BY \`from\``

/** The highest block that has a chain below it, else the highest of all. */
const TIP_SQL = `SELECT height, lower(hex(hash)) AS hash, toUnixTimestamp(block_time) AS timeS
FROM btc_blocks
WHERE height <= (
  SELECT if(countIf(NOT is_island) = 0, max(high), maxIf(high, NOT is_island))
  FROM (
    SELECT any(to_height) AS high, any(is_island) AS is_island
    FROM base.btc_batches
    GROUP BY batch
    HAVING argMax(is_live, seq)
  )
)
ORDER BY height DESC
LIMIT 1`

const STATE_SQL = `SELECT toString(state) AS state, sentence
FROM base.btc_ingest_states
ORDER BY seq DESC
LIMIT 1`

/** Neighbouring batches of one origin as one range. */
function joined(batches: readonly Range[]): Range[] {
  const ranges: Range[] = []
  for (const { from, to, origin, isIsland } of batches) {
    const last = ranges.at(-1)
    if (last && !isIsland && !last.isIsland && last.origin === origin && from === last.to + 1) last.to = to
    else ranges.push({ from, to, origin, isIsland })
  }
  return ranges
}

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
