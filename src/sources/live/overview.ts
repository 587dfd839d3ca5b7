import { z } from 'zod'
import { dayOf, isOver } from './days.ts'
import { Point, Seconds, Usd } from './shapes.ts'

/** What DefiLlama answers of volumes on a chain, with both charts. */
export const Overview = z.object({
  totalDataChart: z.array(Point),
  totalDataChartBreakdown: z.array(z.tuple([Seconds, z.record(z.string(), Usd)])),
})

/** A protocol's day may be a loss: adapters of DefiLlama may say so (`allowNegativeValue`). */
const Result = z.number()

/** The same of fees, with what each part of the breakdown is. */
export const FeesOverview = z.object({
  totalDataChart: z.array(z.tuple([Seconds, Result])),
  totalDataChartBreakdown: z.array(z.tuple([Seconds, z.record(z.string(), Result)])),
  protocols: z.array(
    z.object({
      name: z.string().min(1),
      displayName: z.string().nullish(),
      category: z.string().min(1).nullable(),
      protocolType: z.string().nullish(),
    }),
  ),
})

/** Points of days that are over. */
export const daysOver = <Value>(points: readonly (readonly [number, Value])[], seenAt: number) =>
  points.map(([at, value]) => ({ day: dayOf(at), value })).filter(({ day }) => isOver(day, seenAt))

/** Asks for both charts. */
export const WITH_CHARTS = 'excludeTotalDataChart=false&excludeTotalDataChartBreakdown=false'
