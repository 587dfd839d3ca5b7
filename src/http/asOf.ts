import { ageState } from '#metrics/index.ts'
import type { AsOf, ChainAsOf, Status } from './contract.ts'

/** Blocks come every ten minutes, but one wait in seven is longer than twice that: half an hour is what to expect. */
const CADENCE_S = 1800
/** Stacks and the layers make blocks every few seconds. */
const LAYER_CADENCE_S = 600
const GENESIS = '2009-01-03T18:15:05Z'

/** How old the rows of Bitcoin are that SQL and the explorer read. */
export function asOfStatus(status: Pick<Status, 'chains'>, nowMs: number): AsOf {
  const [bitcoin] = asOfChains(status, ['bitcoin'], nowMs)
  if (bitcoin === undefined) return { time: GENESIS, height: null, state: 'recorded' }
  const { chain: _, ...asOf } = bitcoin
  return asOf
}

/** The newest indexed block of each of these chains that has any. */
export const asOfChains = (
  status: Pick<Status, 'chains'>,
  chains: readonly string[],
  nowMs: number,
): ChainAsOf[] =>
  status.chains
    .filter(({ chain }) => chains.includes(chain))
    .flatMap(({ chain, tip, isFollowing }): ChainAsOf[] => {
      if (tip === null) return []
      const { height, time } = tip
      if (!isFollowing) return [{ chain, time, height, state: 'recorded' }]
      const cadence = chain === 'bitcoin' ? CADENCE_S : LAYER_CADENCE_S
      return [{ chain, time, height, state: ageState((nowMs - Date.parse(time)) / 1000, cadence) }]
    })

/** For answers that are files: `bitcoin=958921@2026-08-05T10:00:00Z, stacks=…`, empty if no chain was read. */
export const asOfHeader = (asOf: readonly ChainAsOf[]): string =>
  asOf.map(({ chain, height, time }) => `${chain}=${height}@${time}`).join(', ')
