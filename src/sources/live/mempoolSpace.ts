import { z } from 'zod'
import type { EntityFigure, LiveSource } from '../live.ts'
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
  latest: z.object({
    /** Of which moment the figures are. */
    added: z.iso.datetime(),
    channel_count: Count,
    node_count: Count,
    total_capacity: Count,
  }),
})

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
    const { latest } = shaped(Lightning, json, 'Lightning of mempool.space')
    const figure = (metric: string, amount: number): EntityFigure => ({
      metric,
      entity: 'bitcoin',
      day: latest.added.slice(0, 10),
      amount: BigInt(amount),
    })
    return {
      observations: [
        figure('lightning.capacity', latest.total_capacity),
        figure('lightning.channels', latest.channel_count),
        figure('lightning.nodes', latest.node_count),
      ],
      prices: [],
    }
  },
}

const Size = z.object({ count: Count, vsize: Count })
const Rate = z.number().nonnegative()
const Fees = z.object({
  fastestFee: Rate,
  halfHourFee: Rate,
  hourFee: Rate,
  economyFee: Rate,
  minimumFee: Rate,
})
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
      const fees = shaped(Fees, json, 'Fee rates of mempool.space')
      const observations = LADDER.map(([key, field]) => ({
        ...of,
        metric: 'mempool.fee_ladder',
        key,
        value: fees[field],
      }))
      return { observations, prices: [] }
    }
    const { count, vsize } = shaped(Size, json, 'Mempool of mempool.space')
    return {
      observations: [
        { ...of, metric: 'mempool.count', amount: BigInt(count) },
        { ...of, metric: 'mempool.vbytes', amount: BigInt(vsize) },
      ],
      prices: [],
    }
  },
}
