import type { FigurePage } from '../chain/loadFigures.server.ts'
import { overview } from './specs.ts'

const chartsOf = (...ids: readonly string[]): FigurePage['charts'] =>
  overview.charts.filter(({ id }) => ids.includes(id))

/** What stands on `/stacks/stacking`, as data. */
export const stacking: FigurePage = {
  question: 'Who locks STX and bitcoin, who signs, and what did they really earn?',
  kpis: [
    { metric: 'pox.stacked', label: 'STX stacked' },
    { metric: 'pox.stackers', label: 'Stackers' },
    { metric: 'pox.signers', label: 'Signers' },
    { metric: 'pox.signed_weight', label: 'Weight that signs a block' },
    { metric: 'pox.yield', label: 'Yield, year' },
    { metric: 'pox.yield', entity: 'fast-pool', label: 'Yield with Fast Pool, year' },
  ],
  charts: chartsOf(
    'stacked',
    'stackedshare',
    'signers',
    'weights',
    'signedweight',
    'responsetime',
    'threshold',
    'poxreward',
    'poxyield',
    'bonds',
    'bondyield',
    'pool',
    'poolyield',
  ),
}
