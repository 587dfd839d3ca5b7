import type { Catalog, CatalogToken } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric } from '../metric.ts'
import { quotedList } from '../rollups/sqlText.ts'
import { fromStacks, stacksState } from '../stacks/common.ts'
import { knownSince, madeAt } from '../stacks/stocks.ts'
import { perPrintDay } from './common.ts'
import { contractSources, PRICE_RULE } from './fromRows.ts'

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

/** Burned coins are nobody’s; contracts hold for others. */
const NO_HOLDERS = quotedList(['SP000000000000000000002Q6VF78'])

export const memeTokenMetrics = (catalog: Catalog): Metric[] => memesOf(catalog).flatMap(metricsOf)

function metricsOf({ id, symbol, contract, decimals }: Meme): Metric[] {
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
  const newest = (value: string) => `WITH
  ${knownSince(madeAt(own), 'events')},
  newest AS (SELECT day, from_height, to_height, as_of, state FROM known ORDER BY day DESC LIMIT 1),
  held AS (
    SELECT toFloat64(balance) AS size, row_number() OVER (ORDER BY balance, holder) AS place
    FROM stx_balances
    WHERE splitByString('::', asset)[1] IN (${own}) AND balance > 0 AND position(holder, '.') = 0
      AND holder NOT IN (${NO_HOLDERS})
  ),
  counted AS (SELECT ${value} AS value FROM held)
SELECT
  n.day AS day, '' AS key, c.value AS value, n.state AS state, 'stacks.chain' AS source,
  n.from_height AS from_height, n.to_height AS to_height, n.as_of AS as_of
FROM newest AS n
INNER JOIN counted AS c ON true
WHERE n.day ${RANGE}
ORDER BY day`
  const ofHolders = {
    ...shared,
    calendar: 'reported',
    aggregate: 'last',
    needs: `Needs every block of Stacks since the contract of ${symbol} was made: load an archive of events, or let a node that starts at genesis post its events.`,
  } as const
  const leftOut =
    'Without contracts (pools, vaults, lockers and markets hold for others) and what was burned; exchanges’ own addresses are in it, since no list of them on Stacks has a public source.'
  return [
    metric({
      ...shared,
      id: 'token.price',
      name: 'Price of the token',
      unit: 'USD',
      definition: 'Price of the token in US dollars on the UTC day, from the reserves of its pools.',
      why: 'Every dollar figure of the token is an amount times this.',
      how: PRICE_RULE,
      misleads:
        'A price at which a hundred dollars changed hands is no price for a million: see token.liquidity.',
      ...figuresSql({
        metric: 'token.price',
        type: 'Float64',
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
      id: 'token.volume',
      name: 'Volume of the token',
      unit: 'USD',
      definition: 'Value in US dollars of the swaps of the UTC day in pools that have the token.',
      why: 'How much the token is traded.',
      how: `One side of each swap. ${PRICE_RULE}`,
      misleads: 'Trades with oneself swell it and are not told apart.',
      ...figuresSql({ metric: 'token.volume', type: 'Float64', chain: pools('sum(v.volume_usd)') }),
      aggregate: 'sum',
    }),
    metric({
      ...shared,
      id: 'token.liquidity',
      name: 'In pools with the token',
      unit: 'USD',
      definition: 'Value in US dollars of what lies in pools that have the token, at the end of the UTC day.',
      why: 'How much can be sold before the price gives way; under 1 % of a market cap that cap is only a figure.',
      how: `Both sides of each pool. ${PRICE_RULE}`,
      misleads: 'Whoever put it in can take it out, unless the shares of the pool are locked.',
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
        definition: `${what} on the UTC day, on exchanges whose pools are read.`,
        why: 'Many hands or few: a price that one pair of hands makes is theirs.',
        how: 'Swaps in pools by what the contract of the exchange names as the trader (stx_dex_events).',
        misleads: 'One person may use many addresses; a router stands for its user where the print names it.',
        ...figuresSql({ metric: metricId, type: 'Int64', chain: swaps(value, where) }),
        aggregate,
      }),
    ),
    metric({
      ...ofHolders,
      id: 'token.holders',
      name: 'Holders',
      unit: 'addresses',
      definition: 'Addresses that have some of the token as of the newest block held.',
      why: 'How widely it is held.',
      how: `Sums of all movements since the token was made. ${leftOut}`,
      misleads:
        'Dust sent to many makes holders of them. The day is that of the newest block: no past day is told.',
      sql: newest('toInt64(count())'),
    }),
    metric({
      ...ofHolders,
      id: 'token.top10_share',
      name: 'Share of the ten largest holders',
      unit: 'ratio',
      definition: 'What the ten largest holders have ÷ what all holders have, as of the newest block held.',
      why: 'Few hands can move the price as they like.',
      how: leftOut,
      misleads: 'One person may have many addresses, and an exchange’s address stands for many people.',
      sql: newest('if(count() = 0, NULL, sumIf(size, place > (SELECT count() FROM held) - 10) / sum(size))'),
    }),
    metric({
      ...ofHolders,
      id: 'token.gini',
      name: 'Gini coefficient of holders',
      unit: 'ratio',
      definition:
        'Σ(2i − n − 1)x ÷ (n Σx) over holders from the smallest to the largest: 0 where all have alike, 1 where one has all.',
      why: 'One figure for how unequally a token is held.',
      how: leftOut,
      misleads: 'Every token with many small holders is near 1: compare it among tokens, not with incomes.',
      sql: newest(
        'if(count() = 0, NULL, sum((2 * toFloat64(place) - (SELECT count() FROM held) - 1) * size) / (count() * sum(size)))',
      ),
    }),
  ]
}
