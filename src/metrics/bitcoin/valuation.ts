import { perBlock, perDay, perStockDay } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric } from '../metric.ts'
import { sourcesOfRowSql } from '../sourcesSql.ts'
import { coinMetrics, fromBlocks, fromRows, issuance, onPricedDays } from './common.ts'
import { scheduledSat } from './supply.ts'

const feeds = ['btcusd.brk', 'btcusd.typedcypher']
const priced = { ...fromRows, sources: ['bitcoin.chain', ...feeds], aggregate: 'last' } as const

export const priceClose = metric({
  id: 'price.close',
  name: 'Price',
  unit: 'USD/BTC',
  definition: 'Last price of BTC in USD on the UTC day, from the most trusted feed that has the day.',
  why: 'Every figure in USD is an amount times this.',
  how: 'As the feed publishes it; the feed is named at each day.',
  misleads: 'One number for a day that may have moved by a tenth; markets before 2012 were thin.',
  sql: `SELECT
  p.day AS day, '' AS key, p.close AS value, 'whole' AS state, p.source AS source,
  CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height,
  toDateTime(p.day + 1, 'UTC') AS as_of
FROM btc_usd_daily AS p
WHERE p.day BETWEEN {from:Date} AND {to:Date}
ORDER BY day`,
  sources: feeds,
  cadence: 'day',
  aggregate: 'last',
  since: { day: '2010-07-12' },
  direction: 'neither',
  references: [
    { title: 'bitcoinresearchkit/brk: daily prices', url: 'https://github.com/bitcoinresearchkit/brk' },
    {
      title: 'typedcypher/historical-bitcoin-prices',
      url: 'https://github.com/typedcypher/historical-bitcoin-prices',
    },
  ],
})

export const capMarket = metric({
  ...priced,
  id: 'cap.market',
  name: 'Market cap',
  unit: 'USD',
  definition: 'Spendable supply at the close of the day.',
  why: 'The size that the market gives the whole.',
  how: 'Value of all unspent outputs × close.',
  misleads: 'The whole supply could not be sold at that price, and it includes lost coins.',
  ...figuresSql({
    metric: 'cap.market',
    type: 'Float64',
    chain: perStockDay({
      table: 'btc_age_days',
      isSum: true,
      join: '\n    LEFT JOIN btc_usd_daily AS p ON p.day = d.day',
      value: 'sum(r.value_sat) / 1e8 * nullIf(any(p.close), 0)',
    }),
    outside: [],
  }),
  references: [coinMetrics],
})

export const capScheduled = metric({
  ...fromBlocks,
  id: 'cap.scheduled',
  name: 'Market cap of the scheduled supply',
  unit: 'USD',
  definition: 'Scheduled supply at the close of the day.',
  why: 'Market cap on days without all blocks since genesis. The difference is about one in a hundred thousand.',
  how: 'Sum of subsidies up to the day’s last block × close.',
  misleads: 'Counts coins that were never claimed or can never move.',
  ...figuresSql({
    metric: 'cap.scheduled',
    type: 'Float64',
    chain: perBlock({
      with: [
        `priced_blocks AS (
    SELECT b.day AS day, b.height AS height, b.block_time AS block_time, b.origin AS origin, p.close AS close
    FROM btc_block_facts AS b
    INNER JOIN btc_usd_daily AS p ON p.day = b.day
  )`,
      ],
      from: 'priced_blocks',
      value: `${scheduledSat('max(height)')} / 1e8 * any(close)`,
    }),
  }),
  sources: [...fromBlocks.sources, ...feeds],
  aggregate: 'last',
  references: [issuance, coinMetrics],
})

