import { type IngestState, readIngestState } from '#ingest/index.ts'
import type { Network } from '#kernel/bitcoin.ts'
import type { Warehouse } from '#warehouse/index.ts'
import type { SourceRef, Status } from './contract.ts'

export type StatusDeps = {
  readonly warehouse: Warehouse
  readonly metrics: { sources(): Promise<SourceRef[]> }
  readonly network: Network
  readonly version: string
  /** Whether this installation follows a node at all. */
  readonly hasNode: boolean
}

const COVERAGE_SQL = `SELECT
  coverage.from_height AS from,
  coverage.to_height AS to,
  toString(any(batches.origin)) AS origin,
  toBool(min(batches.is_island)) AS isIsland
FROM btc_coverage AS coverage
INNER JOIN base.btc_batches AS batches ON batches.from_height = coverage.from_height
WHERE batches.batch IN (SELECT batch FROM base.btc_live_batches)
GROUP BY from, to
ORDER BY from`

const TIP_SQL = `SELECT height, lower(hex(hash)) AS hash, formatDateTime(block_time, '%FT%TZ') AS time
FROM btc_blocks
ORDER BY height DESC
LIMIT 1`

const COUNTS_SQL = `SELECT
  (SELECT count() FROM base.btc_refused_blocks) AS refused,
  (SELECT formatDateTime(max(decided_at), '%FT%TZ') FROM base.btc_batches WHERE is_live) AS lastCommit,
  (SELECT count() FROM base.btc_batches WHERE is_live) AS commits`

type Coverage = Status['chains'][number]['coverage'][number]
type Tip = NonNullable<Status['chains'][number]['tip']>
type Counts = { refused: number; lastCommit: string; commits: number }

/** What is held, from where, how far: read from the warehouse, so that every process gives the same answer. */
export async function readStatus(deps: StatusDeps): Promise<Status> {
  const rows = async <Row>(query: string): Promise<Row[]> => {
    const answer = await deps.warehouse.reader.query({
      query,
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    })
    return answer.json<Row>()
  }
  const [coverage, tips, [counts], state, sources] = await Promise.all([
    rows<Coverage>(COVERAGE_SQL),
    rows<Tip>(TIP_SQL),
    rows<Counts>(COUNTS_SQL),
    readIngestState(deps.warehouse),
    deps.metrics.sources(),
  ])
  return {
    version: deps.version,
    chains: [
      {
        chain: 'bitcoin',
        network: deps.network,
        coverage,
        tip: tips[0] ?? null,
        lastCommit: counts && counts.commits > 0 ? counts.lastCommit : null,
        isFollowing: deps.hasNode && state?.state === 'following',
        halted: deps.hasNode ? haltOf(state) : null,
        refused: counts?.refused ?? 0,
      },
    ],
    sources,
  }
}

/** Why nothing new comes in, where following was meant to go on. */
const haltOf = (state: IngestState | undefined): string | null =>
  state !== undefined && (state.state === 'halted' || state.state === 'waiting') ? state.sentence : null
