import { BASE_DATABASE } from '../ddl.ts'
import {
  treasuryEventsTable,
  treasuryKept,
  treasuryLoads,
  treasuryStatementsTable,
} from '../tables/treasuries.ts'
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
  'superseded: the same source has since reported another value for this day. Shown struck through and used in no figure'

/** What a statement says; what it leaves out contradicts nothing. */
const STATED = ['held_sat', 'shares', 'debt_usd', 'preferred_usd', 'cash_usd'] as const
/** Columns of a statement as its source gave it. */
const STATEMENT = Object.keys(commentsOf(treasuryStatementsTable.columns)).join(', ')
/** SQL of the words `w` of one source about one day: when each was recorded, then what it says. */
const WORD = `(recorded_at, ${STATED.join(', ')}`
const ofWord = (place: number): string => `w.${place + 2}`
/** SQL: `w` says nothing else than the row. */
const AGREES = STATED.map((name, place) => `ifNull(${ofWord(place)} = ${name}, 1)`).join(' AND ')
/** SQL: `w` says all that the row says; the row says all that `w` says. */
const SAYS_AS_MUCH = STATED.map(
  (name, place) => `(${name} IS NULL OR ifNull(${ofWord(place)} = ${name}, 0))`,
).join(' AND ')
const SAYS_NO_MORE = STATED.map(
  (name, place) => `(${ofWord(place)} IS NULL OR ifNull(${ofWord(place)} = ${name}, 0))`,
).join(' AND ')
const OF_DAY = 'OVER (PARTITION BY entity, day, source)'
/** Recordings follow from their rows; loads of the catalogue are whole, so that one without a statement takes it back. */
const FROM_ROWS = "CAST([], 'Array(DateTime(\\'UTC\\'))') AS loads"

/** What else is said of a holder than what it holds: nothing. */
const HOLDING_ALONE =
  'CAST(NULL AS Nullable(UInt64)) AS shares, CAST(NULL AS Nullable(UInt64)) AS debt_usd, CAST(NULL AS Nullable(UInt64)) AS preferred_usd, CAST(NULL AS Nullable(UInt64)) AS cash_usd'
const gradeOf = (grade: string): string =>
  `CAST('${grade}' AS Enum8('A' = 0, 'B' = 1, 'C' = 2, 'D' = 3, 'E' = 4))`

const statements = view('treasury_statements', {
  doc: 'One row per statement of a holder’s bitcoin on a day, from recordings, the catalog, SEC filings and on-chain balances of published addresses. Corrected statements are included and marked. Repeated ones appear once, in their latest form.',
  columns: { ...commentsOf(treasuryStatementsTable.columns), is_corrected: corrected },
  sql: `WITH
  said AS (
    SELECT ${STATEMENT}, ${FROM_ROWS}
    FROM treasury_statement_rows
    UNION ALL
    SELECT
      s.entity AS entity, s.day AS day, toNullable(s.held_sat) AS held_sat, ${HOLDING_ALONE}, s.grade AS grade, s.ref AS ref,
      '' AS said, toUInt32(s.position) AS position, 'treasuries.said' AS source, s.loaded_at AS recorded_at, l.loads AS loads
    FROM treasury_said_loads AS s
    INNER JOIN (
      SELECT h.entity AS entity, groupArray(h.loaded_at) AS loads FROM ${treasuryLoads.holders.name} AS h GROUP BY h.entity
    ) AS l ON l.entity = s.entity
    WHERE has(l.loads, s.loaded_at)
    UNION ALL
    SELECT
      entity, day, toUInt64(amount) AS held_sat, ${HOLDING_ALONE}, ${gradeOf('B')} AS grade, key AS ref, '' AS said,
      toUInt32(0) AS position, source, observed_at AS recorded_at, ${FROM_ROWS}
    FROM latest_observations
    WHERE metric = 'btc.held' AND source = 'sec.facts' AND amount IS NOT NULL
    UNION ALL
    SELECT
      entity, day, toNullable(toUInt64(held_sat)) AS held_sat, ${HOLDING_ALONE}, ${gradeOf('A')} AS grade,
      'balance of its published addresses' AS ref, '' AS said, toUInt32(0) AS position, 'treasuries.addresses' AS source,
      as_of AS recorded_at, ${FROM_ROWS}
    FROM treasury_address_balances
  ),
  of_day AS (SELECT *, groupArray(${WORD})) ${OF_DAY} AS words FROM said),
  judged AS (
    SELECT
      ${STATEMENT},
      arrayExists(
        t -> t > recorded_at AND NOT arrayExists(w -> w.1 = t AND ${AGREES}, words), if(empty(loads), arrayMap(w -> w.1, words), loads)
      ) AS is_corrected
    FROM of_day
  )
SELECT ${STATEMENT}, is_corrected
FROM (SELECT *, groupArray(${WORD}, is_corrected)) ${OF_DAY} AS words FROM judged)
-- Said again: by a later word, or by one that says more.
WHERE NOT arrayExists(
  w -> w.1 != recorded_at AND w.${STATED.length + 2} = is_corrected AND ${SAYS_AS_MUCH} AND (w.1 > recorded_at OR NOT (${SAYS_NO_MORE})), words
)`,
})

