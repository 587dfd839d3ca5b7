type Part = { readonly path: string; readonly title: string; readonly summary: string }

/** Parts of the documentation that are made of what the program declares. */
export const MADE: readonly Part[] = [
  {
    path: '/documentation/metrics',
    title: 'Metrics',
    summary: 'Every metric: what it means, how it is computed, how it can mislead, its SQL and its sources.',
  },
  {
    path: '/documentation/tables',
    title: 'Tables',
    summary: 'Every table that SQL can read, with its columns, their types and units.',
  },
  {
    path: '/documentation/console',
    title: 'API console',
    summary: 'Every API operation, with its parameters, a form to try it, and sample code.',
  },
  {
    path: '/documentation/sources',
    title: 'Sources',
    summary:
      'Every chain, publisher and recording: what it gives, its license, and the metrics that rest on it.',
  },
]

/** Pages beside the documentation that tell what is so at this moment. */
export const BESIDE: readonly Part[] = [
  {
    path: '/status',
    title: 'Status',
    summary: 'Indexed range of each chain, last update of each source, and refused data.',
  },
  {
    path: '/errors',
    title: 'Problems',
    summary: 'Every problem that the API answers with: what it means and what to do.',
  },
]
