import type { CalculatorSpec } from '../../../blocks/calculator/calculatorSpec.ts'
import type { ChartSpec } from '../../../blocks/chart/chartSpec.ts'

const PANELS = ['blocks', 'decoded', 'halving', 'epoch', 'pools', 'layers', 'lightning'] as const
export type Panel = (typeof PANELS)[number]

export type Tab = {
  key: string
  label: string
  question: string
  kpis: readonly { metric: string; label: string; entity?: string }[]
  charts: readonly ChartSpec[]
  panels: readonly Panel[]
  calculators?: readonly CalculatorSpec[]
}

export const PERCENTILES = { p10: '10 %', p25: '25 %', p50: 'median', p75: '75 %', p90: '90 %' }
export const PERCENTILE_KEYS = ['p10', 'p25', 'p50', 'p75', 'p90']

export const AGES = {
  '<1d': 'under a day',
  '1d-1w': 'a day to a week',
  '1w-1m': 'a week to a month',
  '1m-3m': '1 to 3 months',
  '3m-6m': '3 to 6 months',
  '6m-12m': '6 to 12 months',
  '1y-2y': '1 to 2 years',
  '2y-3y': '2 to 3 years',
  '3y-5y': '3 to 5 years',
  '5y-7y': '5 to 7 years',
  '7y-10y': '7 to 10 years',
  '>10y': 'over 10 years',
}
