import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { LP_DAYS } from '../rollups/dexDepths.ts'
import { stacksState } from '../stacks/common.ts'
import { contractSources } from './common.ts'
import { OF_EXCHANGE, ofApps, POOL_KEY } from './fromRows.ts'

/** What providing liquidity came to against keeping the tokens. */
export function lpMetrics(entities: readonly string[]): Metric[] {
  const shared = {
    ...ofApps,
    entities,
    breakdown: { name: 'pool', values: [] },
    references: [contractSources],
  } as const
  const over = (value: string, where: string) => ({
    ctes: [],
    select: `SELECT
      n.day AS day, n.key AS key, ${value} AS value,
      ${stacksState('n.day')} AS state, 'stacks.chain' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM (
      SELECT
        v.day AS day, v.pool AS pool, ${POOL_KEY} AS key, v.reserve_x AS x, v.reserve_y AS y, v.value_x AS value_x,
        v.value_y AS value_y, v.shares AS shares, v.curve AS curve
      FROM stx_pool_values AS v
      WHERE ${OF_EXCHANGE} AND v.day ${RANGE} AND v.value_x > 0 AND v.value_y > 0
    ) AS n
    INNER JOIN stx_pool_values AS o ON o.pool = n.pool AND o.day = n.day - ${LP_DAYS}
    LEFT JOIN stx_pool_depths AS p ON p.pool = n.pool AND p.day = n.day
    INNER JOIN stx_block_days AS h ON h.bucket = n.day
    WHERE o.value_x > 0 AND o.value_y > 0 AND ${where}`,
    isRatio: false,
  })
  // Price of y in x, now over then.
  const moved =
    '((n.value_y / n.y) / (n.value_x / n.x)) / ((o.value_y / o.reserve_y) / (o.value_x / o.reserve_x))'
  return [
    metric({
      ...shared,
      id: 'lp.il',
      name: 'Impermanent loss',
      needs: 'No indexed pool has reserves, prices and curve terms for two days thirty days apart.',
      unit: 'ratio',
      headline: SUM_OF_KEYS,
      definition: `Loss of a pool share against holding its tokens over ${LP_DAYS} days, from price moves only, before fees.`,
      why: 'The cost of providing liquidity, which fees have to cover.',
      how: 'k is the price of one token in the other at the end ÷ at the start. For a constant-product pool, 2√k ÷ (1 + k) − 1. For other curves, the pool’s tokens after feeless swaps that move its price by k ÷ its tokens before, both at the final price, − 1 (stx_pool_depths).',
      misleads:
        'Compares two days only. In between, the loss may have been larger. For bins it is the whole pool’s, and a position in a few bins loses more. It becomes real only on withdrawal. The sum over pools means nothing.',
      ...figuresSql({
        metric: 'lp.il',
        type: 'Float64',
        chain: over(
          `if(n.curve = 'product', 2 * sqrt(${moved}) / (1 + ${moved}) - 1, p.loss30)`,
          "(n.curve = 'product' OR isNotNull(p.loss30))",
        ),
      }),
      aggregate: 'last',
    }),
    metric({
      ...shared,
      id: 'lp.vs_hold',
      name: 'LP vs. holding',
      unit: 'ratio',
      headline: SUM_OF_KEYS,
      definition: `Value of a pool share ÷ value of the tokens that it represented ${LP_DAYS} days before, both at the day’s prices, − 1.`,
      why: 'What a provider gained or lost against holding, from fees and price moves together.',
      how: 'Reserves ÷ shares of both days, valued at the prices of the later day. Shares from the prints, else all minted − all burned since the pool was created. For bins, shares of each bin separately (stx_pool_depths).',
      misleads:
        'Excludes token rewards, and bins that everyone has left since. The sum over pools means nothing.',
      ...figuresSql({
        metric: 'lp.vs_hold',
        type: 'Float64',
        chain: over(
          `if(n.curve = 'bins', p.against30, ((n.value_x + n.value_y) / toFloat64(n.shares))
        / ((o.reserve_x * n.value_x / n.x + o.reserve_y * n.value_y / n.y) / toFloat64(o.shares)) - 1)`,
          "if(n.curve = 'bins', isNotNull(p.against30), n.shares > 0 AND o.shares > 0)",
        ),
      }),
      aggregate: 'last',
      direction: 'up',
    }),
  ]
}
