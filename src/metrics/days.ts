import { MetricsError } from './errors.ts'
import type { DayGrain } from './metric.ts'

const DAY_MS = 86_400_000

const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)
export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
export const addDays = (day: string, count: number): string => dayOf(msOf(day) + count * DAY_MS)

/** The UTC day that `text` names. Throws `metrics.<parameter>`. */
export function parseDay(text: string, parameter: 'from' | 'to'): string {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? msOf(text) : Number.NaN
  if (!Number.isNaN(ms) && dayOf(ms) === text && text >= '1970-01-01' && text <= '2149-06-06') return text
  throw new MetricsError(`metrics.${parameter}`, `${parameter} is ${JSON.stringify(text)}, which is no day`, {
    facts: { parameter, value: text },
    hint: 'Write it as YYYY-MM-DD, between 1970-01-01 and 2149-06-06.',
  })
}

/** First day of the bucket that holds a day; weeks begin on Monday. */
export function bucketStart(day: string, grain: DayGrain): string {
  if (grain === 'day') return day
  if (grain === 'month') return `${day.slice(0, 8)}01`
  return addDays(day, -((new Date(msOf(day)).getUTCDay() + 6) % 7))
}

/** First day of the bucket after the one that begins on `start`. */
export function nextBucket(start: string, grain: DayGrain): string {
  if (grain === 'day') return addDays(start, 1)
  if (grain === 'week') return addDays(start, 7)
  const [year, month] = start.split('-').map(Number) as [number, number]
  return dayOf(Date.UTC(year, month, 1))
}
