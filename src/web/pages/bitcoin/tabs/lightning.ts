import type { Tab } from './common.ts'

export const lightningTab: Tab = {
  key: 'lightning',
  label: 'Lightning',
  question: 'How large is the public Lightning network?',
  kpis: [
    { metric: 'lightning.capacity', label: 'Capacity' },
    { metric: 'lightning.channels', label: 'Channels' },
    { metric: 'lightning.nodes', label: 'Nodes' },
  ],
  charts: [
    {
      id: 'capacity',
      title: 'Capacity',
      kind: 'line',
      wide: true,
      lines: [{ metric: 'lightning.capacity', label: 'Capacity' }],
      note: 'Announced channels only; private ones cannot be seen.',
    },
    {
      id: 'channels',
      title: 'Channels',
      kind: 'line',
      lines: [{ metric: 'lightning.channels', label: 'Channels' }],
    },
    { id: 'nodes', title: 'Nodes', kind: 'line', lines: [{ metric: 'lightning.nodes', label: 'Nodes' }] },
  ],
  panels: ['lightning'],
}
