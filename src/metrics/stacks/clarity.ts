import { WORDS_BY_VERSION } from '#kernel/clarityWords.ts'
import { CLARITY_VERSIONS } from '#kernel/stacks.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { metric } from '../metric.ts'
import { fromStacks, perHeldStacksDay, perStacksDay, sip } from './common.ts'

const ofClarity = {
  ...fromStacks,
  references: [sip(33, 'Clarity 4'), sip(39, 'Clarity 5'), sip(44, 'Clarity 6')],
} as const

export const clarityVersion = metric({
  ...ofClarity,
  id: 'contracts.clarity_version',
  name: 'Share of new contracts by Clarity version',
  unit: 'ratio',
  breakdown: { name: 'Clarity version', values: [...CLARITY_VERSIONS.map(String), 'unknown'] },
  headline: '4',
  definition: 'Share of each version of Clarity in the contracts made on the UTC day.',
  why: 'Whether builders take a new version of the language up.',
  how: 'Contracts of the version ÷ all contracts of the day; the version is that of the payload, else that of the interface.',
  misleads: 'Tokens made by a form are many and stay with the version that the form was written for.',
  ...figuresSql({
    metric: 'contracts.clarity_version',
    type: 'Float64',
    chain: perStacksDay({
      table: 'stx_contract_days',
      key: 'r.clarity_version',
      value: 'r.contract_count / sum(r.contract_count) OVER (PARTITION BY r.bucket)',
      numerator: 'toFloat64(r.contract_count)',
      denominator: 'toFloat64(sum(r.contract_count) OVER (PARTITION BY r.bucket))',
    }),
  }),
  calendar: 'reported',
  aggregate: 'recompute',
})

const WORDS = WORDS_BY_VERSION.map(([, word]) => word)

export const functionUses = metric({
  ...ofClarity,
  id: 'function.uses',
  name: 'Contracts that use a new word',
  unit: 'contracts',
  breakdown: { name: 'word', values: WORDS },
  headline: 'restrict-assets?',
  definition: 'Contracts made on the UTC day whose source uses a word of Clarity 4 or 6.',
  why: 'Which of the new functions builders need.',
  how: 'Words between blanks and brackets in the source, remarks and texts taken out; each contract once a word.',
  misleads: 'To write a function down is not to run it: function.calls counts calls to these contracts.',
  ...figuresSql({
    metric: 'function.uses',
    type: 'Int64',
    chain: perHeldStacksDay({
      keys: WORDS,
      rows: `SELECT toDate(block_time) AS day, word AS key, uniqExact(contract) AS value
    FROM stx_clarity_words
    WHERE toDate(block_time) ${RANGE}
    GROUP BY day, key`,
    }),
  }),
  since: { height: 923_222 },
  aggregate: 'sum',
})

export const functionCalls = metric({
  ...ofClarity,
  id: 'function.calls',
  name: 'Calls to contracts with a new word',
  unit: 'calls',
  breakdown: { name: 'word', values: WORDS },
  headline: 'restrict-assets?',
  definition: 'Calls by transactions of the UTC day to contracts whose source uses a word of Clarity 4 or 6.',
  why: 'Whether contracts with the new functions are used.',
  how: 'Calls of the day to each contract of function.uses that is held, under every word of its source.',
  misleads:
    'The call may run another part of the contract; calls of one contract by another are not in it. Contracts made before the blocks that are held are missing.',
  ...figuresSql({
    metric: 'function.calls',
    type: 'Int64',
    chain: perHeldStacksDay({
      keys: WORDS,
      rows: `SELECT c.bucket AS day, w.word AS key, sum(c.call_count) AS value
    FROM stx_call_days AS c
    INNER JOIN (SELECT DISTINCT contract, word FROM stx_clarity_words) AS w ON w.contract = c.contract
    WHERE c.bucket ${RANGE}
    GROUP BY day, key`,
    }),
  }),
  since: { height: 923_222 },
  aggregate: 'sum',
})

export const CLARITY_METRICS = [clarityVersion, functionUses, functionCalls] as const
