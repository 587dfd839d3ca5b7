import { treasuryEventsTable, treasuryLoads, treasuryStatementsTable } from '../tables/treasuries.ts'
import { commentsOf, type View, view } from '../view.ts'

/**
 * Bitcoin that was bought since a share count was stated was mostly bought with new shares: beyond this drift the count is
 * no longer that of the day.
 */
const MOST_DRIFT = 0.05

/** A market that stays closed for longer has no price any more. */
const MOST_CLOSED_DAYS = 5

/** Beyond this many days a statement says nothing of the present: companies report by quarter. */
export const MOST_STATEMENT_DAYS = 100

type Loads = (typeof treasuryLoads)[keyof typeof treasuryLoads]

/** The rows of the catalogue as it was loaded last; holders are written last, and by them a load is there. */
function ofLatestLoad(name: string, doc: string, loads: Loads): View {
  const comments = commentsOf(loads.columns)
  for (const own of ['loaded_at', 'catalog_hash']) delete comments[own]
  return view(name, {
    doc,
    columns: comments,
    sql: `SELECT ${Object.keys(comments).join(', ')}
FROM ${loads.name}
WHERE loaded_at = (SELECT max(l.loaded_at) FROM ${treasuryLoads.holders.name} AS l)`,
  })
}

const corrected =
  'the same source has said otherwise of this day since: it stands struck through, and no figure rests on it'

/** What else is said of a holder than what it holds: nothing. */
const HOLDING_ALONE =
  'CAST(NULL AS Nullable(UInt64)) AS shares, CAST(NULL AS Nullable(UInt64)) AS debt_usd, CAST(NULL AS Nullable(UInt64)) AS preferred_usd, CAST(NULL AS Nullable(UInt64)) AS cash_usd'
const B = "CAST('B' AS Enum8('A' = 0, 'B' = 1, 'C' = 2, 'D' = 3, 'E' = 4))"

const statements = view('treasury_statements', {
  doc: 'One row per statement of what a holder has on a day, of recordings, of the catalogue and of filings as the SEC publishes them; corrected ones are there and marked.',
  columns: { ...commentsOf(treasuryStatementsTable.columns), is_corrected: corrected },
  sql: `SELECT
  s.*, recorded_at < max(recorded_at) OVER (PARTITION BY entity, day, source) AS is_corrected
FROM (
  SELECT ${Object.keys(commentsOf(treasuryStatementsTable.columns)).join(', ')}
  FROM treasury_statement_rows
  UNION ALL
  SELECT
    entity, day, toNullable(held_sat) AS held_sat, ${HOLDING_ALONE}, grade, ref, '' AS said, toUInt32(position) AS position,
    'treasuries.said' AS source, loaded_at AS recorded_at
  FROM treasury_said_loads
  WHERE loaded_at = (SELECT max(l.loaded_at) FROM ${treasuryLoads.holders.name} AS l)
  UNION ALL
  SELECT
    entity, day, toUInt64(amount) AS held_sat, ${HOLDING_ALONE}, ${B} AS grade, key AS ref, '' AS said, toUInt32(0) AS position,
    source, observed_at AS recorded_at
  FROM latest_observations
  WHERE metric = 'btc.held' AND source = 'sec.facts' AND amount IS NOT NULL
) AS s`,
})

const events = view('treasury_events', {
  doc: 'One row per purchase, sale or change of holdings; corrected ones are there and marked.',
  columns: { ...commentsOf(treasuryEventsTable.columns), is_corrected: corrected },
  sql: `SELECT
  e.*, recorded_at < max(recorded_at) OVER (PARTITION BY entity, day, source) AS is_corrected
FROM treasury_event_rows AS e`,
})