const EVENT = Object.keys(commentsOf(treasuryEventsTable.columns)).join(', ')
/** What an event says: one that is recorded again with the same is no correction. */
const TOLD = 'kind, delta_sat, cost_usd, price_usd, after_sat'

const events = view('treasury_events', {
  doc: 'One row per purchase, sale or change of holdings. Corrected ones are included and marked. Repeated ones appear once, in their latest form.',
  columns: { ...commentsOf(treasuryEventsTable.columns), is_corrected: corrected },
  sql: `WITH
  -- Two purchases of a day may be alike: each is told from the other by its place among them.
  told AS (
    SELECT
      ${EVENT}, row_number() OVER (PARTITION BY entity, day, source, recorded_at, ${TOLD} ORDER BY position) AS place
    FROM treasury_event_rows
  ),
  followed AS (
    SELECT
      ${EVENT},
      min(toUInt32(recorded_at)) OVER (PARTITION BY entity, day, source ORDER BY toUInt32(recorded_at) RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS next_at,
      min(toUInt32(recorded_at)) OVER (PARTITION BY entity, day, source, ${TOLD}, place ORDER BY toUInt32(recorded_at) RANGE BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS again_at
    FROM told
  )
SELECT ${EVENT}, next_at > 0 AS is_corrected
FROM followed
WHERE next_at = 0 OR next_at != again_at`,
})

const { run: _, ...BALANCE } = commentsOf(treasuryKept.balances.columns)

/** Computed anew by whoever asks; figures read what was kept of it. */
export const treasuryBalanceDays = view('treasury_balance_days', {
  doc: 'One row per holder with published addresses and UTC day on which they moved, and the latest complete day: their total balance at the end of the day. Days after the first gap in indexed blocks have no row.',
  columns: BALANCE,
  sql: `WITH
  published AS (SELECT entity, sipHash128(script) AS address FROM treasury_addresses),
  known AS (
    SELECT day, as_of, max(day) OVER () AS newest
    FROM (
      -- A balance is a sum over all days: it ends before the first one whose blocks are not counted by address yet.
      SELECT day, as_of, is_whole, min(is_counted) OVER (ORDER BY day) AS is_known
      FROM (
        SELECT
          g.day AS day, g.as_of AS as_of, g.is_whole AS is_whole,
          toInt64(g.to_height) = lagInFrame(toInt64(g.to_height), 1, toInt64(-1)) OVER (ORDER BY g.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
            OR g.day IN (SELECT bucket FROM rollups_live WHERE rollup = 'btc_address_days' AND signature != 0) AS is_counted
        FROM btc_days_since_genesis AS g
      )
    )
    WHERE is_whole AND is_known
  ),
  moves AS (
    SELECT p.entity AS entity, d.bucket AS day, sum(d.change_sat - d.key_change_sat) AS change
    FROM btc_address_days AS d
    INNER JOIN published AS p ON p.address = d.address
    WHERE d.address IN (SELECT address FROM published)
    GROUP BY entity, day
  )
SELECT entity, day, held_sat, as_of
FROM (
  SELECT
    e.entity AS entity, k.day AS day, k.as_of AS as_of, m.entity != '' OR k.day = k.newest AS is_told,
    sum(m.change) OVER (PARTITION BY e.entity ORDER BY k.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS held_sat
  FROM (SELECT DISTINCT entity FROM published) AS e
  CROSS JOIN known AS k
  LEFT JOIN moves AS m ON m.entity = e.entity AND m.day = k.day
)
WHERE is_told`,
})

