import { tokenCharts } from '../../chain/moneyCharts.ts'
import type { AppTab } from '../appSpec.ts'

/** Tabs and charts that pages of several applications share. */

export const contractsTab: AppTab = {
  key: 'contracts',
  label: 'Contracts and trust',
  question: 'Which contracts hold the money, who rules and who examined them, and what went wrong before?',
  panels: ['contracts', 'audits', 'incidents', { table: 'governance' }, 'notCovered', 'links'],
  kpis: [],
  charts: [],
}

/** Who uses the application, what they call, and what fails. */
export const usersTab: AppTab = {
  key: 'users',
  label: 'Users and calls',
  question: 'Who uses it, do they come back, and which calls fail?',
  panels: [{ table: 'functions' }, { table: 'cohorts' }],
  kpis: [
    { metric: 'users.active', label: 'Users, day' },
    { metric: 'users.new', label: 'New users, day' },
    { metric: 'users.retained', label: 'Come back after 4 weeks' },
    { metric: 'calls.count', label: 'Calls, day' },
    { metric: 'calls.failed_share', label: 'Calls that fail' },
    { metric: 'fees.total', label: 'Fees for block space, day' },
  ],
  charts: [
    {
      id: 'users',
      title: 'Users',
      kind: 'line',
      wide: true,
      lines: [
        { metric: 'users.active', label: 'all' },
        { metric: 'users.new', label: 'new' },
      ],
      note: 'New users have no earlier call in the indexed blocks.',
    },
    {
      id: 'byfunction',
      title: 'Calls a day by function',
      kind: 'stacked',
      lines: [{ metric: 'calls.by_function' }],
      most: 8,
    },
    {
      id: 'failed',
      title: 'Calls that fail',
      kind: 'line',
      lines: [{ metric: 'calls.failed_share', label: 'Share' }],
    },
    {
      id: 'retained',
      title: 'Users who come back after four weeks',
      kind: 'line',
      lines: [{ metric: 'users.retained', label: 'Share' }],
    },
    {
      id: 'cohorts',
      title: 'Who stayed, by the month they came',
      kind: 'heat',
      wide: true,
      lines: [{ metric: 'users.by_cohort' }],
      most: 36,
      defaults: { grain: 'month', measure: 'each' },
      note: 'A row for each month of first calls, a column for each month after it: the deeper, the more of that row’s largest month came back.',
    },
    {
      id: 'gas',
      title: 'Fees for block space',
      kind: 'bars',
      lines: [{ metric: 'fees.total', label: 'Fees' }],
    },
  ],
}

const PRICED = 'See its assay view for the source of the price and other sources on the same day.'

export const tokenTab = (token: string, symbol: string): AppTab => ({
  key: 'token',
  label: 'Token',
  question: `What does ${symbol} cost, and what is the application’s market cap?`,
  panels: [],
  kpis: [
    { metric: 'token.price', entity: token, label: `Price of ${symbol}` },
    { metric: 'token.mcap', entity: token, label: 'Market cap' },
    { metric: 'token.volume', entity: token, label: 'Volume, day' },
    { metric: 'token.liquidity', entity: token, label: 'In its pools on Stacks' },
  ],
  charts: [
    // What stands against the TVL of a layer says nothing of an application’s token.
    ...tokenCharts(token)
      .filter(({ id }) => id !== 'mcaptvl')
      .map(chart => (chart.id === 'price' ? { ...chart, note: PRICED } : chart)),
    {
      id: 'tokenpools',
      title: `In pools with ${symbol}`,
      kind: 'area',
      lines: [{ metric: 'token.liquidity', entity: token, label: 'Both sides' }],
      note: 'On indexed Stacks exchanges.',
    },
    {
      id: 'tokenvolume',
      title: `Volume of ${symbol}`,
      kind: 'bars',
      lines: [{ metric: 'token.volume', entity: token, label: 'Volume' }],
    },
  ],
})

export const lockedChart: AppTab['charts'][number] = {
  id: 'tvl',
  title: 'TVL',
  kind: 'area',
  wide: true,
  lines: [{ metric: 'tvl.total', label: 'TVL' }],
  note: 'In dollars of the day: it moves with prices.',
}
