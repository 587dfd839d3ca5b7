import { EVM_CREATION_KINDS } from '#kernel/evm.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { fromLayer, jsonRpc, type LayerFacts, perLayerBucket, perLayerDay } from './common.ts'

const UNTRACED =
  'Contracts created by other contracts are included if the node offers traces. Without traces, only those created by transactions count.'

/** Who builds on a layer. */
export function builderMetrics(layer: LayerFacts): Metric[] {
  const shared = fromLayer(layer)
  const { id } = layer
  return [
    metric({
      ...shared,
      id: 'contracts.deployed',
      name: 'Contracts deployed',
      unit: 'contracts',
      breakdown: { name: 'way', values: [...EVM_CREATION_KINDS] },
      headline: SUM_OF_KEYS,
      definition: 'Contracts deployed in the layer’s blocks of the UTC day, by deployment method.',
      why: 'Whether developers are active.',
      how: `Creations that succeeded: by a transaction, or by a contract (CREATE, CREATE2). ${UNTRACED}`,
      misleads: 'Factories deploy one per pool, account or token, and copies count.',
      ...figuresSql({
        metric: 'contracts.deployed',
        type: 'Int64',
        chain: perLayerDay(layer, {
          table: 'evm_contract_days',
          key: 'toString(r.kind)',
          value: 'r.contract_count',
        }),
      }),
      aggregate: 'sum',
      direction: 'up',
      references: [jsonRpc],
    }),
    metric({
      ...shared,
      id: 'contracts.deployers',
      name: 'Deployers',
      unit: 'addresses',
      definition: 'Distinct accounts and contracts that deployed a contract on the layer in the bucket.',
      why: 'The number of builders. One factory can deploy thousands of contracts.',
      how: `Distinct creators of contracts. Weeks and months are counted directly. ${UNTRACED}`,
      misleads: 'A factory counts as one deployer for all its users.',
      ...figuresSql({
        metric: 'contracts.deployers',
        type: 'Int64',
        chain: perLayerBucket(layer, 'r.deployer_count'),
      }),
      aggregate: 'distinct',
      direction: 'up',
      references: [jsonRpc],
    }),
    metric({
      ...shared,
      id: 'contracts.active',
      name: 'Active contracts',
      unit: 'contracts',
      definition: 'Distinct contracts with a successful call or an emitted log on the layer in the bucket.',
      why: 'How many contracts are in use.',
      how: 'Distinct recipients of successful user calls, and emitters of logs. Weeks and months are counted directly.',
      misleads: 'Contracts that are only read from leave no trace and do not count.',
      ...figuresSql({
        metric: 'contracts.active',
        type: 'Int64',
        chain: perLayerBucket(layer, 'r.active_contract_count'),
      }),
      aggregate: 'distinct',
      direction: 'up',
      references: [jsonRpc],
    }),
    metric({
      ...shared,
      id: 'contracts.growth',
      name: 'Contracts deployed, cumulative',
      unit: 'contracts',
      definition: 'Contracts deployed on the layer from its first block to the end of the UTC day.',
      why: 'Total deployments, and their growth.',
      how: `Running sum of contracts.deployed; only if all blocks since the first one are indexed. ${UNTRACED}`,
      misleads: 'Includes contracts that were destroyed or never used.',
      sql: `WITH
  made AS (
    SELECT bucket, sum(contract_count) AS contracts
    FROM evm_contract_days
    WHERE chain = '${id}'
    GROUP BY bucket
  ),
  so_far AS (
    SELECT
      d.day AS day, sum(m.contracts) OVER (ORDER BY d.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS contracts
    FROM evm_whole_days AS d
    LEFT JOIN made AS m ON m.bucket = d.day
    WHERE d.chain = '${id}' AND d.is_since_genesis
  )
SELECT
  s.day AS day, '' AS key, toInt64(s.contracts) AS value, 'whole' AS state, '${id}.chain' AS source,
  toUInt32(0) AS from_height, h.to_height AS to_height, h.last_time AS as_of
FROM so_far AS s
INNER JOIN evm_block_days AS h ON h.bucket = s.day AND h.chain = '${id}'
WHERE s.day ${RANGE}
ORDER BY day`,
      needs: `Requires all blocks since the first one. Load them with assay backfill --chain ${id} --from 0.`,
      aggregate: 'last',
      direction: 'up',
      references: [jsonRpc],
    }),
  ]
}
