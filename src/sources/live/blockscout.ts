import { z } from 'zod'
import type { LiveSource } from '../live.ts'
import { createParts } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { isOver } from './days.ts'
import { requestsByLayer } from './layerIds.ts'
import { Count } from './shapes.ts'

/** Instances name the count by their version, newest first; a day that is not counted yet is null. */
const NAMES = ['transactions_count', 'transaction_count', 'tx_count'] as const

const Chart = z.object({ chart_data: z.array(z.unknown()) })
const Point = z.object({
  date: z.iso.date(),
  transactions_count: z.unknown().optional(),
  transaction_count: z.unknown().optional(),
  tx_count: z.unknown().optional(),
})

/** Transactions by day, as the explorer of a layer counts them. */
export const blockscoutStats: LiveSource = {
  id: 'blockscout.stats',
  name: 'Blockscout: transactions by day',
  url: 'https://www.blockscout.com',
  licence: 'public chain data',
  rank: 14,
  cadenceSeconds: 21_600,
  requestsPerMinute: 30,
  about:
    'Transactions by UTC day of the last 30 full days, as the layer’s Blockscout explorer has indexed them. Explorers that lag correct their figures later.',
  requests: requestsByLayer(
    'blockscout',
    base => `${base.replace(/\/$/, '')}/api/v2/stats/charts/transactions`,
  ),
  read: ({ about: layer }, json, { seenAt }) => {
    const what = `Transactions of ${layer}`
    const parts = createParts(what)
    const observations = parts
      .entries(Point, shaped(Chart, json, what).chart_data, 'chart_data')
      .flatMap(({ entry: { date, ...counts }, at }) => {
        const name = NAMES.find(known => counts[known] !== undefined) ?? NAMES[0]
        const count = parts.read(Count.nullable(), counts[name], `${at}.${name}`) ?? null
        return count === null ? [] : [{ metric: 'tx.count', entity: layer, day: date, amount: BigInt(count) }]
      })
      .filter(({ day }) => isOver(day, seenAt))
    return parts.answer({ observations, prices: [] })
  },
}
