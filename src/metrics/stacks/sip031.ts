import { RANGE } from '../chainFigures.ts'
import { metric } from '../metric.ts'
import { recordedOfStacks, sip } from './common.ts'

const ofEndowment = {
  ...recordedOfStacks,
  unit: 'uSTX',
  sources: ['friedger.stack-flow'],
  needs: 'Comes with the bundled snapshot.',
  since: { day: '2025-05-13' },
  references: [sip(31, 'Five-year Stacks growth emissions')],
} as const

/** What has come together up to a day, from the flows of each. */
const upTo = (
  metricId: string,
): string => `SELECT day, key, value, state, source, from_height, to_height, as_of
FROM (
  SELECT
    o.day AS day, '' AS key, toInt64(sum(o.amount) OVER (ORDER BY o.day)) AS value, 'whole' AS state,
    o.source AS source, CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height,
    o.observed_at AS as_of
  FROM latest_observations AS o
  WHERE o.metric = '${metricId}' AND o.entity = {entity:String}
)
WHERE day ${RANGE}
ORDER BY day`

export const sip031Inflow = metric({
  ...ofEndowment,
  id: 'sip031.inflow',
  name: 'STX into the endowment',
  definition: 'STX that the endowment of SIP-031 has received up to the day.',
  why: 'What the treasury that stackers voted for has been given.',
  how: 'Sum of transfers to its address.',
  misleads: 'What was emitted and waits in the contract is not in it.',
  sql: upTo('sip031.inflow'),
})

export const sip031Internal = metric({
  ...ofEndowment,
  id: 'sip031.outflow_internal',
  name: 'Endowment to its own accounts',
  definition: 'STX that the endowment has moved up to the day to the eight accounts that it funds itself.',
  why: 'Moving is not spending: this figure is what a quick look takes for spending.',
  how: 'Transfers from its address to one of its own accounts; fees left out.',
  misleads:
    'Which accounts are its own follows from who funded them: a recipient may turn out to be another’s.',
  sql: upTo('sip031.outflow_internal'),
})

export const sip031External = metric({
  ...ofEndowment,
  id: 'sip031.outflow_external',
  name: 'Endowment to others',
  definition: 'STX that went from the endowment’s address to anybody else up to the day.',
  why: 'What has left the set of its accounts by this way.',
  how: 'Transfers from its address to any other than its own accounts; fees left out.',
  misleads: 'What its accounts hand on in turn is not in it: “spent” is this and what leaves those accounts.',
  sql: upTo('sip031.outflow_external'),
})