export const capRealised = metric({
  ...priced,
  id: 'cap.realised',
  name: 'Realized cap',
  unit: 'USD',
  definition: 'Each unspent coin at the close of the day when it last moved, summed.',
  why: 'What current holders paid, from on-chain data. Often read as a floor for the market price.',
  how: 'Σ value of unspent outputs × close of their creation day.',
  misleads:
    'A transfer is not a sale, so moving one’s own coins reprices them. Trades inside exchanges are not on-chain. Coins created before the first price count as 0. There is no figure after the first day without a close.',
  ...figuresSql({
    metric: 'cap.realised',
    type: 'Float64',
    chain: perStockDay({ table: 'btc_age_days', isSum: true, value: onPricedDays('sum(r.realised_usd)') }),
    outside: [],
  }),
  references: [coinMetrics],
})

export const capRealisedPrice = metric({
  ...priced,
  id: 'cap.realised_price',
  name: 'Realized price',
  unit: 'USD/BTC',
  definition: 'Realized cap per spendable coin.',
  why: 'The mean price at which coins last moved: below it, the average holder is under water.',
  how: 'Realized cap ÷ spendable supply.',
  misleads: 'As cap.realised; lost coins pull it down.',
  ...figuresSql({
    metric: 'cap.realised_price',
    type: 'Float64',
    chain: perStockDay({
      table: 'btc_age_days',
      isSum: true,
      value: onPricedDays('sum(r.realised_usd) / nullIf(sum(r.value_sat) / 1e8, 0)'),
    }),
    outside: [],
  }),
  references: [coinMetrics],
})

/** The figures of another metric as a subquery. */
const figures = (entry: Metric): string => `(\n${entry.sql}\n    )`

/**
 * A day’s figure from its market and realised cap, as `cap.market` and `cap.realised` choose them, read at once: a
 * statement that held both of theirs would take three times as long.
 */
const MARKET = 'c.m.1'
const REALISED = 'c.r.1'
const fromCaps = (value: string, from = '{from:Date}'): string => {
  const chosen = (cap: string) => `argMinIf(
        tuple(value, state, source, from_height, to_height, as_of),
        (NOT (state = 'whole' AND isNotNull(value)), rank, -toInt64(toUnixTimestamp(as_of))),
        cap = '${cap}'
      )`
  return `WITH
  stocks AS (
    SELECT
      d.day AS day, d.is_whole AS is_whole, d.to_height AS to_height, d.as_of AS as_of,
      sum(r.value_sat) AS unspent, sum(r.realised_usd) AS total
    FROM btc_days_since_genesis AS d
    INNER JOIN btc_age_days AS r ON r.bucket = d.day
    WHERE d.day BETWEEN ${from} AND {to:Date}
    GROUP BY d.day, d.is_whole, d.to_height, d.as_of
  ),
  candidates AS (
    SELECT
      s.day AS day, figure.1 AS cap, toFloat64(figure.2) AS value,
      if(s.is_whole, 'whole', if(s.day >= toDate(now('UTC') - INTERVAL 3 HOUR), 'partial', 'incomplete')) AS state,
      'bitcoin.chain' AS source, toNullable(toUInt32(0)) AS from_height, toNullable(s.to_height) AS to_height,
      s.as_of AS as_of, 0 AS rank
    FROM stocks AS s
    LEFT JOIN btc_usd_daily AS p ON p.day = s.day
    ARRAY JOIN [
      ('cap.market', s.unspent / 1e8 * nullIf(p.close, 0)), ('cap.realised', ${onPricedDays('s.total', 's.day')})
    ] AS figure
    UNION ALL
    SELECT
      o.day, o.metric, ifNull(o.value, toFloat64(o.amount)), 'whole', o.source,
      CAST(NULL AS Nullable(UInt32)), CAST(NULL AS Nullable(UInt32)), o.observed_at, 2
    FROM latest_observations AS o
    WHERE o.metric IN ('cap.market', 'cap.realised') AND o.entity = {entity:String} AND o.day BETWEEN ${from} AND {to:Date}
  ),
  caps AS (
    SELECT
      day,
      ${chosen('cap.market')} AS m,
      ${chosen('cap.realised')} AS r
    FROM candidates
    GROUP BY day
    HAVING uniqExact(cap) = 2
  )
SELECT
  c.day AS day, '' AS key, ${value} AS value,
  multiIf(c.m.2 = c.r.2, c.m.2, c.m.2 = 'incomplete' OR c.r.2 = 'incomplete', 'incomplete', 'partial') AS state,
  ${sourcesOfRowSql('c.m.3', 'c.r.3')} AS source, c.m.4 AS from_height, c.m.5 AS to_height, greatest(c.m.6, c.r.6) AS as_of
FROM caps AS c`
}

