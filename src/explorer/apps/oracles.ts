import { type AppTable, quoted } from './table.ts'

/** Generations of the contract in which Pyth keeps its prices on Stacks. */
const STORAGES = [
  'SP1CGXWEAMG6P6FT04W66NVGJ7PQWMDAC19R7PJ0Y.pyth-storage-v4',
  'SP3R4F6C1J3JQWWCVZ3S7FRRYPMYG6ZW6RZK31FXY.pyth-storage-v3',
]
const DAYS = 30

const at = (path: string): string => `p.path = ${quoted(path)}`

/** The prices by which loans are valued, how old each was when it was written, and how far it was from the market. */
export const oraclesTable: AppTable = {
  title: 'Oracles',
  sub: `Pyth price updates on Stacks over the latest ${DAYS} days with blocks. Lenders use them to value collateral`,
  empty: 'No Pyth price updates in the indexed blocks.',
  columns: [
    { key: 'asset', label: 'Price of', form: 'text' },
    { key: 'price', label: 'Newest price', form: 'figure', unit: 'USD' },
    {
      key: 'confidence',
      label: 'Give or take',
      form: 'figure',
      unit: 'ratio',
      title: 'What its publishers are unsure of, of the price',
    },
    {
      key: 'close_usd',
      label: 'Close of the day',
      form: 'figure',
      unit: 'USD',
      title: 'Of the most trusted publisher that has the day: moves within the day are in the difference',
    },
    {
      key: 'difference',
      label: 'Difference',
      form: 'figure',
      unit: 'ratio',
      title: 'Of the oracle from the close',
    },
    {
      key: 'delay',
      label: 'Age when written, median',
      form: 'figure',
      unit: 's',
      title: 'Time of the block less the time at which the price was published',
    },
    {
      key: 'gap',
      label: 'Longest without one',
      form: 'figure',
      unit: 's',
      title: 'Between consecutive updates in the indexed blocks. The caller that needs a price submits it',
    },
    { key: 'writes', label: 'Writes', form: 'count' },
    { key: 'published', label: 'Published', form: 'time' },
    { key: 'contract', label: 'Kept in', form: 'principal' },
  ],
  sql: ({ feeds }) => `WITH
  writes AS (
    SELECT
      p.height AS height, p.event_index AS event_index, any(p.block_time) AS written, any(p.contract) AS contract,
      anyIf(p.text_value, ${at('data.price-identifier')}) AS feed,
      anyIf(toFloat64(assumeNotNull(p.uint_value)), ${at('data.price')}) AS digits,
      anyIf(toFloat64(assumeNotNull(p.uint_value)), ${at('data.conf')}) AS spread,
      anyIf(toInt32OrZero(p.repr), ${at('data.expo')}) AS expo,
      anyIf(toUInt32(assumeNotNull(p.uint_value)), ${at('data.publish-time')}) AS published
    FROM stx_print_fields AS p
    WHERE p.contract IN (${STORAGES.map(quoted).join(', ')})
      AND p.block_time > (SELECT max(block_time) FROM stx_blocks) - ${DAYS * 86_400}
      AND p.path IN ('data.price-identifier', 'data.price', 'data.conf', 'data.expo', 'data.publish-time')
    GROUP BY p.height, p.event_index
  ),
  feeds AS (
    SELECT f.1 AS feed, f.2 AS asset, f.3 AS price_asset
    FROM (SELECT arrayJoin([${feeds.map(({ feed, symbol, asset }) => `(${quoted(`0x${feed}`)}, ${quoted(symbol)}, ${quoted(asset)})`).join(', ') || "('', '', '')"}]) AS f)
  ),
  told AS (
    SELECT
      f.asset AS asset, any(f.price_asset) AS price_asset, argMax(w.digits * exp10(w.expo), (w.height, w.event_index)) AS price,
      argMax(w.spread / nullIf(w.digits, 0), (w.height, w.event_index)) AS confidence,
      argMax(w.published, (w.height, w.event_index)) AS published, argMax(w.contract, (w.height, w.event_index)) AS contract,
      median(toFloat64(toUnixTimestamp(w.written)) - toFloat64(w.published)) AS delay, count() AS writes,
      arrayMax(arrayDifference(arraySort(groupUniqArray(toInt64(toUnixTimestamp(w.written)))))) AS gap
    FROM writes AS w
    INNER JOIN feeds AS f ON f.feed = w.feed
    WHERE w.digits > 0 AND w.published > 0
    GROUP BY f.asset
  )
SELECT
  t.asset AS asset, t.price AS price, t.confidence AS confidence, if(c.close > 0, c.close, NULL) AS close_usd,
  if(c.close > 0, t.price / c.close - 1, NULL) AS difference, t.delay AS delay, if(t.writes > 1, toFloat64(t.gap), NULL) AS gap,
  t.writes AS writes, formatDateTime(toDateTime(t.published, 'UTC'), '%Y-%m-%dT%H:%i:%SZ') AS published, t.contract AS contract
FROM told AS t
LEFT JOIN usd_closes AS c ON c.asset = t.price_asset AND c.day = toDate(toDateTime(t.published, 'UTC'))
ORDER BY t.asset`,
}