const balances = view('treasury_address_balances', {
  doc: 'One row per holder with published addresses and UTC day: `treasury_balance_days`, kept as last computed.',
  columns: BALANCE,
  sql: `SELECT ${Object.keys(BALANCE).join(', ')}
FROM ${BASE_DATABASE}.${treasuryKept.balances.name}
WHERE run = (SELECT max(r.run) FROM ${BASE_DATABASE}.${treasuryKept.runs.name} AS r)`,
})

/** SQL for a column of the day's best total, null without one: best evidence first, then statements before events, then the latest entry. */
const bestOfDay = (column: string): string =>
  `argMinIf(toNullable(w.${column}), (w.grade, w.way, -toInt64(w.position)), w.sat IS NOT NULL)`

const held = view('treasury_held', {
  doc: 'One row per holder and day with a reported holding: the best evidence of the day.',
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
    debt_usd: 'debt by its latest statement of it, US dollars; null where it never said',
    preferred_usd: 'preferred stock by its latest statement of that, likewise',
    cash_usd: 'cash likewise',
    source: 'source of the holding',
    as_of: 'when the holding was recorded, UTC',
  },
  sql: `WITH
  -- Each statement is read once: planning what it rests on costs more than reading it.
  words AS (
    SELECT
      entity, day, ${bestOfDay('sat')} AS held, ${bestOfDay('source')} AS source, ${bestOfDay('recorded_at')} AS recorded_at,
      max(nullIf(w.shares, 0)) AS shares, max(w.debt_usd) AS debt_usd, max(w.preferred_usd) AS preferred_usd, max(w.cash_usd) AS cash_usd
    FROM (
      SELECT
        entity, day, held_sat AS sat, toString(grade) AS grade, source, recorded_at, 0 AS way, position,
        shares, debt_usd, preferred_usd, cash_usd
      FROM treasury_statements
      WHERE NOT is_corrected
      UNION ALL
      SELECT entity, day, after_sat, toString(grade), source, recorded_at, 1, position, NULL, NULL, NULL, NULL
      FROM treasury_events
      WHERE after_sat IS NOT NULL AND NOT is_corrected
    ) AS w
    GROUP BY entity, day
  ),
  -- A word on one of them leaves what was said of the others before it.
  last_words AS (
    SELECT
      entity, day, shares, last_value(held) IGNORE NULLS OVER so_far AS held_sat,
      last_value(if(held IS NULL, NULL, toNullable(day))) IGNORE NULLS OVER so_far AS held_day,
      last_value(source) IGNORE NULLS OVER so_far AS source, last_value(recorded_at) IGNORE NULLS OVER so_far AS recorded_at,
      last_value(debt_usd) IGNORE NULLS OVER so_far AS debt_usd,
      last_value(preferred_usd) IGNORE NULLS OVER so_far AS preferred_usd,
      last_value(cash_usd) IGNORE NULLS OVER so_far AS cash_usd
    FROM words
    WINDOW so_far AS (PARTITION BY entity ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ),
  stated AS (
    SELECT
      l.* EXCEPT (shares), last_value(l.shares) IGNORE NULLS OVER so_far AS shares,
      last_value(if(l.shares IS NULL, NULL, toNullable(day))) IGNORE NULLS OVER so_far AS shares_day,
      last_value(if(l.shares IS NULL, NULL, held_sat)) IGNORE NULLS OVER so_far AS held_then
    FROM last_words AS l
    WINDOW so_far AS (PARTITION BY entity ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ),
  traded AS (
    SELECT c.entity AS entity, c.day AS day, c.close_usd AS close_usd, b.close AS btc_usd
    FROM share_usd_closes AS c
    INNER JOIN usd_closes AS b ON b.day = c.day AND b.asset = 'BTC'
  ),
  -- Each close counts until the next one, for at most so many days.
  days AS (
    SELECT
      t.entity AS entity, arrayJoin(arrayMap(n -> t.day + n, range(toUInt32(least(t.next_day - t.day, ${MOST_CLOSED_DAYS + 1}))))) AS day,
      t.day AS traded_day, t.close_usd AS close_usd, t.btc_usd AS btc_usd
    FROM (
      SELECT
        entity, day, close_usd, btc_usd,
        leadInFrame(day, 1, day + 1) OVER (PARTITION BY entity ORDER BY day ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS next_day
      FROM traded
    ) AS t
    WHERE day IN (SELECT day FROM usd_closes WHERE asset = 'BTC')
  ),
  -- From the day on which it is issued up to the day before it expires.
  dilution AS (
    SELECT
      entity, day, toUInt64(sum(sum(change.2)) OVER so_far) AS shares, toUInt64(sum(sum(change.3)) OVER so_far) AS face_usd
    FROM (
      SELECT
        i.entity AS entity,
        arrayJoin([
          (ifNull(i.issued_day, toDate(0)), toInt64(i.shares), toInt64(if(i.kind = 'convertible', ifNull(i.face_usd, 0), 0))),
          (ifNull(i.expires_day, toDate('2149-06-06')), -toInt64(i.shares), -toInt64(if(i.kind = 'convertible', ifNull(i.face_usd, 0), 0)))
        ]) AS change,
        change.1 AS day
      FROM treasury_instruments AS i
      WHERE i.issued_day IS NULL OR i.expires_day IS NULL OR i.issued_day < i.expires_day
    )
    GROUP BY entity, day
    WINDOW so_far AS (PARTITION BY entity ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  )
SELECT
  d.entity AS entity, d.day AS day, d.traded_day AS traded_day, d.close_usd AS close_usd, d.btc_usd AS btc_usd,
  if(s.held_sat > 0 AND d.day - s.held_day <= ${MOST_STATEMENT_DAYS}, s.held_sat, NULL) AS held_sat,
  if(s.held_sat > 0, s.held_day, NULL) AS held_day,
  if(
    t.no_mnav = '' AND d.day - s.shares_day <= ${MOST_STATEMENT_DAYS}
      AND s.held_sat BETWEEN s.held_then * ${1 - MOST_DRIFT} AND s.held_then * ${1 + MOST_DRIFT},
    s.shares, NULL
  ) AS shares,
  s.shares_day AS shares_day,
  x.shares AS dilutive_shares, x.face_usd AS dilutive_face_usd,
  s.debt_usd AS debt_usd, s.preferred_usd AS preferred_usd, s.cash_usd AS cash_usd,
  ifNull(s.source, '') AS source, ifNull(s.recorded_at, toDateTime(0, 'UTC')) AS as_of
FROM days AS d
INNER JOIN treasury_holders AS t ON t.entity = d.entity
ASOF LEFT JOIN stated AS s ON s.entity = d.entity AND d.day >= s.day
ASOF LEFT JOIN dilution AS x ON x.entity = d.entity AND d.day >= x.day`,
})

/** Of holders of bitcoin, those that rest on others last. */
export const TREASURY_VIEWS: readonly View[] = [
  ofLatestLoad(
    'treasury_holders',
    'One row per holder of bitcoin that the catalog names.',
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
  treasuryBalanceDays,
  balances,
  statements,
  events,
  held,
  shareUsd,
  marketDays,
]
