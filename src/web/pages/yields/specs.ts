import type { CalculatorSpec } from '../../blocks/calculator/calculatorSpec.ts'
import type { ShownScatter } from '../../blocks/chart/chartSpec.ts'
import type { FigurePage } from '../chain/loadFigures.server.ts'

/** Whose figures the strip shows. */
export const ENTITY = 'bitcoin'
export const PATH = '/analyze/bitcoin-yield'

/** Tables below, in their order. */
export const TABLES = ['opportunities', 'hidden', 'listed', 'ranges', 'exits', 'bitcoins'] as const

/** Most that are drawn side by side. */
export const MOST_CHOSEN = 4

export type Named = { readonly id: string; readonly name: string }

/** Figures of `/analyze/bitcoin-yield`, of the ways that a reader chose. */
export function yields(chosen: readonly Named[]): FigurePage {
  const [first] = chosen
  const ofChosen = (metric: string, keys?: readonly string[]) =>
    chosen.map(({ id, name }) => ({
      metric,
      entity: id,
      label: name,
      ...(keys && { keys, labels: { [keys[0] ?? '']: name } }),
    }))
  return {
    question: 'What can a bitcoin earn, in bitcoin, and what do you take on?',
    kpis: [
      { metric: 'yield.best_90d', label: 'Best 90-day return (TVL > $1M)' },
      { metric: 'yield.median_90d', label: 'Median (TVL > $1M)' },
      { metric: 'yield.tvl', label: 'TVL tracked' },
      { metric: 'pox.yield', entity: 'stacks', label: 'STX stacking yield' },
      { metric: 'pox.yield', entity: 'fast-pool', label: 'Fast Pool APR' },
    ],
    charts: [
      {
        id: 'earned',
        title: '90-day return in bitcoin',
        kind: 'line',
        wide: true,
        lines: ofChosen('yield.btc_realised', ['90 days']),
        note: 'For the opportunities selected above. Each day shows the return of the previous 90 days, not annualized. A line starts once nine tenths of its first 90 days have data.',
      },
      {
        id: 'promised',
        title: 'Reported yield, 30-day mean',
        kind: 'line',
        lines: ofChosen('yield.mean_30d'),
        note: 'Annual rate, base plus reward, as reported.',
      },
      ...(first === undefined
        ? []
        : [
            {
              id: 'parts',
              title: `Base and reward: ${first.name}`,
              kind: 'stacked' as const,
              lines: [
                { metric: 'yield.apy_base', entity: first.id, label: 'base' },
                { metric: 'yield.apy_reward', entity: first.id, label: 'reward' },
              ],
              note: 'Days with 0 for both in the list are gaps, because it also reports 0 for unknown rates.',
            },
          ]),
      {
        id: 'covered',
        title: 'TVL tracked over time',
        kind: 'area',
        lines: [{ metric: 'yield.tvl', label: 'all opportunities with data' }],
        note: 'Growth is partly growth of the list.',
      },
    ],
  }
}

/** Earned against risk, of all ways of which both are told. */
export const scatterSpec: ShownScatter = {
  id: 'risk',
  title: 'Return vs. risk',
  kind: 'scatter',
  wide: true,
  isFixed: true,
  axes: { x: 'Risk, points of ten', y: '90-day return', size: 'TVL' },
  note: 'Each on its latest day with data. Points are from yield.risk. Unrecorded items count as the worst, and points are not probabilities.',
}

/** What was seen of a way over 90 days, as ratios. */
export type Seen = {
  readonly name: string
  readonly low: number
  readonly mid: number
  readonly high: number
}

const percent = (ratio: number): number => Number((ratio * 100).toPrecision(4))

/** Amount, horizon and fees to bitcoin at the end, by the least, the median and the most that was seen in 90 days. */
export function netCalculator(seen: Seen | undefined): CalculatorSpec {
  const { name, low, mid, high } = seen ?? { name: '', low: 0, mid: 0, high: 0 }
  const growth = (key: string, label: string, first: number) => ({
    key,
    label,
    unit: '% in 90 days',
    first: percent(first),
    least: -100,
    most: 1000,
  })
  const net = (key: string) =>
    `amount * (1 - feeIn / 100) * (1 + ${key} / 100 * days / 90) * (1 - feeOut / 100)`
  const gain = (key: string) => `(${net(key)} - amount) * 100000000`
  return {
    id: 'net',
    title: 'Net return',
    note: `${seen === undefined ? 'No returns yet. Enter the return you expect. ' : `Growth starts from the returns of ${name} over any 90 days. `}It is extended in a straight line over your days, without compounding, discounts of wrapped bitcoins, loss of principal or taxes. Past returns are not a promise.`,
    inputs: [
      { key: 'amount', label: 'Amount', unit: 'BTC', first: 1, least: 0, most: 21_000_000 },
      { key: 'days', label: 'Horizon', unit: 'days', first: 90, least: 1, most: 3650 },
      { key: 'feeIn', label: 'Fees in', unit: '%', first: 0.1, least: 0, most: 100 },
      { key: 'feeOut', label: 'Fees out', unit: '%', first: 0.1, least: 0, most: 100 },
      growth('low', 'Minimum', low),
      growth('mid', 'Median', mid),
      growth('high', 'Maximum', high),
    ],
    results: [
      { label: 'Left, at the median', unit: 'BTC', formula: net('mid') },
      { label: 'Gained or lost, at the median', unit: 'sat', formula: gain('mid') },
      { label: 'Gained or lost, at the minimum', unit: 'sat', formula: gain('low') },
      { label: 'Gained or lost, at the maximum', unit: 'sat', formula: gain('high') },
    ],
  }
}
