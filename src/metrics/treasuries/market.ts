import type { Catalog } from '#catalog/index.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, type MetricDeclaration, metric, SUM_OF_KEYS, type Watch } from '../metric.ts'
import { MARKET_SOURCES, NO_HEIGHTS, ofTreasuries, quotedOf, REFERENCES } from './common.ts'

const NAV = 'm.held_sat / 1e8 * m.btc_usd'
const BASIC = 'm.close_usd * m.shares'
const DILUTED = 'm.close_usd * (m.shares + m.dilutive_shares)'
const TIME_RULE =
  'Share close and close of bitcoin of one UTC day (weekends and holidays repeat the last trading day), and the company’s last reported shares and bitcoin up to that day. No figure after 100 days without a report, or if its holding differs by 5% or more from when it reported its share count.'
const NEEDS =
  'Requires its share close in dollars, share count and bitcoin for the same day. Closes in Hong Kong, Canadian and Australian dollars have no exchange rate.'

type Lens = Pick<MetricDeclaration, 'id' | 'name' | 'definition' | 'why' | 'how' | 'misleads' | 'watches'> & {
  readonly value: string
  readonly unit?: string
  readonly isKnown?: string
}

/** Kinds of instruments that may become shares, those that end debt first. */
const DILUTION_STEPS = ['convertible', 'preferred', 'warrant', 'option', 'rsu', 'free-shares'] as const

/** Opens a statement with `yields`: change in BTC per share since the last share count at least 90 days earlier. */
const YIELDS = `WITH
  days AS MATERIALIZED (
    SELECT
      entity, day, day - 90 AS back, held_sat / shares AS per_share, close_usd * shares / (held_sat / 1e8 * btc_usd) AS mnav,
      source, as_of
    FROM treasury_market_days
    WHERE entity = {entity:String} AND held_sat > 0 AND shares > 0
  ),
  yields AS (
    SELECT n.day AS day, n.per_share / b.per_share - 1 AS yield, n.mnav AS mnav, n.source AS source, n.as_of AS as_of
    FROM days AS n
    ASOF INNER JOIN days AS b ON b.entity = n.entity AND n.back >= b.day
  )`

/** Below one, the market pays less for the company than for its bitcoin. */
const BELOW_ONE: Watch = { id: 'below-one', says: 'falls below one', when: 'below', level: 1 }

