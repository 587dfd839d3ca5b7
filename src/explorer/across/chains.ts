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

type Row = { chain: ChainId; height: number; timeS: number; sinceHeight: number; sinceS: number }

/** The chains of which blocks are held; those of which nothing is held are left out. */
export async function readHeld(reader: Reader): Promise<ChainHeld[]> {
  const rows = await readRows<Row>(
    reader,
    `SELECT chain, height, timeS, sinceHeight, sinceS
FROM (
${runOf('bitcoin', 'btc')}
UNION ALL
${runOf('stacks', 'stx')}
UNION ALL
${EVM_RUNS}
)`,
  )
  return rows
    .map(({ timeS, sinceS, ...row }) => ({
      ...row,
      time: isoOf(timeS),
      since: isoOf(sinceS),
      isSinceGenesis: row.sinceHeight <= FIRST_HEIGHT[row.chain === 'stacks' ? 'stacks' : 'other'],
    }))
    .sort((a, b) => ALL_CHAINS.indexOf(a.chain) - ALL_CHAINS.indexOf(b.chain))
}

/** A node of Stacks posts genesis as block 0 or 1. */
const FIRST_HEIGHT = { stacks: 1, other: 0 } as const

const runOf = (chain: ChainId, family: string): string => `SELECT
  '${chain}' AS chain, max(c.to_height) AS height, argMax(c.from_height, c.to_height) AS sinceHeight,
  (SELECT max(toUnixTimestamp(block_time)) FROM ${family}_blocks WHERE height = (SELECT max(to_height) FROM ${family}_coverage)) AS timeS,
  (
    SELECT min(toUnixTimestamp(block_time))
    FROM ${family}_blocks
    WHERE height = (SELECT argMax(from_height, to_height) FROM ${family}_coverage)
  ) AS sinceS
FROM ${family}_coverage AS c
HAVING count() > 0`

const EVM_RUNS = `SELECT
  toString(r.chain) AS chain, any(r.to_height) AS height, any(r.from_height) AS sinceHeight,
  maxIf(toUnixTimestamp(b.block_time), b.height = r.to_height) AS timeS,
  minIf(toUnixTimestamp(b.block_time), b.height = r.from_height) AS sinceS
FROM (
  SELECT chain, max(to_height) AS to_height, argMax(c.from_height, c.to_height) AS from_height
  FROM evm_coverage AS c
  GROUP BY chain
) AS r
INNER JOIN (
  SELECT chain, height, block_time
  FROM evm_blocks
  WHERE (chain, height) IN (
    SELECT chain, arrayJoin([max(to_height), argMax(c.from_height, c.to_height)]) FROM evm_coverage AS c GROUP BY chain
  )
) AS b ON b.chain = r.chain
GROUP BY r.chain`
