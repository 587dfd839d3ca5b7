import { ETF_LATE_DAYS } from '#metrics/bitcoin/outsideOnly.ts'
import { btc, NOT_LOADED, quoted, referenceOf, type TreasuryTable } from './table.ts'

/** The source of what lies on published addresses. */
const BALANCES = 'treasuries.addresses'

/** What it said, and by which evidence. */
export const evidenceTable: TreasuryTable = {
  title: 'Evidence',
  sub: 'Every report of its holding, newest first, with month-end balances for published addresses. Corrected reports are struck through and do not count',
  empty: NOT_LOADED,
  columns: [
    { key: 'day', label: 'Day', form: 'day' },
    { key: 'held', label: 'Bitcoin', form: 'amount' },
    { key: 'shares', label: 'Shares', form: 'count' },
    { key: 'debt', label: 'Debt', form: 'figure', unit: 'USD' },
    { key: 'preferred', label: 'Preferred', form: 'figure', unit: 'USD' },
    { key: 'cash', label: 'Cash', form: 'figure', unit: 'USD' },
    { key: 'grade', label: 'Evidence', form: 'reference' },
    { key: 'said', label: 'In the words of the list', form: 'text', isOptional: true },
    { key: 'recorded_at', label: 'Recorded', form: 'day', isOptional: true },
  ],
  sql: entity => `SELECT
  s.day AS day, ${btc('s.held_sat', 'held')}, s.shares AS shares, s.debt_usd AS debt, s.preferred_usd AS preferred,
  s.cash_usd AS cash, toString(s.grade) AS grade, ${referenceOf('s.ref', 't.sec_cik', 'grade')}, s.said AS said,
  toDate(s.recorded_at) AS recorded_at, s.is_corrected AS is_corrected
FROM treasury_statements AS s
INNER JOIN treasury_holders AS t ON t.entity = s.entity
WHERE s.entity = ${quoted(entity)}
  AND (s.source != '${BALANCES}' OR s.day IN (SELECT max(day) FROM treasury_address_balances WHERE entity = ${quoted(entity)} GROUP BY toStartOfMonth(day)))
ORDER BY s.day DESC, s.recorded_at DESC, s.position DESC`,
}

export const eventsTable: TreasuryTable = {
  title: 'Purchases and sales',
  sub: 'Newest first, compared with bitcoin’s close on the day if a price is available',
  empty: 'No purchase or sale of it is recorded: only totals are.',
  columns: [
    { key: 'day', label: 'Day', form: 'day' },
    { key: 'kind', label: 'What', form: 'text' },
    { key: 'moved', label: 'Bitcoin', form: 'amount' },
    { key: 'price', label: 'Price', form: 'figure', unit: 'USD' },
    { key: 'cost', label: 'Paid', form: 'figure', unit: 'USD' },
    { key: 'against', label: 'Against the close', form: 'figure', unit: 'ratio' },
    { key: 'after', label: 'Holding after', form: 'amount' },
    { key: 'grade', label: 'Evidence', form: 'reference' },
  ],
  sql: entity => `SELECT
  e.day AS day, replaceAll(toString(e.kind), '-', ' ') AS kind, ${btc('e.delta_sat', 'moved')}, e.price_usd AS price,
  e.cost_usd AS cost, e.price_usd / nullIf(c.close, 0) - 1 AS against, ${btc('e.after_sat', 'after')},
  toString(e.grade) AS grade, ${referenceOf('e.ref', 't.sec_cik', 'grade')}, e.is_corrected AS is_corrected
FROM treasury_events AS e
INNER JOIN treasury_holders AS t ON t.entity = e.entity
LEFT JOIN (SELECT day, close FROM usd_closes WHERE asset = 'BTC') AS c ON c.day = e.day
WHERE e.entity = ${quoted(entity)}
ORDER BY e.day DESC, e.position DESC`,
}

