import { RECORDINGS } from '#sources/all.ts'
import type { MetricDeclaration } from '../metric.ts'

/** Publishers whose prices, supplies and volumes an index may rest on. */
export const INDEX_SOURCES: readonly string[] = [
  'coingecko.markets',
  'coingecko.chart',
  'defillama.coins',
  ...RECORDINGS.filter(
    ({ id, price, pair }) =>
      id.startsWith('coingecko.') || (price !== undefined && (pair === undefined || pair.quote !== 'EUR')),
  ).map(({ id }) => id),
]

/** Columns of figures that rest on no blocks. */
export const NO_HEIGHTS =
  'CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height'

/** Beyond this relative difference of two publishers’ prices a day is not sure (as of `token.price`). */
const MOST_SPREAD = 0.05

/** Whether a day of `index_levels` rests on sure prices of that very day. */
export const stateOf = (alias: string): string =>
  `if(${alias}.stale_days = 0 AND ${alias}.spread <= ${MOST_SPREAD}, 'whole', 'incomplete')`

export const REFERENCES = {
  coingecko: { title: 'CoinGecko: methodology', url: 'https://www.coingecko.com/en/methodology' },
  divisor: {
    title: 'S&P Dow Jones Indices: index mathematics methodology',
    url: 'https://www.spglobal.com/spdji/en/documents/methodologies/methodology-index-math.pdf',
  },
} as const

/** What every figure of an index shares. */
export const ofIndices = {
  entityKind: 'index',
  cadence: 'day',
  calendar: 'reported',
  aggregate: 'last',
  since: { day: '2021-03-31' },
  direction: 'neither',
  references: [REFERENCES.divisor, REFERENCES.coingecko],
  sources: INDEX_SOURCES,
  needs:
    'Fewer than two of its tokens have had a price, a volume and a weighting input at a month end. With internet, CoinGecko and DefiLlama are polled automatically. An index starts at the end of the second month after that.',
} as const satisfies Partial<MetricDeclaration>
