import { readIngestState } from '#ingest/index.ts'
import { STACKS, type Warehouse } from '#warehouse/index.ts'
import { haltOf, isoOf, NO_HALT } from './readLayers.ts'
import type { Held } from './readStatus.ts'
import { rowsOf } from './rowsOf.ts'

type Tip = {
  readonly height: number
  readonly hash: string
  readonly timeS: number
  readonly sender: string
  readonly commitS: number
  readonly refused: number
}

/** What is held of Stacks. */
export async function readStacks(warehouse: Pick<Warehouse, 'reader'>, isConfigured: boolean): Promise<Held> {
  const rows = <Row>(query: string): Promise<Row[]> => rowsOf<Row>(warehouse, query)
  const [ranges, state] = await Promise.all([
    rows<{ from: number; to: number; origin: string }>(RANGES_SQL),
    readIngestState(warehouse, { family: STACKS }),
  ])
  const [tip] = ranges.length === 0 ? [] : await rows<Tip>(TIP_SQL)
  return {
    chain: 'stacks',
    network: tip === undefined || MAIN.test(tip.sender) ? 'mainnet' : 'testnet',
    coverage: ranges.map(range => ({ ...range, isIsland: false })),
    tip: tip ? { height: tip.height, hash: tip.hash, time: isoOf(tip.timeS) } : null,
    lastCommit: tip ? isoOf(tip.commitS) : null,
    isFollowing: isConfigured && state?.state === 'following',
    isConfigured,
    configure:
      'STACKS_API_URL (the public API), STACKS_RPC_URL (a node’s RPC), or STACKS_OBSERVER_PORT (a node that posts its events, the most complete source).',
    ...(isConfigured ? haltOf(state) : NO_HALT),
    refused: tip?.refused ?? 0,
  }
}

/** Addresses of the main network; all test networks share theirs. */
const MAIN = /^S[PM]/

/** With the sources of all blocks: which block came from where stands with the block. */
const RANGES_SQL = `SELECT from_height AS \`from\`, to_height AS \`to\`,
  (SELECT arrayStringConcat(arraySort(groupUniqArray(CAST(source AS String))), ' and ') FROM stx_blocks) AS origin
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