/** The ladder of debt and of what dilutes; what is owed beside it is told as totals alone. */
export const instrumentsTable: TreasuryTable = {
  title: 'Debt and dilution ladder',
  sub: 'Dilutive instruments by expiry: number of shares, strike, and distance to the latest close. Below are the last reported total debt and preferred stock. Individual loans and preferred series, with their rates and maturities, are not covered',
  empty:
    'Nothing that may become its shares is recorded, and no total of its debt or preferred stock. Single loans and series of preferred stock are not covered.',
  columns: [
    { key: 'kind', label: 'Instrument', form: 'text' },
    { key: 'issued', label: 'Issued', form: 'day' },
    { key: 'expires', label: 'Expires', form: 'day' },
    { key: 'strike', label: 'Strike', form: 'figure', unit: 'USD' },
    { key: 'away', label: 'Strike over close', form: 'figure', unit: 'ratio' },
    { key: 'shares', label: 'Shares', form: 'count' },
    { key: 'dilution', label: 'Of basic', form: 'figure', unit: 'ratio' },
    { key: 'face', label: 'Face', form: 'figure', unit: 'USD' },
    { key: 'state', label: 'On the latest day', form: 'text' },
    { key: 'stated_day', label: 'Stated', form: 'day', title: 'Day of the statement that a total is from' },
  ],
  sql: entity => `WITH
  newest AS (
    SELECT max(m.day) AS day, argMax(m.close_usd, m.day) AS close, argMaxIf(m.shares, m.day, m.shares > 0) AS shares
    FROM treasury_market_days AS m
    WHERE m.entity = ${quoted(entity)}
  ),
  owing AS (
    SELECT
      maxIf(s.day, s.debt_usd IS NOT NULL) AS debt_day, argMaxIf(s.debt_usd, s.day, s.debt_usd IS NOT NULL) AS debt,
      maxIf(s.day, s.preferred_usd IS NOT NULL) AS preferred_day,
      argMaxIf(s.preferred_usd, s.day, s.preferred_usd IS NOT NULL) AS preferred
    FROM treasury_statements AS s
    WHERE s.entity = ${quoted(entity)} AND NOT s.is_corrected
  ),
  convertible AS (
    SELECT sum(i.face_usd) AS face
    FROM treasury_instruments AS i
    CROSS JOIN owing AS o
    WHERE i.entity = ${quoted(entity)} AND i.kind = 'convertible' AND (i.issued_day IS NULL OR i.issued_day <= o.debt_day)
      AND (i.expires_day IS NULL OR i.expires_day > o.debt_day)
  ),
  totals AS (
    SELECT total.1 AS place, total.2 AS kind, total.3 AS face, total.4 AS day
    FROM owing AS o
    CROSS JOIN convertible AS c
    ARRAY JOIN [
      (1, 'all debt', toNullable(toInt64(o.debt)), o.debt_day),
      (2, 'of it beyond convertibles', if(o.debt IS NOT NULL AND c.face > 0, greatest(toInt64(o.debt) - toInt64(c.face), 0), NULL), o.debt_day),
      (3, 'all preferred stock', toNullable(toInt64(o.preferred)), o.preferred_day)
    ] AS total
    WHERE total.3 IS NOT NULL
  )
SELECT kind, issued, expires, strike, away, shares, dilution, face, state, stated_day
FROM (
  SELECT
    0 AS place, i.kind AS kind, i.issued_day AS issued, i.expires_day AS expires, i.strike_usd AS strike,
    i.strike_usd / nullIf(n.close, 0) - 1 AS away, toNullable(i.shares) AS shares, i.shares / nullIf(n.shares, 0) AS dilution,
    toNullable(toInt64(i.face_usd)) AS face,
    multiIf(
      i.expires_day IS NOT NULL AND i.expires_day <= n.day, 'expired', i.issued_day IS NOT NULL AND i.issued_day > n.day, 'not issued yet',
      i.strike_usd IS NULL OR n.close IS NULL OR n.close = 0, 'in force', i.strike_usd <= n.close, 'in the money', 'out of the money'
    ) AS state, CAST(NULL, 'Nullable(Date)') AS stated_day
  FROM treasury_instruments AS i
  CROSS JOIN newest AS n
  WHERE i.entity = ${quoted(entity)}
  UNION ALL
  SELECT place, kind, NULL, NULL, NULL, NULL, NULL, NULL, face, 'as stated', day
  FROM totals
)
ORDER BY place, expires IS NULL, expires, strike`,
}

