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
  why: 'Funding of the treasury that stackers voted for.',
  how: 'Sum of transfers to its address.',
  misleads: 'Excludes emissions still in the contract.',
  sql: upTo('sip031.inflow'),
})

export const sip031Internal = metric({
  ...ofEndowment,
  id: 'sip031.outflow_internal',
  name: 'Endowment to its own accounts',
  definition: 'STX that the endowment has moved up to the day to the eight accounts that it funds itself.',
  why: 'Transfers are not spending, although they can look like it.',
  how: 'Transfers from its address to one of its own accounts; fees left out.',
  misleads: 'Own accounts are identified by funding, so a recipient can turn out to be a third party.',
  sql: upTo('sip031.outflow_internal'),
})

export const sip031External = metric({
  ...ofEndowment,
  id: 'sip031.outflow_external',
  name: 'Endowment to others',
  definition: 'STX that went from the endowment’s address to anybody else up to the day.',
  why: 'Funds that left its set of accounts in this way.',
  how: 'Transfers from its address to any other than its own accounts; fees left out.',
  misleads: 'Excludes further transfers by its accounts. “Spent” is this plus what leaves those accounts.',
  sql: upTo('sip031.outflow_external'),
})
