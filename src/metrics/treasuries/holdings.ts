import type { Catalog } from '#catalog/index.ts'
import { issuedByDay } from '../bitcoin/supply.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, metric } from '../metric.ts'
import { sourcesSql } from '../sourcesSql.ts'
import { CAP_SAT, HOLDING_SOURCES, holdersOf, NO_HEIGHTS, ofTreasuries, toldOf } from './common.ts'

const STILL =
  'The last report applies until the next one, so undisclosed sales are missing. See evidence.age.'

/** Every day with a price of bitcoin, that price where it is wanted, beside what the holder said last up to the day. */
const dailyWith = (
  close: string,
): string => `SELECT b.day AS day,${close && ` b.${close} AS ${close},`} h.held_sat AS held_sat, h.source AS source, h.recorded_at AS as_of
  FROM (SELECT {entity:String} AS entity, day${close && `, ${close}`} FROM usd_closes WHERE asset = 'BTC') AS b
  ASOF INNER JOIN (
    SELECT entity, day, held_sat, source, recorded_at FROM treasury_held WHERE entity = {entity:String}
  ) AS h ON h.entity = b.entity AND b.day >= h.day`
const daily = dailyWith('close')
/** Figures that no price enters name no source of prices. */
const dailyHeld = dailyWith('')

/** Days beyond its newest word tell nothing new of what it holds. */
const UP_TO_ITS_WORD =
  ' AND d.day <= (SELECT max(n.day) FROM treasury_held AS n WHERE n.entity = {entity:String})'

/** A figure of each day, from `d.held_sat` and `d.close`. */
const perDay = (value: string, where = ''): string => `SELECT
  d.day AS day, '' AS key, ${value} AS value, 'whole' AS state, d.source AS source, ${NO_HEIGHTS}, d.as_of AS as_of
FROM (
  ${daily}
) AS d
WHERE d.day ${RANGE}${where}
ORDER BY day`

/** Average cost of the purchases listed with one, where they are nine tenths of what is held; else its own word. */
const costs = `SELECT h.day AS day, coalesce(w.word, if(p.btc >= 0.9 * h.held_sat / 1e8, p.usd / p.btc, NULL)) AS cost
  FROM (SELECT entity, day, held_sat FROM treasury_held WHERE entity = {entity:String}) AS h
  ASOF LEFT JOIN (
    SELECT
      entity, day, sum(sum(delta_sat) / 1e8) OVER (ORDER BY day) AS btc,
      sum(sum(assumeNotNull(cost_usd))) OVER (ORDER BY day) AS usd
    FROM treasury_events
    WHERE entity = {entity:String} AND kind = 'purchase' AND cost_usd > 0 AND NOT is_corrected
    GROUP BY entity, day
  ) AS p ON p.entity = h.entity AND h.day >= p.day
  ASOF LEFT JOIN (
    SELECT entity, cost_day AS day, cost_average_usd AS word
    FROM (SELECT entity, assumeNotNull(cost_day) AS cost_day, cost_average_usd FROM treasury_holders WHERE cost_day IS NOT NULL)
    WHERE entity = {entity:String}
  ) AS w ON w.entity = h.entity AND h.day >= w.day`