/** What the market says of holders whose shares are quoted. */
export function marketMetrics(catalog: Catalog): Metric[] {
  const entities = quotedOf(catalog)
  if (entities.length === 0) return []
  const shared = {
    ...ofTreasuries,
    entities,
    sources: MARKET_SOURCES,
    references: [REFERENCES.mnav, REFERENCES.edgar],
    needs: NEEDS,
  } as const
  const lens = ({ value, isKnown = '1', unit = '–', ...texts }: Lens): Metric =>
    metric({
      ...shared,
      ...texts,
      unit,
      sql: `SELECT
  m.day AS day, '' AS key, ${value} AS value, 'whole' AS state, m.source AS source, ${NO_HEIGHTS}, m.as_of AS as_of
FROM treasury_market_days AS m
WHERE m.entity = {entity:String} AND m.day ${RANGE} AND m.held_sat > 0 AND m.shares > 0 AND m.close_usd > 0 AND ${isKnown}
ORDER BY day`,
    })
  return [
    lens({
      id: 'mnav.basic',
      name: 'mNAV, basic',
      watches: [BELOW_ONE],
      definition: 'Market value of the shares outstanding over the value of the bitcoin held.',
      why: 'Above one, a share costs more than the bitcoin behind it; below one, less.',
      how: TIME_RULE,
      misleads:
        'Ignores debt, preferred stock and dilution. See the other mNAV metrics. The value of miners and operating companies has other drivers besides bitcoin.',
      value: `${BASIC} / (${NAV})`,
    }),
    lens({
      id: 'mnav.diluted',
      name: 'mNAV, diluted',
      watches: [BELOW_ONE],
      definition:
        'Market value of the shares and all dilutive instruments over the value of the bitcoin held.',
      why: 'The premium if all instruments become shares.',
      how: `Instruments issued up to the day and not expired, at any strike, without the treasury-stock method. ${TIME_RULE}`,
      misleads:
        'Instruments far out of the money count like those in the money. Those without an issue date count from the start.',
      value: `${DILUTED} / (${NAV})`,
    }),
    lens({
      id: 'mnav.ev',
      name: 'mNAV, enterprise value',
      watches: [BELOW_ONE],
      definition:
        'Market value of the basic shares plus debt and preferred stock less cash, over the value of the bitcoin held.',
      why: 'A buyer of the whole company also takes on its debt.',
      how: `Last reported debt, preferred stock and cash. Items never reported count as zero. ${TIME_RULE}`,
      misleads: 'Debt, preferred stock and cash are as old as its last report.',
      value: `(${BASIC} + ifNull(m.debt_usd, 0) + ifNull(m.preferred_usd, 0) - ifNull(m.cash_usd, 0)) / (${NAV})`,
      isKnown: 'm.debt_usd IS NOT NULL',
    }),
    lens({
      id: 'mnav.ev_if_converted',
      name: 'mNAV, converted',
      watches: [BELOW_ONE],
      definition:
        'Diluted market value plus the debt and preferred stock remaining if all convertibles become shares, less cash, over the value of the bitcoin held.',
      why: 'mnav.diluted and mnav.ev both count convertibles. This one counts each once.',
      how: `Debt less the face value of convertibles counted as shares, not below zero. ${TIME_RULE}`,
      misleads: 'Convertibles below their strike are not converted. Then mnav.ev is closer.',
      value: `(${DILUTED} + greatest(toInt64(ifNull(m.debt_usd, 0)) - toInt64(m.dilutive_face_usd), 0) + ifNull(m.preferred_usd, 0) - ifNull(m.cash_usd, 0)) / (${NAV})`,
      isKnown: 'm.debt_usd IS NOT NULL',
    }),
    metric({
      ...shared,
      id: 'sats.per_share',
      name: 'Satoshis per share',
      unit: 'sat',
      direction: 'up',
      breakdown: { name: 'count', values: ['basic', 'diluted'] },
      headline: 'basic',
      definition: 'Satoshis behind each share, for outstanding and for fully diluted shares.',
      why: 'The goal of a bitcoin treasury: more bitcoin per share, not only more bitcoin.',
      how: TIME_RULE,
      misleads: 'Debt and preferred stock have a senior claim.',
      sql: `SELECT
  m.day AS day, s.1 AS key, m.held_sat / s.2 AS value, 'whole' AS state, m.source AS source, ${NO_HEIGHTS},
  m.as_of AS as_of
FROM treasury_market_days AS m
ARRAY JOIN [('basic', assumeNotNull(m.shares)), ('diluted', assumeNotNull(m.shares) + m.dilutive_shares)] AS s
WHERE m.entity = {entity:String} AND m.day ${RANGE} AND m.held_sat > 0 AND m.shares > 0
ORDER BY day, key`,
    }),
    metric({
      ...shared,
      id: 'sats.dilution',
      name: 'Satoshis per share, by dilution step',
      unit: 'sat',
      breakdown: { name: 'step', values: ['basic', ...DILUTION_STEPS] },
      headline: SUM_OF_KEYS,
      definition:
        'Satoshis behind a basic share, and how many of them each kind of instrument would take if all of it became shares: the signed steps add up to satoshis per diluted share.',
      why: 'Which instruments can dilute the bitcoin behind a share.',
      how: `Kinds one after the other, convertibles first: bitcoin over the shares so far less bitcoin over the shares with the next kind. Instruments issued up to the day and not expired, at any strike. ${TIME_RULE}`,
      misleads:
        'The order of the kinds affects the amount of each, not the result. Cash from warrants and debt retired by convertibles are excluded.',
      sql: `WITH
  days AS MATERIALIZED (
    SELECT
      m.entity AS entity, m.day AS day, m.held_sat AS held_sat, assumeNotNull(m.shares) AS basic, m.source AS source,
      m.as_of AS as_of
    FROM treasury_market_days AS m
    WHERE m.entity = {entity:String} AND m.day ${RANGE} AND m.held_sat > 0 AND m.shares > 0
  ),
  added AS (
    SELECT d.day AS day, i.kind AS kind, sum(i.shares) AS shares
    FROM days AS d
    INNER JOIN treasury_instruments AS i ON i.entity = d.entity
    WHERE (i.issued_day IS NULL OR i.issued_day <= d.day) AND (i.expires_day IS NULL OR i.expires_day > d.day)
    GROUP BY day, kind
  ),
  steps AS (
    SELECT
      d.day AS day, d.held_sat AS held_sat, d.basic AS basic, d.source AS source, d.as_of AS as_of, k.1 AS place, k.2 AS kind,
      sum(ifNull(a.shares, 0)) OVER (PARTITION BY d.day ORDER BY k.1) AS more,
      ifNull(a.shares, 0) AS shares
    FROM days AS d
    ARRAY JOIN [${DILUTION_STEPS.map((kind, index) => `(${index + 1}, '${kind}')`).join(', ')}] AS k
    LEFT JOIN added AS a ON a.day = d.day AND a.kind = k.2
  )
SELECT day, key, value, state, source, ${NO_HEIGHTS}, as_of
FROM (
  SELECT day, 'basic' AS key, held_sat / basic AS value, 'whole' AS state, source, as_of FROM days
  UNION ALL
  SELECT day, kind, held_sat / (basic + more) - held_sat / (basic + more - shares), 'whole', source, as_of
  FROM steps
)
ORDER BY day, key`,
    }),
    metric({
      ...shared,
      id: 'btc.yield',
      name: 'BTC yield, basic (90d)',
      unit: 'ratio',
      direction: 'up',
      definition: 'Change of the bitcoin behind a basic share within the 90 days up to the day.',
      why: 'Whether bitcoin purchases funded with new shares increased bitcoin per share.',
      how: `From basic share counts only, because past diluted counts are not reliable enough. ${TIME_RULE}`,
      misleads:
        'Not interest, because nothing is paid. Bitcoin bought with debt raises it without new shares.',
      sql: `${YIELDS}
SELECT y.day AS day, '' AS key, y.yield AS value, 'whole' AS state, y.source AS source, ${NO_HEIGHTS}, y.as_of AS as_of
FROM yields AS y
WHERE y.day ${RANGE}
ORDER BY day`,
    }),
    metric({
      ...shared,
      id: 'days_to_cover.mnav',
      name: 'Days to cover the premium',
      unit: 'days',
      direction: 'down',
      definition:
        'Days after which the bitcoin behind a share would be worth its price, if it grew as in the last 90 days.',
      why: 'A premium is a bet on growth in bitcoin per share. This shows how long the growth must last.',
      how: 'ln(mNAV) ÷ ln(1 + y), y = (1 + BTC yield of 90 days)^(1/90) − 1. No figure if mNAV is at most 1 or the yield is not positive.',
      misleads: 'No treasury has sustained such a pace for long.',
      sql: `${YIELDS}
SELECT
  y.day AS day, '' AS key, log(y.mnav) / (log(1 + y.yield) / 90) AS value, 'whole' AS state, y.source AS source,
  ${NO_HEIGHTS}, y.as_of AS as_of
FROM yields AS y
WHERE y.mnav > 1 AND y.yield > 0 AND y.day ${RANGE}
ORDER BY day`,
    }),
  ]
}