/** Falls of bitcoin's price, and what each leaves. */
export const shockTable: TreasuryTable = {
  title: 'If bitcoin falls',
  sub: 'Value of its bitcoin against claims senior to the shares. Debt, preferred stock and cash are as last reported. The share price is unchanged',
  empty: 'Requires its holding and reported debt.',
  columns: [
    { key: 'fall', label: 'Bitcoin', form: 'figure', unit: 'ratio' },
    { key: 'price', label: 'At', form: 'figure', unit: 'USD' },
    { key: 'value', label: 'Bitcoin worth', form: 'figure', unit: 'USD' },
    { key: 'debt', label: 'Debt', form: 'figure', unit: 'USD' },
    { key: 'covered', label: 'Bitcoin over debt', form: 'figure', unit: '–' },
    {
      key: 'left',
      label: 'Left for shares',
      form: 'figure',
      unit: 'USD',
      title: 'Bitcoin and cash less debt and preferred stock',
    },
    { key: 'left_share', label: 'A share', form: 'figure', unit: 'USD' },
  ],
  sql: entity => `WITH
  now AS (
    SELECT argMax(h.held_sat, h.day) AS sat FROM treasury_held AS h WHERE h.entity = ${quoted(entity)}
  ),
  price AS (SELECT argMax(close, day) AS close FROM usd_closes WHERE asset = 'BTC'),
  owing AS (
    SELECT
      argMaxIf(s.debt_usd, s.day, s.debt_usd IS NOT NULL) AS debt,
      argMaxIf(s.preferred_usd, s.day, s.preferred_usd IS NOT NULL) AS preferred,
      argMaxIf(s.cash_usd, s.day, s.cash_usd IS NOT NULL) AS cash, argMaxIf(s.shares, s.day, s.shares > 0) AS shares
    FROM treasury_statements AS s
    WHERE s.entity = ${quoted(entity)} AND NOT s.is_corrected
  )
SELECT
  fall, p.close * (1 + fall) AS price, n.sat / 1e8 * p.close * (1 + fall) AS value, o.debt AS debt,
  value / nullIf(o.debt, 0) AS covered,
  value + ifNull(o.cash, 0) - o.debt - ifNull(o.preferred, 0) AS left,
  left / nullIf(o.shares, 0) AS left_share
FROM now AS n
CROSS JOIN price AS p
CROSS JOIN owing AS o
ARRAY JOIN [0., -0.1, -0.2, -0.3, -0.5, -0.7] AS fall
WHERE n.sat > 0 AND o.debt IS NOT NULL
ORDER BY fall DESC`,
}

/** The measure that compares those alone whose business is holding bitcoin. */
const LENS = 'mNAV, basic'

