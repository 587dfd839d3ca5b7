import { type IngestState, readIngestState } from '#ingest/index.ts'
import { type EvmLayer, rpcVariableOf } from '#kernel/evm.ts'
import { EVM, type Warehouse } from '#warehouse/index.ts'
import type { Held } from './readStatus.ts'
import { rowsOf } from './rowsOf.ts'

/** What is held of these EVM layers, in their order. */
export async function readLayers(
  warehouse: Pick<Warehouse, 'reader'>,
  layers: readonly EvmLayer[],
  followed: readonly EvmLayer[],
): Promise<Held[]> {
  const rows = <Row>(query: string): Promise<Row[]> => rowsOf<Row>(warehouse, query)
  const ranges = await rows<{ chain: string; from: number; to: number }>(RANGES_SQL)
  const [tips, commits, ...states] = await Promise.all([
    rows<{ chain: string; height: number; hash: string; timeS: number }>(TIPS_SQL),
    rows<{ chain: string; atS: number }>(COMMITS_SQL),
    ...layers.map(chain => readIngestState(warehouse, { family: EVM, chain })),
  ])
  return layers.map((chain, i) => {
    const tip = tips.find(each => each.chain === chain)
    const commit = commits.find(each => each.chain === chain)
    const isFollowed = followed.includes(chain)
    return {
      chain,
      network: 'mainnet',
      coverage: ranges
        .filter(range => range.chain === chain)
        .map(({ from, to }) => ({ from, to, origin: 'rpc', isIsland: false })),
      tip: tip ? { height: tip.height, hash: tip.hash, time: isoOf(tip.timeS) } : null,
      lastCommit: commit ? isoOf(commit.atS) : null,
      isFollowing: isFollowed && states[i]?.state === 'following',
      isConfigured: isFollowed,
      configure: `${rpcVariableOf(chain)} names addresses of JSON-RPC, or “public” for those of the catalog.`,
      ...(isFollowed ? haltOf(states[i]) : NO_HALT),
      refused: 0,
    }
  })
}

/** Why nothing new comes in, where following was meant to go on. */
export const haltOf = (state: IngestState | undefined): Pick<Held, 'halted' | 'isWaiting'> =>
  state !== undefined && (state.state === 'halted' || state.state === 'waiting')
    ? { halted: state.sentence, isWaiting: state.state === 'waiting' }
    : NO_HALT

export const NO_HALT = { halted: null, isWaiting: false } as const

export const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

const RANGES_SQL = `SELECT toString(chain) AS chain, from_height AS \`from\`, to_height AS \`to\`
FROM evm_coverage
ORDER BY \`from\``

const TIPS_SQL = `SELECT
  toString(blocks.chain) AS chain,
  blocks.height AS height,
  lower(hex(blocks.hash)) AS hash,
  toUnixTimestamp(blocks.block_time) AS timeS
FROM evm_blocks AS blocks
WHERE (blocks.chain, blocks.height) IN (SELECT chain, max(to_height) FROM evm_coverage GROUP BY chain)`

const COMMITS_SQL = `SELECT toString(decisions.chain) AS chain, toUnixTimestamp(max(decisions.decided_at)) AS atS
FROM evm_batches AS decisions
WHERE decisions.is_live
GROUP BY decisions.chain`
