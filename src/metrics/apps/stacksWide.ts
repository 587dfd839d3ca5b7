import type { Catalog } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { REFERENCES } from '../market/published.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { quotedList } from '../rollups/sqlText.ts'
import { bucketOf, DAYS_OF_BUCKET, fromStacks, stateOfStacksBucket } from '../stacks/common.ts'
import { contractSources } from './common.ts'
import { appsOnStacks, perDexDay, priceRule } from './fromRows.ts'

/** Applications on Stacks side by side: one statement for all. */
export function stacksWideMetrics(catalog: Catalog): Metric[] {
  const pairs = appsOnStacks(catalog).flatMap(({ slug, contracts }) =>
    contracts.filter(({ layer }) => layer === 'stacks').map(({ address }) => ({ address, slug })),
  )
  if (pairs.length === 0) return []
  const exchanges = catalog.exchanges.map(({ protocol }) => protocol)
  const prices = priceRule(catalog)
  const addresses = quotedList(pairs.map(({ address }) => address))
  return [
    metric({
      ...fromStacks,
      id: 'dex.by_protocol',
      name: 'DEX volume by exchange',
      unit: 'USD',
      breakdown: { name: 'exchange', values: [], total: 'dex.volume' },
      headline: SUM_OF_KEYS,
      definition: 'Value in US dollars of swaps on Stacks on the UTC day, by decentralized exchange.',
      why: 'Whether trade rests on one exchange.',
      how: `dex.volume of the exchanges whose prints are read (${exchanges.join(', ')}); for all others, and for days not indexed, from DefiLlama. ${prices}`,
      misleads: 'Exchanges that neither reads are missing, so a share here may be a share of a part.',
      ...figuresSql({
        metric: 'dex.by_protocol',
        type: 'Float64',
        chain: perDexDay({ key: 'v.protocol', value: 'sum(v.volume_usd)' }),
        outside: ['defillama.dexs', 'defillama.dexs.recorded'],
      }),
      sources: ['stacks.chain', 'defillama.dexs', 'defillama.dexs.recorded'],
      aggregate: 'sum',
      references: [contractSources, REFERENCES.defillamaDexs],
    }),
    metric({
      ...fromStacks,
      id: 'dex.fees',
      name: 'Fees of exchanges',
      unit: 'USD',
      breakdown: { name: 'exchange', values: exchanges },
      headline: SUM_OF_KEYS,
      definition: 'Value in US dollars of the fees that swaps on Stacks paid on the UTC day, by exchange.',
      why: 'What trading costs, and whom it feeds.',
      how: `dex.fees of each exchange, both parts. ${prices}`,
      misleads: 'Exchanges that are not read are missing.',
      ...figuresSql({
        metric: 'dex.fees',
        type: 'Float64',
        chain: perDexDay({ key: 'v.protocol', value: 'sum(v.lp_fee_usd) + sum(v.protocol_fee_usd)' }),
      }),
      aggregate: 'sum',
      references: [contractSources],
    }),
    metric({
      ...fromStacks,
      id: 'users.by_application',
      name: 'Users by application',
      unit: 'addresses',
      breakdown: { name: 'application', values: [] },
      headline: SUM_OF_KEYS,
      definition: 'Distinct addresses that called a contract of each application in the bucket.',
      why: 'Which applications people use.',
      how: 'users.active of every application with contracts in the catalog. Weeks and months are counted directly.',
      misleads:
        'Users of two applications count in both, so the sum counts some twice. Users who come through third-party routers are missing.',
      sql: `SELECT
  b.bucket AS day, b.app AS key, toInt64(b.users) AS value,
  ${stateOfStacksBucket('b')} AS state,
  'stacks.chain' AS source, b.from_height AS from_height, b.to_height AS to_height, b.as_of AS as_of
FROM (
  SELECT
    ${bucketOf('block_time')} AS bucket, ${DAYS_OF_BUCKET} AS days,
    transform(contract, [${addresses}], [${quotedList(pairs.map(({ slug }) => slug))}], '') AS app,
    uniqExact(sender) AS users, min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of
  FROM stx_calls
  WHERE contract IN (${addresses}) AND toDate(block_time) ${RANGE}
  GROUP BY bucket, app
) AS b
ORDER BY day, key`,
      aggregate: 'distinct',
      references: [contractSources],
    }),
  ]
}