const held = view('treasury_held', {
  doc: 'One row per holder and day of which it is said what it holds: the best evidence of the day.',
  columns: {
    entity: 'holder',
    day: 'UTC day',
    held_sat: 'bitcoin held, satoshis',
    grade: 'evidence of it, A to E',
    ref: 'where it stands',
    source: 'source id',
    recorded_at: 'when it was recorded, UTC',
    others: 'how many other totals are said of the same day',
    spread_sat: 'largest total of the day less the smallest one, satoshis',
  },
  sql: `WITH
  said AS (
    SELECT entity, day, assumeNotNull(held_sat) AS sat, toString(grade) AS grade, ref, source, recorded_at, 0 AS way, position
    FROM treasury_statements
    WHERE held_sat IS NOT NULL AND NOT is_corrected
    UNION ALL
    SELECT entity, day, assumeNotNull(after_sat), toString(grade), ref, source, recorded_at, 1, position
    FROM treasury_events
    WHERE after_sat IS NOT NULL AND NOT is_corrected
  )
SELECT
  t.entity AS entity, t.day AS day,
  argMin(t.sat, (t.grade, t.way, -toInt64(t.position))) AS held_sat,
  min(t.grade) AS grade,
  argMin(t.ref, (t.grade, t.way, -toInt64(t.position))) AS ref,
  argMin(t.source, (t.grade, t.way, -toInt64(t.position))) AS source,
  argMin(t.recorded_at, (t.grade, t.way, -toInt64(t.position))) AS recorded_at,
  uniqExact(t.sat) - 1 AS others,
  max(t.sat) - min(t.sat) AS spread_sat
FROM said AS t
GROUP BY t.entity, t.day`,
})

const shareUsd = view('share_usd_closes', {
  doc: 'One row per holder and trading day: the close of its share in US dollars, by the exchange rate that two closes of bitcoin of the day give.',
  columns: {
    entity: 'holder',
    day: 'trading day',
    close_usd: 'US dollars; null where no exchange rate of the day is recorded',
    close: 'in the currency of the exchange',
    currency: 'ISO 4217',
  },
  sql: `WITH
  rates AS (
    SELECT p.quote AS currency, p.day AS day, argMaxIf(p.close, p.observed_at, p.close > 0) AS close
    FROM prices AS p
    WHERE p.asset = 'BTC' AND p.source IN ('btcusd.typedcypher', 'btcfiat.typedcypher')
    GROUP BY p.quote, p.day
  )
SELECT
  c.entity AS entity, c.day AS day,
  multiIf(c.currency = 'USD', toNullable(c.close), r.close > 0 AND u.close > 0, c.close * u.close / r.close, NULL) AS close_usd,
  c.close AS close, c.currency AS currency
FROM share_closes AS c
LEFT JOIN rates AS r ON r.currency = c.currency AND r.day = c.day
LEFT JOIN (SELECT day, close FROM rates WHERE currency = 'USD') AS u ON u.day = c.day`,
})

