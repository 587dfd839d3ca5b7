import { APPS, type AppId } from '../apps/apps.ts'
import type { FigurePage } from '../chain/loadFigures.server.ts'

/** Applications whose swaps are read from the chain. */
const EXCHANGES = ['alex', 'arkadiko', 'bitflow', 'velar'] as const satisfies readonly AppId[]
const apps = Object.entries(APPS).map(([entity, label]) => ({ entity, label }))
const exchanges = EXCHANGES.map(entity => ({ entity, label: APPS[entity] }))

/** Figures of `/stacks/defi`, as data. */
export const defi: FigurePage = {
  question:
    'What lies in applications on Stacks, who uses them, what do they earn, and how do they feed each other?',
  kpis: [
    { metric: 'tvl.total', label: 'Value locked' },
    { metric: 'dex.volume', label: 'Volume of exchanges, day' },
    { metric: 'revenue.apps', label: 'Revenue of applications, day' },
    { metric: 'stables.cap', label: 'Stablecoins' },
    { metric: 'btc.bridged', label: 'Bitcoin on Stacks' },
  ],
  charts: [
    {
      id: 'tvlprotocols',
      title: 'Value locked by application',
      kind: 'stacked',
      wide: true,
      lines: [{ metric: 'tvl.by_protocol' }],
      most: 10,
      note: 'As DefiLlama counts it: what one application puts into another counts in both.',
    },
    {
      id: 'volume',
      title: 'Volume of exchanges',
      kind: 'stacked',
      lines: exchanges.map(of => ({ ...of, metric: 'dex.volume' })),
    },
    {
      id: 'fees',
      title: 'Fees of exchanges',
      kind: 'stacked',
      lines: exchanges.map(of => ({ ...of, metric: 'dex.fees', isSum: true })),
    },
    {
      id: 'users',
      title: 'Users by application',
      kind: 'line',
      lines: apps.map(of => ({ ...of, metric: 'users.active' })),
      note: 'Who uses two is in both: see the overlap.',
    },
    {
      id: 'overlap',
      title: 'Users of ALEX who use another application too',
      kind: 'line',
      lines: [{ metric: 'users.overlap', entity: 'alex' }],
      most: 8,
    },
    {
      id: 'failed',
      title: 'Share of calls that fail',
      kind: 'line',
      lines: apps.map(of => ({ ...of, metric: 'calls.failed_share' })),
    },
    {
      id: 'flows',
      title: 'Value that moves between applications',
      kind: 'sankey',
      over: 'sum',
      wide: true,
      lines: apps.map(({ entity, label }) => ({
        metric: 'flows.between',
        entity,
        from: `out of ${label}`,
        to: 'into {key}',
      })),
      note: 'Within one transaction, over the range.',
    },
    {
      id: 'pools',
      title: 'Where the money of pools lies',
      kind: 'tree',
      over: 'newest',
      lines: exchanges.map(of => ({ metric: 'pool.tvl', entity: of.entity })),
      most: 24,
    },
    {
      id: 'revenue',
      title: 'Revenue of exchanges',
      kind: 'stacked',
      lines: exchanges.map(of => ({ ...of, metric: 'revenue.apps' })),
    },
  ],
}
