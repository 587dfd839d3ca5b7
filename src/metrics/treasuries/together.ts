import type { Catalog } from '#catalog/index.ts'
import { EVIDENCE_GRADES } from '#catalog/treasury.ts'
import { SOURCES_BY } from '#kernel/sourceNames.ts'
import { MOST_STATEMENT_DAYS } from '#warehouse/views/treasuries.ts'
import { issuedByDay } from '../bitcoin/supply.ts'
import { RANGE } from '../chainFigures.ts'
import { type Members, type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { sourcesSql } from '../sourcesSql.ts'
import {
  CAP_SAT,
  HOLDING_SOURCES,
  holdersOf,
  MARKET_SOURCES,
  NO_HEIGHTS,
  ofTreasuries,
  REFERENCES,
} from './common.ts'
import { boughtByKind, boughtByMonth, buyers, NET_DAYS } from './purchases.ts'

/** Kinds of holders of which somebody says what they hold; funds hold for others, and some of those are holders here. */
const KINDS = ['company', 'miner', 'government'] as const
const KIND_LIST = KINDS.map(kind => `'${kind}'`).join(', ')

/** Columns of a statement that follows others of its holder. */
const BEFORE = '(PARTITION BY entity ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)'

/**
 * Bitcoin by part on every day with a price, and the sources of the statements that it is made of: `moved` of the CTE
 * `said` are the changes of a statement as (part, source, satoshis, holders). A holder leaves its former part and source
 * with all that it held.
 */
const sumsByDay = (value: string, end = '(SELECT max(day) FROM said)'): string => `moves AS (
    SELECT
      day, m.1 AS part, m.2 AS source, sum(m.3) AS change, sum(m.4) AS holders, max(recorded_at) AS recorded_at
    FROM said
    ARRAY JOIN moved AS m
    WHERE m.1 != ''
    GROUP BY day, part, source
  ),
  days AS (
    SELECT day, p.1 AS part, p.2 AS source
    FROM usd_closes
    ARRAY JOIN (SELECT groupUniqArray((part, source)) FROM moves) AS p
    WHERE asset = 'BTC' AND day BETWEEN (SELECT min(day) FROM said) AND ${end}
  ),
  sums AS (
    SELECT
      d.day AS day, d.part AS part, d.source AS source, sum(m.change) OVER so_far AS held,
      sum(m.holders) OVER so_far AS holders, max(m.recorded_at) OVER so_far AS as_of
    FROM days AS d
    LEFT JOIN moves AS m ON m.day = d.day AND m.part = d.part AND m.source = d.source
    WINDOW so_far AS (PARTITION BY d.part, d.source ORDER BY d.day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  )
SELECT day, key, value, state, source, ${NO_HEIGHTS}, as_of
FROM (
  SELECT
    s.day AS day, s.part AS key, ${value} AS value, 'whole' AS state,
    arrayStringConcat(arraySort(groupArrayIf(s.source, s.holders > 0)), '${SOURCES_BY}') AS source,
    max(s.as_of) AS as_of
  FROM sums AS s
  WHERE s.day ${RANGE}
  GROUP BY s.day, s.part
  -- A part without a holder has no figure.
  HAVING sum(s.holders) > 0
)
ORDER BY day, key`

/** Bitcoin of all holders of each kind, or of each holder, on every day with a price, each by what it said last. */
const heldBy = (group: 'kind' | 'holder', value = 'sum(s.held)'): string => `WITH
  said AS (
    SELECT
      day, recorded_at,
      [(part, source, held, 1), (if(was_source = '', '', part), was_source, -was_held, -1)] AS moved
    FROM (
      SELECT
        part, entity, day, held, source, recorded_at, lagInFrame(held, 1, toInt64(0)) OVER before AS was_held,
        lagInFrame(source, 1, '') OVER before AS was_source
      FROM (
        SELECT
          ${group === 'kind' ? 't.kind' : 'h.entity'} AS part, h.entity AS entity, h.day AS day, toInt64(h.held_sat) AS held,
          h.source AS source, h.recorded_at AS recorded_at, max(h.held_sat) OVER before AS most
        FROM treasury_held AS h
        INNER JOIN treasury_holders AS t ON t.entity = h.entity
        WHERE t.kind IN (${KIND_LIST})
        WINDOW before AS ${BEFORE}
      )
      -- Empty addresses of a later holder say nothing of what it holds elsewhere or from then on.
      WHERE most > 0 OR source != 'treasuries.addresses'
      WINDOW before AS ${BEFORE}
    )
  ),
  ${sumsByDay(value)}`
const heldByKind = heldBy('kind')
/** Nothing is known of a holder before its first statement, so a holder that is added is no growth. */
const holders: Members = { name: 'holders', sql: heldBy('holder'), isSum: true }

/**
 * The same by the evidence of each holder’s newest statement: a holder moves from grade to grade with its whole holding. An
 * announced total that a stronger statement soon confirms has that one's grade, so that a holder who announces between
 * filings does not change grade with each of them.
 * It ends where the recording of filings does: a holder that files would pass for one that only announces from then on.
 */
const heldByGrade = `WITH
  stated AS (
    SELECT
      h.entity AS entity,
      arraySort(groupArray((h.day, toInt64(h.held_sat), h.grade, h.source, h.recorded_at))) AS said_all,
      -- As in btc.held: without addresses that are still empty.
      arraySlice(said_all, greatest(arrayFirstIndex(s -> s.2 > 0 OR s.4 != 'treasuries.addresses', said_all), 1)) AS statements
    FROM treasury_held AS h
    INNER JOIN treasury_holders AS t ON t.entity = h.entity
    WHERE t.kind IN (${KIND_LIST})
    GROUP BY entity
  ),
  graded AS (
    SELECT
      entity, s.1 AS day, s.2 AS held, s.3 AS stated_grade, s.4 AS source, s.5 AS recorded_at,
      arrayLast(w -> w.1 < s.1 AND w.1 >= s.1 - ${MOST_STATEMENT_DAYS} AND w.3 < s.3, statements) AS stronger_before,
      arrayFirst(w -> w.1 > s.1 AND w.1 <= s.1 + ${MOST_STATEMENT_DAYS} AND w.3 < s.3, statements) AS stronger_after,
      multiIf(
        stronger_before.3 != '' AND stronger_before.2 = held, stronger_before.3,
        stronger_after.3 != '' AND held * 20 BETWEEN least(stronger_before.2, stronger_after.2) * 19 AND greatest(stronger_before.2, stronger_after.2) * 21, stronger_after.3,
        s.3
      ) AS grade
    FROM stated
    ARRAY JOIN statements AS s
  ),
  said AS (
    SELECT
      day, recorded_at,
      -- A statement of nothing makes nobody a holder.
      [(grade, source, held, toInt8(held > 0)), (was_grade, was_source, -was_held, -toInt8(was_held > 0))] AS moved
    FROM (
      SELECT
        day, held, grade, source, recorded_at, lagInFrame(held, 1, toInt64(0)) OVER before AS was_held,
        lagInFrame(grade, 1, '') OVER before AS was_grade, lagInFrame(source, 1, '') OVER before AS was_source
      FROM graded
      WINDOW before AS ${BEFORE}
    )
  ),
  -- Announcements after the last filing of all, by holders that filed shortly before.
  unfiled AS (
    SELECT min(g.day) AS day, count() AS statements
    FROM graded AS g
    WHERE g.grade > 'B' AND g.stronger_before.3 = 'B' AND g.day > (SELECT maxIf(f.day, f.stated_grade = 'B') FROM graded AS f)
  ),
  ${sumsByDay('sum(s.held)', 'if((SELECT statements FROM unfiled) = 0, (SELECT max(day) FROM said), (SELECT day FROM unfiled) - 1)')}`

/** Conditions over days `m` of the market and holders `t`: what mnav.companies counts, and which of it is below one. */
const OF_COMPANIES = `t.kind = 'company' AND t.main_business = '' AND m.held_sat > 0 AND m.shares > 0 AND m.close_usd > 0`
const BELOW_BITCOIN = 'm.close_usd * m.shares < m.held_sat / 1e8 * m.btc_usd'

/** What all holders of the catalogue have together. */
export function togetherMetrics(catalog: Catalog): Metric[] {
  if (holdersOf(catalog).length === 0) return []
  const shared = {
    ...ofTreasuries,
    entityKind: 'chain',
    entities: ['bitcoin'],
    sources: HOLDING_SOURCES,
  } as const
  return [
    metric({
      ...shared,
      id: 'btc.held',
      name: 'Bitcoin held by kind of holder',
      unit: 'sat',
      breakdown: { name: 'kind', values: KINDS },
      headline: SUM_OF_KEYS,
      definition: 'Bitcoin of all cataloged holders of a kind, each as last reported up to the day.',
      why: 'How much of all bitcoin companies, miners and governments hold.',
      how: 'Sum over holders. Excludes funds, which hold for others, and private companies and applications, which have no dated source.',
      misleads:
        'Holders count as zero until their first report, so part of the growth is growth of the list. Governments count from the day a page names them, although most had held for years.',
      sql: heldByKind,
      members: holders,
    }),
    metric({
      ...shared,
      id: 'btc.by_evidence',
      name: 'Bitcoin held by evidence',
      unit: 'sat',
      breakdown: { name: 'grade', values: EVIDENCE_GRADES, isComplete: true },
      headline: SUM_OF_KEYS,
      definition:
        'Bitcoin of all companies, miners and governments in the catalog, by the evidence grade of each one’s latest report up to the day.',
      why: 'A filing and a press report are different evidence. This shows how much of the total has each.',
      how: `A address proven or published by the holder, B filing, C announcement or list, D press, E inferred. A holder’s full holding counts in the grade of its latest report, and the grades add up to btc.held. A weaker report keeps the grade of a stronger one within ${MOST_STATEMENT_DAYS} days that states the same total, or that follows and confirms it: the announced total is between those of the filings around it, give or take 5%. The series ends before the first announcement that follows the last recorded filing by a holder that files: without the filing its grade is not known.`,
      misleads:
        'A newer report with a weaker grade replaces an older filing, so the total is newer and the evidence weaker. Once a filing confirms it, its days move to the grade of the filing. Published addresses are grade A evidence once every block since genesis is indexed. Until then, reports about them count.',
      sql: heldByGrade,
      members: holders,
    }),
    metric({
      ...shared,
      id: 'supply.share',
      name: 'Share of all bitcoin in treasuries',
      unit: 'ratio',
      breakdown: { name: 'of', values: ['cap', 'issued'] },
      headline: 'cap',
      definition:
        'Bitcoin of all companies, miners and governments in the catalog over the maximum supply of 21 million, and over the supply issued by the end of the day.',
      why: 'How much of a fixed supply a few dozen holders have.',
      how: 'Sum of btc.held over its kinds; the maximum of 20,999,999.9769 BTC is rounded to 21 million. The issued supply is supply.issued, which requires every block since genesis. On other days the second share is missing.',
      misleads:
        'Covers only holders in the catalog. The 21 million include lost coins, so the share of movable coins is higher.',
      watches: [{ id: 'five', says: 'goes beyond a twentieth', when: 'above', level: 0.05 }],
      sql: `SELECT
  h.day AS day, s.1 AS key, assumeNotNull(s.2) AS value, 'whole' AS state, h.source AS source, ${NO_HEIGHTS}, h.as_of AS as_of
FROM (
  SELECT k.day AS day, sum(k.value) AS held, ${sourcesSql('k.source')} AS source, max(k.as_of) AS as_of
  FROM (
    ${heldByKind}
  ) AS k
  GROUP BY k.day
) AS h
LEFT JOIN (
  ${issuedByDay}
) AS b ON b.day = h.day
ARRAY JOIN [('cap', toNullable(h.held / ${CAP_SAT})), ('issued', if(b.issued_sat > 0, h.held / b.issued_sat, NULL))] AS s
WHERE s.2 IS NOT NULL
ORDER BY day, key`,
      members: { ...holders, sql: heldBy('holder', `sum(s.held) / ${CAP_SAT}`) },
    }),
    metric({
      ...shared,
      id: 'btc.change',
      name: 'Net bitcoin purchases by kind of holder',
      unit: 'sat',
      aggregate: 'sum',
      breakdown: { name: 'kind', values: ['company', 'miner'] },
      headline: SUM_OF_KEYS,
      definition: 'Change in bitcoin held by companies and miners in the catalog, from events of the day.',
      why: 'Whether treasuries take more bitcoin off the market than miners add.',
      how: 'Sum of the events of all holders. No events are recorded for governments. Days are incomplete once the record of a holder has ended: what it bought since is unknown.',
      misleads: 'Days are announcement days, so a month is more meaningful than a day.',
      sql: boughtByKind,
    }),
    metric({
      ...shared,
      id: 'btc.change_30d',
      name: 'Net bitcoin purchases (30d)',
      unit: 'sat',
      direction: 'up',
      definition: `Change in bitcoin held by companies and miners in the catalog, from events of the ${NET_DAYS} UTC days up to the day.`,
      why: 'One announcement is news; a month of them is a trend. Miners add about 13,500 BTC a month to the market.',
      how: `btc.change of both kinds, summed over the days. It starts once ${NET_DAYS} days are recorded and ends with the latest event. A holder’s record ends with its latest event, or a later statement of the same total. Days are incomplete once the record of a holder has ended: what it bought since is unknown. Changes compare holders known on both days.`,
      misleads:
        'Days are announcement days. No events are recorded for governments. Recorded events end on different days, so the latest complete day can be months old.',
      watches: [{ id: 'selling', says: 'turns into selling', when: 'below', level: 0 }],
      sql: boughtByMonth,
      members: buyers,
    }),
    metric({
      ...shared,
      sources: MARKET_SOURCES,
      id: 'mnav.companies',
      name: 'Companies below and above their bitcoin',
      unit: 'companies',
      direction: 'down',
      breakdown: { name: 'side', values: ['below', 'above'] },
      headline: 'below',
      definition: 'Bitcoin treasury companies with mnav.basic on the day, by whether it is below one.',
      why: 'A company below one can buy its own bitcoin cheaper through its shares than on the market, and can no longer raise money to buy more without loss.',
      how: 'Excludes miners and companies with another main business, whose value has other drivers. A company counts while its reported bitcoin and a share close are available. Days are incomplete if a company that counted before and has not sold all its bitcoin has no figure.',
      misleads:
        'Recorded closes end on different days, so the latest complete day can be older than the latest mNAV of one company.',
      references: [REFERENCES.mnav],
      sql: `WITH
  known AS (
    SELECT m.entity AS entity, m.day AS day, ${BELOW_BITCOIN} AS is_below, m.source AS source, m.as_of AS as_of
    FROM treasury_market_days AS m
    INNER JOIN treasury_holders AS t ON t.entity = m.entity
    WHERE ${OF_COMPANIES} AND m.day <= {to:Date}
  ),
  -- The day on which it sold the last of its bitcoin, if it has bought none since.
  sold AS (
    SELECT entity, max(day) AS day
    FROM (
      SELECT
        entity, day, held_sat, lagInFrame(held_sat, 1, toInt64(0)) OVER before AS was_sat,
        last_value(held_sat) OVER all_days AS last_sat
      FROM (SELECT entity, day, toInt64(h.held_sat) AS held_sat FROM treasury_held AS h WHERE day <= {to:Date})
      WINDOW
        before AS (PARTITION BY entity ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
        all_days AS (PARTITION BY entity ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
    )
    WHERE held_sat = 0 AND was_sat > 0 AND last_sat = 0
    GROUP BY entity
  ),
  -- A company that counted once is missed on every later day without a figure, however long ago.
  moves AS (
    SELECT day, sum(change) AS change
    FROM (
      SELECT min(day) AS day, 1 AS change FROM known GROUP BY entity
      UNION ALL
      SELECT day, -1 AS change FROM sold WHERE entity IN (SELECT entity FROM known)
    )
    GROUP BY day
  ),
  expected AS (SELECT day, sum(change) OVER (ORDER BY day) AS companies FROM moves)
SELECT
  c.day AS day, s.1 AS key, s.2 AS value, if(c.companies < e.companies, 'incomplete', 'whole') AS state,
  c.source AS source, ${NO_HEIGHTS}, c.as_of AS as_of
FROM (
  SELECT
    1 AS one, day, toInt64(countIf(is_below)) AS below, toInt64(count()) AS companies, ${sourcesSql('source')} AS source, max(as_of) AS as_of
  FROM known
  GROUP BY day
) AS c
ASOF INNER JOIN (SELECT 1 AS one, x.* FROM expected AS x) AS e ON e.one = c.one AND c.day >= e.day
ARRAY JOIN [('below', c.below), ('above', c.companies - c.below)] AS s
WHERE c.day ${RANGE}
ORDER BY day, key`,
      members: {
        name: 'companies',
        isSum: true,
        sql: `SELECT
  m.day AS day, m.entity AS key, toInt64(${BELOW_BITCOIN}) AS value, 'whole' AS state, m.source AS source, ${NO_HEIGHTS},
  m.as_of AS as_of
FROM treasury_market_days AS m
INNER JOIN treasury_holders AS t ON t.entity = m.entity
WHERE ${OF_COMPANIES} AND m.day ${RANGE}
ORDER BY day, key`,
      },
    }),
  ]
}
