import { RANGE } from '../chainFigures.ts'
import { metric } from '../metric.ts'
import { NEEDS_BOTH_CHAINS, stacksState } from './common.ts'
import { bucketOf, ofSbtc } from './sbtc.ts'

/** The median over withdrawals that were accepted in the bucket. `value` is a nullable expression over them. */
const perAccepted = (value: string): string => `WITH
  paid AS (
    SELECT
      ${bucketOf('toDate(assumeNotNull(settled_time))')} AS day, quantileExactLow(0.5)(assumeNotNull(${value})) AS value,
      min(assumeNotNull(settled_height)) AS from_height, max(assumeNotNull(settled_height)) AS to_height,
      max(assumeNotNull(settled_time)) AS as_of
    FROM stx_sbtc_withdrawals
    WHERE status = 'accepted' AND settled_time IS NOT NULL AND ${value} IS NOT NULL AND toDate(assumeNotNull(settled_time)) ${RANGE}
    GROUP BY day
  )
SELECT
  day, '' AS key, toInt64(value) AS value,
  multiIf(
    {grain:String} = 'day', ${stacksState('day', 'events')},
    toDate(as_of) >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial',
    'whole'
  ) AS state,
  'stacks.chain' AS source, from_height, to_height, as_of
FROM paid
ORDER BY day`

export const exitTime = metric({
  ...ofSbtc,
  id: 'exit.time',
  name: 'Exit time',
  unit: 's',
  definition: 'Median seconds from the request of a withdrawal of sBTC to the Bitcoin block that pays it.',
  why: 'How long it takes to get bitcoin back.',
  how: 'Median over withdrawals accepted in the bucket with an indexed request and Bitcoin block: header time of that block − block time of the request.',
  misleads:
    'Excludes rejected and pending requests, so a peg that stops paying keeps its old figure. Header times are off by up to two hours.',
  sql: perAccepted('seconds_to_payment'),
  sources: ['stacks.chain', 'bitcoin.chain'],
  needs: NEEDS_BOTH_CHAINS,
  calendar: 'reported',
  aggregate: 'recompute',
  direction: 'down',
})

export const exitCost = metric({
  ...ofSbtc,
  id: 'exit.cost',
  name: 'Exit cost',
  unit: 'sat',
  definition: 'Median amount charged for the Bitcoin fee of an sBTC withdrawal.',
  why: 'The fixed cost of exiting, which matters most for small holders.',
  how: 'Median over withdrawals accepted in the bucket of the fee that the registry reports.',
  misleads:
    'Excludes the fee of the Stacks transaction that requests it. The maximum fee that a user offers can be higher.',
  sql: perAccepted('fee_sat'),
  calendar: 'reported',
  aggregate: 'recompute',
  direction: 'down',
})

export const EXIT_METRICS = [exitTime, exitCost] as const
