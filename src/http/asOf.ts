import type { AsOf, Status } from './contract.ts'

/** Blocks come every ten minutes: twice that without one is old, but one in seven waits is that long. */
const STALE_MS = 3_600_000
const GENESIS = '2009-01-03T18:15:05Z'

/** How old the rows are that SQL and the explorer read. */
export function asOfStatus(status: Status, nowMs: number): AsOf {
  const chain = status.chains.find(({ tip }) => tip !== null) ?? status.chains[0]
  if (chain?.tip == null) return { time: GENESIS, height: null, state: 'recorded' }
  const { height, time } = chain.tip
  if (!chain.isFollowing) return { time, height, state: 'recorded' }
  return { time, height, state: nowMs - Date.parse(time) > STALE_MS ? 'stale' : 'live' }
}