/** Where it stands among its kind. */
export const peersTable: TreasuryTable = {
  title: 'Among its peers',
  sub: 'Rank among holders of its kind, largest first. Percentile is the share of them at or below it. mNAV is ranked among treasury companies only. It is grayed out and unranked for others',
  empty: NOT_LOADED,
  columns: [
    { key: 'measure', label: 'Measure', form: 'text' },
    { key: 'value', label: 'Its own', form: 'figure', unit: '–' },
    { key: 'median', label: 'Median', form: 'figure', unit: '–' },
    { key: 'place', label: 'Place', form: 'count' },
    { key: 'of', label: 'Of', form: 'count' },
    { key: 'percentile', label: 'Percentile', form: 'figure', unit: 'ratio' },
  ],
  sql: entity => `WITH
  own AS (SELECT any(kind) AS kind, any(main_business) AS business FROM treasury_holders WHERE entity = ${quoted(entity)}),
  peers AS MATERIALIZED (
    SELECT t.entity AS entity, t.main_business = '' AS is_treasury FROM treasury_holders AS t
    WHERE t.kind = (SELECT kind FROM own)
  ),
  measures AS (
    SELECT h.entity AS entity, 'Bitcoin held' AS measure, argMax(h.held_sat, h.day) / 1e8 AS value
    FROM treasury_held AS h WHERE h.entity IN (SELECT entity FROM peers) GROUP BY h.entity
    UNION ALL
    SELECT m.entity, '${LENS}', argMax(m.close_usd * m.shares / (m.held_sat / 1e8 * m.btc_usd), m.day)
    FROM treasury_market_days AS m
    WHERE (m.entity = ${quoted(entity)} OR m.entity IN (SELECT entity FROM peers WHERE is_treasury))
      AND m.held_sat > 0 AND m.shares > 0 AND m.close_usd > 0
    GROUP BY m.entity
    UNION ALL
    SELECT h.entity, 'Days since its evidence', toFloat64(toDate(now('UTC')) - max(h.day))
    FROM treasury_held AS h WHERE h.entity IN (SELECT entity FROM peers) GROUP BY h.entity
    UNION ALL
    SELECT t.entity, 'Average cost, USD', t.cost_average_usd
    FROM treasury_holders AS t WHERE t.entity IN (SELECT entity FROM peers) AND t.cost_average_usd IS NOT NULL
  ),
  ranked AS (
    SELECT
      entity, measure, value, rank() OVER (PARTITION BY measure ORDER BY value DESC) AS rank,
      count() OVER (PARTITION BY measure) AS count, median(value) OVER (PARTITION BY measure) AS middle
    FROM measures
  )
SELECT
  r.measure AS measure, r.value AS value, r.measure = '${LENS}' AND o.business != '' AS value_is_quiet,
  if(value_is_quiet, NULL, r.middle) AS median, if(value_is_quiet, NULL, r.rank) AS place,
  if(value_is_quiet, NULL, r.count) AS of, (of - place + 1) / of AS percentile
FROM ranked AS r
CROSS JOIN own AS o
WHERE r.entity = ${quoted(entity)}
ORDER BY r.measure`,
}

