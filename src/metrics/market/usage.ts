import type { Catalog } from '#catalog/index.ts'
import { figuresSql } from '../figuresSql.ts'
import { SENDER_PUBLISHERS, TX_PUBLISHERS } from '../layers/usage.ts'
import { type Metric, metric } from '../metric.ts'
import { published, REFERENCES, slugsWhere } from './published.ts'

/** How much layers are used of which no blocks are read here, by those who count them. */
export function usageMetrics({ layers, evm }: Catalog): Metric[] {
  // Layers whose blocks this server can hold have these figures from them.
  const haveRows = new Set(['stacks', ...evm.map(({ id }) => id)])
  const others = layers.filter(({ slug }) => !haveRows.has(slug))
  const counted = slugsWhere(
    others,
    ({ ids }) => ids.l2beat !== undefined || ids.growthepie !== undefined || ids.blockscout !== undefined,
  )
  const sent = slugsWhere(others, ({ ids }) => ids.growthepie !== undefined)
  return [
    ...published({
      id: 'tx.count',
      name: 'Transactions',
      unit: 'tx',
      type: 'Int64',
      entityKind: 'layer',
      entities: counted,
      definition: 'Transactions on the layer on the UTC day, as a publisher counts them.',
      why: 'How much the layer is used.',
      how: 'L2BEAT first, then growthepie, then the layer’s own explorer. The others are shown for comparison.',
      misleads:
        'Publishers differ in whether what the chain itself puts into each block counts; bots send without end.',
      sources: TX_PUBLISHERS,
      aggregate: 'sum',
      since: { day: '2020-01-01' },
      direction: 'up',
      references: [REFERENCES.l2beatActivity, REFERENCES.growthepie, REFERENCES.blockscout],
    }),
    ...(sent.length === 0
      ? []
      : [
          metric({
            id: 'addresses.senders',
            name: 'Senders',
            unit: 'addresses',
            entityKind: 'layer',
            entities: sent,
            definition:
              'Distinct addresses that sent a transaction on the layer on the UTC day, as a publisher counts them.',
            why: 'How many take part.',
            how: 'As growthepie counts them. Weeks and months are not published and never follow from days.',
            misleads:
              'One person may have many addresses; a relayer or bundler is one address for many people.',
            ...figuresSql({
              metric: 'addresses.senders',
              type: 'Int64',
              outside: SENDER_PUBLISHERS,
              isOutsideOfDays: true,
            }),
            sources: SENDER_PUBLISHERS,
            cadence: 'day',
            calendar: 'reported',
            aggregate: 'distinct',
            since: { day: '2020-01-01' },
            direction: 'up',
            references: [REFERENCES.growthepie],
          }),
        ]),
  ]
}
