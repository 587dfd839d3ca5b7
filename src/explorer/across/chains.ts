import { EVM_LAYERS, type EvmLayer } from '#kernel/evm.ts'
import { isoOf, type Reader, readRows } from '../readRows.ts'

/** Every chain that is covered, in the order of the menus. */
export const ALL_CHAINS = ['bitcoin', 'stacks', ...EVM_LAYERS] as const
export type ChainId = (typeof ALL_CHAINS)[number]
/** A chain that has contracts. */
export type ContractChainId = Exclude<ChainId, 'bitcoin'>

export const isEvm = (chain: string): chain is EvmLayer => EVM_LAYERS.some(layer => layer === chain)

/** What is held of a chain up to its newest block, without a gap. */
export type ChainHeld = {
  chain: ChainId
  /** Newest block. */
  height: number
  time: string
  /** First block of the run without a gap that ends there. */
  sinceHeight: number
  since: string
  /** Everything from the first block on is held, so sums over it are balances. */
  isSinceGenesis: boolean
}

type Run = { chain: ChainId; height: number; sinceHeight: number }

/** The chains of which blocks are held; those of which nothing is held are left out. */
export async function readHeld(reader: Reader): Promise<ChainHeld[]> {
  const runs = await readRows<Run>(reader, RUNS)
  if (runs.length === 0) return []
  const times = await readRows<{ chain: ChainId; height: number; timeS: number }>(reader, timesOf(runs))
  const timeAt = new Map(times.map(({ chain, height, timeS }) => [`${chain} ${height}`, isoOf(timeS)]))
  return runs
    .map(({ chain, height, sinceHeight }) => ({
      chain,
      height,
      sinceHeight,
      time: timeAt.get(`${chain} ${height}`) ?? isoOf(0),
      since: timeAt.get(`${chain} ${sinceHeight}`) ?? isoOf(0),
      isSinceGenesis: sinceHeight <= FIRST_HEIGHT[chain === 'stacks' ? 'stacks' : 'other'],
    }))
    .sort((a, b) => ALL_CHAINS.indexOf(a.chain) - ALL_CHAINS.indexOf(b.chain))
}

/** A node of Stacks posts genesis as block 0 or 1. */
const FIRST_HEIGHT = { stacks: 1, other: 0 } as const

const RUNS = `SELECT chain, max(to_height) AS height, argMax(r.from_height, r.to_height) AS sinceHeight
FROM (
  SELECT 'bitcoin' AS chain, from_height, to_height FROM btc_coverage
  UNION ALL
  SELECT 'stacks' AS chain, from_height, to_height FROM stx_coverage
  UNION ALL
  SELECT toString(chain) AS chain, from_height, to_height FROM evm_coverage
) AS r
GROUP BY chain`

/** Times of the first and the newest block of each run. */
function timesOf(runs: readonly Run[]): string {
  const heights = (chain: ChainId) =>
    runs.filter(run => run.chain === chain).flatMap(({ height, sinceHeight }) => [height, sinceHeight])
  const one = (chain: ChainId, table: string, where = ''): string[] => {
    const asked = heights(chain)
    return asked.length === 0
      ? []
      : [
          `SELECT '${chain}' AS chain, height, toUnixTimestamp(block_time) AS timeS FROM ${table} AS b WHERE ${where}height IN (${asked.join(', ')})`,
        ]
  }
  return [
    ...one('bitcoin', 'btc_blocks'),
    ...one('stacks', 'stx_blocks'),
    ...EVM_LAYERS.flatMap(layer => one(layer, 'evm_blocks', `b.chain = '${layer}' AND `)),
  ].join('\nUNION ALL\n')
}