const marketDays = view('treasury_market_days', {
  doc: `One row per holder with shares and UTC day: what the market says of it beside what it said last itself. What it said is null where that is older than ${MOST_STATEMENT_DAYS} days.`,
  columns: {
    entity: 'holder',
    day: 'UTC day',
    traded_day: 'the last trading day up to it: weekends and holidays repeat it',
    close_usd: 'close of its share on that trading day, US dollars; null without an exchange rate',
    btc_usd: 'close of bitcoin of that trading day, US dollars',
    held_sat: 'bitcoin held by its latest statement up to the day, satoshis',
    held_day: 'day of that statement',
    shares:
      'shares outstanding by its latest statement up to the day; null where they do not belong to the price (`no_mnav`)',
    shares_day: 'day of that statement',
    dilutive_shares: 'shares that instruments in force on the day may become, at any strike',
    dilutive_face_usd: 'face of the convertibles among them, US dollars',
    debt_usd: 'debt by its latest statement, US dollars; null where it never said',
    preferred_usd: 'preferred stock likewise',
    cash_usd: 'cash likewise',
    source: 'source of the holding',
    as_of: 'when the holding was recorded, UTC',
  },
  sql: `WITH
  counted AS (
    SELECT entity, day, max(t.shares) AS shares
    FROM treasury_statements AS t
    WHERE t.shares > 0 AND NOT is_corrected
    GROUP BY entity, day
  ),
  sized AS (
    SELECT c.entity AS entity, c.day AS day, c.shares AS shares, b.held_sat AS held_sat
    FROM counted AS c
    ASOF LEFT JOIN treasury_held AS b ON b.entity = c.entity AND c.day >= b.day
  ),
  owing AS (
    SELECT
      entity, day, max(t.debt_usd) AS debt_usd, max(t.preferred_usd) AS preferred_usd, max(t.cash_usd) AS cash_usd
    FROM treasury_statements AS t
    WHERE (t.debt_usd IS NOT NULL OR t.cash_usd IS NOT NULL) AND NOT is_corrected
    GROUP BY entity, day
  ),
  traded AS (
    SELECT c.entity AS entity, c.day AS day, c.close_usd AS close_usd, b.close AS btc_usd
    FROM share_usd_closes AS c
    INNER JOIN usd_closes AS b ON b.day = c.day AND b.asset = 'BTC'
  ),
  days AS (
    SELECT g.entity AS entity, g.day AS day, t.day AS traded_day, t.close_usd AS close_usd, t.btc_usd AS btc_usd
    FROM (
      SELECT r.entity AS entity, c.day AS day
      FROM (SELECT day FROM usd_closes WHERE asset = 'BTC') AS c
      CROSS JOIN (SELECT entity, min(day) AS first, max(day) AS last FROM traded GROUP BY entity) AS r
      WHERE c.day BETWEEN r.first AND r.last
    ) AS g
    ASOF INNER JOIN traded AS t ON t.entity = g.entity AND g.day >= t.day
    WHERE g.day - t.day <= ${MOST_CLOSED_DAYS}
  ),
  dilution AS (
    SELECT
      d.entity AS entity, d.day AS day, sum(i.shares) AS shares,
      sumIf(ifNull(i.face_usd, 0), i.kind = 'convertible') AS face_usd
    FROM days AS d
    INNER JOIN treasury_instruments AS i ON i.entity = d.entity
    WHERE (i.issued_day IS NULL OR i.issued_day <= d.day) AND (i.expires_day IS NULL OR i.expires_day > d.day)
    GROUP BY d.entity, d.day
  )
SELECT
  d.entity AS entity, d.day AS day, d.traded_day AS traded_day, d.close_usd AS close_usd, d.btc_usd AS btc_usd,
  if(h.held_sat > 0 AND d.day - h.day <= ${MOST_STATEMENT_DAYS}, toNullable(h.held_sat), NULL) AS held_sat,
  if(h.held_sat > 0, toNullable(h.day), NULL) AS held_day,
  if(
    s.shares > 0 AND t.no_mnav = '' AND d.day - s.day <= ${MOST_STATEMENT_DAYS}
      AND h.held_sat BETWEEN s.held_sat * ${1 - MOST_DRIFT} AND s.held_sat * ${1 + MOST_DRIFT},
    s.shares, NULL
  ) AS shares,
  if(s.shares > 0, toNullable(s.day), NULL) AS shares_day,
  ifNull(x.shares, 0) AS dilutive_shares,
  ifNull(x.face_usd, 0) AS dilutive_face_usd,
  o.debt_usd AS debt_usd, o.preferred_usd AS preferred_usd, o.cash_usd AS cash_usd,
  h.source AS source, h.recorded_at AS as_of
FROM days AS d
INNER JOIN treasury_holders AS t ON t.entity = d.entity
ASOF LEFT JOIN treasury_held AS h ON h.entity = d.entity AND d.day >= h.day
ASOF LEFT JOIN sized AS s ON s.entity = d.entity AND d.day >= s.day
ASOF LEFT JOIN owing AS o ON o.entity = d.entity AND d.day >= o.day
LEFT JOIN dilution AS x ON x.entity = d.entity AND x.day = d.day`,
})

/** Of holders of bitcoin, those that rest on others last. */
export const TREASURY_VIEWS: readonly View[] = [
  ofLatestLoad(
    'treasury_holders',
    'One row per holder of bitcoin that the catalogue names.',
    treasuryLoads.holders,
  ),
  ofLatestLoad(
    'treasury_instruments',
    'One row per instrument that may become shares of a holder.',
    treasuryLoads.instruments,
  ),
  ofLatestLoad(
    'treasury_addresses',
    'One row per Bitcoin address that a holder has published.',
    treasuryLoads.addresses,
  ),
  statements,
  events,
  held,
  shareUsd,
  marketDays,
]
