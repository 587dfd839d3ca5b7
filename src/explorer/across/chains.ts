import type { Catalog } from '#catalog/index.ts'
import { isoOf, type Reader, readRows } from '../readRows.ts'

/** `bitcoin`, `stacks`, or an EVM layer of the catalogue. */
export type ChainId = string

/** Every chain that is covered, in the order of the menus. */
export const chainsOf = ({ evm }: Pick<Catalog, 'evm'>): readonly ChainId[] => [
  'bitcoin',
  'stacks',
  ...evm.map(({ id }) => id),
]

export const isEvm = (chain: ChainId): boolean => chain !== 'bitcoin' && chain !== 'stacks'

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
  /** Whole hours from `since` to `time`; null where every block is indexed. A count over more hours is of these alone. */
  indexedHours: number | null
}

/** `ChainHeld.indexedHours`; 0 where no block of the chain is indexed. */
export const indexedHoursOf = (run: ChainHeld | undefined): number | null =>
  run === undefined ? 0 : run.indexedHours

/** Whether every block from a time up to the newest one is indexed: only then does a count of 0 mean that nothing happened. */
export const coversFrom = (
  { since, isSinceGenesis }: Pick<ChainHeld, 'since' | 'isSinceGenesis'>,
  fromMs: number,
): boolean => isSinceGenesis || Date.parse(since) <= fromMs

/** The same of so many seconds up to the newest block. */
export const coversSeconds = (
  run: Pick<ChainHeld, 'time' | 'since' | 'isSinceGenesis'>,
  seconds: number,
): boolean => coversFrom(run, Date.parse(run.time) - seconds * 1000)

/**
 * A count over blocks as far as it says something: 0 is known only where all of them are indexed. Above 0 it is of the
 * indexed blocks alone, which `indexedHours` tells; a rate of it, or a comparison, needs all of them.
 */
export const countedOver = (count: number, isCovered: boolean): number | null =>
  count === 0 && !isCovered ? null : count

const DAY_SECONDS = 86_400

/** Whether every block of the newest days of a chain is indexed. */
export const coversDays = (run: ChainHeld | undefined, days: number): boolean =>
  run !== undefined && coversSeconds(run, days * DAY_SECONDS)

/** A count of the newest days of a chain; null where it is 0 and blocks of those days are missing, or none is indexed. */
export const countOfDays = (
  run: ChainHeld | undefined,
  count: string | number,
  days: number,
): number | null => (run === undefined ? null : countedOver(Number(count), coversDays(run, days)))

type Run = { chain: ChainId; height: number; sinceHeight: number }

/** Which of these chains have blocks that are held, in their order; those of which nothing is held are left out. */
export async function readHeld(reader: Reader, chains: readonly ChainId[]): Promise<ChainHeld[]> {
  const runs = (await readRows<Run>(reader, RUNS)).filter(({ chain }) => chains.includes(chain))
  if (runs.length === 0) return []
  const times = await readRows<{ chain: ChainId; height: number; timeS: number }>(reader, timesOf(runs))
  const timeAt = new Map(times.map(({ chain, height, timeS }) => [`${chain} ${height}`, isoOf(timeS)]))
  return runs
    .map(({ chain, height, sinceHeight }) => {
      const time = timeAt.get(`${chain} ${height}`) ?? isoOf(0)
      const since = timeAt.get(`${chain} ${sinceHeight}`) ?? isoOf(0)
      const isSinceGenesis = sinceHeight <= FIRST_HEIGHT[chain === 'stacks' ? 'stacks' : 'other']
      const indexedHours = isSinceGenesis
        ? null
        : Math.max(0, Math.floor((Date.parse(time) - Date.parse(since)) / 3_600_000))
      return { chain, height, sinceHeight, time, since, isSinceGenesis, indexedHours }
    })
    .sort((a, b) => chains.indexOf(a.chain) - chains.indexOf(b.chain))
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
    ...runs
      .filter(({ chain }) => isEvm(chain))
      .flatMap(({ chain }) => one(chain, 'evm_blocks', `b.chain = '${chain}' AND `)),
  ].join('\nUNION ALL\n')
}
