import type { SiteLayer } from '../../shell/layers.ts'
import type { FigurePage } from '../chain/loadFigures.server.ts'

/** What one layer does on Bitcoin, as far as it can be told from Bitcoin’s own blocks. */
export function footprintCharts(layer: SiteLayer): FigurePage['charts'] {
  if (layer.id !== 'rootstock' && layer.id !== 'core') return []
  return [
    {
      id: 'merge',
      title: 'Merge-mining share of Bitcoin’s blocks',
      kind: 'line',
      wide: true,
      lines: [{ metric: 'merge_mining.share', label: 'Share' }],
    },
    ...(layer.id === 'rootstock'
      ? ([
          {
            id: 'tagged',
            title: 'Own blocks that a Bitcoin header commits to',
            kind: 'line',
            lines: [{ metric: 'merge_mining.tagged', label: 'Share' }],
          },
          {
            id: 'uncles',
            title: 'Uncles',
            kind: 'bars',
            lines: [{ metric: 'blocks.uncles', label: 'Uncles' }],
          },
          ...BRIDGE_CHARTS,
        ] as const)
      : ([
          {
            id: 'stake',
            title: 'Bitcoin newly staked',
            kind: 'bars',
            lines: [{ metric: 'stake.new', label: 'Staked' }],
          },
        ] as const)),
    {
      id: 'l1tx',
      title: 'Transactions on Bitcoin',
      kind: 'bars',
      lines: [{ metric: 'l1.tx', label: 'Transactions' }],
    },
    {
      id: 'l1fees',
      title: 'Fees paid on Bitcoin',
      kind: 'bars',
      lines: [{ metric: 'l1.fees', label: 'Fees' }],
    },
    {
      id: 'l1bytes',
      title: 'Block space on Bitcoin',
      kind: 'area',
      lines: [{ metric: 'l1.vbytes', label: 'Space' }],
    },
  ]
}

const BRIDGE_LABELS = {
  'rootstock.powpeg.pegin_btc': 'PowPeg',
  'rootstock.flyover.call_for_user': 'Flyover',
  'rootstock.powpeg.release_request_received': 'PowPeg',
  'rootstock.powpeg.release_request_received_before_fingerroot': 'PowPeg, before Fingerroot',
  'rootstock.flyover.peg_out_deposit': 'Flyover',
  'rootstock.fastbtc.new_bitcoin_transfer': 'FastBTC',
}

const BRIDGE_CHARTS: FigurePage['charts'] = [
  {
    id: 'bridgein',
    title: 'Inflow to Rootstock',
    kind: 'stacked',
    lines: [{ metric: 'bridge.in', labels: BRIDGE_LABELS }],
  },
  {
    id: 'bridgeout',
    title: 'Outflow from Rootstock',
    kind: 'stacked',
    lines: [{ metric: 'bridge.out', labels: BRIDGE_LABELS }],
  },
]

/** Ways in and out that are read from the layer’s own events. */
export const bridgeCharts = (layer: SiteLayer): FigurePage['charts'] =>
  layer.id === 'rootstock' ? BRIDGE_CHARTS : []
