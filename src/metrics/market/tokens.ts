import type { Catalog, CatalogToken } from '#catalog/index.ts'
import { RECORDINGS } from '#sources/all.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, metric } from '../metric.ts'
import { published, REFERENCES } from './published.ts'

/** Publishers of prices and sizes by token that observations are kept of, in the order of trust. */
const TOKEN_FEEDS = [
  'coingecko.markets',
  'coingecko.chart',
  'defillama.coins',
  'pyth.hermes',
  'coingecko.chart.recorded',
  'coingecko.markets.recorded',
  'coinpaprika.recorded',
  'coinmarketcap.rbtc.recorded',
]
const SIZE_FEEDS = TOKEN_FEEDS.filter(id => id !== 'defillama.coins' && id !== 'pyth.hermes')

/** Currencies that are taken as a dollar. */
const DOLLARS: readonly string[] = ['USD', 'USDT']

/** Beyond this relative difference of two publishers’ closes a day has no sure price. */
const MOST_SPREAD = 0.05

/** Recordings whose daily closes in dollars stand in `prices`. */
const PRICE_FEEDS: readonly string[] = RECORDINGS.filter(
  ({ price, pair }) => price !== undefined && (pair === undefined || DOLLARS.includes(pair.quote)),
).map(({ id }) => id)

/** CTE `closes`: one row per day and publisher, with the publisher’s rank of trust. */
function closesOf(tokens: readonly CatalogToken[]): string {
  const priced = tokens.filter(({ priceAsset }) => priceAsset !== undefined)
  const list = (texts: readonly string[]) => `[${texts.map(text => `'${text}'`).join(', ')}]`
  const asset = `transform({entity:String}, ${list(priced.map(({ id }) => id))}, ${list(priced.map(({ priceAsset }) => priceAsset!))}, '')`
  return `closes AS (
    SELECT c.day AS day, c.source AS source, c.close AS close, c.seen AS seen, if(s.id = '', 1000, s.rank) AS rank
    FROM (
      SELECT p.day AS day, p.source AS source, argMaxIf(p.close, p.observed_at, p.close > 0) AS close, maxIf(p.observed_at, p.close > 0) AS seen
      FROM prices AS p
      WHERE p.asset = ${asset} AND p.quote IN (${DOLLARS.map(quote => `'${quote}'`).join(', ')}) AND p.day ${RANGE}
      GROUP BY day, source
      HAVING close > 0
      UNION ALL
      SELECT o.day, o.source, assumeNotNull(o.value), o.observed_at
      FROM latest_observations AS o
      WHERE o.metric = 'token.price' AND o.entity = {entity:String} AND o.value > 0 AND o.day ${RANGE}
    ) AS c
    LEFT JOIN sources AS s ON s.id = c.source
  )`
}

const OUTSIDE = `CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height,
  least(max(c.seen), toDateTime(c.day + 1, 'UTC')) AS as_of`

