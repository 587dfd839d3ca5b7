import type { SignalDetail, SignalRecordView, SignalSummary } from '#http/contract.ts'
import { dayNumber, dayText } from '../../format/day.ts'
import { figureText, significant } from '../../format/figure.ts'

/** What signals are called and how their records read, in one place. */

export const PATH = '/analyze/alpha21'
/** Figures of a signal whose record a card tells: the middle horizon. */
export const CARD_HORIZON = 30

export const FAMILY_WORDS: Readonly<Record<SignalSummary['family'], { title: string; about: string }>> = {
  trend: { title: 'Trend', about: 'Whether the price trend continues.' },
  extremes: { title: 'Extremes of price', about: 'Whether it has gone too far.' },
  miners: { title: 'Miners', about: 'Who must sell coins, and who no longer must.' },
  use: { title: 'Use of the chain', about: 'Whether more is done with it than a year ago.' },
  flows: { title: 'Flows', about: 'Where money goes in and out.' },
  valuation: { title: 'Valuation by the chain', about: 'What holders paid, against what the market pays.' },
}

export const STATE_WORDS = { bullish: 'Bullish', bearish: 'Bearish', neutral: 'Neutral' } as const
export const STATE_MARKS = { bullish: '▲', bearish: '▼', neutral: '■' } as const

export const VERDICT_WORDS: Readonly<Record<SignalSummary['verdict'], string>> = {
  'no-history': 'not enough history',
  'few-events': 'too few events',
  unproved: 'no proof of edge',
  'in-sample': 'better than chance in sample alone',
  held: 'better than chance in and out of sample',
  'not-held': 'better than chance in sample, not since',
}

const share = (value: number | null): string => figureText(value, 'ratio').text
const percentPoints = (value: number): string => String(Math.round(value * 100))

/** `7 independent events, hit 57 %, 95 % 25–84 %`. */
export function recordText(record: SignalRecordView | undefined): string {
  if (record === undefined || record.events === 0) return 'No events yet'
  const { events, hitRate, hitLow, hitHigh } = record
  return `${events} independent ${events === 1 ? 'event' : 'events'}, hit ${percentPoints(hitRate ?? 0)} %, 95 % ${percentPoints(hitLow ?? 0)}–${percentPoints(hitHigh ?? 0)} %`
}

/** Wilson’s interval of a hit rate: `36–66 %`. */
export const intervalText = ({ hitLow, hitHigh }: Pick<SignalRecordView, 'hitLow' | 'hitHigh'>): string =>
  hitLow === null || hitHigh === null ? '–' : `${percentPoints(hitLow)}–${percentPoints(hitHigh)} %`

export const recordAt = (records: readonly SignalRecordView[], horizon = CARD_HORIZON) =>
  records.find(record => record.horizon === horizon)

/** How long a state has stood, in days. */
export function sinceText(since: string, day: string): string {
  const days = dayNumber(day) - dayNumber(since) + 1
  return `since ${dayText(since)}, ${days} ${days === 1 ? 'day' : 'days'}`
}

type Rule = SignalDetail['rules'][number]
type Side = Rule['bullish']

const WINDOWS: Readonly<Record<Rule['transform']['kind'], (days: readonly number[]) => string>> = {
  mean: ([n]) => `mean of ${n} ${n === 1 ? 'day' : 'days'}`,
  sum: ([n]) => `sum over ${n} days`,
  multiple: ([s, l]) => `${s === 1 ? 'day' : `mean of ${s} days`} over mean of ${l} days`,
  cross: ([s, l]) => `${s === 1 ? 'day' : `mean of ${s} days`} against mean of ${l} days`,
  change: ([n]) => `change over ${n} days`,
  drawdown: ([n]) => `fall from the highest of ${n} days`,
  volatility: ([n]) => `volatility of ${n} days`,
}

export const transformText = ({ kind, days }: Rule['transform']): string => WINDOWS[kind](days)

export const thresholdText = (value: number | null, unit: string): string =>
  value === null ? 'never' : figureText(value, unit).text

export const sideText = (side: Side, unit: string): string =>
  side === null
    ? 'never'
    : 'above' in side
      ? `above ${figureText(side.above, unit).text}`
      : `below ${figureText(side.below, unit).text}`

/** The two windows or the one of a row of parameters. */
export const daysText = (days: readonly number[]): string => `${days.join(' / ')} d`

/** A p-value as papers write it. */
export const pText = (p: number | null): string =>
  p === null ? '–' : p < 0.001 ? '< 0.001' : significant(p, 2)
export const shareText = share
