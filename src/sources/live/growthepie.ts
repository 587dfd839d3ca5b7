import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { shaped } from '../shaped.ts'
import { isOver } from './days.ts'
import { slugsBy } from './layerIds.ts'
import { Count } from './shapes.ts'

const Rows = z.array(
  z.object({
    metric_key: z.string().min(1),
    origin_key: z.string().min(1),
    date: z.iso.date(),
    value: z.unknown(),
  }),
)

const METRICS: Readonly<Record<string, string>> = { txcount: 'tx.count', daa: 'addresses.senders' }

/** Daily transactions and senders of the layers that growthepie follows. */
export const growthepieMetrics: LiveSource = {
  id: 'growthepie.metrics',
  name: 'growthepie: fundamentals',
  url: 'https://www.growthepie.com/fundamentals',
  licence: 'none stated',
  rank: 12,
  cadenceSeconds: 21_600,
  requestsPerMinute: 10,
  about:
    'Transactions and distinct senders by UTC day, the last 90 days. It follows layers of Ethereum: few of the layers here are among them.',
  requests: catalog =>
    slugsBy('growthepie', catalog).size === 0
      ? []
      : [{ about: 'fundamentals', url: 'https://api.growthepie.com/v1/fundamentals.json' }],
  read: (_, json, { catalog, seenAt }) => {
    const what = 'Fundamentals of growthepie'
    const layers = slugsBy('growthepie', catalog)
    const observations: EntityFigure[] = []
    for (const [i, { metric_key, origin_key, date, value }] of shaped(Rows, json, what).entries()) {
      const metric = METRICS[metric_key]
      const entity = layers.get(origin_key.toLowerCase())
      if (metric === undefined || entity === undefined || !isOver(date, seenAt)) continue
      const amount = BigInt(shaped(Count, value, what, `${i}.value`))
      observations.push({ metric, entity, day: date, amount })
    }
    return { observations, prices: [] }
  },
}