/** Addresses that it has published, what our own rows of Bitcoin say that is on them, and what was stated beside. */
export const addressesTable: TreasuryTable = {
  title: 'Published addresses',
  sub: 'Movements on each in the indexed Bitcoin blocks, and the verified total against the last holding stated by itself or others. Their balance is grade A evidence. It is shown only once every block is indexed, never estimated from part of them',
  empty: 'It has published no address that is recorded here.',
  columns: [
    { key: 'address', label: 'Address', form: 'page' },
    { key: 'left', label: 'Left', form: 'amount', title: 'Received less spent, if every block is indexed' },
    {
      key: 'grade',
      label: 'Evidence',
      form: 'text',
      title: 'A if indexed blocks prove the balance',
    },
    { key: 'stated', label: 'Stated', form: 'amount', title: 'Its last reported holding' },
    { key: 'stated_day', label: 'Stated of', form: 'day' },
    { key: 'apart', label: 'Verified less stated', form: 'amount' },
    { key: 'received', label: 'Received', form: 'amount' },
    { key: 'spent', label: 'Spent', form: 'amount' },
    { key: 'outputs', label: 'Outputs', form: 'count' },
    { key: 'blocks', label: 'Indexed blocks', form: 'count' },
    { key: 'of_blocks', label: 'Of', form: 'count', title: 'Blocks up to the latest indexed one' },
  ],
  sql: entity => `WITH
  mine AS (SELECT a.address AS address, a.script AS script FROM treasury_addresses AS a WHERE a.entity = ${quoted(entity)}),
  got AS (
    SELECT script, sum(value_sat) AS sat, count() AS outputs
    FROM btc_outputs
    WHERE script IN (SELECT script FROM mine)
    GROUP BY script
  ),
  gone AS (
    SELECT prev_script AS script, sum(ifNull(prev_value_sat, 0)) AS sat
    FROM btc_inputs
    WHERE prev_script IN (SELECT script FROM mine)
    GROUP BY prev_script
  ),
  held AS (SELECT count() AS blocks, max(height) + 1 AS of_blocks, blocks = of_blocks AS is_whole FROM btc_blocks),
  moved AS (
    SELECT m.address AS address, ifNull(g.sat, 0) AS got, ifNull(s.sat, 0) AS gone, ifNull(g.outputs, 0) AS outputs
    FROM mine AS m
    LEFT JOIN got AS g ON g.script = m.script
    LEFT JOIN gone AS s ON s.script = m.script
  ),
  claims AS (
    SELECT argMax(c.held_sat, (c.day, c.position)) AS sat, max(c.day) AS day
    FROM treasury_statements AS c
    WHERE c.entity = ${quoted(entity)} AND c.held_sat IS NOT NULL AND NOT c.is_corrected AND c.source != '${BALANCES}'
  ),
  lines AS (
    SELECT 1 AS place, m.address AS address, concat('/addressbalance?addresses=', m.address) AS href, m.got AS got, m.gone AS gone, m.outputs AS outputs
    FROM moved AS m
    UNION ALL
    SELECT 0, concat('all ', toString(count())), '', sum(m.got), sum(m.gone), sum(m.outputs) FROM moved AS m HAVING count() > 0
  )
SELECT
  l.address AS address, l.href AS address_href, b.is_whole OR l.outputs > 0 OR l.gone > 0 AS is_seen,
  if(b.is_whole, toNullable(toInt64(l.got) - toInt64(l.gone)), NULL) AS balance, if(l.place = 0, c.sat, NULL) AS claim,
  ${btc('balance', 'left')}, if(b.is_whole, 'A', '') AS grade,
  ${btc('claim', 'stated')}, if(l.place = 0 AND c.sat IS NOT NULL, toNullable(c.day), NULL) AS stated_day,
  ${btc('balance - toInt64(claim)', 'apart')},
  ${btc('if(is_seen, toNullable(l.got), NULL)', 'received')}, ${btc('if(is_seen, toNullable(l.gone), NULL)', 'spent')},
  if(is_seen, toNullable(l.outputs), NULL) AS outputs, b.blocks AS blocks, b.of_blocks AS of_blocks
FROM lines AS l
CROSS JOIN held AS b
CROSS JOIN claims AS c
ORDER BY l.place, l.got DESC, l.address`,
}

/** Flows of one fund. */
export const flowsTable: TreasuryTable = {
  title: 'Flows by day',
  sub: 'Net flow of each trading day, newest first, and cumulative flow since its start',
  empty: 'No flow of it is recorded.',
  columns: [
    { key: 'day', label: 'Day', form: 'day' },
    { key: 'flow', label: 'Net flow', form: 'figure', unit: 'USD' },
    { key: 'total', label: 'Since start', form: 'figure', unit: 'USD' },
    {
      key: 'share',
      label: 'Of all funds',
      form: 'figure',
      unit: 'ratio',
      title: 'Of the day’s net flow of all funds, where all have reported',
    },
  ],
  sql: entity => `WITH
  flows AS (
    SELECT key AS ticker, day, ifNull(value, toFloat64(amount)) AS usd
    FROM latest_observations
    WHERE metric = 'etf.flow' AND entity = 'bitcoin'
  ),
  days AS (SELECT day, sum(usd) AS usd FROM flows GROUP BY day)
SELECT
  f.day AS day, f.usd AS flow, sum(f.usd) OVER (ORDER BY f.day) AS total,
  if(f.day IN (${ETF_LATE_DAYS}), NULL, f.usd / nullIf(d.usd, 0)) AS share
FROM flows AS f
INNER JOIN days AS d ON d.day = f.day
WHERE f.ticker = (SELECT any(ticker) FROM treasury_holders WHERE entity = ${quoted(entity)})
ORDER BY day DESC
LIMIT 400`,
}
