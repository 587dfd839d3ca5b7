import type { SiteApplication } from '#http/context.ts'
import { APPS, isApp } from '../apps/apps.ts'
import type { FigurePage } from '../chain/loadFigures.server.ts'

/** Figures of `/stacks/defi`, as data, with the applications of the catalogue. */
export function defiOf(applications: readonly SiteApplication[]): FigurePage {
  const further = applications.filter(({ slug }) => !isApp(slug))
  const labels: Readonly<Record<string, string>> = {
    ...APPS,
    ...Object.fromEntries(further.map(({ slug, name }) => [slug, name])),
  }
  const apps = Object.entries(labels).map(([entity, label]) => ({ entity, label }))
  const exchanges = applications
    .filter(({ kind }) => kind === 'exchange')
    .map(({ slug }) => ({ entity: slug, label: labels[slug] ?? slug }))
  return {
    question:
      'How much is in Stacks applications, who uses them, what do they earn, and how does capital move between them?',
    kpis: [
      { metric: 'tvl.total', label: 'TVL' },
      { metric: 'dex.by_protocol', label: 'Volume of exchanges, day' },
      { metric: 'dex.fees', label: 'Fees of swaps, day' },
      { metric: 'stables.cap', label: 'Stablecoins' },
      { metric: 'btc.bridged', label: 'BTC bridged' },
    ],
    charts: [
      {
        id: 'tvlprotocols',
        title: 'TVL by application',
        kind: 'stacked',
        wide: true,
        lines: [{ metric: 'tvl.by_protocol' }],
        most: 10,
        note: 'As counted by DefiLlama. Deposits of one application in another count in both.',
      },
      {
        id: 'volume',
        title: 'Volume by exchange',
        kind: 'stacked',
        lines: [{ metric: 'dex.by_protocol', labels }],
        most: 8,
      },
      {
        id: 'fees',
        title: 'Fees of swaps by exchange',
        kind: 'stacked',
        lines: [{ metric: 'dex.fees', labels }],
      },
      {
        id: 'users',
        title: 'Users by application',
        kind: 'line',
        lines: [{ metric: 'users.by_application', labels }],
        most: 8,
        note: 'Who uses two is in both: see the overlap.',
      },
      {
        id: 'overlap',
        title: 'Users shared with ALEX',
        kind: 'line',
        lines: [{ metric: 'users.overlap', entity: 'alex', labels }],
        most: 8,
        note: 'Of the users of both, those who used both.',
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
          labels,
        })),
        note: 'Within one transaction, over the range.',
      },
      {
        id: 'pools',
        title: 'TVL by pool',
        kind: 'tree',
        over: 'newest',
        wide: true,
        lines: exchanges.map(of => ({ ...of, metric: 'pool.tvl' })),
        most: 24,
      },
    ],
  }
}
