import { ageState } from '#metrics/index.ts'
import type { AsOf, Status } from './contract.ts'

/** Blocks come every ten minutes, but one wait in seven is longer than twice that: half an hour is what to expect. */
const CADENCE_S = 1800
const GENESIS = '2009-01-03T18:15:05Z'

/** How old the rows of Bitcoin are that SQL and the explorer read. */
export function asOfStatus(status: Pick<Status, 'chains'>, nowMs: number): AsOf {
  const chain = status.chains.find(each => each.chain === 'bitcoin')
  if (chain?.tip == null) return { time: GENESIS, height: null, state: 'recorded' }
  const { height, time } = chain.tip
  if (!chain.isFollowing) return { time, height, state: 'recorded' }
  return { time, height, state: ageState((nowMs - Date.parse(time)) / 1000, CADENCE_S) }
}
