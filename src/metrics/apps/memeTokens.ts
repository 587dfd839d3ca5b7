import type { Catalog, CatalogToken, TokenRule } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { quoted, quotedList } from '../rollups/sqlText.ts'
import { fromStacks, stacksState } from '../stacks/common.ts'
import { knownSince, madeAt } from '../stacks/stocks.ts'
import { contractSources, perPrintDay } from './common.ts'
import { priceRule } from './fromRows.ts'
import { GINI, HOLDER_COUNT, holdersSql, NO_HOLDERS_RULE, needsHolders, TOP10_SHARE } from './holders.ts'
import { BESIDE_POOLS } from './pooledTokens.ts'
import { tokenFlagsSql } from './tokenFlags.ts'

type Meme = {
  readonly id: string
  readonly symbol: string
  readonly contract: string
  readonly decimals: number
}

/** Meme tokens of the catalogue on Stacks that no publisher is known to price. */
const memesOf = ({ tokens }: Catalog): Meme[] =>
  tokens.flatMap((token: CatalogToken) => {
    const own = token.deployments.find(({ layer }) => layer === 'stacks')
    if (token.kind !== 'meme' || own?.contract === undefined || Object.keys(token.ids).length > 0) return []
    return [{ id: token.id, symbol: token.symbol, contract: own.contract, decimals: own.decimals ?? 0 }]
  })

export const memeTokenMetrics = (catalog: Catalog): Metric[] =>
  memesOf(catalog).flatMap(meme => metricsOf(meme, catalog.tokenRules.rules, priceRule(catalog)))

/** A cap of which less lies in pools than this share is only a figure. */
const MCAP_LIQUIDITY = 0.01

const mcapSql = (contract: string): string => `WITH
  ${knownSince(madeAt(quoted(contract)), 'events')},
  supplies AS (
    SELECT 0 AS rank, toFloat64(t.total_supply) AS units FROM stx_tokens AS t WHERE t.contract = ${quoted(contract)} AND t.total_supply > 0
    UNION ALL
    SELECT 1, sum(if(m.action = 'mint', toFloat64(m.amount), -toFloat64(m.amount)))
    FROM stx_transfers AS m
    WHERE splitByString('::', m.asset)[1] = ${quoted(contract)} AND m.action IN ('mint', 'burn') AND (SELECT count() FROM known) > 0
  ),
  supply AS (SELECT units, 1 AS one FROM supplies WHERE units > 0 ORDER BY rank LIMIT 1),
  liquid AS (
    SELECT v.day AS day, sum(v.tvl_usd) AS usd
    FROM stx_pool_values AS v
    WHERE v.day ${RANGE} AND (v.token_x = ${quoted(contract)} OR v.token_y = ${quoted(contract)})
    GROUP BY v.day
  )
SELECT
  p.day AS day, '' AS key, p.usd * s.units AS value,
  if(ifNull(l.usd, 0) < value * ${MCAP_LIQUIDITY}, 'incomplete', ${stacksState('p.day')}) AS state, 'stacks.chain' AS source,
  h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
FROM (SELECT *, 1 AS one FROM stx_token_prices WHERE token = ${quoted(contract)}) AS p
INNER JOIN supply AS s ON s.one = p.one
INNER JOIN stx_block_days AS h ON h.bucket = p.day
LEFT JOIN liquid AS l ON l.day = p.day
WHERE p.day ${RANGE}
ORDER BY day`

