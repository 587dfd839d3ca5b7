import type { Range } from './contract.ts'

const DAYS: Readonly<Record<Exclude<Range, 'max'>, number>> = { '7d': 7, '30d': 30, '90d': 90, '1y': 365 }
const DAY_MS = 86_400_000

/** First day of the span of that length which ends with `lastDay`, both inclusive. */
export const spanOf = (range: Exclude<Range, 'max'>, lastDay: string): string =>
  new Date(Date.parse(`${lastDay}T00:00:00Z`) - (DAYS[range] - 1) * DAY_MS).toISOString().slice(0, 10)
