import type { FigurePage } from '../chain/loadFigures.server.ts'

/** Figures of a layer that publishers give, whether or not we follow its blocks. */
export const profileFigures = (name: string, question: string): FigurePage => ({
  question,
  kpis: [
    { metric: 'btc.bridged', label: 'Bitcoin held' },
    { metric: 'tvl.total', label: 'Value locked' },
    { metric: 'stables.cap', label: 'Stablecoins' },
    { metric: 'dex.volume', label: 'Exchange volume, day' },
    { metric: 'lightning.capacity', label: 'Capacity' },
  ],
  charts: [
    {
      id: 'btc',
      title: `Bitcoin on ${name}`,
      kind: 'area',
      lines: [{ metric: 'btc.bridged', label: 'Bitcoin held' }],
    },
    {
      id: 'tvl',
      title: 'Value locked',
      kind: 'area',
      lines: [{ metric: 'tvl.total', label: 'Value locked' }],
    },
  ],
})
