import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { isOver } from './days.ts'
import { slugsBy } from './layerIds.ts'
import { Count } from './shapes.ts'

const Row = z.object({
  metric_key: z.string().min(1),
  origin_key: z.string().min(1),
  date: z.iso.date(),
  value: z.unknown(),
})

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
    const parts = createParts(what)
    for (const { entry, at } of parts.entries(Row, shaped(z.array(z.unknown()), json, what))) {
      const { metric_key, origin_key, date, value } = entry
      const metric = METRICS[metric_key]
      const entity = layers.get(origin_key.toLowerCase())
      if (metric === undefined || entity === undefined || !isOver(date, seenAt)) continue
      const count = parts.read(Count, value, `${at}.value`)
      if (count !== undefined) observations.push({ metric, entity, day: date, amount: BigInt(count) })
    }
    return parts.answer({ observations, prices: [] })
  },
}
