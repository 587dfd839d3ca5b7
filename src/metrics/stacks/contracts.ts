import { CLARITY_VERSIONS } from '#kernel/stacks.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric, SUM_OF_KEYS } from '../metric.ts'
import { fromStacks, perStacksDay, recordedOfStacks, sip } from './common.ts'

const calls = {
  ...fromStacks,
  unit: 'calls',
  headline: SUM_OF_KEYS,
  aggregate: 'sum',
  references: [sip(2, 'The Clarity smart contract language')],
  misleads: 'Excludes calls between contracts. A busy bot does not show demand.',
} as const

export const callsByContract = metric({
  ...calls,
  id: 'calls.by_contract',
  name: 'Calls by contract',
  breakdown: { name: 'contract', values: [] },
  definition: 'Contract calls by transactions of the UTC day, by contract.',
  why: 'Which applications are used.',
  how: 'Count of transactions that call the contract, failed ones in.',
  ...figuresSql({
    metric: 'calls.by_contract',
    type: 'Int64',
    chain: perStacksDay({
      table: 'stx_call_days',
      key: 'r.contract',
      value: 'sum(r.call_count)',
      isSum: true,
    }),
  }),
})

export const callsByFunction = metric({
  ...calls,
  id: 'calls.by_function',
  name: 'Calls by function',
  breakdown: { name: 'function', values: [] },
  definition: 'Contract calls by transactions of the UTC day, by contract and function.',
  why: 'What users do in an application.',
  how: 'Count of transactions that call the function, failed ones in; written `contract::function`.',
  ...figuresSql({
    metric: 'calls.by_function',
    type: 'Int64',
    chain: perStacksDay({
      table: 'stx_call_days',
      key: "concat(r.contract, '::', r.function_name)",
      value: 'r.call_count',
    }),
  }),
})

export const contractsDeployed = metric({
  ...fromStacks,
  id: 'contracts.deployed',
  name: 'Contracts deployed',
  unit: 'contracts',
  breakdown: {
    name: 'Clarity version',
    values: [...CLARITY_VERSIONS.map(String), 'unknown'],
  },
  headline: SUM_OF_KEYS,
  definition: 'Contracts made in the Stacks blocks of the UTC day, by the version of Clarity.',
  why: 'Whether people still build, and with which version of the language.',
  how: 'Transactions that made a contract; the version is that of the payload, else that of the interface.',
  misleads: 'Tokens made by a form are contracts too; copies count.',
  ...figuresSql({
    metric: 'contracts.deployed',
    type: 'Int64',
    chain: perStacksDay({
      table: 'stx_contract_days',
      key: 'r.clarity_version',
      value: 'r.contract_count',
      needs: ['receipts'],
    }),
  }),
  aggregate: 'sum',
  direction: 'up',
  references: [sip(2, 'The Clarity smart contract language')],
})

export const contractsKnown = metric({
  ...recordedOfStacks,
  id: 'contracts.known',
  name: 'Contracts found',
  unit: 'contracts',
  definition: 'Contracts of the main network that a collector had found by the end of a run.',
  why: 'How much has been built, including years that may not be indexed.',
  how: 'The total of each run of boomcrypto/clarity-deployed-contracts.',
  misleads:
    'The steps are the collector’s runs, no days of building: daily in 2022 and 2023, seldom after. Its own count is a tenth lower than its runs add up to.',
  ...figuresSql({ metric: 'contracts.known', type: 'Int64', outside: ['boomcrypto.contracts'] }),
  needs: 'Comes with the bundled snapshot.',
  sources: ['boomcrypto.contracts'],
  since: { day: '2022-01-17' },
  direction: 'up',
  references: [
    {
      title: 'boomcrypto/clarity-deployed-contracts',
      url: 'https://github.com/boomcrypto/clarity-deployed-contracts',
    },
  ],
})
