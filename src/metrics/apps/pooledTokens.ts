import type { Catalog } from '#catalog/index.ts'
import { unpricedOnStacks } from '#sources/live/teneroTokens.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric } from '../metric.ts'
import { quoted } from '../rollups/sqlText.ts'
import { fromStacks, stacksState } from '../stacks/common.ts'
import { contractSources } from './common.ts'
import { priceRule } from './fromRows.ts'

/** What a publisher says beside the price from pools, and why it differs. */
export const BESIDE_POOLS = {
  source: 'tenero.tokens',
  why: 'For comparison, Tenero’s price at the time of its response, from its own selection of trades and pools. It moves within the day, and can differ widely on thin pools.',
} as const

/** A cap of which less lies in pools than this share is only a figure. */
const MCAP_LIQUIDITY = 0.01

/** Price and pools of each token on Stacks that no publisher of the catalogue prices and that has no metrics of its own. */
export function pooledTokenMetrics(catalog: Catalog): Metric[] {
  const kinds = new Map(catalog.tokens.map(({ id, kind }) => [id, kind]))
  const ids = unpricedOnStacks(catalog)
    .map(({ id }) => id)
    .filter(id => kinds.get(id) !== 'meme')
  if (ids.length === 0) return []
  const contracts = catalog.tokens
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ id, deployments }) =>
      deployments
        .filter(({ layer }) => layer === 'stacks')
        .map(({ contract }) => ({ id, contract: contract.split('::')[0] ?? contract })),
    )
  const list = (texts: readonly string[]): string => `[${texts.map(quoted).join(', ')}]`
  /** SQL: whether a contract is that of the token asked for. */
  const isOf = (contract: string): string =>
    `transform(${contract}, ${list(contracts.map(one => one.contract))}, ${list(contracts.map(one => one.id))}, '') = {entity:String}`
  const prices = priceRule(catalog)
  const shared = {
    ...fromStacks,
    entityKind: 'token',
    entities: ids,
    unit: 'USD',
    references: [contractSources],
  } as const
  const pools = (value: string) => ({
    ctes: [],
    select: `SELECT
      v.day AS day, '' AS key, ${value} AS value, ${stacksState('v.day')} AS state, 'stacks.chain' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM stx_pool_values AS v
    INNER JOIN stx_block_days AS h ON h.bucket = v.day
    WHERE v.day ${RANGE} AND (${isOf('v.token_x')} OR ${isOf('v.token_y')})
    GROUP BY v.day, h.from_height, h.to_height, h.last_time`,
    isRatio: false,
  })
  const capped = ids.filter(id => kinds.get(id) === 'governance')
  return [
    metric({
      ...shared,
      sources: [...fromStacks.sources, BESIDE_POOLS.source],
      id: 'token.price',
      name: 'Price of the token',
      definition:
        'Price of the token in US dollars on the UTC day, from the reserves of its pools on Stacks.',
      why: 'Every dollar figure of the token is an amount times this.',
      how: `${prices} If a token has several contracts, the one nearest to a priced coin counts. ${BESIDE_POOLS.why}`,
      misleads: 'A price from a $100 trade does not hold for a million. See token.liquidity.',
      needs: `Requires a deep enough pool of the token in indexed blocks, or internet to poll Tenero for its price. ${fromStacks.needs}`,
      ...figuresSql({
        metric: 'token.price',
        type: 'Float64',
        outside: [BESIDE_POOLS.source],
        chain: {
          ctes: [],
          select: `SELECT
      p.day AS day, '' AS key, argMin(p.usd * exp10(ifNull(p.decimals, 0)), (p.steps, p.token)) AS value, ${stacksState('p.day')} AS state,
      'stacks.chain' AS source, any(h.from_height) AS from_height, any(h.to_height) AS to_height, any(h.last_time) AS as_of
    FROM stx_token_prices AS p
    INNER JOIN stx_block_days AS h ON h.bucket = p.day
    WHERE p.day ${RANGE} AND p.decimals IS NOT NULL AND ${isOf('p.token')}
    GROUP BY p.day`,
          isRatio: false,
        },
      }),
      aggregate: 'last',
    }),
    metric({
      ...shared,
      id: 'token.volume',
      name: 'Volume of the token',
      definition: 'Value in US dollars of the swaps of the UTC day in pools on Stacks that have the token.',
      why: 'How much the token is traded.',
      how: `One side of each swap. ${prices}`,
      misleads: 'Includes wash trades, which cannot be separated.',
      ...figuresSql({ metric: 'token.volume', type: 'Float64', chain: pools('sum(v.volume_usd)') }),
      aggregate: 'sum',
    }),
    metric({
      ...shared,
      id: 'token.liquidity',
      name: 'In pools with the token',
      definition: 'Value in US dollars in Stacks pools with the token, at the end of the UTC day.',
      why: 'How much can be sold before the price drops. Below 1% of market cap, the cap is only nominal.',
      how: `Both sides of each pool. ${prices}`,
      misleads: 'Liquidity can be withdrawn at any time, unless the pool shares are locked.',
      ...figuresSql({ metric: 'token.liquidity', type: 'Float64', chain: pools('sum(v.tvl_usd)') }),
      aggregate: 'last',
    }),
    ...(capped.length === 0
      ? []
      : [
          metric({
            ...shared,
            entities: capped,
            id: 'token.mcap',
            name: 'Market cap of the token',
            definition: 'Price of the token on the UTC day × its total supply.',
            why: 'Market value of the whole supply.',
            how: `token.price × the latest supply from its contract. ${prices}`,
            misleads: `The whole supply could not be sold at that price, and locked tokens count too. If its pools hold less than ${MCAP_LIQUIDITY * 100}% of the market cap, the day is marked as incomplete, because the cap is only nominal.`,
            needs:
              'Requires a deep enough pool of the token in indexed blocks, and its supply. With internet or a node, its contract is polled for it.',
            sql: `WITH liquid AS (
    SELECT v.day AS day, sum(v.tvl_usd) AS usd
    FROM stx_pool_values AS v
    WHERE v.day ${RANGE} AND (${isOf('v.token_x')} OR ${isOf('v.token_y')})
    GROUP BY v.day
  )
SELECT
  p.day AS day, '' AS key, argMin(p.usd * toFloat64(assumeNotNull(t.total_supply)), (p.steps, p.token)) AS value,
  if(max(ifNull(l.usd, 0)) < value * ${MCAP_LIQUIDITY}, 'incomplete', ${stacksState('p.day')}) AS state, 'stacks.chain' AS source,
  any(h.from_height) AS from_height, any(h.to_height) AS to_height, any(h.last_time) AS as_of
FROM stx_token_prices AS p
INNER JOIN stx_tokens AS t ON t.contract = p.token
INNER JOIN stx_block_days AS h ON h.bucket = p.day
LEFT JOIN liquid AS l ON l.day = p.day
WHERE p.day ${RANGE} AND t.total_supply > 0 AND ${isOf('p.token')}
GROUP BY p.day
ORDER BY day`,
            aggregate: 'last',
          }),
        ]),
  ]
}