function metricsOf(
  { id, symbol, contract, decimals }: Meme,
  rules: readonly TokenRule[],
  prices: string,
): Metric[] {
  const shared = {
    ...fromStacks,
    entityKind: 'token',
    entities: [id],
    references: [contractSources],
  } as const
  const own = quotedList([contract])
  const swaps = (value: string, where = '') =>
    perPrintDay(
      `SELECT e.bucket AS day, '' AS key, ${value} AS value
    FROM stx_dex_events AS e
    WHERE e.kind = 'swap' AND e.is_read AND (e.token_x IN (${own}) OR e.token_y IN (${own}))${where}
    GROUP BY day`,
      [''],
    )
  /** The token came out of the pool: it was bought. */
  const bought = `(e.side = 'x') = (e.token_y IN (${own}))`
  const pools = (value: string) => ({
    ctes: [],
    select: `SELECT
      v.day AS day, '' AS key, ${value} AS value, ${stacksState('v.day')} AS state, 'stacks.chain' AS source,
      h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM stx_pool_values AS v
    INNER JOIN stx_block_days AS h ON h.bucket = v.day
    WHERE v.day ${RANGE} AND (v.token_x IN (${own}) OR v.token_y IN (${own}))
    GROUP BY v.day, h.from_height, h.to_height, h.last_time`,
    isRatio: false,
  })
  const held = [{ key: '', contracts: [contract] }]
  const ofHolders = {
    ...shared,
    calendar: 'reported',
    aggregate: 'last',
    needs: needsHolders(symbol),
  } as const
  return [
    metric({
      ...shared,
      id: 'token.price',
      sources: [...shared.sources, BESIDE_POOLS.source],
      name: 'Price of the token',
      unit: 'USD',
      definition: 'Price of the token in US dollars on the UTC day, from the reserves of its pools.',
      why: 'Every dollar figure of the token is an amount times this.',
      how: `${prices} ${BESIDE_POOLS.why}`,
      misleads: 'A price from a $100 trade does not hold for a million. See token.liquidity.',
      ...figuresSql({
        metric: 'token.price',
        type: 'Float64',
        outside: [BESIDE_POOLS.source],
        chain: {
          ctes: [],
          select: `SELECT
      p.day AS day, '' AS key, p.usd * pow(10, ${decimals}) AS value, ${stacksState('p.day')} AS state,
      'stacks.chain' AS source, h.from_height AS from_height, h.to_height AS to_height, h.last_time AS as_of
    FROM stx_token_prices AS p
    INNER JOIN stx_block_days AS h ON h.bucket = p.day
    WHERE p.day ${RANGE} AND p.token IN (${own})`,
          isRatio: false,
        },
      }),
      aggregate: 'last',
    }),
    metric({
      ...shared,
      id: 'token.mcap',
      name: 'Market cap of the token',
      unit: 'USD',
      definition: 'Price of the token on the UTC day × its total supply.',
      why: 'Market value of the whole supply.',
      how: `token.price times the supply: the last value from its contract, else all mints less burns if every block since deployment is indexed. ${prices}`,
      misleads: `The whole supply could not be sold at that price. If its pools hold less than ${MCAP_LIQUIDITY * 100}% of the market cap, the day is marked as incomplete, because the cap is only nominal.`,
      needs: `Requires a deep enough pool of ${symbol} in indexed blocks, and its supply.`,
      sql: mcapSql(contract),
      aggregate: 'last',
    }),
    metric({
      ...shared,
      id: 'token.flags',
      name: 'Safety flags',
      unit: 'n',
      breakdown: { name: 'rule', values: rules.map(rule => rule.id) },
      headline: SUM_OF_KEYS,
      definition: 'Catalog rules that match the contract’s source, 1 each, as of the latest indexed block.',
      why: 'Whether someone can mint, pause or rename the token.',
      how: `Read from public functions and the private ones that they call: ${rules.map(({ id: rule, means }) => `${rule}: ${means}`).join(' ')}`,
      misleads:
        'A rule shows what the code allows, not anyone’s intent. What another contract can do with the token is not detected.',
      direction: 'down',
      calendar: 'reported',
      aggregate: 'last',
      needs: `Requires the block that deployed the contract of ${symbol}, with its source. Load an archive of events, or request the block from the public API.`,
      sql: tokenFlagsSql(rules, contract),
    }),
    metric({
      ...shared,
      id: 'token.volume',
      name: 'Volume of the token',
      unit: 'USD',
      definition: 'Value in US dollars of the swaps of the UTC day in pools that have the token.',
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
      unit: 'USD',
      definition: 'Value in US dollars in pools with the token, at the end of the UTC day.',
      why: 'How much can be sold before the price drops. Below 1% of market cap, the cap is only nominal.',
      how: `Both sides of each pool. ${prices}`,
      misleads: 'Liquidity can be withdrawn at any time, unless the pool shares are locked.',
      ...figuresSql({ metric: 'token.liquidity', type: 'Float64', chain: pools('sum(v.tvl_usd)') }),
      aggregate: 'last',
    }),
    ...(
      [
        ['token.trades', 'Trades', 'toInt64(count())', '', 'Swaps of the token', 'swaps', 'sum'],
        [
          'token.buyers',
          'Buyers',
          'toInt64(uniqExact(e.trader))',
          ` AND ${bought}`,
          'Addresses that bought the token',
          'addresses',
          'mean',
        ],
        [
          'token.sellers',
          'Sellers',
          'toInt64(uniqExact(e.trader))',
          ` AND NOT (${bought})`,
          'Addresses that sold the token',
          'addresses',
          'mean',
        ],
      ] as const
    ).map(([metricId, name, value, where, what, unit, aggregate]) =>
      metric({
        ...shared,
        id: metricId,
        name,
        unit,
        definition: `${what} on the UTC day, on indexed exchanges.`,
        why: 'Whether many or few trade it. A price set by one trader is that trader’s price.',
        how: 'Swaps in pools by what the contract of the exchange names as the trader (stx_dex_events).',
        misleads:
          'One person can use many addresses. A router counts as its user if the print names the user.',
        ...figuresSql({ metric: metricId, type: 'Int64', chain: swaps(value, where) }),
        aggregate,
      }),
    ),
    metric({
      ...ofHolders,
      id: 'token.holders',
      name: 'Holders',
      unit: 'addresses',
      definition: 'Addresses with a balance of the token as of the latest indexed block.',
      why: 'How widely it is distributed.',
      how: `Sums of all movements since the token was created. ${NO_HOLDERS_RULE}`,
      misleads:
        'Dust sent to many addresses makes them holders. The day is that of the latest block, with no past days.',
      sql: holdersSql(held, HOLDER_COUNT),
    }),
    metric({
      ...ofHolders,
      id: 'token.top10_share',
      name: 'Share of the ten largest holders',
      unit: 'ratio',
      definition:
        'Balance of the ten largest holders ÷ balance of all holders, as of the latest indexed block.',
      why: 'A few holders can move the price at will.',
      how: NO_HOLDERS_RULE,
      misleads: 'One person can have many addresses, and an exchange address represents many people.',
      sql: holdersSql(held, TOP10_SHARE),
    }),
    metric({
      ...ofHolders,
      id: 'token.gini',
      name: 'Gini coefficient of holders',
      unit: 'ratio',
      definition:
        'Σ(2i − n − 1)x ÷ (n Σx) over holders from the smallest to the largest: 0 if all balances are equal, 1 if one holder has everything.',
      why: 'One figure for how unequally a token is distributed.',
      how: NO_HOLDERS_RULE,
      misleads:
        'Every token with many small holders is near 1. Compare tokens with each other, not with income statistics.',
      sql: holdersSql(held, GINI),
    }),
  ]
}
