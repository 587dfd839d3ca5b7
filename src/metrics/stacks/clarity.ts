import { CLARITY_WORDS } from '#kernel/clarityWords.ts'
import { CLARITY_VERSIONS, TENURE_CHANGE_CAUSES } from '#kernel/stacks.ts'
import { RANGE } from '../chainFigures.ts'
import { figuresSql } from '../figuresSql.ts'
import { type Metric, metric, SUM_OF_KEYS } from '../metric.ts'
import { fromStacks, perHeldStacksDay, perStacksDay, sip } from './common.ts'

const VERSIONS = [...CLARITY_VERSIONS.map(String), 'unknown']
const WORDS = CLARITY_WORDS.map(({ word }) => word)
const ofClarity = {
  ...fromStacks,
  references: [sip(33, 'Clarity 4'), sip(39, 'Clarity 5'), sip(44, 'Clarity 6')],
} as const
const ofWords = { ...ofClarity, since: { day: '2025-11-11' }, aggregate: 'sum' } as const

const contractsClarityVersion = metric({
  ...ofClarity,
  id: 'contracts.clarity_version',
  name: 'Share of new contracts by Clarity version',
  unit: 'ratio',
  breakdown: { name: 'Clarity version', values: VERSIONS },
  headline: '4',
  definition: 'Share of each version of Clarity in the contracts made on the UTC day.',
  why: 'Whether builders adopt a new version of the language.',
  how: 'Contracts of the version ÷ all contracts of the day. If payload and interface name no version, it is the epoch’s default on mainnet.',
  misleads:
    'Contracts that name no version get the newest one, so part of the adoption is not a choice. Many tokens are created from templates and keep the template’s version.',
  ...figuresSql({
    metric: 'contracts.clarity_version',
    type: 'Float64',
    chain: perStacksDay({
      table: 'stx_contract_days',
      key: 'r.clarity_version',
      value: 'r.contract_count / sum(r.contract_count) OVER (PARTITION BY r.bucket)',
      numerator: 'toFloat64(r.contract_count)',
      denominator: 'toFloat64(sum(r.contract_count) OVER (PARTITION BY r.bucket))',
      needs: ['receipts'],
    }),
  }),
  calendar: 'reported',
  aggregate: 'recompute',
})

const functionUses = metric({
  ...ofWords,
  id: 'function.uses',
  name: 'Contracts that use a new word',
  unit: 'contracts',
  breakdown: { name: 'word', values: ['any', ...WORDS] },
  headline: 'any',
  definition:
    'Contracts deployed on the UTC day that use a word (a function or keyword) introduced in Clarity 4 or later, by word and for any of them.',
  why: 'Which of the new words builders need.',
  how: 'Sources are parsed as Clarity tokens. Comments, strings, fields, names of other contracts, and contracts in a version without the word do not count. Each contract counts once per word.',
  misleads:
    'Using a word in the source does not mean running it. For calls to these contracts, see function.calls. A field of an old-style `(tuple (…))` or a trait function with the name of a new word is counted by mistake.',
  ...figuresSql({
    metric: 'function.uses',
    type: 'Int64',
    chain: perHeldStacksDay({
      keys: ['any', ...WORDS],
      rows: `SELECT bucket AS day, arrayJoin(['any', toString(word)]) AS key, uniqExact(contract) AS value
    FROM stx_source_words
    WHERE bucket ${RANGE}
    GROUP BY day, key`,
      needs: ['receipts'],
    }),
  }),
})

const functionCalls = metric({
  ...ofWords,
  id: 'function.calls',
  name: 'Calls to contracts with a new word',
  unit: 'calls',
  breakdown: { name: 'word', values: ['any', ...WORDS] },
  headline: 'any',
  definition:
    'Calls by transactions of the UTC day to contracts that use a word (a function or keyword) introduced in Clarity 4 or later, by word and for any of them.',
  why: 'Whether contracts with the new words are used.',
  how: 'Calls of the day to each contract of function.uses that is indexed, once under every word in its source.',
  misleads:
    'The call can run another part of the contract. Excludes calls between contracts. Contracts deployed before the indexed blocks are missing.',
  ...figuresSql({
    metric: 'function.calls',
    type: 'Int64',
    chain: perHeldStacksDay({
      keys: ['any', ...WORDS],
      rows: `SELECT c.bucket AS day, arrayJoin(w.words) AS key, sum(c.call_count) AS value
    FROM stx_call_days AS c
    INNER JOIN (
      SELECT contract, arrayPushFront(groupArray(toString(word)), 'any') AS words
      FROM stx_source_words
      GROUP BY contract
    ) AS w ON w.contract = c.contract
    WHERE c.bucket ${RANGE}
    GROUP BY day, key`,
    }),
  }),
})

