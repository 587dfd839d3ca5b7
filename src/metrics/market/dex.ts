import type { Catalog } from '#catalog/index.ts'
import { type Metric, SUM_OF_KEYS } from '../metric.ts'
import { published, REFERENCES, slugsWhere } from './published.ts'

/** What Bitflow says of its pools of bins. */
const BINS = [
  {
    id: 'dex.bins_liquidity',
    name: 'TVL in bin pools, reported by the exchange',
    definition: 'Value in US dollars of the exchange’s bin pools at its latest response on the UTC day.',
    direction: 'up',
  },
  {
    id: 'dex.bins_volume_24h',
    name: 'Volume in bin pools (24h), reported by the exchange',
    definition:
      'Value in US dollars swapped in the exchange’s bin pools in the 24 hours before its latest response on the UTC day.',
    direction: 'up',
  },
  {
    id: 'dex.bins_fees_24h',
    name: 'Fees in bin pools (24h), reported by the exchange',
    definition:
      'Value in US dollars of fees of the exchange’s bin pools in the 24 hours before its latest response on the UTC day.',
    direction: 'neither',
  },
] as const

/** Volume on decentralised exchanges, as DefiLlama counts it. */
export function dexMetrics({ layers, protocols, exchanges }: Catalog): Metric[] {
  const isRead = (slug: string): boolean => exchanges.some(({ protocol }) => protocol === slug)
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
      definition: 'Value in US dollars of swaps on the layer’s decentralized exchanges on the UTC day.',
      why: 'Whether capital on the layer is active or idle.',
      how: 'Sum over the exchanges that DefiLlama follows; aggregators are left out, because the pools behind them count already.',
      misleads: 'A swap through three pools counts three times, and volume rewards encourage wash trades.',
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
          ids.defillama !== undefined && /dex|swap|exchange/i.test(category) && !isRead(slug),
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
      breakdown: { name: 'exchange', values: [], total: 'dex.volume' },
      headline: SUM_OF_KEYS,
      definition: 'Value in US dollars of swaps on the layer on the UTC day, by decentralized exchange.',
      why: 'Whether trade rests on one exchange.',
      how: 'As DefiLlama gives it by protocol and chain.',
      misleads: 'Exchanges without an adapter are missing, so a share here may be a share of a part.',
      direction: 'neither',
    }),
    ...published({
      ...shared,
      id: 'dex.liquidity',
      name: 'TVL in pools, reported by the exchange',
      entityKind: 'protocol',
      entities: ['alex', 'arkadiko', 'bitflow', 'velar'].filter(slug =>
        protocols.some(protocol => protocol.slug === slug),
      ),
      aggregate: 'last',
      definition: 'Value in US dollars of the exchange’s pools at its latest response on the UTC day.',
      why: 'Self-reported, for comparison with pool.tvl, which is counted from prints.',
      how: 'Sum over the pools that its own interface lists.',
      misleads:
        'Uses its own prices and pool list. A pool of a token without a market may be valued at its creator’s deposit.',
      sources: ['alex.pools', 'arkadiko.tickers', 'bitflow.ticker', 'velar.pools'],
      direction: 'up',
      references: [REFERENCES.alex, REFERENCES.arkadiko, REFERENCES.bitflow, REFERENCES.velar],
    }),
    ...published({
      ...shared,
      id: 'dex.volume_24h',
      name: 'Volume (24h), reported by the exchange',
      entityKind: 'protocol',
      entities: ['alex', 'bitflow', 'velar'].filter(slug =>
        protocols.some(protocol => protocol.slug === slug),
      ),
      aggregate: 'last',
      definition:
        'Value in US dollars swapped in the exchange’s pools in the 24 hours before its latest response on the UTC day.',
      why: 'Self-reported, for comparison with dex.volume, which is counted from prints by UTC day.',
      how: 'Sum over the pools in its own API. Bitflow reports token amounts, valued at its own last prices starting from USDCx and aeUSDC, through pools with at least $1,000.',
      misleads:
        'The window is not a UTC day, so it can differ from dex.volume even if both are right. Prices are the exchange’s. It includes pools without prints, such as Bitflow’s first stable pools, which dex.volume excludes, and counts a route in each pool.',
      sources: ['alex.pools', 'bitflow.ticker', 'velar.pools'],
      direction: 'up',
      references: [REFERENCES.alex, REFERENCES.bitflow, REFERENCES.velar],
    }),
    ...published({
      ...shared,
      id: 'dex.fees_24h',
      name: 'Fees (24h), reported by the exchange',
      entityKind: 'protocol',
      entities: ['alex', 'velar'].filter(slug => protocols.some(protocol => protocol.slug === slug)),
      aggregate: 'last',
      definition:
        'Value in US dollars of fees of the exchange’s pools in the 24 hours before its latest response on the UTC day.',
      why: 'Self-reported trading cost, for comparison with dex.fees, which is counted from prints by UTC day.',
      how: 'Sum over the pools that its own interface lists; nothing where it leaves the fees of one out.',
      misleads:
        'The window is not a UTC day, and prices are the exchange’s. It is not documented whether rebates are deducted, or who receives the fees.',
      sources: ['alex.pools', 'velar.pools'],
      direction: 'neither',
      references: [REFERENCES.alex, REFERENCES.velar],
    }),
    ...BINS.flatMap(({ id, name, definition, direction }) =>
      published({
        ...shared,
        id,
        name,
        entityKind: 'protocol',
        entities: slugsWhere(protocols, ({ slug }) => slug === 'bitflow'),
        aggregate: 'last',
        definition,
        why: 'Self-reported for its bin pools, for comparison with their prints.',
        how: 'Sum over the pools of bins (DLMM) that its own interface lists, by its own prices.',
        misleads: 'Excludes its other pools. The 24 hours are not a UTC day.',
        sources: ['bitflow.pools'],
        direction,
        references: [REFERENCES.bitflow],
      }),
    ),
  ]
}