/** Prices and sizes of coins and tokens, as publishers give them. */
export function tokenMetrics({ tokens }: Catalog): Metric[] {
  const listed = tokens.filter(
    ({ ids, priceAsset }) =>
      ids.coingecko !== undefined || ids.defillama !== undefined || priceAsset !== undefined,
  )
  if (listed.length === 0) return []
  const shared = {
    entityKind: 'token',
    entities: listed.map(({ id }) => id),
    since: { day: '2010-07-12' },
    direction: 'neither',
    references: [REFERENCES.coingecko],
  } as const
  const prices = {
    ...shared,
    sources: [...new Set([...TOKEN_FEEDS, ...PRICE_FEEDS])],
    cadence: 'day',
    calendar: 'reported',
    needs: 'No price yet. With internet, CoinGecko and DefiLlama are polled automatically.',
  } as const
  const published24h = {
    ...shared,
    type: 'Float64',
    sources: SIZE_FEEDS,
  } as const
  return [
    metric({
      ...prices,
      id: 'token.price',
      name: 'Price of the token',
      unit: 'USD',
      definition:
        'Last price of the token in US dollars on the UTC day, from the most trusted publisher that has the day.',
      why: 'Every dollar figure of the token is an amount times this.',
      how: 'The close by the rank of its source. Where two publishers of a day differ by more than 5 %, the day is incomplete: neither is sure.',
      misleads:
        'Most markets of these tokens are thin: a price at which a hundred dollars changed hands is no price for a million. A USDT is taken as a dollar.',
      sql: `WITH
  ${closesOf(listed)}
SELECT
  c.day AS day, '' AS key, argMin(c.close, (c.rank, c.source)) AS value,
  if(max(c.close) > min(c.close) * ${1 + MOST_SPREAD}, 'incomplete', 'whole') AS state,
  argMin(c.source, (c.rank, c.source)) AS source,
  ${OUTSIDE}
FROM closes AS c
GROUP BY c.day
ORDER BY day`,
      aggregate: 'last',
    }),
    metric({
      ...prices,
      id: 'price.spread',
      name: 'Difference between publishers’ prices',
      unit: 'ratio',
      definition: 'Highest close of the token on the UTC day over the lowest one among publishers, less one.',
      why: 'Whether the price that every dollar figure rests on is one that others see too.',
      how: 'Only days that two publishers have. Above 5 % the day’s token.price is incomplete.',
      misleads:
        'Publishers may share a source, or close a day some minutes apart: a small difference proves little, a large one much.',
      sql: `WITH
  ${closesOf(listed)}
SELECT
  c.day AS day, '' AS key, max(c.close) / min(c.close) - 1 AS value, 'whole' AS state,
  argMin(c.source, (c.rank, c.source)) AS source,
  ${OUTSIDE}
FROM closes AS c
GROUP BY c.day
HAVING uniqExact(c.source) > 1
ORDER BY day`,
      aggregate: 'mean',
      direction: 'down',
      needs:
        'Requires prices from two sources for the same day. With internet, CoinGecko and DefiLlama are polled automatically.',
    }),
    ...published({
      ...published24h,
      id: 'token.mcap',
      name: 'Market cap of the token',
      unit: 'USD',
      definition: 'Circulating supply of the token × its price on the UTC day, in US dollars.',
      why: 'Market value of all circulating tokens.',
      how: 'As CoinGecko gives it, with the circulating supply that it takes from the project.',
      misleads:
        'The circulating supply is self-reported by the project, and the whole supply could not be sold at that price.',
      references: [REFERENCES.coingecko],
    }),
    ...published({
      ...published24h,
      id: 'token.fdv',
      name: 'Fully diluted value',
      unit: 'USD',
      definition: 'Largest possible supply of the token × its price on the UTC day, in US dollars.',
      why: 'Beside the market cap: how much is still to come to the market.',
      how: 'As CoinGecko gives it: of the largest supply where there is one, else of the total supply.',
      misleads: 'Tokens that come in ten years count like those of today.',
    }),
    ...published({
      ...published24h,
      id: 'token.volume',
      name: 'Trading volume of the token',
      unit: 'USD',
      aggregate: 'sum',
      definition:
        'Value in US dollars of the token that was traded within 24 hours, on the venues that the publisher follows.',
      why: 'Whether the price was made by many or by a few.',
      how: 'As CoinGecko gives it, exchanges that publish implausible volume left out.',
      misleads: 'Most of it is on centralized exchanges, which report their own trades.',
    }),
    ...published({
      ...shared,
      type: 'Float64',
      sources: SIZE_FEEDS,
      id: 'token.supply',
      name: 'Circulating supply',
      unit: 'coins',
      definition: 'Circulating supply on the UTC day, as reported.',
      why: 'The other half of a market cap.',
      how: 'As CoinGecko gives it, from the project or its explorer.',
      misleads:
        'What circulates is a judgment: locked, staked and treasury tokens are counted differently by each project.',
    }),
  ]
}
