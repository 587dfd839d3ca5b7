import { readFileSync } from 'node:fs'
import type { Metrics } from '../createMetrics.ts'
import type { Standing } from '../standing.ts'

const PAGE = new URL('../../../docs/published-figures.md', import.meta.url)
/** Digits of a ratio of two floats that say nothing. */
const EXACT = 1e-12

/** A row of the page: a figure of ours, the days that it is summed over, and both numbers as they are written. */
export type PublishedFigure = {
  readonly name: string
  readonly id: string
  readonly entity: string
  /** A part of a breakdown, `*` for the sum of all, '' for a figure without one. */
  readonly key: string
  readonly isUsd: boolean
  readonly from: string
  readonly to: string
  readonly theirs: string
  readonly ours: string
  readonly apart: string
  readonly why: string
}

/** Subjects of metrics (what stands before the point of an id) by the page of Analyze that shows them. */
const ANALYZE_SUBJECTS = {
  '/analyze/bitcoin-treasuries': ['btc', 'mnav', 'etf'],
  '/analyze/bitcoin-yield': ['yield'],
  '/analyze/bitcoin-defi-indices': ['index'],
  '/developer-activity': ['dev'],
} as const
export type AnalyzePage = keyof typeof ANALYZE_SUBJECTS
export const ANALYZE_PAGES = Object.keys(ANALYZE_SUBJECTS) as readonly AnalyzePage[]

/** The page of Analyze that a row belongs to; undefined for rows of other pages. */
export const analyzePageOf = ({ id }: Pick<PublishedFigure, 'id'>): AnalyzePage | undefined =>
  ANALYZE_PAGES.find(page => (ANALYZE_SUBJECTS[page] as readonly string[]).includes(id.split('.')[0] ?? ''))

/** The rows of `docs/published-figures.md`. */
export function publishedFigures(): PublishedFigure[] {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter(line => line.startsWith('| `'))
  return rows.map(line => {
    const [figure = '', days = '', , theirs = '', ours = '', apart = '', why = ''] = line
      .slice(2, -2)
      .split(' | ')
      .map(cell => cell.trim())
    const name = figure.replaceAll('`', '')
    const [, id = '', entity = '', key = '', usd] =
      /^([^@]+)@([a-z0-9-]+)(?::(\S+))?( in USD)?$/.exec(name) ?? []
    const [from = '', to = from] = days.split(' to ')
    return { name, id, entity, key, isUsd: usd !== undefined, from, to, theirs, ours, apart, why }
  })
}

const numberOf = (text: string): number => Number(text.replaceAll(',', ''))

/** Both numbers of a row as the program has them now, written as the page writes them. */
export async function recomputed(
  metrics: Pick<Metrics, 'series'>,
  standing: Standing,
  { id, entity, key, isUsd, from, to, theirs }: PublishedFigure,
): Promise<{ ours: string; apart: string }> {
  const query = { id, entity, from, to, unit: isUsd ? 'usd' : 'native', figuresOnly: true } as const
  const { points } = await metrics.series(query, undefined, standing)
  const values = points
    .filter(point => key === '*' || point.key === key)
    .flatMap(({ value }) => (value === null ? [] : [Number(value)]))
  const value = values.reduce((sum, one) => sum + one, 0)
  const ratio = value / numberOf(theirs) - 1
  const percent = (ratio * 100).toFixed(2).replace('-', '−')
  const digits = Math.abs(value) < 1000 ? 8 : 2
  return {
    ours:
      values.length === 0 ? 'no figure' : value.toLocaleString('en-US', { maximumFractionDigits: digits }),
    apart:
      Math.abs(ratio) <= EXACT
        ? '0'
        : /^−?0\.00$/.test(percent)
          ? 'below 0.01 %'
          : `${ratio > 0 ? '+' : ''}${percent} %`,
  }
}