export const capMvrv = metric({
  ...priced,
  id: 'cap.mvrv',
  name: 'MVRV',
  unit: 'ratio',
  definition: 'Market cap ÷ realized cap.',
  why: 'How far the market is above what holders paid. Tops have come above 3, bottoms below 1.',
  how: 'Both caps of the same day.',
  misleads: 'The extremes shrink with each cycle; as cap.realised.',
  sql: `${fromCaps(`${MARKET} / nullIf(${REALISED}, 0)`)}
ORDER BY day`,
  references: [coinMetrics],
})

const Z_SINCE = "toDate('2010-07-18')"

export const capMvrvZ = metric({
  ...priced,
  id: 'cap.mvrv_z',
  name: 'MVRV Z-score',
  unit: 'σ',
  definition: 'Market cap minus realized cap, in standard deviations of the market cap since 2010-07-18.',
  why: 'The same question as MVRV, measured against how far the market cap itself has swung.',
  how: '(market − realized) ÷ population standard deviation of all daily market caps from 2010-07-18 to the day.',
  misleads: 'The deviation grows with the price, so the same heat gives a lower score each cycle.',
  sql: `SELECT day, key, value, state, source, from_height, to_height, as_of
FROM (
${fromCaps(
  `(${MARKET} - ${REALISED}) / nullIf(stddevPop(${MARKET}) OVER (ORDER BY c.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), 0)`,
  Z_SINCE,
)}
)
WHERE day BETWEEN {from:Date} AND {to:Date}
ORDER BY day`,
  references: [coinMetrics],
})

export const capNupl = metric({
  ...priced,
  id: 'cap.nupl',
  name: 'Net unrealized profit',
  unit: 'ratio',
  definition: 'Market cap minus realized cap, as a share of the market cap.',
  why: 'Share of market cap that is unrealized profit.',
  how: '(market − realized) ÷ market.',
  misleads: 'As cap.realised: moves are not sales.',
  sql: `${fromCaps(`(${MARKET} - ${REALISED}) / nullIf(${MARKET}, 0)`)}
ORDER BY day`,
  references: [coinMetrics],
})

export const supplyInProfit = metric({
  ...priced,
  id: 'supply.in_profit',
  name: 'Supply in profit',
  unit: 'ratio',
  definition: 'Share of coins that last moved on a day with a lower close than the day’s.',
  why: 'How many holders could sell at a gain.',
  how: 'Value of unspent outputs created on days with a lower close ÷ value of all unspent outputs.',
  misleads:
    'Lost coins from the first years are always in profit and never sold. Coins created before the first price count as in profit. There is no figure after the first day without a close.',
  ...figuresSql({
    metric: 'supply.in_profit',
    type: 'Float64',
    chain: perStockDay({
      table: 'btc_age_days',
      isSum: true,
      join: '\n    INNER JOIN btc_usd_daily AS p ON p.day = d.day',
      value: onPricedDays(
        'if(countIf(isNull(r.profit_sat)) > 0, NULL, sum(r.profit_sat) / nullIf(sum(r.value_sat), 0))',
      ),
    }),
  }),
  references: [
    { title: 'bitcoinresearchkit/brk: supply in profit', url: 'https://github.com/bitcoinresearchkit/brk' },
  ],
})

