import type { Catalog } from '#catalog/index.ts'
import { type Metric, SUM_OF_KEYS } from '../metric.ts'
import { published, REFERENCES, slugsWhere } from './published.ts'

/** Bitcoin, and tokens that stand for it, on a layer, as Bitcoin Layers counts it. */
export function bitcoinHeldMetrics({ layers }: Catalog): Metric[] {
  const shared = {
    unit: 'sat',
    type: 'Int64',
    entityKind: 'layer',
    entities: slugsWhere(
      layers,
      ({ ids, assessments }) =>
        ids.bitcoinLayers !== undefined || assessments.some(({ by }) => by === 'Bitcoin Layers'),
    ),
    sources: ['bitcoinlayers.supplies', 'bitcoinlayers.supplies.recorded'],
    since: { day: '2024-10-22' },
    references: [REFERENCES.bitcoinLayers],
  } as const
  return [
    ...published({
      ...shared,
      id: 'btc.bridged',
      name: 'Bitcoin on the layer',
      definition:
        'Satoshis of bitcoin, and of tokens that stand for it, on the layer at the end of the UTC day.',
      why: 'What people trust the layer with, in bitcoin: it does not move with the price.',
      how: 'Supply of each bitcoin token on the layer as Bitcoin Layers reads it from the layer’s contracts, summed.',
      misleads:
        'A wrapper of a wrapper may count twice: btc.unique takes that off. Tokens of custodians and of the layer’s own bridge stand side by side and are not equally safe.',
      direction: 'up',
    }),
    ...published({
      ...shared,
      id: 'btc.by_token',
      name: 'Bitcoin on the layer by token',
      breakdown: { name: 'token', values: [] },
      headline: SUM_OF_KEYS,
      definition: 'Satoshis of each token that stands for bitcoin on the layer at the end of the UTC day.',
      why: 'Whose keys hold the bitcoin behind what is called bitcoin there.',
      how: 'Supply on the layer by token as Bitcoin Layers reads it from the layer’s contracts.',
      misleads:
        'A token counts one for one, whatever it trades at and whoever holds its bitcoin: read its grade beside it.',
      direction: 'neither',
    }),
  ]
}