const callsByClarityVersion = metric({
  ...fromStacks,
  id: 'calls.by_clarity_version',
  name: 'Calls by version of Clarity',
  unit: 'calls',
  breakdown: { name: 'Clarity version', values: VERSIONS },
  headline: SUM_OF_KEYS,
  definition:
    'Contract calls by transactions of the UTC day, by the version of Clarity of the called contract.',
  why: 'Whether usage moves to contracts in newer versions.',
  how: 'Calls of each contract, joined to the version that it was made with; `unknown` if the block that deployed it is not indexed, and for contracts of the chain itself.',
  misleads: 'Excludes contracts that the called contract calls in turn.',
  ...figuresSql({
    metric: 'calls.by_clarity_version',
    type: 'Int64',
    chain: perStacksDay({
      table: `(
      SELECT d.bucket AS bucket, if(m.clarity_version = '', 'unknown', m.clarity_version) AS version, sum(d.call_count) AS calls
      FROM stx_call_days AS d
      LEFT JOIN stx_made_contracts AS m ON m.contract = d.contract
      WHERE d.bucket ${RANGE}
      GROUP BY bucket, version
    )`,
      key: 'r.version',
      value: 'r.calls',
    }),
  }),
  aggregate: 'sum',
  references: [sip(33, 'Clarity 4')],
})

const callsCostShare = metric({
  ...fromStacks,
  id: 'calls.cost_share',
  name: 'Cost of a call, by version of Clarity',
  unit: 'ratio',
  breakdown: { name: 'Clarity version', values: ['all', ...VERSIONS] },
  headline: 'all',
  definition:
    'Median share of a block’s budget that a contract call of the UTC day takes, over all and by the version of Clarity of the called contract.',
  why: 'How many calls fit into a block or tenure, and what execution costs the network before and after a version.',
  how: 'The budget, of five (runtime, reads, bytes read, writes, bytes written), that the call uses most; median over calls, including failed ones, in steps of a millionth.',
  misleads:
    'Versions differ in what their contracts do as much as in efficiency, so an older swap and a newer counter are not comparable. Since Nakamoto the budget is per tenure, and tenure extensions reset usage. Read budgets doubled with epoch 4.0.',
  ...figuresSql({
    metric: 'calls.cost_share',
    type: 'Float64',
    chain: perStacksDay({
      table: `(
      SELECT
        d.bucket AS bucket,
        arrayJoin(['all', if(m.clarity_version = '', 'unknown', m.clarity_version)]) AS version,
        quantileExactWeighted(0.5)(d.share_ppm, d.call_count) / 1000000 AS median
      FROM stx_cost_days AS d
      LEFT JOIN stx_made_contracts AS m ON m.contract = d.contract
      WHERE d.bucket ${RANGE} AND d.budget = 'tightest'
      GROUP BY bucket, version
    )`,
      key: 'r.version',
      value: 'r.median',
      needs: ['receipts'],
    }),
  }),
  aggregate: 'mean',
  direction: 'down',
  references: [sip(6, 'Clarity execution cost assessment'), sip(33, 'Clarity 4')],
})

const EXTENSIONS = TENURE_CHANGE_CAUSES.filter(cause => cause !== 'BlockFound')

const tenuresExtended = metric({
  ...fromStacks,
  id: 'tenures.extended',
  name: 'Extensions of tenures',
  unit: 'extensions',
  breakdown: { name: 'cause', values: EXTENSIONS },
  headline: SUM_OF_KEYS,
  definition: 'Tenure extensions on the UTC day, by what they reset: the full budget or one part of it.',
  why: 'How often a tenure’s budget ran out and signers extended it. Since SIP-034, also single parts of it.',
  how: 'Changes of tenure with another cause than BlockFound.',
  misleads: 'Miners may extend by the clock, without any shortage.',
  ...figuresSql({
    metric: 'tenures.extended',
    type: 'Int64',
    chain: perStacksDay({
      table: `(
      SELECT toDate(block_time) AS bucket, toString(cause) AS cause, count() AS extensions
      FROM stx_tenures
      WHERE cause != 'BlockFound' AND toDate(block_time) ${RANGE}
      GROUP BY bucket, cause
    )`,
      key: 'r.cause',
      value: 'r.extensions',
    }),
  }),
  aggregate: 'sum',
  references: [sip(34, 'Dimension-specific tenure extends')],
})

/** Metrics of what SIP-033 (Clarity 4) and its rider SIP-034 brought. */
export const CLARITY_METRICS: readonly Metric[] = [
  contractsClarityVersion,
  functionUses,
  functionCalls,
  callsByClarityVersion,
  callsCostShare,
  tenuresExtended,
]
