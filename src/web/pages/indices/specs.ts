import type { MarketIndex } from '#http/contract.ts'
import type { FigurePage } from '../chain/loadFigures.server.ts'

export const PATH = '/analyze/bitcoin-defi-indices'
export const QUESTION =
  'How would a portfolio of tokens from Bitcoin layers and applications have performed against bitcoin?'
/** The tab of the index builder. */
export const BUILDER = 'builder'

/** Figures of an index, as data. */
export function indexFigures({ id, name, members }: MarketIndex): FigurePage {
  const symbols = Object.fromEntries(members.map(({ token, symbol }) => [token, symbol]))
  return {
    question: QUESTION,
    kpis: [
      { metric: 'index.level', label: 'Level' },
      { metric: 'index.drawdown', label: 'Below its high' },
      { metric: 'index.volatility', label: 'Volatility (90d)' },
      { metric: 'index.sharpe', label: 'Sharpe, 1 year' },
      { metric: 'index.beta', label: 'Beta to bitcoin' },
      { metric: 'index.constituents', label: 'Constituents' },
    ],
    charts: [
      {
        id: 'level',
        title: 'Level against bitcoin, ether and equal weights',
        kind: 'line',
        wide: true,
        lines: [
          { metric: 'index.level', label: name, standsFor: { '': id } },
          {
            metric: 'index.against',
            keys: ['btc', 'eth', 'equal'],
            labels: { btc: 'bitcoin', eth: 'ether', equal: 'equal weights' },
            standsFor: { btc: 'bitcoin' },
          },
        ],
        note: 'All are 1,000 at the close at which the index begins. Choose "indexed" to begin at the left edge. Prices only, without yield.',
      },
      {
        id: 'drawdown',
        title: 'Drawdown',
        kind: 'area',
        lines: [{ metric: 'index.drawdown', label: 'below the highest close' }],
      },
      {
        id: 'costs',
        title: 'Before and after costs of trading',
        kind: 'line',
        lines: [
          { metric: 'index.level', label: 'before' },
          { metric: 'index.level_net', label: 'after' },
        ],
      },
      {
        id: 'correlation',
        title: 'Correlation over 90 days',
        kind: 'line',
        lines: [
          {
            metric: 'index.correlation',
            keys: ['btc', 'eth'],
            labels: { btc: 'with bitcoin', eth: 'with ether' },
            standsFor: { btc: 'bitcoin' },
          },
        ],
      },
      {
        id: 'beta',
        title: 'Beta to bitcoin over 90 days',
        kind: 'line',
        lines: [{ metric: 'index.beta', label: 'beta' }],
        note: 'At one it moves as bitcoin does; above, further.',
      },
      {
        id: 'volatility',
        title: 'Volatility over 90 days, a year',
        kind: 'line',
        lines: [{ metric: 'index.volatility', label: 'volatility' }],
      },
      {
        id: 'weights',
        title: 'What it holds',
        kind: 'stacked',
        lines: [{ metric: 'index.weights', entity: id, labels: symbols }],
        note: 'Between rebalancings shares drift with prices.',
      },
    ],
  }
}

/** Tables of an index, in their order. */
export const TABLES = ['members', 'rebalancings', 'contributions', 'snapshot', 'rebuild'] as const
