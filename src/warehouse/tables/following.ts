import { nullable, oneOf, table, text, time, u32, u64 } from '#kernel/table.ts'

/** How the endpoints of a chain may fare. `aside`: of another chain, and not asked again. */
export const ENDPOINT_STATES = ['unknown', 'healthy', 'failing', 'aside'] as const

/** The newest row of a chain holds. */
export const chainFollowers = table('chain_followers', {
  doc: 'One row per chain that was followed: what its sources had as newest block, and what was held then.',
  columns: {
    chain: text('the chain, as its file in the catalog is named'),
    sourceTip: nullable(u32('height of the newest block of its sources; null while none answered')),
    heldTip: nullable(u32('height of the newest block held then; null before the first')),
    lookedAt: time('when its sources were asked last, UTC'),
    answeredAt: nullable(time('when they answered last, UTC; null before the first answer')),
  },
  engine: 'ReplacingMergeTree',
  orderBy: ['chain'],
})

/** The newest row of an endpoint holds. Its name is without user, password and key. */
export const chainEndpoints = table('chain_endpoints', {
  doc: 'One row per endpoint that was asked for blocks of a chain: how it fares since the process that asks it began.',
  columns: {
    chain: text('the chain, as its file in the catalog is named'),
    name: text('the endpoint, without user, password and key'),
    state: oneOf(ENDPOINT_STATES, 'how it fares; aside: it is of another chain, and not asked again'),
    answers: u64('answers'),
    failures: u64('failures: no answer, or a refusal'),
    lies: u64('answers that contradicted themselves or had another form'),
    rateLimits: u64('refusals because it was asked too often'),
    latencyMs: nullable(u32('mean of the last answers, milliseconds')),
    lastFault: text('what went wrong last; empty where nothing has'),
    seenAt: time('when this was noted, UTC'),
  },
  engine: 'ReplacingMergeTree',
  orderBy: ['chain', 'name'],
})

/** Tables of what following does: read by the status alone. */
export const FOLLOWING_TABLES = [chainFollowers, chainEndpoints] as const
