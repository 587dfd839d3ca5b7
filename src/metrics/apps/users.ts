import type { Catalog, CatalogProtocol } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { bucketOf, DAYS_OF_BUCKET, perStacksDay, sip, stateOfStacksBucket } from '../stacks/common.ts'
import { contractSources } from './common.ts'
import { appsOnStacks, contractList, ofApps } from './fromRows.ts'

const NESTED =
  'Users who come through third-party routers or aggregators sign a call to those contracts and are missing here. One person can have many addresses.'

/** Users, calls and fees of every application with contracts on Stacks; each has a statement with its own contracts. */
export const userMetrics = (catalog: Catalog): Metric[] => appsOnStacks(catalog).flatMap(metricsOfApp)

/** Weeks after which those of a week are looked for again. */
const RETURN_WEEKS = 4

function metricsOfApp(app: CatalogProtocol): Metric[] {
  const contracts = contractList(app)
  const shared = {
    ...ofApps,
    entities: [app.slug],
    references: [contractSources, sip(2, 'The Clarity smart contract language')],
  } as const
  const how =
    'Signers of transactions that call a cataloged contract of the application, including failed ones.'
  /** A figure of buckets by their callers: `users` has one row a caller and bucket. */
  const byCaller = (value: string, from = '{from:Date}'): string => `SELECT
  b.bucket AS day, '' AS key, ${value} AS value,
  ${stateOfStacksBucket('b')} AS state,
  'stacks.chain' AS source, b.from_height AS from_height, b.to_height AS to_height, b.as_of AS as_of
FROM (
  SELECT
    u.bucket AS bucket, ${DAYS_OF_BUCKET} AS days, count() AS users, countIf(u.first_bucket = u.bucket) AS new_users,
    min(u.from_height) AS from_height, max(u.to_height) AS to_height, max(u.as_of) AS as_of
  FROM (
    SELECT
      sender, ${bucketOf('block_time')} AS bucket, min(height) AS from_height, max(height) AS to_height,
      max(block_time) AS as_of, min(bucket) OVER (PARTITION BY sender) AS first_bucket
    FROM stx_calls
    WHERE contract IN (${contracts}) AND toDate(block_time) BETWEEN ${from} AND {to:Date}
    GROUP BY sender, bucket
  ) AS u
  WHERE u.bucket >= {from:Date}
  GROUP BY u.bucket
) AS b
ORDER BY day`
  return [
    metric({
      ...shared,
      id: 'users.active',
      name: 'Users',
      unit: 'addresses',
      definition: 'Distinct addresses that called a contract of the application in the bucket.',
      why: 'The number of users. Weeks and months are counted directly, never summed from days.',
      how,
      misleads: NESTED,
      sql: byCaller('toInt64(b.users)'),
      aggregate: 'distinct',
      direction: 'up',
    }),
    metric({
      ...shared,
      id: 'users.new',
      name: 'New users',
      unit: 'addresses',
      definition:
        'Addresses that called a contract of the application in the bucket and in no earlier indexed one.',
      why: 'Whether people still find it.',
      how: `${how} New users have no earlier call in the indexed blocks.`,
      misleads: `Where older blocks are missing, old users look new: read it together with the coverage of blocks. ${NESTED}`,
      sql: byCaller('toInt64(b.new_users)', "toDate('1970-01-01')"),
      aggregate: 'distinct',
      direction: 'up',
    }),
    metric({
      ...shared,
      id: 'users.retained',
      name: `Users who come back after ${RETURN_WEEKS} weeks`,
      unit: 'ratio',
      definition: `Of the addresses that called a contract of the application in the week that begins ${RETURN_WEEKS} weeks before that of the day, the share that called one in the week of the day.`,
      why: 'Whether those who come stay: rewards bring many once.',
      how: `${how} A figure a week, on its Monday.`,
      misleads: NESTED,
      calendar: 'reported',
      sql: `SELECT
  s.week + ${7 * RETURN_WEEKS} AS day, '' AS key, countIf(s.came_back) / count() AS value,
  countIf(s.came_back) AS numerator, count() AS denominator,
  if(
    length(arrayFilter(
      whole -> whole >= day AND whole < day + 7 OR whole >= s.week AND whole < s.week + 7,
      (SELECT groupArray(w.day) FROM stx_whole_days AS w)
    )) = 14,
    'whole', if(day + 7 > toDate(now('UTC') - INTERVAL 3 HOUR), 'partial', 'incomplete')
  ) AS state,
  'stacks.chain' AS source, min(s.from_height) AS from_height, max(s.to_height) AS to_height, max(s.as_of) AS as_of
FROM (
  SELECT
    u.week AS week, has(any(u.weeks), u.week + ${7 * RETURN_WEEKS}) AS came_back, u.sender AS sender,
    any(u.from_height) AS from_height, any(u.to_height) AS to_height, any(u.as_of) AS as_of
  FROM (
    SELECT
      sender, groupUniqArray(toMonday(block_time)) AS weeks, arrayJoin(weeks) AS week,
      min(height) AS from_height, max(height) AS to_height, max(block_time) AS as_of
    FROM stx_calls
    WHERE contract IN (${contracts}) AND toDate(block_time) BETWEEN {from:Date} - ${7 * RETURN_WEEKS + 6} AND {to:Date}
    GROUP BY sender
  ) AS u
  GROUP BY u.week, u.sender
) AS s
WHERE s.week + ${7 * RETURN_WEEKS} ${RANGE}
GROUP BY s.week
ORDER BY day`,
      aggregate: 'recompute',
      direction: 'up',
    }),
    metric({
      ...shared,
      id: 'users.by_cohort',
      name: 'Users by the month they came',
      unit: 'addresses',
      breakdown: { name: 'month of the first call', values: [] },
      headline: SUM_OF_KEYS,
      definition:
        'Distinct addresses that called a contract of the application in the bucket, by the month of their first indexed call.',
      why: 'Which months attracted users who stayed, and which attracted reward seekers.',
      how: `${how} The month is that of the earliest indexed call, UTC.`,
      misleads: `If older blocks are missing, existing users count in the first indexed month. ${NESTED}`,
      sql: `WITH
  callers AS (
    SELECT
      sender, ${bucketOf('block_time')} AS bucket, min(height) AS from_height, max(height) AS to_height,
      max(block_time) AS as_of, toStartOfMonth(min(min(block_time)) OVER (PARTITION BY sender)) AS cohort
    FROM stx_calls
    WHERE contract IN (${contracts}) AND toDate(block_time) <= {to:Date}
    GROUP BY sender, bucket
  ),
  buckets AS (
    SELECT
      bucket, groupArray(cohort) AS came, min(from_height) AS from_height, max(to_height) AS to_height,
      max(as_of) AS as_of, ${DAYS_OF_BUCKET} AS days
    FROM callers
    WHERE bucket >= {from:Date}
    GROUP BY bucket
  )
SELECT
  b.bucket AS day, formatDateTime(c.cohort, '%Y-%m') AS key, toInt64(countEqual(b.came, c.cohort)) AS value,
  ${stateOfStacksBucket('b')} AS state,
  'stacks.chain' AS source, b.from_height AS from_height, b.to_height AS to_height, b.as_of AS as_of
FROM buckets AS b
CROSS JOIN (SELECT DISTINCT cohort FROM callers) AS c
WHERE c.cohort <= b.bucket + b.days - 1
ORDER BY day, key`,
      aggregate: 'distinct',
    }),
    metric({
      ...shared,
      id: 'calls.count',
      name: 'Calls',
      unit: 'calls',
      definition: 'Transactions of the UTC day that call a contract of the application.',
      why: 'How much it is used.',
      how: 'Count of transactions by the contract that they call, failed ones in.',
      misleads: 'Calls by other contracts are not seen in transactions; a busy bot is no demand.',
      ...figuresSql({
        metric: 'calls.count',
        type: 'Int64',
        chain: perStacksDay({
          table: 'stx_call_days',
          value: 'sum(r.call_count)',
          where: `r.contract IN (${contracts})`,
          isSum: true,
        }),
      }),
      aggregate: 'sum',
    }),
    metric({
      ...shared,
      id: 'calls.failed_share',
      name: 'Share of calls that fail',
      unit: 'ratio',
      definition:
        'Calls of the application’s contracts in the bucket that changed nothing but nonce and fee ÷ all of them.',
      why: 'Failure risk for users, who pay for failed calls too.',
      how: 'By the status that the node reports: aborted by the contract’s answer or by a post-condition.',
      misleads: 'Arbitrage bots let calls fail on purpose rather than lose.',
      ...figuresSql({
        metric: 'calls.failed_share',
        type: 'Float64',
        chain: perStacksDay({
          table: 'stx_call_days',
          value: 'sum(r.failed_call_count) / sum(r.call_count)',
          numerator: 'sum(r.failed_call_count)',
          denominator: 'sum(r.call_count)',
          needs: ['receipts'],
          where: `r.contract IN (${contracts})`,
          isSum: true,
        }),
      }),
      aggregate: 'recompute',
      direction: 'down',
    }),
    metric({
      ...shared,
      id: 'calls.by_function',
      name: 'Calls by function',
      unit: 'calls',
      breakdown: { name: 'function', values: [] },
      headline: SUM_OF_KEYS,
      definition: 'Transactions of the UTC day that call a contract of the application, by function.',
      why: 'What people use it for.',
      how: 'Count of transactions by the function that they call, over all contracts of the application; failed ones in.',
      misleads: 'Functions of the same name in several contracts are one.',
      ...figuresSql({
        metric: 'calls.by_function',
        type: 'Int64',
        chain: perStacksDay({
          table: 'stx_call_days',
          key: 'r.function_name',
          value: 'sum(r.call_count)',
          where: `r.contract IN (${contracts})`,
          isSum: true,
        }),
      }),
      aggregate: 'sum',
    }),
    metric({
      ...shared,
      id: 'fees.total',
      name: 'Fees for block space',
      unit: 'uSTX',
      definition: 'Fees of transactions of the UTC day that call a contract of the application.',
      why: 'What its users pay the chain, beside what they pay the application.',
      how: 'Sum of the fees, by the contract that a transaction calls.',
      misleads: 'One mistaken fee can outweigh a day.',
      ...figuresSql({
        metric: 'fees.total',
        type: 'Int64',
        chain: perStacksDay({
          table: 'stx_contract_fee_days',
          value: 'sum(r.fee_ustx)',
          where: `r.contract IN (${contracts})`,
          isSum: true,
        }),
      }),
      aggregate: 'sum',
    }),
  ]
}
