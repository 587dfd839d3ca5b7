import type { Catalog, StacksApp } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, metric } from '../metric.ts'
import { knownSince, madeAt } from '../stacks/stocks.ts'
import { fromPrints, READS, referenceOf } from './common.ts'
import { fallenCollateral, fallenDebt, isLiquidated, LADDER_FALLS, positionsSql } from './positions.ts'

/** Health factors, by the least of each band. */
const BANDS: readonly (readonly [string, number])[] = [
  ['below 1', 0],
  ['1 to 1.1', 1],
  ['1.1 to 1.25', 1.1],
  ['1.25 to 1.5', 1.25],
  ['1.5 to 2', 1.5],
  ['2 and more', 2],
]
const SHOCK = 20

/** Figures of loans by how far they are from their liquidation, of applications that say how their accounts stand. */
export const healthMetrics = ({ stacksApps }: Catalog): Metric[] =>
  stacksApps.filter(({ positions }) => positions !== undefined).flatMap(metricsOf)

function metricsOf(app: StacksApp): Metric[] {
  const shared = {
    ...fromPrints,
    entities: [app.protocol],
    references: [referenceOf(app.protocol)],
    sources: ['stacks.chain', READS],
    calendar: 'reported',
    aggregate: 'last',
    unit: 'USD',
    needs:
      'No positions with a value yet. Requires the blocks of accounts’ last activity, terms from the contracts, and prices.',
  } as const
  const how =
    'Collateral and debt of each account from its latest print, at the latest close. Terms and debt index from the contracts’ latest values.'
  const misleads =
    'Accounts without activity in indexed blocks are missing. The day is complete only if all data since the contracts’ deployment is indexed. Oracles can use prices other than the close.'
  return [
    metric({
      ...shared,
      id: 'lend.health',
      name: 'Debt by health factor',
      breakdown: { name: 'health factor', values: BANDS.map(([name]) => name), isComplete: true },
      headline: 'below 1',
      definition:
        'Debt in US dollars of positions by their health factor as of the latest indexed block: collateral value over the minimum that the debt requires; below 1, it can be liquidated.',
      why: 'How much debt is close to liquidation, which an overall mean hides.',
      how: `${how} Zest’s own health factor takes the ratio up to which one may borrow, and is lower.`,
      misleads,
      direction: 'down',
      sql: figureSql(
        app,
        `arrayJoin([${BANDS.map(([name], i) => `('${name}', ${BANDS[i]?.[1]}, ${BANDS[i + 1]?.[1] ?? 'inf'})`).join(', ')}]) AS band`,
        'band.1',
        `sumIf(${fallenDebt('0')}, ${healthSql} >= band.2 AND ${healthSql} < band.3)`,
      ),
    }),
    metric({
      ...shared,
      id: 'lend.ladder',
      name: 'Collateral that may be liquidated',
      breakdown: { name: 'fall', values: LADDER_FALLS.map(keyOf) },
      headline: keyOf(SHOCK),
      definition:
        'Collateral in US dollars, at the fallen prices, of positions that can be liquidated if all non-dollar prices fall that far, as of the latest indexed block.',
      why: 'What a fall would throw on the market, and at which price.',
      how: `${how} Debt and collateral in coins that move together fall together.`,
      misleads: `${misleads} A liquidation may take a part of a position only.`,
      direction: 'down',
      sql: figureSql(
        app,
        `arrayJoin([${LADDER_FALLS.map(fall => `('${keyOf(fall)}', ${fall / 100})`).join(', ')}]) AS step`,
        'step.1',
        `sumIf(${fallenCollateral('step.2')}, ${isLiquidated('step.2')})`,
      ),
    }),
    metric({
      ...shared,
      id: 'shock.minus20',
      name: `Debt that a fall by ${SHOCK} % exposes`,
      definition: `Debt in US dollars of positions that can be liquidated if all non-dollar prices fall by ${SHOCK}%, as of the latest indexed block.`,
      why: 'One number for how a bad day would end.',
      how,
      misleads,
      direction: 'down',
      sql: figureSql(app, '1 AS one', "''", `sumIf(${fallenDebt('0.2')}, ${isLiquidated('0.2')})`),
    }),
  ]
}

const healthSql = `(${fallenCollateral('0')} / (${fallenDebt('0')} * p.needs))`
const keyOf = (fall: number): string => `${fall} %`

/** Contracts whose prints say how accounts stand. */
const contractsOf = ({ events, positions }: StacksApp): string =>
  [
    ...new Set(
      events
        .filter(({ table, kinds }) =>
          positions?.kind === 'vaults'
            ? table === 'cdp' && kinds.some(({ kind }) => kind === 'set')
            : positions?.kind === 'groups'
              ? kinds.some(({ kind }) => kind === 'position')
              : kinds.some(({ kind }) => kind === 'borrow'),
        )
        .flatMap(({ contracts }) => contracts),
    ),
  ]
    .map(contract => `'${contract}'`)
    .join(', ')

/** A figure by key over all positions, on the day of the newest block held; as old as the older of its block and its terms. */
const figureSql = (app: StacksApp, each: string, key: string, value: string): string => `WITH
  ${knownSince(madeAt(contractsOf(app)), 'events')},
  ${positionsSql(app)},
  newest_day AS (SELECT bucket AS day, from_height, to_height, last_time FROM stx_block_days ORDER BY bucket DESC LIMIT 1),
  counted AS (
    SELECT ${key} AS key, ${value} AS value
    FROM positions AS p
    CROSS JOIN (SELECT ${each}) AS e
    GROUP BY key
  )
SELECT
  d.day AS day, c.key AS key, c.value AS value,
  multiIf(d.day NOT IN (SELECT day FROM known), 'incomplete', d.day IN (SELECT day FROM stx_whole_days), 'whole', 'partial') AS state, 'stacks.chain' AS source,
  d.from_height AS from_height, d.to_height AS to_height, least(d.last_time, t.at) AS as_of
FROM newest_day AS d
CROSS JOIN counted AS c
CROSS JOIN terms_at AS t
WHERE d.day ${RANGE}
ORDER BY day, key`
