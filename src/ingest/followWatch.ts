import type { EndpointHealth } from '#chains/node/pool.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { chainEndpoints, chainFollowers } from '#warehouse/tables/following.ts'

/** What following a chain comes to at the moment. */
export type Watched = {
  /** Null where its sources did not answer. */
  readonly sourceTip: number | null
  readonly heldTip: number | null
  readonly endpoints: readonly EndpointHealth[]
}

/** Notes how a chain is followed, for the status page of any process; at most every few seconds, unless something changed. */
export type FollowWatch = { note(watched: Watched): Promise<void> }

const EVERY_MS = 10_000

export function createFollowWatch(
  warehouse: Pick<Warehouse, 'insertRows'>,
  chain: string,
  now: () => number,
): FollowWatch {
  let notedAt = Number.NEGATIVE_INFINITY
  let noted = ''
  let answeredAt: number | null = null
  return {
    async note({ sourceTip, heldTip, endpoints }) {
      const seenAt = Math.floor(now() / 1000)
      if (sourceTip !== null) answeredAt = seenAt
      const states = JSON.stringify([sourceTip === null, endpoints.map(({ name, state }) => [name, state])])
      if (now() - notedAt < EVERY_MS && states === noted) return
      notedAt = now()
      noted = states
      // Endpoints first: who reads that a source answered reads of its health too.
      await warehouse.insertRows(
        chainEndpoints,
        endpoints.map(each => ({
          chain,
          name: each.name,
          state: each.state,
          answers: BigInt(each.answers),
          failures: BigInt(each.failures),
          lies: BigInt(each.lies),
          rateLimits: BigInt(each.rateLimits),
          latencyMs: each.latencyMs === null ? null : Math.round(each.latencyMs),
          lastFault: each.lastFault ?? '',
          seenAt,
        })),
      )
      await warehouse.insertRows(chainFollowers, [
        { chain, sourceTip, heldTip, lookedAt: seenAt, answeredAt },
      ])
    },
  }
}

/** The health of a single source that keeps no count of its own. */
export function createSingleHealth(name: string) {
  let answers = 0
  let failures = 0
  let lastFault: string | null = null
  let isFailing = false
  return {
    answered(): void {
      answers += 1
      isFailing = false
    },
    failed(sentence: string): void {
      failures += 1
      lastFault = sentence
      isFailing = true
    },
    health: (): EndpointHealth => ({
      name,
      state: isFailing ? 'failing' : answers > 0 ? 'healthy' : 'unknown',
      answers,
      failures,
      lies: 0,
      rateLimits: 0,
      latencyMs: null,
      lastFault,
    }),
  }
}
