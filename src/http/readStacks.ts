import { readIngestState } from '#ingest/index.ts'
import { STACKS, type Warehouse } from '#warehouse/index.ts'
import type { Status } from './contract.ts'
import { haltOf, isoOf } from './readLayers.ts'

type Tip = {
  readonly height: number
  readonly hash: string
  readonly timeS: number
  readonly sender: string
  readonly commitS: number
  readonly refused: number
}

/** What is held of Stacks; nothing before the first message of a node. */
export async function readStacks({ reader }: Pick<Warehouse, 'reader'>): Promise<Status['chains']> {
  const rows = async <Row>(query: string): Promise<Row[]> => {
    const answer = await reader.query({
      query,
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    })
    return answer.json<Row>()
  }
  const [ranges, state] = await Promise.all([
    rows<{ from: number; to: number }>(RANGES_SQL),
    readIngestState({ reader }, { family: STACKS }),
  ])
  if (ranges.length === 0 && state === undefined) return []
  const [tip] = await rows<Tip>(TIP_SQL)
  return [
    {
      chain: 'stacks',
      network: tip === undefined || MAIN.test(tip.sender) ? 'mainnet' : 'testnet',
      coverage: ranges.map(range => ({ ...range, origin: 'events', isIsland: false })),
      tip: tip ? { height: tip.height, hash: tip.hash, time: isoOf(tip.timeS) } : null,
      lastCommit: tip ? isoOf(tip.commitS) : null,
      isFollowing: state?.state === 'following',
      halted: haltOf(state),
      refused: tip?.refused ?? 0,
    },
  ]
}

/** Addresses of the main network; all test networks share theirs. */
const MAIN = /^S[PM]/

const RANGES_SQL = `SELECT from_height AS \`from\`, to_height AS \`to\`
FROM stx_coverage
ORDER BY \`from\``

const TIP_SQL = `SELECT
  height,
  lower(hex(hash)) AS hash,
  toUnixTimestamp(block_time) AS timeS,
  (SELECT sender FROM stx_txs WHERE sender != '' ORDER BY height DESC LIMIT 1) AS sender,
  (SELECT toUnixTimestamp(max(decided_at)) FROM stx_batches WHERE is_live) AS commitS,
  (SELECT count() FROM stx_kept_messages WHERE reason NOT IN ('', 'unknown path')) AS refused
FROM stx_blocks
ORDER BY height DESC
LIMIT 1`
