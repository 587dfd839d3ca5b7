import type { Catalog } from '#catalog/index.ts'
import { yieldsStated } from '#sources/yieldsStated.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { NO_HEIGHTS, ofPools, opportunitiesOf, perDay } from './common.ts'

const CATALOGUE = 'From the catalog, which records each fact with its source and the day it was read.'

/** Days of ninety up to the end of the range, today at the latest. */
const UNTIL = "least({to:Date}, toDate(now('UTC')))"

/** A median over withdrawals of sBTC that were paid in the 90 days before. */
const paid = (value: string): string => `(
    SELECT quantileExactLowOrNull(0.5)(assumeNotNull(w.${value}))
    FROM stx_sbtc_withdrawals AS w
    WHERE w.status = 'accepted' AND w.settled_time IS NOT NULL AND w.${value} IS NOT NULL
      AND toDate(assumeNotNull(w.settled_time)) BETWEEN ${UNTIL} - 89 AND ${UNTIL}
  )`

/**
 * Days of the way out by who tells them. Stated are those out of the application and, unless withdrawals of its coin are
 * measured, those from its coins to bitcoin: with one of both missing the figure is a part of the way.
 */
const DAYS_OUT = `SELECT
  ${UNTIL} AS day, told.1 AS key, told.2 AS value, told.3 AS state, told.4 AS source, ${NO_HEIGHTS}, told.5 AS as_of
FROM (
  SELECT
    if(o.is_exit_measured, ${paid('seconds_to_payment')} / 86400, NULL) AS measured,
    if(o.is_exit_measured, 0, o.redeem_wait_days) AS redeem_days,
    arrayJoin(arrayFilter(x -> x.2 IS NOT NULL, [
      (
        'stated', if(o.exit_wait_days IS NULL AND (o.is_exit_measured OR redeem_days IS NULL), NULL, ifNull(o.exit_wait_days, 0) + ifNull(redeem_days, 0)),
        if(o.exit_wait_days IS NULL OR redeem_days IS NULL OR (o.is_exit_measured AND measured IS NULL), 'incomplete', 'whole'),
        '${yieldsStated.id}', toDateTime(coalesce(o.exit_day, o.redeem_day, ${UNTIL}), 'UTC')
      ),
      ('measured', measured, 'whole', 'stacks.chain', now('UTC'))
    ])) AS told
  FROM yield_opportunities AS o
  WHERE o.entity = {entity:String} AND {from:Date} <= ${UNTIL}
)
ORDER BY day, key`

const now = (value: string): string => `SELECT
  ${UNTIL} AS day, '' AS key, ${value} AS value, 'whole' AS state, 'stacks.chain' AS source, ${NO_HEIGHTS}, now('UTC') AS as_of
FROM yield_opportunities AS o
WHERE o.entity = {entity:String} AND value IS NOT NULL AND {from:Date} <= ${UNTIL}
ORDER BY day`

/** What one takes on, and the way out. */
export function exitMetrics(catalog: Catalog): Metric[] {
  const entities = opportunitiesOf(catalog)
  if (entities.length === 0) return []
  const shared = { ...ofPools(entities), direction: 'down' } as const
  const needsExit = 'No stated exit time. sBTC withdrawals are measured if blocks of both chains are indexed.'
  return [
    metric({
      ...shared,
      sources: [...shared.sources, yieldsStated.id],
      id: 'yield.exit',
      name: 'Exit time',
      watches: [{ id: 'slow', says: 'goes beyond a week', when: 'above', level: 7 }],
      unit: 'days',
      breakdown: { name: 'told', values: ['stated', 'measured'] },
      headline: SUM_OF_KEYS,
      definition:
        'Days from the decision to leave until the bitcoin is on Bitcoin, as of the end of the range, split into stated and measured days.',
      why: 'A yield that you cannot exit when you need to is worth less.',
      how: 'Measured, for exits through sBTC: median time of withdrawals paid in the 90 days before (exit.time). Stated: days to leave the application, plus days from its coins to bitcoin if that is not measured, from the evidence in the catalog. With several coins, the longest counts. If only part of the exit is stated, the figure is incomplete.',
      misleads:
        'In a rush everyone waits longer. For most wrapped bitcoins, no source states how long redemption takes, so there is no figure for the full exit. That is not zero.',
      needs: needsExit,
      sql: DAYS_OUT,
    }),
    metric({
      ...shared,
      id: 'yield.exit_cost',
      name: 'Exit cost',
      unit: 'sat',
      definition:
        'Median charge for the Bitcoin fee of an sBTC withdrawal in the 90 UTC days up to the end of the range, for exits through sBTC.',
      why: 'It can cost a small holder weeks of yield.',
      how: 'As in exit.cost. Fees stated in percent are in the table.',
      misleads: 'Fees of the transactions on the layer come on top.',
      needs: needsExit,
      sql: now(`if(o.is_exit_measured, toNullable(toInt64(${paid('fee_sat')})), NULL)`),
    }),
    metric({
      ...shared,
      id: 'yield.custody',
      name: 'Custody points',
      unit: 'n',
      definition:
        'Who controls the keys of the deposited bitcoin: 0 the holder, 1 several parties, 2 one party or not recorded.',
      why: 'Whoever controls the keys can take the coins, whatever the pool pays.',
      how: `${CATALOGUE} With several coins, the weakest counts.`,
      misleads: 'Several parties can be one in all but name.',
      sql: perDay('yield_standings', 'toInt64(d.custody)'),
    }),
    metric({
      ...shared,
      id: 'yield.risk',
      name: 'Risk points of ten',
      unit: 'n',
      breakdown: { name: 'question', values: ['custody', 'contract', 'subsidy', 'exit', 'age'] },
      headline: SUM_OF_KEYS,
      definition:
        'Points on the UTC day for five questions of 0 to 2 each: custody, contract, subsidy, exit and age.',
      why: 'Risk next to return, by a rule that anyone can recompute and dispute.',
      how: `Custody: own key 0, several parties 1, one party or not recorded 2. Contract: audited 0, audited with an incident 1, no audit recorded 2. Subsidy: share of rewards over 30 days below a tenth 0, below half 1, more or unknown 2. Exit: days to bitcoin stated, or measured after a stated wait, with at most one day stated 0, described 1, nothing recorded 2. Age: a year 0, ninety days 1, less 2. ${CATALOGUE}`,
      misleads:
        'Points are not a probability. One bad answer can mean a total loss. Anything not recorded counts as the worst answer and may be better. Past days use today’s catalog facts.',
      sql: `SELECT
  d.day AS day, made.1 AS key, toInt64(made.2) AS value, 'whole' AS state, d.source AS source, ${NO_HEIGHTS}, d.as_of AS as_of
FROM (
  SELECT
    r.day AS day, r.source AS source, r.as_of AS as_of,
    arrayJoin([('custody', r.custody), ('contract', r.contract), ('subsidy', r.subsidy), ('exit', r.exit), ('age', r.age)]) AS made
  FROM yield_standings AS r
  WHERE r.entity = {entity:String} AND r.day ${RANGE}
) AS d
ORDER BY day, key`,
    }),
  ]
}
