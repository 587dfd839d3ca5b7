import { tokenCharts } from '../../chain/moneyCharts.ts'
import type { AppTab } from '../appSpec.ts'

/** Tabs and charts that pages of several applications share. */

export const contractsTab: AppTab = {
  key: 'contracts',
  label: 'Contracts and trust',
  question: 'Which contracts hold the money, who looked at them, and what went wrong before?',
  panels: ['contracts', 'audits', 'incidents', 'notCovered', 'links'],
  kpis: [],
  charts: [],
}

/** Who uses the application, what they call, and what fails. */
export const usersTab: AppTab = {
  key: 'users',
  label: 'Users and calls',
  question: 'Who uses it, do they come back, and which calls fail?',
  panels: [{ table: 'functions' }],
  kpis: [],
  charts: [],
}

export const tokenTab = (token: string, symbol: string): AppTab => ({
  key: 'token',
  label: 'Token',
  question: `What does ${symbol} cost, and what does the market say the application is worth?`,
  panels: [],
  kpis: [
    { metric: 'token.price', entity: token, label: `Price of ${symbol}` },
    { metric: 'token.mcap', entity: token, label: 'Market cap' },
  ],
  charts: tokenCharts(token),
})

export const lockedChart: AppTab['charts'][number] = {
  id: 'tvl',
  title: 'Value locked',
  kind: 'area',
  wide: true,
  lines: [{ metric: 'tvl.total', label: 'Value locked' }],
  note: 'In dollars of the day: it moves with prices.',
}
