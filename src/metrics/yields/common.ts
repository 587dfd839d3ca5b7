import type { Catalog } from '#catalog/index.ts'
import { LEAST_TOLD, YIELD_PUBLISHERS } from '#warehouse/views/yields.ts'
import { READS } from '../apps/common.ts'
import { RANGE } from '../chainFigures.ts'
import type { MetricDeclaration } from '../metric.ts'

/** Columns of figures that rest on no blocks. */
export const NO_HEIGHTS =
  'CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height'

export const REFERENCES = {
  defillama: { title: 'DefiLlama: yields', url: 'https://defillama.com/yields' },
  server: {
    title: 'DefiLlama: how adapters of yields count',
    url: 'https://github.com/DefiLlama/yield-server',
  },
  pox5: {
    title: 'pox-5: bonds and their distributions',
    url: 'https://github.com/stacks-network/stacks-core/blob/develop/stackslib/src/chainstate/stacks/boot/pox-5.clar',
  },
} as const

/** What each figure of a way to earn with bitcoin shares. */
export const ofPools = (entities: readonly string[]) =>
  ({
    entityKind: 'pool',
    entities,
    sources: [...YIELD_PUBLISHERS, READS, 'stacks.chain'],
    cadence: 'day',
    calendar: 'reported',
    aggregate: 'last',
    since: { day: '2023-04-13' },
    references: [REFERENCES.defillama, REFERENCES.server, REFERENCES.pox5],
    needs:
      'No rates yet. With internet, the pool list is polled hourly and each pool’s history daily. Rates from Stacks contracts need STACKS_API_URL.',
  }) as const satisfies Partial<MetricDeclaration>

export const opportunitiesOf = ({ opportunities }: Pick<Catalog, 'opportunities'>): string[] =>
  opportunities.map(({ id }) => id)

/** A figure of each day that is told, from a column of a view of one row per opportunity and day. */
export const perDay = (view: string, value: string, state = "'whole'", where = ''): string => `SELECT
  d.day AS day, '' AS key, ${value} AS value, ${state} AS state, d.source AS source, ${NO_HEIGHTS}, d.as_of AS as_of
FROM ${view} AS d
WHERE d.entity = {entity:String} AND d.day ${RANGE}${where}
ORDER BY day`

/** State of a rate: under way until its day is over, a gap where it is not told. */
export const rateState = (value: string): string =>
  `multiIf(${value} IS NULL, 'incomplete', d.is_over, 'whole', 'partial')`

export const ZERO_RULE =
  'The list reports 0 both for unknown rates and for pools that pay nothing, so a day with both rates at 0 has no data. Rates above 1,000% a year are discarded.'
export const LOWER_RULE = `Days without a rate count as zero. If they are more than ${Math.round((1 - LEAST_TOLD) * 100)}% of the span, there is no figure.`
