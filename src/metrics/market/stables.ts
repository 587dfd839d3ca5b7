import type { Catalog } from '#catalog/index.ts'
import { type Metric, SUM_OF_KEYS } from '../metric.ts'
import { published, REFERENCES, slugsWhere } from './published.ts'

/** Stablecoins on a layer, as DefiLlama counts them. */
export function stablesMetrics({ layers }: Catalog): Metric[] {
  const shared = {
    unit: 'USD',
    type: 'Float64',
    entityKind: 'layer',
    entities: slugsWhere(layers, ({ ids }) => ids.defillamaChain !== undefined),
    sources: ['defillama.stables', 'defillama.stables.recorded'],
    since: { day: '2017-11-29' },
    references: [REFERENCES.defillamaStables],
  } as const
  return [
    ...published({
      ...shared,
      id: 'stables.cap',
      name: 'Stablecoins',
      definition:
        'Value in US dollars of the stablecoins that were issued on the layer or bridged to it, at the end of the UTC day.',
      why: 'The dollars that a layer’s applications have to work with.',
      how: 'Amount on the layer × price, summed over the coins that DefiLlama follows, of every currency.',
      misleads:
        'Coins of small issuers count at their price, however illiquid. Coins that DefiLlama does not track on the layer are missing.',
      direction: 'up',
    }),
    ...published({
      ...shared,
      id: 'stables.by_token',
      name: 'Stablecoins by token',
      breakdown: { name: 'token', values: [], total: 'stables.cap' },
      headline: SUM_OF_KEYS,
      definition:
        'Value in US dollars of each stablecoin on the layer at the end of the UTC day, by its symbol.',
      why: 'Who issues a layer’s dollars.',
      how: 'Amount on the layer × price, as DefiLlama gives it; a bridged coin counts under its issuer’s symbol.',
      misleads:
        'A bridged USDC is a claim on the bridge first and on its issuer second; the symbol does not show this.',
      direction: 'neither',
    }),
  ]
}
