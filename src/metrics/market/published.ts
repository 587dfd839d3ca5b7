import { figuresSql } from '../figuresSql.ts'
import { type Metric, type MetricDeclaration, metric } from '../metric.ts'

/** References of what several metrics rest on. */
export const REFERENCES = {
  defillama: {
    title: 'DefiLlama: how TVL is counted',
    url: 'https://docs.llama.fi/faqs/frequently-asked-questions',
  },
  defillamaChains: { title: 'DefiLlama: chain TVL', url: 'https://defillama.com/chains' },
  defillamaStables: { title: 'DefiLlama: stablecoins', url: 'https://defillama.com/stablecoins' },
  defillamaDexs: { title: 'DefiLlama: DEX volume', url: 'https://defillama.com/dexs' },
  defillamaFees: { title: 'DefiLlama: fees and revenue', url: 'https://defillama.com/fees' },
  coingecko: { title: 'CoinGecko: methodology', url: 'https://www.coingecko.com/en/methodology' },
  bitcoinLayers: { title: 'Bitcoin Layers: methodology', url: 'https://www.bitcoinlayers.org/methodology' },
  l2beat: { title: 'L2BEAT: value secured', url: 'https://l2beat.com/scaling/tvs' },
  l2beatActivity: { title: 'L2BEAT: activity', url: 'https://l2beat.com/scaling/activity' },
  growthepie: { title: 'growthepie: fundamentals', url: 'https://www.growthepie.com/fundamentals' },
  alex: { title: 'ALEX: documentation', url: 'https://docs.alexlab.co' },
  arkadiko: {
    title: 'Arkadiko: AMM API',
    url: 'https://docs.arkadiko.finance/additional-resources/amm-api-docs',
  },
  bitflow: { title: 'Bitflow: documentation', url: 'https://docs.bitflow.finance' },
  velar: { title: 'Velar: documentation', url: 'https://docs.velar.com' },
  blockscout: { title: 'Blockscout: REST API', url: 'https://docs.blockscout.com/devs/apis/rest' },
} as const

const NEEDS_PUBLISHER = 'No source data yet. With internet, sources are polled automatically.'

type Given = 'sql' | 'besideSql' | 'fine' | 'cadence' | 'calendar' | 'aggregate' | 'entities'
type Published = Omit<MetricDeclaration, Given> &
  Partial<Pick<MetricDeclaration, 'aggregate' | 'cadence'>> & {
    readonly entities: readonly string[]
    /** What a figure is: amounts and counts are whole numbers. */
    readonly type: 'Int64' | 'Float64'
  }

/**
 * An entry of which only publishers have figures, in the order in which `sources` are trusted: one statement for all
 * entities. None where the catalogue names nobody that they are about.
 */
export function published({ type, ...declaration }: Published): Metric[] {
  if (declaration.entities.length === 0) return []
  return [
    metric({
      cadence: 'day',
      calendar: 'reported',
      isPerPublisher: true,
      aggregate: 'last',
      needs: NEEDS_PUBLISHER,
      ...declaration,
      ...figuresSql({ metric: declaration.id, type, outside: declaration.sources }),
    }),
  ]
}

/** Slugs of what passes a test, in the order of the catalogue. */
export const slugsWhere = <Entry extends { readonly slug: string }>(
  entries: readonly Entry[],
  test: (entry: Entry) => boolean,
): string[] => entries.filter(test).map(({ slug }) => slug)
