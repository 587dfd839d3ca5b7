import { figuresSql, perBlock } from '../figuresSql.ts'
import { metric } from '../metric.ts'

export const feesTotal = metric({
  id: 'fees.total',
  name: 'Fees paid',
  unit: 'sat',
  definition: 'Fees of all transactions in the blocks of the day, the subsidy left out.',
  why: 'What users pay for block space, and the part of the miners’ pay that has to carry security once the subsidy is gone.',
  how: 'Inputs minus outputs of each transaction, summed over the blocks whose header time falls on the UTC day.',
  misleads:
    'A single mistaken fee can outweigh a day; read the median beside it. Fees agreed outside the chain are not seen.',
  ...figuresSql({
    metric: 'fees.total',
    type: 'Int64',
    chain: perBlock({ value: 'if(countIf(fee_sat IS NULL) > 0, NULL, sum(fee_sat))' }),
    outside: true,
  }),
  sources: ['bitcoin.chain', 'bitcoin.getblockstats'],
  cadence: 'block',
  aggregate: 'sum',
  since: { height: 0 },
  direction: 'neither',
  references: [],
})
