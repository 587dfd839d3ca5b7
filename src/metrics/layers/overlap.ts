import { chainSourceOf } from '#sources/layers.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, metric } from '../metric.ts'
import { jsonRpc, type LayerFacts, stateOfBucket } from './common.ts'

/** How many use two layers: one statement for all, since an address is the same on each. */
export const usersOverlap = (layers: readonly Pick<LayerFacts, 'id'>[]): Metric =>
  metric({
    id: 'users.overlap',
    name: 'Senders shared with other layers',
    unit: 'ratio',
    entityKind: 'layer',
    entities: layers.map(({ id }) => id),
    breakdown: { name: 'layer', values: layers.map(({ id }) => id) },
    headline: layers.find(({ id }) => id === 'core')?.id ?? layers[0]?.id,
    definition:
      'Addresses that sent a transaction on both layers in the bucket ÷ addresses that sent one on either.',
    why: 'Whether layers have their own users or share reward seekers.',
    how: 'Jaccard index of distinct senders by address, from the blocks of both layers. Weeks and months are counted directly.',
    misleads:
      'A user with a different address on each layer counts as two. Services that use one key everywhere are shared by all layers.',
    sql: `SELECT
  o.bucket AS day, toString(o.other) AS key,
  o.shared_count / nullIf(a.sender_count + b.sender_count - o.shared_count, 0) AS value,
  least(${stateOfBucket('o.chain', 'o.bucket')}, ${stateOfBucket('o.other', 'o.bucket')}) AS state,
  concat(toString(o.chain), '.chain') AS source,
  a.from_height AS from_height, a.to_height AS to_height, least(a.last_time, b.last_time) AS as_of
FROM evm_overlap_buckets AS o
INNER JOIN evm_actor_buckets AS a ON a.chain = o.chain AND a.grain = o.grain AND a.bucket = o.bucket
INNER JOIN evm_actor_buckets AS b ON b.chain = o.other AND b.grain = o.grain AND b.bucket = o.bucket
WHERE o.chain = {entity:String} AND o.grain = {grain:String} AND o.bucket ${RANGE}
ORDER BY day, key`,
    sources: layers.map(({ id }) => chainSourceOf(id)),
    cadence: 'block',
    aggregate: 'recompute',
    since: { day: '2018-01-02' },
    direction: 'neither',
    needs:
      'Requires full days of two layers. Set the RPC URLs of both, such as BOB_RPC_URL and CORE_RPC_URL.',
    references: [jsonRpc],
  })
