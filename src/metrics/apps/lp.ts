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
      definition: `What a share of the pool loses against keeping its tokens over ${LP_DAYS} days by the move of their prices alone, fees left out.`,
      why: 'The price of providing liquidity: fees have to make up for it.',
      how: 'k is the price of one token in the other at the end over that at the beginning. Of a constant-product pool 2√k ÷ (1 + k) − 1; on other curves what the pool holds after swaps without a fee have moved its own price by k, against what it held, both at the price of the end (stx_pool_depths).',
      misleads:
        'By prices of both days alone: on the way it may have been more. Of bins it is that of the pool as a whole; a position in a few bins loses more. It is real only when the share is taken out. The sum over pools means nothing.',
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
      name: 'Providing against holding',
      unit: 'ratio',
      headline: SUM_OF_KEYS,
      definition: `Value of a share of the pool ÷ value of the tokens that it represented ${LP_DAYS} days before, both at the prices of the day, less one.`,
      why: 'What a provider really made or lost against doing nothing: fees and the move of prices together.',
      how: 'Reserves ÷ shares of both days, valued at the prices of the later day. Shares as the prints state them, else all that were made less all that were destroyed since the pool was created. Of bins, each bin’s shares for itself (stx_pool_depths).',
      misleads:
        'Rewards in tokens are not in it. A bin that all have left since is left out. The sum over pools means nothing.',
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
