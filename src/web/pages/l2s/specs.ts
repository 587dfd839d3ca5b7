import type { FigurePage } from '../chain/loadFigures.server.ts'

/** Figures of a layer that publishers give, whether or not we follow its blocks. */
export const profileFigures = (name: string, question: string): FigurePage => ({
  question,
  kpis: [
    { metric: 'btc.bridged', label: 'BTC bridged' },
    { metric: 'tvl.total', label: 'TVL' },
    { metric: 'stables.cap', label: 'Stablecoins' },
    { metric: 'dex.volume', label: 'Exchange volume, day' },
    { metric: 'lightning.capacity', label: 'Capacity' },
  ],
  charts: [
    {
      id: 'btc',
      title: `BTC bridged to ${name}`,
      kind: 'area',
      lines: [{ metric: 'btc.bridged', label: 'BTC bridged' }],
    },
    {
      id: 'tvl',
      title: 'TVL',
      kind: 'area',
      lines: [{ metric: 'tvl.total', label: 'TVL' }],
    },
  ],
})
