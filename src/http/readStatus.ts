import { readIngestState } from '#ingest/index.ts'
import type { Network } from '#kernel/bitcoin.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import { BITCOIN, type Warehouse } from '#warehouse/index.ts'
import type { SourceRef, Status } from './contract.ts'
import { type Following, readFollowing } from './readFollowing.ts'
import { haltOf, isoOf, NO_HALT, readLayers } from './readLayers.ts'
import { readStacks } from './readStacks.ts'
import { rowsOf } from './rowsOf.ts'

export type StatusDeps = {
  readonly warehouse: Warehouse
  readonly metrics: { sources(): Promise<SourceRef[]> }
  readonly network: Network
  readonly version: string
  /** Whether this installation follows a node at all. */
  readonly hasNode: boolean
  /** Whether it follows Stacks by any source. */
  readonly followsStacks?: boolean
  /** The EVM layers of the catalogue. */
  readonly layers: readonly EvmLayer[]
  /** Those that it follows; none unless given. */
  readonly followedLayers?: readonly EvmLayer[]
}

type Chain = Status['chains'][number]
/** What is held of a chain, without how it is followed. */
export type Held = Omit<Chain, keyof Following>
type Range = Chain['coverage'][number]

/** What is held, from where, how far: read from the warehouse, so that every process gives the same answer. */
export async function readStatus(deps: StatusDeps): Promise<Omit<Status, 'schedule'>> {
  const rows = <Row>(query: string): Promise<Row[]> => rowsOf<Row>(deps.warehouse, query)
  const [batches, statistics, tips, refusals, state, sources, stacks, layers, following] = await Promise.all([
    rows<Range & { decidedAt: number }>(BATCHES_SQL),
    rows<{ from: number; to: number }>(STATISTICS_SQL),
    rows<{ height: number; hash: string; timeS: number }>(TIP_SQL),
    rows<{ refused: number }>('SELECT count() AS refused FROM base.btc_refused_blocks'),
    readIngestState(deps.warehouse, { family: BITCOIN }),
    deps.metrics.sources(),
    readStacks(deps.warehouse, deps.followsStacks ?? false),
    readLayers(deps.warehouse, deps.layers, deps.followedLayers ?? []),
    readFollowing(deps.warehouse),
  ])
  const [tip] = tips
  const lastCommit = Math.max(0, ...batches.map(({ decidedAt }) => decidedAt))
  const chains: Held[] = [
    {
      chain: 'bitcoin',
      network: deps.network,
      coverage: [
        ...joined(batches),
        ...statistics.map(range => ({ ...range, origin: 'statistics', isIsland: false })),
      ],
      tip: tip ? { height: tip.height, hash: tip.hash, time: isoOf(tip.timeS) } : null,
      lastCommit: lastCommit === 0 ? null : isoOf(lastCommit),
      isFollowing: deps.hasNode && state?.state === 'following',
      isConfigured: deps.hasNode,
      configure: 'BITCOIN_RPC_URL or BITCOIN_REST_URL names a full node.',
      ...(deps.hasNode ? haltOf(state) : NO_HALT),
      refused: refusals[0]?.refused ?? 0,
    },
    stacks,
    ...layers,
  ]
  return {
    version: deps.version,
    chains: chains.map(chain => ({ ...chain, ...following(chain.chain, chain.tip) })),
    sources,
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

/** The highest block known: held, or by a node's statistics. */
const TIP_SQL = `SELECT height, lower(hex(hash)) AS hash, toUnixTimestamp(block_time) AS timeS
FROM (
  (SELECT height, hash, block_time FROM btc_blocks ORDER BY height DESC LIMIT 1)
  UNION ALL
  (SELECT height, hash, block_time FROM btc_block_stats ORDER BY height DESC LIMIT 1)
)
ORDER BY height DESC
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
