import type { Catalog } from '#catalog/index.ts'
import { DEX_SLUGS } from '#warehouse/dexDeclared.ts'
import { type Metric, SUM_OF_KEYS } from '../metric.ts'
import { published, REFERENCES, slugsWhere } from './published.ts'

/** Volume on decentralised exchanges, as DefiLlama counts it. */
export function dexMetrics({ layers, protocols }: Catalog): Metric[] {
  const shared = {
    unit: 'USD',
    type: 'Float64',
    aggregate: 'sum',
    sources: ['defillama.dexs', 'defillama.dexs.recorded'],
    since: { day: '2021-01-01' },
    references: [REFERENCES.defillamaDexs],
  } as const
  const listed = slugsWhere(layers, ({ ids }) => ids.defillamaChain !== undefined)
  return [
    ...published({
      ...shared,
      id: 'dex.volume',
      name: 'DEX volume',
      entityKind: 'layer',
      entities: listed,
      definition:
        'Value in US dollars of what was swapped on the layer’s decentralised exchanges on the UTC day.',
      why: 'Whether the money on a layer moves, or only lies there.',
      how: 'Sum over the exchanges that DefiLlama follows; aggregators are left out, because the pools behind them count already.',
      misleads:
        'A swap that runs through three pools counts three times, and whoever earns rewards for volume may trade with himself.',
      direction: 'up',
    }),
    ...published({
      ...shared,
      id: 'dex.volume',
      name: 'Volume of the exchange',
      entityKind: 'protocol',
      entities: slugsWhere(
        protocols,
        ({ slug, ids, category }) =>
          // Of those that are read on the chain the publisher’s figure stands beside our own.
          ids.defillama !== undefined && /dex|swap|exchange/i.test(category) && !DEX_SLUGS.includes(slug),
      ),
      definition:
        'Value in US dollars of what was swapped in the exchange’s pools on the UTC day, on all its layers.',
      why: 'How much the exchange is used.',
      how: 'As DefiLlama’s adapter counts it: one side of each swap.',
      misleads: 'Rewards for trading and empty fees invite trades with oneself.',
      direction: 'up',
    }),
    ...published({
      ...shared,
      id: 'dex.by_protocol',
      name: 'DEX volume by exchange',
      entityKind: 'layer',
      // Of Stacks the publisher’s figures stand beside our own.
      entities: listed.filter(slug => slug !== 'stacks'),
      breakdown: { name: 'exchange', values: [] },
      headline: SUM_OF_KEYS,
      definition:
        'Value in US dollars of what was swapped on the layer on the UTC day, by decentralised exchange.',
      why: 'Whether trade rests on one exchange.',
      how: 'As DefiLlama gives it by protocol and chain.',
      misleads: 'Exchanges without an adapter are missing, so a share here may be a share of a part.',
      direction: 'neither',
    }),
  ]
}
