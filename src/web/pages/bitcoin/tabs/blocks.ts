import type { Tab } from './common.ts'

export const blocksTab: Tab = {
  key: 'blocks',
  label: 'Blocks',
  question: 'How full are blocks, how fast do they come, and who finds them?',
  kpis: [
    { metric: 'blocks.count', label: 'Blocks, day' },
    { metric: 'blocks.interval', label: 'Mean interval' },
    { metric: 'blocks.weight_fill', label: 'Weight used' },
    { metric: 'blocks.empty', label: 'Empty blocks' },
    { metric: 'blocks.stale', label: 'Stale blocks' },
  ],
  charts: [
    {
      id: 'count',
      title: 'Blocks a day',
      kind: 'bars',
      lines: [{ metric: 'blocks.count', label: 'Blocks' }],
      note: 'At ten minutes a block a day has 144.',
    },
    {
      id: 'days',
      title: 'Blocks, day by day',
      kind: 'calendar',
      wide: true,
      lines: [{ metric: 'blocks.count', label: 'Blocks' }],
    },
    {
      id: 'interval',
      title: 'Time between blocks',
      kind: 'line',
      lines: [
        { metric: 'blocks.interval', keys: ['mean', 'median'], labels: { mean: 'Mean', median: 'Median' } },
      ],
      note: 'Arrivals are a Poisson process: the median is near 416 s even when the mean is 600 s.',
    },
    {
      id: 'spread',
      title: 'How long blocks take',
      kind: 'histogram',
      of: 'block',
      lines: [{ metric: 'blocks.interval', keys: ['mean'], label: 'Interval' }],
      note: 'Each block of the last 31 days at most. Headers state their own time, so an interval may be below zero.',
    },
    {
      id: 'fill',
      title: 'Weight used',
      kind: 'area',
      lines: [{ metric: 'blocks.weight_fill', label: 'Fill' }],
    },
    {
      id: 'empty',
      title: 'Empty blocks',
      kind: 'bars',
      lines: [{ metric: 'blocks.empty', label: 'Empty' }],
    },
    {
      id: 'stale',
      title: 'Stale blocks',
      kind: 'bars',
      lines: [{ metric: 'blocks.stale', label: 'Stale' }],
      note: 'Only observed ones, a lower bound.',
    },
  ],
  panels: ['blocks'],
}