const soprParts = (where: string) => {
  const spent = `r.kind = 'spent' AND made.close > 0 AND at_spend.close > 0${where}`
  const sum = (close: string) => `sumIf(toInt64(r.value_sat) / 1e8 * ${close}, ${spent})`
  return perDay({
    table: 'btc_flow_days',
    isSum: true,
    join: `
    INNER JOIN btc_input_days AS i ON i.bucket = r.bucket
    LEFT JOIN btc_usd_daily AS made ON made.day = r.made_day
    LEFT JOIN btc_usd_daily AS at_spend ON at_spend.day = r.bucket`,
    value: `if(any(i.unknown_age_input_count) > 0, NULL, ${sum('at_spend.close')} / nullIf(${sum('made.close')}, 0))`,
    numerator: `if(any(i.unknown_age_input_count) > 0, NULL, ${sum('at_spend.close')})`,
    denominator: sum('made.close'),
  })
}

const sopr = {
  ...priced,
  unit: 'ratio',
  aggregate: 'recompute',
  references: [
    {
      title:
        'Coin Metrics: SOPR, worked example (10 BTC made at 10, 1 at 500, 2 at 20,000; price 7,500: 2.40)',
      url: 'https://docs.coinmetrics.io/network-data/network-data-overview/economics/sopr',
    },
  ],
} as const

export const capSopr = metric({
  ...sopr,
  id: 'cap.sopr',
  name: 'SOPR',
  definition: 'Value of the outputs spent at the time of spending ÷ at the time of making.',
  why: 'Whether coins move at a profit: above 1 sellers gain, below 1 they give up.',
  how: 'Σ value × close of the day spent ÷ Σ value × close of the creation day, over outputs with both.',
  misleads:
    'With one price a day, a coin spent on its creation day counts as exactly 1, which includes most change outputs.',
  ...figuresSql({ metric: 'cap.sopr', type: 'Float64', chain: soprParts('') }),
})

export const capSoprAdjusted = metric({
  ...sopr,
  id: 'cap.sopr_adjusted',
  name: 'SOPR, adjusted',
  definition: 'As SOPR, over outputs that were older than an hour when spent.',
  why: 'Leaves out coins that only pass through, which pull SOPR toward 1.',
  how: 'Σ value × close of the day spent ÷ Σ value × close of the creation day, excluding outputs spent within an hour.',
  misleads: 'One hour is a convention. Change spent the next day is not realized profit either.',
  ...figuresSql({ metric: 'cap.sopr_adjusted', type: 'Float64', chain: soprParts(' AND NOT r.is_young') }),
})

const NVT_DAYS = 90

export const capNvt = metric({
  ...priced,
  id: 'cap.nvt',
  name: 'NVT',
  unit: 'ratio',
  definition: 'Market cap ÷ the 90-day mean of the adjusted value transferred a day, both in USD.',
  why: 'A price against use, as a share has one against earnings.',
  how: 'Adjusted value of each of 90 full days × its close, averaged; null if one of them is missing.',
  misleads:
    'Use moves off the chain, to Lightning and into funds; and adjusted value still holds change to fresh addresses.',
  sql: `WITH
  transfers AS (
    SELECT
      t.r_bucket AS day,
      avg(t.usd) OVER days AS mean_usd,
      count(t.usd) OVER days AS known_days
    FROM (
      SELECT r.bucket AS r_bucket, r.adjusted_sat / 1e8 * p.close AS usd
      FROM btc_tx_buckets AS r
      INNER JOIN btc_usd_daily AS p ON p.day = r.bucket
      WHERE r.grain = 'day' AND r.bucket IN (SELECT day FROM btc_whole_days WHERE basis = 'rows')
    ) AS t
    WINDOW days AS (ORDER BY t.r_bucket RANGE BETWEEN ${NVT_DAYS - 1} PRECEDING AND CURRENT ROW)
  )
SELECT
  m.day AS day, '' AS key, if(t.known_days = ${NVT_DAYS}, m.value / nullIf(t.mean_usd, 0), NULL) AS value,
  m.state AS state, m.source AS source, m.from_height AS from_height, m.to_height AS to_height, m.as_of AS as_of
FROM ${figures(capMarket)} AS m
INNER JOIN transfers AS t ON t.day = m.day
ORDER BY day`,
  references: [coinMetrics],
})
