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
      name: 'Value locked',
      unit: 'USD',
      type: 'Float64',
      entityKind: 'layer',
      entities: listed,
      definition:
        'Value in US dollars of what the protocols of the layer hold on the UTC day, at the moment at which the publisher dates it.',
      why: 'How much money is at work on a layer.',
      how: 'As DefiLlama sums it over protocols, its history at 00:00 UTC of the day: staking, pool2, borrowed, vesting, liquid staking and what is counted twice are left out.',
      misleads:
        'It moves with prices: read tvl.constant_price and inflow.usd beside it. Coins that lie idle on the layer are not in it, and one large depositor may be most of it.',
      sources: ['defillama.tvl', 'defillama.tvl.recorded'],
      since: { day: '2018-02-12' },
      direction: 'up',
      references: [REFERENCES.defillamaChains, REFERENCES.defillama],
    }),
    ...published({
      id: 'tvl.total',
      name: 'Value locked in the protocol',
      unit: 'USD',
      type: 'Float64',
      entityKind: 'protocol',
      entities: slugsWhere(protocols, ({ ids }) => ids.defillama !== undefined),
      definition:
        'Value in US dollars of what the contracts of the protocol hold on all its layers at the end of the UTC day.',
      why: 'How much money people leave with one application.',
      how: 'As DefiLlama sums it over chains: borrowed and staked coins and pool2 are left out. What StackingDAO says of itself stands beside it.',
      misleads:
        'It moves with prices. Of a lender only what was not lent out is in it, so more borrowing makes it smaller.',
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
      name: 'Value locked by protocol',
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
        'What one protocol puts into another counts in both, so the sum may lie above tvl.total; a protocol that nobody wrote an adapter for is missing.',
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
        'Value in US dollars that protocols of the layer tell apart from what they hold, at the end of the UTC day: coins lent out, staked tokens of the protocol itself, shares of pools of them, coins that vest, and what is held by liquid staking or counted twice.',
      why: 'What tvl.total leaves out, for those who want it in.',
      how: 'Summed over the protocols of DefiLlama’s list by the parts that it names; liquid staking is what protocols of that category hold.',
      misleads:
        'Parts overlap: what is counted twice may be liquid staking too, so adding both counts it once more. They are never added to tvl.total without being asked for.',
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
      how: 'As L2BEAT counts it: canonical came over the layer’s own bridge, external over another one, native was issued on the layer.',
      misleads:
        'A token that its issuer prices himself is in it at that price; the share that anybody could sell may be small.',
      sources: ['l2beat.tvs'],
      since: { day: '2024-04-11' },
      direction: 'up',
      references: [REFERENCES.l2beat],
    }),
  ]
}
