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
      { metric: 'yield.best_90d', label: 'Most earned in 90 days, from $1M' },
      { metric: 'yield.median_90d', label: 'Median of those' },
      { metric: 'yield.tvl', label: 'TVL tracked' },
      { metric: 'pox.yield', entity: 'stacks', label: 'Yield of stacking STX' },
      { metric: 'pox.yield', entity: 'fast-pool', label: 'By one pool, as recorded' },
    ],
    charts: [
      {
        id: 'earned',
        title: 'Earned in bitcoin over 90 days',
        kind: 'line',
        wide: true,
        lines: ofChosen('yield.btc_realised', ['90 days']),
        note: 'For the opportunities selected above. Each day shows the return of the previous 90 days, not annualized. A line starts once nine tenths of its first 90 days have data.',
      },
      {
        id: 'promised',
        title: 'As promised, 30-day mean',
        kind: 'line',
        lines: ofChosen('yield.mean_30d'),
        note: 'A year, base and reward together, as printed.',
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
              note: 'Days on which the list prints 0 for both are gaps: it prints 0 for what it does not know.',
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
  title: 'Earned against what is taken on',
  kind: 'scatter',
  wide: true,
  isFixed: true,
  axes: { x: 'Risk, points of ten', y: 'Earned in 90 days', size: 'Value in it' },
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
    title: 'What would be left?',
    note: `${seen === undefined ? 'No returns yet. Enter the return you expect. ' : `Growth starts from what was seen of ${name} over any 90 days. `}It is drawn out in a straight line over your days: no compounding, no price of a wrapped bitcoin below bitcoin, no loss of principal, no taxes. What was seen is no promise.`,
    inputs: [
      { key: 'amount', label: 'Amount', unit: 'BTC', first: 1, least: 0, most: 21_000_000 },
      { key: 'days', label: 'Horizon', unit: 'days', first: 90, least: 1, most: 3650 },
      { key: 'feeIn', label: 'Fees in', unit: '%', first: 0.1, least: 0, most: 100 },
      { key: 'feeOut', label: 'Fees out', unit: '%', first: 0.1, least: 0, most: 100 },
      growth('low', 'Least seen', low),
      growth('mid', 'Median seen', mid),
      growth('high', 'Most seen', high),
    ],
    results: [
      { label: 'Left, at the median', unit: 'BTC', formula: net('mid') },
      { label: 'Gained or lost, at the median', unit: 'sat', formula: gain('mid') },
      { label: 'At the least seen', unit: 'sat', formula: gain('low') },
      { label: 'At the most seen', unit: 'sat', formula: gain('high') },
    ],
  }
}
