import type { Catalog } from '#catalog/index.ts'
import { TVL_PARTS } from '#kernel/tvlParts.ts'
import { type Metric, SUM_OF_KEYS } from '../metric.ts'
import { published, REFERENCES, slugsWhere } from './published.ts'

/** The parts in which L2BEAT counts what a layer secures. */
const SECURED_PARTS = ['canonical', 'external', 'native']

/** Value in the protocols of a layer, and of a protocol over its layers, as publishers count it. */
export function tvlMetrics({ layers, protocols }: Catalog): Metric[] {
  const listed = slugsWhere(layers, ({ ids }) => ids.defillamaChain !== undefined)
  return [
    ...published({
      id: 'tvl.total',
      name: 'TVL',
      unit: 'USD',
      type: 'Float64',
      entityKind: 'layer',
      entities: listed,
      definition:
        'Value in US dollars of what the protocols of the layer hold on the UTC day, at the moment at which the publisher dates it.',
      why: 'How much money is at work on a layer.',
      how: 'As DefiLlama sums it over protocols, its history at 00:00 UTC of the day: staking, pool2, borrowed, vesting, liquid staking and what is counted twice are left out.',
      misleads:
        'It moves with prices, so read it with tvl.constant_price and inflow.usd. Excludes idle coins on the layer. One large depositor can be most of it.',
      sources: ['defillama.tvl', 'defillama.tvl.recorded'],
      since: { day: '2018-02-12' },
      direction: 'up',
      references: [REFERENCES.defillamaChains, REFERENCES.defillama],
    }),
    ...published({
      id: 'tvl.total',
      name: 'Protocol TVL',
      unit: 'USD',
      type: 'Float64',
      entityKind: 'protocol',
      entities: slugsWhere(protocols, ({ ids }) => ids.defillama !== undefined),
      definition:
        'Value in US dollars of what the contracts of the protocol hold on all its layers at the end of the UTC day.',
      why: 'How much money people leave with one application.',
      how: 'As DefiLlama sums it over chains: excludes borrowed and staked coins and pool2. StackingDAO’s self-reported figure is shown for comparison.',
      misleads:
        'It moves with prices. Lenders count only with funds not lent out, so more borrowing lowers it.',
      sources: [
        'defillama.protocols',
        'defillama.protocols.recorded',
        'defillama.adapters.recorded',
        'stackingdao.stats',
      ],
      since: { day: '2018-02-12' },
      direction: 'up',
      references: [REFERENCES.defillama],
    }),
    ...published({
      id: 'tvl.by_protocol',
      name: 'TVL by protocol',
      unit: 'USD',
      type: 'Float64',
      entityKind: 'layer',
      entities: listed,
      breakdown: { name: 'protocol', values: [], total: 'tvl.total' },
      headline: SUM_OF_KEYS,
      definition:
        'Value in US dollars of what each protocol holds on the layer at the end of the UTC day, exchanges and bridges left out.',
      why: 'Whether a layer lives from many applications or from one.',
      how: 'TVL of each protocol on this chain as DefiLlama gives it; borrowed, staked and pool2 amounts are never added.',
      misleads:
        'Deposits of one protocol in another count in both, so the sum can exceed tvl.total. Protocols without an adapter are missing.',
      sources: ['defillama.protocols', 'defillama.protocols.recorded', 'defillama.adapters.recorded'],
      since: { day: '2018-02-12' },
      direction: 'neither',
      references: [REFERENCES.defillama],
    }),
    ...published({
      id: 'tvl.parts',
      name: 'Value counted apart',
      unit: 'USD',
      type: 'Float64',
      entityKind: 'layer',
      entities: listed,
      breakdown: { name: 'part', values: TVL_PARTS },
      headline: 'liquid staking',
      definition:
        'Value in US dollars that protocols of the layer report separately from TVL, at the end of the UTC day: borrowed coins, the protocol’s own staked tokens, pool2, vesting coins, liquid staking and double-counted value.',
      why: 'The parts excluded from tvl.total.',
      how: 'Summed over the protocols of DefiLlama’s list by the parts that it names; liquid staking is what protocols of that category hold.',
      misleads:
        'Parts overlap. Double-counted value can be liquid staking too, so adding both counts it again. Parts are added to tvl.total only on request.',
      sources: ['defillama.protocols'],
      since: { day: '2018-02-12' },
      direction: 'neither',
      references: [REFERENCES.defillama],
    }),
    ...published({
      id: 'tvs.total',
      name: 'Value secured',
      unit: 'USD',
      type: 'Float64',
      entityKind: 'layer',
      entities: slugsWhere(layers, ({ ids }) => ids.l2beat !== undefined),
      breakdown: { name: 'part', values: SECURED_PARTS },
      headline: SUM_OF_KEYS,
      definition:
        'Value in US dollars of all tokens on the layer at the end of the UTC day, by the way in which they came there.',
      why: 'What would be at stake if the layer failed: idle coins count, other than in tvl.total.',
      how: 'As counted by L2BEAT. Canonical came over the layer’s own bridge, external over another bridge, and native was issued on the layer.',
      misleads: 'Tokens priced by their issuer count at that price, although little of them may be sellable.',
      sources: ['l2beat.tvs'],
      since: { day: '2024-04-11' },
      direction: 'up',
      references: [REFERENCES.l2beat],
    }),
  ]
}
