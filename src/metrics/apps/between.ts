import type { Catalog, CatalogProtocol } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { quotedList } from '../rollups/sqlText.ts'
import { bucketOf, DAYS_OF_BUCKET, stacksState, stateOfStacksBucket } from '../stacks/common.ts'
import { contractSources } from './common.ts'
import { appsOnStacks, ofApps, priceRule } from './fromRows.ts'

/** Pairs of contract and application that the catalogue names. */
const pairsOf = (apps: readonly CatalogProtocol[]) =>
  apps.flatMap(({ slug, contracts }) =>
    contracts.filter(({ layer }) => layer === 'stacks').map(({ address }) => ({ address, slug })),
  )

/** What applications on Stacks have in common: users, and value that moves from one to the other. */
export function betweenMetrics(catalog: Catalog): Metric[] {
  const apps = appsOnStacks(catalog)
  const pairs = pairsOf(apps)
  if (pairs.length === 0) return []
  const slugs = apps.map(({ slug }) => slug)
  const addresses = quotedList(pairs.map(({ address }) => address))
  const names = quotedList(pairs.map(({ slug }) => slug))
  const appOf = (contract: string): string => `transform(${contract}, [${addresses}], [${names}], '')`
  // Pools of exchanges that hold what lies in them are contracts of their own.
  const holderOf = (contract: string): string =>
    `transform(${contract}, arrayConcat([${addresses}], (SELECT groupArray(pool) FROM (SELECT DISTINCT pool, protocol FROM stx_pool_reserves ORDER BY pool))), arrayConcat([${names}], (SELECT groupArray(protocol) FROM (SELECT DISTINCT pool, protocol FROM stx_pool_reserves ORDER BY pool))), '')`
  const shared = {
    ...ofApps,
    entities: slugs,
    breakdown: { name: 'application', values: [] },
    references: [contractSources],
  } as const
  return [
    metric({
      ...shared,
      id: 'users.overlap',
      name: 'Users shared with other applications',
      unit: 'ratio',
      headline: SUM_OF_KEYS,
      definition:
        'Addresses that called contracts of both applications in the bucket ÷ addresses that called one of either.',
      why: 'Whether applications have users of their own, or the same few use all of them.',
      how: 'Jaccard index of distinct signers of calls. Weeks and months are counted directly.',
      misleads:
        'Users who come through third-party routers are missing. Bots that use every application raise all values. The sum over applications has no meaning.',
      sql: `SELECT
  b.bucket AS day, b.other AS key, b.both / nullIf(b.own + b.others - b.both, 0) AS value,
  ${stateOfStacksBucket('b')} AS state,
  'stacks.chain' AS source, b.from_height AS from_height, b.to_height AS to_height, b.as_of AS as_of
FROM (
  SELECT
    p.bucket AS bucket, ${DAYS_OF_BUCKET.replaceAll('bucket', 'p.bucket')} AS days, p.other AS other,
    countIf(has(p.apps, {entity:String}) AND has(p.apps, p.other)) AS both,
    countIf(has(p.apps, {entity:String})) AS own, countIf(has(p.apps, p.other)) AS others,
    min(p.from_height) AS from_height, max(p.to_height) AS to_height, max(p.as_of) AS as_of
  FROM (
    SELECT u.bucket AS bucket, u.apps AS apps, u.from_height AS from_height, u.to_height AS to_height, u.as_of AS as_of, other
    FROM (
      SELECT
        sender, ${bucketOf('block_time')} AS bucket, groupUniqArray(${appOf('contract')}) AS apps,
        min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of
      FROM stx_calls
      WHERE contract IN (${addresses}) AND toDate(block_time) ${RANGE}
      GROUP BY sender, bucket
    ) AS u
    ARRAY JOIN [${quotedList(slugs)}] AS other
  ) AS p
  WHERE p.other != {entity:String}
  GROUP BY p.bucket, p.other
  HAVING own > 0 AND others > 0
) AS b
ORDER BY day, key`,
      aggregate: 'distinct',
    }),
    metric({
      ...shared,
      id: 'flows.between',
      name: 'Value moved to other applications',
      unit: 'USD',
      headline: SUM_OF_KEYS,
      definition:
        'Value in US dollars of tokens that moved from contracts of the application to contracts of another one within one transaction of the UTC day, by receiving application.',
      why: 'How applications feed each other: which exchange a lender’s liquidations go to, where staked coins are sold.',
      how: `For each token and transaction, the smaller of the outflow from one and the inflow to the other, directly or through the signer. Contracts are those in the catalog and the pools of its exchanges. ${priceRule(catalog)}`,
      misleads:
        'Withdrawals and deposits in separate transactions are missing. A route through three exchanges counts at each step. Contracts missing from the catalog belong to no application.',
      sql: `SELECT
  f.day AS day, f.other AS key, f.usd AS value,
  ${stacksState('f.day')} AS state, 'stacks.chain' AS source,
  h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
FROM (
  SELECT w.bucket AS day, ${holderOf('w.recipient')} AS other, sum(toFloat64(w.amount) * p.usd) AS usd
  FROM stx_contract_flow_days AS w
  INNER JOIN stx_token_prices AS p ON p.day = w.bucket AND p.token = w.token
  WHERE w.bucket ${RANGE} AND ${holderOf('w.sender')} = {entity:String}
  GROUP BY day, other
) AS f
INNER JOIN stx_block_days AS h ON h.bucket = f.day
WHERE f.other NOT IN ('', {entity:String})
ORDER BY day, key`,
      aggregate: 'sum',
    }),
  ]
}
