import type { Catalog } from '#catalog/index.ts'
import type { Metric } from '../metric.ts'
import { published, REFERENCES, slugsWhere } from './published.ts'

/** Fees of a layer and what stays with whom, as DefiLlama counts it. */
export function revenueMetrics({ layers, protocols, stacksApps }: Catalog): Metric[] {
  const shared = {
    unit: 'USD',
    type: 'Float64',
    entityKind: 'layer',
    entities: slugsWhere(layers, ({ ids }) => ids.defillamaChain !== undefined),
    aggregate: 'sum',
    sources: ['defillama.fees', 'cryptofees.recorded'],
    since: { day: '2021-01-01' },
    direction: 'up',
    references: [REFERENCES.defillamaFees],
  } as const
  return [
    ...published({
      ...shared,
      id: 'fees.chain_usd',
      name: 'Fees paid, as published',
      definition:
        'Value in US dollars of the fees that users paid for transactions on the layer on the UTC day.',
      why: 'What users pay for the layer’s block space.',
      how: 'As DefiLlama gives it by chain. Where this server holds the layer’s blocks, fees.total counts them in the layer’s own coin, and rev.total in dollars.',
      misleads:
        'Excludes application fees. Layers with very low gas prices can be busier than their fees suggest.',
      direction: 'neither',
    }),
    ...published({
      ...shared,
      id: 'revenue.chain',
      name: 'Revenue of the chain',
      definition:
        'Part of the fees for transactions of the UTC day, in US dollars, that the layer keeps or burns.',
      why: 'What a layer earns from block space after paying its block producers.',
      how: 'From DefiLlama by chain: burned fees and the treasury share, less parent chain costs on rollups.',
      misleads:
        'Validator subsidies are not deducted, so a layer can earn and still pay out more in new coins.',
    }),
    ...published({
      ...shared,
      id: 'revenue.apps',
      name: 'Revenue of applications',
      definition: 'Part of users’ fees of the UTC day, in US dollars, that applications on the layer keep.',
      why: 'Whether applications on the layer earn revenue, separate from the chain’s own.',
      how: 'Revenue of protocols on the layer as DefiLlama gives it, summed; stablecoin issuers and liquid staking are left out.',
      misleads:
        'What an application pays to lenders or liquidity providers is no revenue; adapters differ in where they draw that line.',
    }),
    ...published({
      ...shared,
      id: 'revenue.apps',
      name: 'Revenue of the application',
      entityKind: 'protocol',
      entities: slugsWhere(
        protocols,
        ({ slug, ids, layers: on }) =>
          // Of exchanges that are read on the chain, and of lenders whose contracts answer, it stands beside our own.
          ids.defillama !== undefined &&
          on.length === 1 &&
          !stacksApps.some(
            ({ protocol, exchange, events }) =>
              protocol === slug && (exchange !== undefined || events.some(({ table }) => table === 'lend')),
          ),
      ),
      sources: ['defillama.fees'],
      definition: 'Part of users’ fees of the UTC day, in US dollars, that the application keeps.',
      why: 'Whether the application can live from what it does.',
      how: 'As counted by DefiLlama’s adapter, summed over versions. For lenders, the reserve’s share of interest. For liquid staking, the commission on rewards and instant-withdrawal fees.',
      misleads: 'Token rewards paid out are not deducted. Applications without a fee adapter have no figure.',
    }),
    ...published({
      ...shared,
      id: 'revenue.holders',
      name: 'Passed to holders',
      definition:
        'Part of the revenue of the UTC day, in US dollars, that went to holders of the tokens of the layer’s applications.',
      why: 'Return to token holders, other than price.',
      how: 'Burns, buy-backs and pay-outs to holders as DefiLlama gives them, summed over protocols.',
      misleads: 'Excludes rewards in newly minted tokens. Buybacks benefit only sellers.',
    }),
  ]
}
