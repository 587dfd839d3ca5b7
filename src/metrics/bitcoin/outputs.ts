import { SCRIPT_TYPES } from '#kernel/bitcoin.ts'
import { perDay } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { fromRows } from './common.ts'

const byType = {
  ...fromRows,
  breakdown: { name: 'type', values: SCRIPT_TYPES },
  headline: SUM_OF_KEYS,
  aggregate: 'sum',
  why: 'Which output types are used. It reflects wallets, token schemes, and exposure to a quantum computer.',
  references: [
    {
      title: 'Bitcoin Core: standard output types (script/solver)',
      url: 'https://github.com/bitcoin/bitcoin/blob/master/src/script/solver.cpp',
    },
  ],
} as const

export const outputsByType = metric({
  ...byType,
  id: 'outputs.by_type',
  name: 'Outputs by type',
  unit: 'outputs',
  definition: 'Outputs made on the day by type of script, coinbase outputs in.',
  how: 'Count of outputs by the form of their script.',
  misleads:
    'A hash hides what it locks, so p2sh and v0_p2wsh can be single keys, multisig or contracts. Dust-sized token outputs can outnumber payments.',
  ...figuresSql({
    metric: 'outputs.by_type',
    type: 'Int64',
    chain: perDay({
      table: 'btc_output_days',
      key: 'CAST(r.script_type AS String)',
      value: 'r.output_count',
    }),
  }),
})

export const outputsByTypeValue = metric({
  ...byType,
  id: 'outputs.by_type_value',
  name: 'Value of outputs by type',
  unit: 'sat',
  definition: 'Value of the outputs made on the day by type of script, coinbase outputs in.',
  how: 'Sum of output values by the form of their script.',
  misleads:
    'Change returns to its owner and counts as value; one exchange moving its reserve outweighs all payments of a day.',
  ...figuresSql({
    metric: 'outputs.by_type_value',
    type: 'Int64',
    chain: perDay({ table: 'btc_output_days', key: 'CAST(r.script_type AS String)', value: 'r.value_sat' }),
  }),
})
