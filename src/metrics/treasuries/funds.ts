import type { Catalog } from '#catalog/index.ts'
import { secFacts } from '#sources/live/secFacts.ts'
import { treasurySaid } from '#sources/recorded/treasuries.ts'
import { RANGE } from '../chainFigures.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { NO_HEIGHTS, ofTreasuries, REFERENCES } from './common.ts'

/** What funds of the catalogue state of their bitcoin. */
export function fundMetrics({ treasuries }: Pick<Catalog, 'treasuries'>): Metric[] {
  const tickers = treasuries.flatMap(({ kind, ticker }) => (kind === 'etf' && ticker ? [ticker] : []))
  if (tickers.length === 0) return []
  return [
    metric({
      ...ofTreasuries,
      id: 'etf.holdings',
      name: 'ETF holdings',
      unit: 'sat',
      entityKind: 'chain',
      entities: ['bitcoin'],
      breakdown: { name: 'fund', values: tickers },
      headline: SUM_OF_KEYS,
      definition: `Bitcoin that spot funds state in their reports, by fund and day of the report: of the ${tickers.length} funds in the catalog, those with an available report.`,
      why: 'How much of the supply sits in funds, whatever it cost to get there.',
      how: 'Each report is on its reporting date, mostly quarter ends. Nothing is carried forward between reports.',
      misleads:
        'A sum over funds is of those that report of that day, never of all: most have no report here. It cannot be made from flows in USD: the price at which each creation settled is not published, and one fund began with the coins of an older trust.',
      needs: 'Needs a report of a fund that states its bitcoin.',
      sources: [treasurySaid.id, secFacts.id],
      since: { day: '2024-01-11' },
      references: [
        REFERENCES.edgar,
        {
          title: 'SEC: approval of spot bitcoin exchange-traded products, 2024-01-10',
          url: 'https://www.sec.gov/files/rules/sro/nysearca/2024/34-99306.pdf',
        },
      ],
      sql: `SELECT
  h.day AS day, t.ticker AS key, toInt64(h.held_sat) AS value, 'whole' AS state, h.source AS source, ${NO_HEIGHTS},
  h.recorded_at AS as_of
FROM treasury_held AS h
INNER JOIN treasury_holders AS t ON t.entity = h.entity
WHERE t.kind = 'etf' AND h.day ${RANGE}
ORDER BY day, key`,
    }),
  ]
}
