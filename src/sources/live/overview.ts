import { z } from 'zod'
import type { Parts } from '../parts.ts'
import { dayOf, isOver } from './days.ts'
import { Seconds } from './shapes.ts'

/** What DefiLlama answers of volumes on a chain, with both charts. */
export const Overview = z.object({
  totalDataChart: z.array(z.unknown()),
  totalDataChartBreakdown: z.array(z.unknown()),
})

/** A protocol's day may be a loss: adapters of DefiLlama may say so (`allowNegativeValue`). */
export const Result = z.number()

/** The same of fees, with what each part of the breakdown is. */
export const FeesOverview = Overview.extend({ protocols: z.array(z.unknown()) })

const Total = z.tuple([Seconds, z.unknown()])
const Breakdown = z.tuple([Seconds, z.record(z.string(), z.unknown())])

/** The totals of days that are over and fit; `value` is `Usd` or `Result`. */
export const totalsOver = (
  parts: Parts,
  { totalDataChart }: z.infer<typeof Overview>,
  value: z.ZodType<number>,
  seenAt: number,
): { readonly day: string; readonly value: number }[] =>
  parts.entries(Total, totalDataChart, 'totalDataChart').flatMap(({ entry: [seconds, json], at }) => {
    const day = dayOf(seconds)
    const total = parts.read(value, json, `${at}.1`)
    return total === undefined || !isOver(day, seenAt) ? [] : [{ day, value: total }]
  })

/** The values by name of days that are over; undefined for one that was refused. */
export const breakdownsOver = (
  parts: Parts,
  { totalDataChartBreakdown }: z.infer<typeof Overview>,
  value: z.ZodType<number>,
  seenAt: number,
): { readonly day: string; readonly byName: readonly (readonly [string, number | undefined])[] }[] =>
  parts
    .entries(Breakdown, totalDataChartBreakdown, 'totalDataChartBreakdown')
    .flatMap(({ entry: [seconds, values], at }) => {
      const day = dayOf(seconds)
      const byName = Object.entries(values).map(
        ([name, json]) => [name, parts.read(value, json, `${at}.1.${name}`)] as const,
      )
      return isOver(day, seenAt) ? [{ day, byName }] : []
    })

/** Asks for both charts. */
export const WITH_CHARTS = 'excludeTotalDataChart=false&excludeTotalDataChartBreakdown=false'
