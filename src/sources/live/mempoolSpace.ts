import { z } from 'zod'
import type { EntityFigure, LiveSource, SourceAnswer } from '../live.ts'
import { createParts, type Parts, pathOf } from '../parts.ts'
import { shaped } from '../shaped.ts'
import { dayOf } from './days.ts'
import { Count } from './shapes.ts'

const publisher = {
  url: 'https://mempool.space/docs/api/rest',
  licence: 'none stated',
  rank: 10,
  requestsPerMinute: 10,
} as const

const Lightning = z.object({
  /** `added`: of which moment the figures are. */
  latest: z.looseObject({ added: z.iso.datetime() }),
})
const LIGHTNING = [
  ['lightning.capacity', 'total_capacity'],
  ['lightning.channels', 'channel_count'],
  ['lightning.nodes', 'node_count'],
] as const

/** Public channels and nodes of Lightning. */
export const mempoolSpaceLightning: LiveSource = {
  ...publisher,
  id: 'mempool.space.lightning.live',
  name: 'mempool.space: Lightning',
  cadenceSeconds: 3600,
  about:
    'Announced channels, their capacity and nodes, as the gossip of its own nodes has them, on the day that it names.',
  requests: () => [{ about: 'lightning', url: 'https://mempool.space/api/v1/lightning/statistics/latest' }],
  read: (_, json) => {
    const what = 'Lightning of mempool.space'
    const { latest } = shaped(Lightning, json, what)
    const of = { entity: 'bitcoin', day: latest.added.slice(0, 10) }
    return countsOf(createParts(what), latest, LIGHTNING, of, 'latest')
  },
}

/** Fields that are whole numbers, as figures. */
function countsOf(
  parts: Parts,
  fields: Readonly<Record<string, unknown>>,
  metrics: readonly (readonly [metric: string, field: string])[],
  of: Pick<EntityFigure, 'entity' | 'day'>,
  at = '',
): SourceAnswer {
  const observations = metrics.flatMap(([metric, field]): EntityFigure[] => {
    const count = parts.read(Count, fields[field], pathOf(at, field))
    return count === undefined ? [] : [{ ...of, metric, amount: BigInt(count) }]
  })
  return parts.answer({ observations, prices: [] })
}

const Fields = z.looseObject({})
const Rate = z.number().nonnegative()
const SIZE = [
  ['mempool.count', 'count'],
  ['mempool.vbytes', 'vsize'],
] as const
const LADDER = [
  ['fastest', 'fastestFee'],
  ['half_hour', 'halfHourFee'],
  ['hour', 'hourFee'],
  ['economy', 'economyFee'],
  ['minimum', 'minimumFee'],
] as const

/** Size of the mempool and recommended fee rates, as of now. */
export const mempoolSpaceMempool: LiveSource = {
  ...publisher,
  id: 'mempool.space.mempool.live',
  name: 'mempool.space: mempool',
  cadenceSeconds: 300,
  about:
    'Transactions and virtual bytes that wait at its nodes, and the fee rates that it recommends, at the moment of the answer; a day shows its last one.',
  requests: () => [
    { about: 'size', url: 'https://mempool.space/api/mempool' },
    { about: 'fees', url: 'https://mempool.space/api/v1/fees/recommended' },
  ],
  read: ({ about }, json, { seenAt }) => {
    const of = { entity: 'bitcoin', day: dayOf(seenAt) }
    if (about === 'fees') {
      const what = 'Fee rates of mempool.space'
      const fees = shaped(Fields, json, what)
      const parts = createParts(what)
      const observations = LADDER.flatMap(([key, field]): EntityFigure[] => {
        const value = parts.read(Rate, fees[field], field)
        return value === undefined ? [] : [{ ...of, metric: 'mempool.fee_ladder', key, value }]
      })
      return parts.answer({ observations, prices: [] })
    }
    const what = 'Mempool of mempool.space'
    return countsOf(createParts(what), shaped(Fields, json, what), SIZE, of)
  },
}