export function holdingMetrics(catalog: Catalog): Metric[] {
  const entities = holdersOf(catalog)
  if (entities.length === 0) return []
  const shared = { ...ofTreasuries, entities, sources: HOLDING_SOURCES } as const
  const told = { ...shared, entities: toldOf(catalog) } as const
  return [
    metric({
      ...told,
      id: 'btc.held',
      name: 'Bitcoin held',
      watches: [{ id: 'moved', says: 'changes', when: 'changes' }],
      unit: 'sat',
      definition: 'Bitcoin held by the holder, from the best evidence for the day.',
      why: 'The basis of every other treasury figure.',
      how: 'Among statements of one day the best grade wins (A address, B filing, C announcement, D press, E inferred). At equal grades, a stated total beats one derived from an event. A value applies until the next statement.',
      misleads: STILL,
      sql: perDay('toInt64(d.held_sat)', UP_TO_ITS_WORD),
    }),
    metric({
      ...shared,
      id: 'btc.change',
      name: 'Net purchases',
      unit: 'sat',
      aggregate: 'sum',
      definition:
        'Change in the holder’s bitcoin, from purchases, sales and differences of reported totals on the day.',
      why: 'Who is buying now, and who has stopped.',
      how: 'Sum of the day’s events. A correction replaces the event it corrects.',
      misleads:
        'Many events are on the day of the announcement, after the actual purchases. A difference of two totals falls on the day of the second.',
      sql: `SELECT
  e.day AS day, '' AS key, toInt64(sum(e.delta_sat)) AS value, 'whole' AS state, ${sourcesSql('e.source')} AS source, ${NO_HEIGHTS},
  max(e.recorded_at) AS as_of
FROM treasury_events AS e
WHERE e.entity = {entity:String} AND NOT e.is_corrected AND e.day ${RANGE}
GROUP BY e.day
ORDER BY day`,
    }),
    metric({
      ...shared,
      id: 'btc.last_move',
      name: 'Days since the last move',
      unit: 'days',
      definition:
        'Days from the last recorded purchase, sale or change of holdings to the end of the range, at most today.',
      why: 'A treasury that buys every week and one that bought once are different things.',
      how: 'Events without a change are excluded.',
      misleads: 'It is the last recorded move. Check the age of the recording.',
      sql: `SELECT
  least({to:Date}, toDate(now('UTC'))) AS day, '' AS key, toInt64(least({to:Date}, toDate(now('UTC'))) - max(e.day)) AS value,
  'whole' AS state, argMax(e.source, e.day) AS source, ${NO_HEIGHTS}, max(e.recorded_at) AS as_of
FROM treasury_events AS e
WHERE e.entity = {entity:String} AND NOT e.is_corrected AND e.delta_sat != 0 AND e.day <= least({to:Date}, toDate(now('UTC')))
HAVING count() > 0
ORDER BY day`,
    }),
    metric({
      ...told,
      id: 'evidence.age',
      name: 'Age of the evidence',
      watches: [{ id: 'old', says: 'goes beyond 100 days', when: 'above', level: 100 }],
      unit: 'days',
      direction: 'down',
      definition:
        'Days from the latest statement of the holder’s bitcoin to the end of the range, at most today.',
      why: 'Last year’s total is not today’s, whatever its source.',
      how: 'Statements, and events that give a total.',
      misleads:
        'A recent press report is weaker evidence than a filing from last quarter. Check the grade too.',
      sql: `SELECT
  least({to:Date}, toDate(now('UTC'))) AS day, '' AS key, toInt64(least({to:Date}, toDate(now('UTC'))) - max(h.day)) AS value,
  'whole' AS state, argMax(h.source, h.day) AS source, ${NO_HEIGHTS}, max(h.recorded_at) AS as_of
FROM treasury_held AS h
WHERE h.entity = {entity:String} AND h.day <= least({to:Date}, toDate(now('UTC')))
HAVING count() > 0
ORDER BY day`,
    }),
    metric({
      ...told,
      id: 'value.usd',
      name: 'Value of bitcoin held',
      unit: 'USD',
      definition:
        'The holder’s bitcoin by its latest statement up to the UTC day × that day’s bitcoin close.',
      why: 'The bitcoin behind the market value of its shares.',
      how: 'Close from the most trusted source for the day.',
      misleads: `That much could not be sold at that price. ${STILL}`,
      sql: perDay('d.held_sat / 1e8 * d.close'),
    }),
    metric({
      ...told,
      id: 'supply.share',
      name: 'Share of all bitcoin',
      unit: 'ratio',
      breakdown: { name: 'of', values: ['cap', 'issued'] },
      headline: 'cap',
      definition:
        'Bitcoin held ÷ 21 million, the maximum supply, and ÷ the bitcoin claimed by miners by the end of the day.',
      why: 'How much of a fixed supply one holder has.',
      how: 'The maximum of 20,999,999.9769 BTC is rounded to 21 million. The issued supply is supply.issued, which requires every block since genesis. On other days the second share is missing.',
      misleads: 'The share of coins that are not lost is larger.',
      sql: `SELECT
  d.day AS day, s.1 AS key, assumeNotNull(s.2) AS value, 'whole' AS state, d.source AS source, ${NO_HEIGHTS}, d.as_of AS as_of
FROM (
  ${dailyHeld}
) AS d
LEFT JOIN (
  ${issuedByDay}
) AS b ON b.day = d.day
ARRAY JOIN [('cap', toNullable(d.held_sat / ${CAP_SAT})), ('issued', if(b.issued_sat > 0, d.held_sat / b.issued_sat, NULL))] AS s
WHERE d.day ${RANGE}${UP_TO_ITS_WORD} AND s.2 IS NOT NULL
ORDER BY day, key`,
    }),
    metric({
      ...shared,
      id: 'cost.average',
      name: 'Average cost of a bitcoin',
      unit: 'USD/BTC',
      definition: 'Average price paid per bitcoin, in US dollars.',
      why: 'Below this price, a treasury is at a loss on its purchases.',
      how: 'Self-reported from the first reported value on. Before that, the cost of its listed purchases over their bitcoin, if they make up nine tenths of its holding.',
      misleads: 'Sales do not lower the average of purchases. Miners’ own coins have no price here.',
      needs: 'No reported cost, and no purchase list with costs.',
      sql: `SELECT
  d.day AS day, '' AS key, c.cost AS value, 'whole' AS state, d.source AS source, ${NO_HEIGHTS}, d.as_of AS as_of
FROM (
  SELECT {entity:String} AS entity, v.day AS day, v.source AS source, v.as_of AS as_of
  FROM (
  ${dailyHeld}
  ) AS v
) AS d
ASOF INNER JOIN (
  SELECT {entity:String} AS entity, k.day AS day, assumeNotNull(k.cost) AS cost
  FROM (
  ${costs}
  ) AS k
  WHERE k.cost IS NOT NULL
) AS c ON c.entity = d.entity AND d.day >= c.day
WHERE d.day ${RANGE}${UP_TO_ITS_WORD}
ORDER BY day`,
    }),
    metric({
      ...shared,
      id: 'pnl.unrealised',
      name: 'Unrealized profit',
      unit: 'USD',
      direction: 'up',
      definition: 'Value of the bitcoin held minus its average cost, in US dollars.',
      why: 'The profit if everything were sold at the close, before taxes.',
      how: 'value.usd − cost.average × bitcoin held.',
      misleads: 'Excludes interest, dividends and dilution that financed the purchases.',
      needs: 'No reported cost, and no purchase list with costs.',
      sql: `SELECT
  d.day AS day, '' AS key, d.held_sat / 1e8 * (d.close - c.cost) AS value, 'whole' AS state, d.source AS source,
  ${NO_HEIGHTS}, d.as_of AS as_of
FROM (
  SELECT {entity:String} AS entity, v.day AS day, v.close AS close, v.held_sat AS held_sat, v.source AS source, v.as_of AS as_of
  FROM (
  ${daily}
  ) AS v
) AS d
ASOF INNER JOIN (
  SELECT {entity:String} AS entity, k.day AS day, assumeNotNull(k.cost) AS cost
  FROM (
  ${costs}
  ) AS k
  WHERE k.cost IS NOT NULL
) AS c ON c.entity = d.entity AND d.day >= c.day
WHERE d.day ${RANGE}
ORDER BY day`,
    }),
  ]
}
