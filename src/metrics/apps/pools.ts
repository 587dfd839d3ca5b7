import type { Catalog } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { stacksState } from '../stacks/common.ts'
import { contractSources } from './common.ts'
import { OF_EXCHANGE, ofApps, POOL_KEY, perDexDay, priceRule } from './fromRows.ts'
import { lpMetrics } from './lp.ts'

const byPool = { name: 'pool', values: [] } as const

const RESERVES =
  'Reserves as the pool’s prints state them; if none are printed (Bitflow), inflows less outflows since the pool was created, if every block since is indexed.'

/** Why an exchange may have no figure of depth. */
export const NO_CURVE =
  'No indexed pool has reserves, a price and curve terms. The factor of an ALEX AMM pool comes from its creation and from calls of the exchange itself. Stable pools and bins need every block since the pool was created.'

/** How far the price of a constant-product pool moves: input ÷ reserve = 1 ÷ √(1 − p) − 1 for a price that falls by p. */
const inputOf = (share: number): number => 1 / Math.sqrt(1 - share) - 1

/** Pools of exchanges on Stacks one by one. */
export function poolMetrics(catalog: Catalog): Metric[] {
  const entities = catalog.exchanges.map(({ protocol }) => protocol)
  if (entities.length === 0) return []
  const prices = priceRule(catalog)
  const shared = {
    ...ofApps,
    entities,
    breakdown: byPool,
    references: [contractSources],
  } as const
  const depth = (percent: 1 | 2): Metric =>
    metric({
      ...shared,
      id: `pool.depth_${percent}pct`,
      name: `Depth at ${percent}%`,
      unit: 'USD',
      headline: SUM_OF_KEYS,
      needs: NO_CURVE,
      definition: `Value in US dollars of the swap that moves the marginal price of the pool by ${percent}%, at the end of the UTC day, as the mean of both directions.`,
      why: 'How much can be traded before the price moves away. TVL alone does not show this.',
      how: `For a constant-product pool, input reserve × (1 ÷ √${1 - percent / 100} − 1). For other curves, the formulas of their contracts (stx_pool_depths): ALEX with the pool’s factor, StableSwap with its amplification and midpoint, bins as the sum over the bins passed. Excludes fees. ${RESERVES} ${prices}`,
      misleads:
        'A snapshot, because liquidity can leave in the next block. Pools without curve terms in any print or call, or with an external rate, are excluded. In bins the price moves in steps, so the amount takes it to the first bin at or beyond the end of the band.',
      ...figuresSql({
        metric: `pool.depth_${percent}pct`,
        type: 'Float64',
        chain: perDexDay({
          key: POOL_KEY,
          value: `sum(if(v.curve = 'product', ifNull((v.value_x + v.value_y) / 2, ifNull(v.value_x, v.value_y)) * ${inputOf(percent / 100)}, p.depth${percent}_usd))`,
          join: `
    LEFT JOIN stx_pool_depths AS p ON p.day = v.day AND p.pool = v.pool`,
          where: `${OF_EXCHANGE} AND if(v.curve = 'product', isNotNull(v.tvl_usd), isNotNull(p.depth${percent}_usd))`,
        }),
      }),
      aggregate: 'last',
      direction: 'up',
    })
  return [
    metric({
      ...shared,
      id: 'pool.tvl',
      name: 'Value in pools',
      unit: 'USD',
      headline: SUM_OF_KEYS,
      definition: 'Value in US dollars of both reserves of each pool at the end of the UTC day.',
      why: 'Where liquidity providers have their capital.',
      how: `${RESERVES} If one token has no price, a constant-product pool counts twice the other side. ${prices}`,
      misleads:
        'Pools without known reserves are missing, so the sum can be partial. After a gap in blocks, a pool keeps its last state until its next event.',
      ...figuresSql({
        metric: 'pool.tvl',
        type: 'Float64',
        chain: perDexDay({
          key: POOL_KEY,
          value: 'sum(v.tvl_usd)',
          where: `${OF_EXCHANGE} AND isNotNull(v.tvl_usd)`,
        }),
      }),
      aggregate: 'last',
      direction: 'up',
    }),
    metric({
      ...shared,
      id: 'pool.volume',
      name: 'Volume by pool',
      unit: 'USD',
      headline: SUM_OF_KEYS,
      definition: 'Value in US dollars of one side of each swap of the UTC day, by pool.',
      why: 'Which pools are used, and which are idle.',
      how: `dex.volume by pool: a route counts in each pool on its way. ${prices}`,
      misleads: 'Includes wash trades.',
      ...figuresSql({
        metric: 'pool.volume',
        type: 'Float64',
        chain: perDexDay({
          key: POOL_KEY,
          value: 'sum(v.volume_usd)',
          where: `${OF_EXCHANGE} AND v.swap_count > 0 AND isNotNull(v.volume_usd)`,
        }),
      }),
      aggregate: 'sum',
    }),
    metric({
      ...shared,
      id: 'pool.fee_apr',
      name: 'Fee APR by pool',
      unit: 'ratio',
      headline: SUM_OF_KEYS,
      definition:
        'Fees that stayed with liquidity providers over seven days up to the UTC day × 365 ÷ 7 ÷ the mean value of the pool over those days.',
      why: 'What providing liquidity earned from trades, before the price has moved.',
      how: 'Simple, not compounded; only where each of the seven days has a value and every block of them is indexed.',
      misleads:
        'Not what a provider made: compare lp.vs_hold. A week of wash trades pays fees too. The sum over pools means nothing.',
      ...figuresSql({
        metric: 'pool.fee_apr',
        type: 'Float64',
        chain: {
          ctes: [],
          select: `SELECT
      w.day AS day, w.key AS key,
      if(w.days = 7 AND w.mean_tvl > 0, w.fees * 365 / 7 / w.mean_tvl, NULL) AS value,
      -- Fees of blocks that are not indexed are missing in the sum.
      if(w.whole_before = 6, ${stacksState('w.day')}, 'incomplete') AS state, 'stacks.chain' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM (
      SELECT
        v.day AS day, ${POOL_KEY} AS key,
        countIf(v.day IN (SELECT day FROM stx_whole_days)) OVER (PARTITION BY v.pool ORDER BY toUInt32(v.day) RANGE BETWEEN 6 PRECEDING AND 1 PRECEDING) AS whole_before,
        count(v.tvl_usd) OVER week AS days, sum(v.lp_fee_usd) OVER week AS fees, avg(v.tvl_usd) OVER week AS mean_tvl
      FROM stx_pool_values AS v
      WHERE ${OF_EXCHANGE} AND v.day BETWEEN {from:Date} - 6 AND {to:Date}
      WINDOW week AS (PARTITION BY v.pool ORDER BY toUInt32(v.day) RANGE BETWEEN 6 PRECEDING AND CURRENT ROW)
    ) AS w
    INNER JOIN stx_block_days AS h ON h.bucket = w.day
    WHERE w.day ${RANGE} AND w.days = 7`,
          isRatio: false,
        },
      }),
      aggregate: 'last',
      direction: 'up',
    }),
    depth(1),
    depth(2),
    ...lpMetrics(entities),
  ]
}
