import { RANGE } from '../chainFigures.ts'
import { metric } from '../metric.ts'
import { sourcesSql } from '../sourcesSql.ts'
import { recordedOfStacks, sip } from './common.ts'

const SOURCES = ['stacksgov.ballots', 'stacksgov.totals'] as const

/** Lanes of the votes whose ballots are listed, with both sides. */
const COUNTED = ['21', '27'].flatMap(number =>
  ['solo', 'pool', 'dao'].flatMap(lane => ['yes', 'no'].map(side => `sip-0${number}.${lane}.${side}`)),
)

const ofVotes = {
  ...recordedOfStacks,
  sources: SOURCES,
  needs: 'Comes with the bundled snapshot.',
  since: { day: '2024-03-10' },
  references: [sip(21, 'Nakamoto'), sip(27, 'Non-sequential multisig transactions')],
} as const

/** Rows `sip`, `key`, `value` as figures on the day on which the vote closed. */
const onClosingDay = (rows: string): string => `SELECT
  r.closed_day AS day, v.key AS key, v.value AS value, 'whole' AS state, v.source AS source,
  CAST(NULL AS Nullable(UInt32)) AS from_height, CAST(NULL AS Nullable(UInt32)) AS to_height, s.recorded_at AS as_of
FROM (${rows}) AS v
INNER JOIN (SELECT sip, any(closed_day) AS closed_day FROM sip_results GROUP BY sip) AS r ON r.sip = v.sip
INNER JOIN (SELECT id, assumeNotNull(max(recorded_at)) AS recorded_at FROM sources GROUP BY id) AS s ON s.id = v.source
WHERE day ${RANGE}
ORDER BY day, key`

const KEY = `concat('sip-', leftPad(toString(sip), 3, '0'), '.', toString(lane), '.', side)`

export const votesPower = metric({
  ...ofVotes,
  id: 'votes.power',
  name: 'STX behind ballots',
  unit: 'uSTX',
  breakdown: { name: 'vote', values: COUNTED },
  headline: 'sip-021.solo.yes',
  definition:
    'STX behind the listed ballots of a vote, by lane and side, every ballot counted as its list has it, on the day on which the vote closed.',
  why: 'Our own count, to compare with the announced one.',
  how: 'Sum of the weights in `sip_votes`. Repeated ballots of a voter count each time, as in the stated totals; votes.power_once counts a voter of a pool once.',
  misleads: 'Ballot weights are taken from the list. Balances at the vote’s height are not verified.',
  sql: onClosingDay(`SELECT sip, ${KEY} AS key, toInt64(sum(power_ustx)) AS value, ${sourcesSql('source')} AS source
  FROM (SELECT *, if(is_yes, 'yes', 'no') AS side FROM sip_votes WHERE power_ustx IS NOT NULL)
  GROUP BY sip, key`),
})

export const votesPowerOnce = metric({
  ...ofVotes,
  id: 'votes.power_once',
  name: 'STX behind voters',
  unit: 'uSTX',
  breakdown: { name: 'vote', values: COUNTED },
  headline: 'sip-021.solo.yes',
  definition: 'The same with each voter of a pool counted once, on the day on which the vote closed.',
  why: 'A member who votes twice does not have more STX.',
  how: 'In the lane `pool`, a voter’s largest weight counts for all of its ballots, because repeated ones have the same weight, the full stack. In the lane `dao`, a ballot names an amount, so several add up.',
  misleads: 'The proposals do not say which count they state. SIP-021’s is the one with repeated ballots.',
  sql: onClosingDay(`SELECT sip, ${KEY} AS key, toInt64(sum(power)) AS value, ${sourcesSql('source')} AS source
  FROM (
    SELECT sip, lane, voter, side, if(lane = 'pool', max(power_ustx), sum(power_ustx)) AS power, ${sourcesSql('source')} AS source
    FROM (SELECT *, if(is_yes, 'yes', 'no') AS side FROM sip_votes WHERE power_ustx IS NOT NULL)
    GROUP BY sip, lane, voter, side
  )
  GROUP BY sip, key`),
})

/** Votes whose ballots nobody lists: what their texts state by lane. */
const STATED = ['31', '33'].flatMap(number => ['yes', 'no'].map(side => `sip-0${number}.${side}`))

export const votesStated = metric({
  ...recordedOfStacks,
  id: 'votes.stated',
  name: 'STX in a vote, as stated',
  unit: 'uSTX',
  breakdown: { name: 'vote', values: STATED },
  headline: 'sip-033.yes',
  definition:
    'STX in favor and against as the text of a proposal states them for stacked and for liquid STX, both added up, on the day on which the vote closed.',
  why: 'Support for a rule change, to compare with the total stated in the proposal.',
  how: 'Sum of the two lanes of `sip_results`; the text gives whole STX.',
  misleads: 'No list of ballots exists, so there is no count of our own. Excludes STX that did not vote.',
  sources: ['stacksgov.totals'],
  needs: 'Comes with the bundled snapshot.',
  since: { day: '2025-07-14' },
  references: [sip(31, 'Five-year growth emissions'), sip(33, 'Clarity 4')],
  sql: onClosingDay(`SELECT
    sip, concat('sip-', leftPad(toString(sip), 3, '0'), '.', side.1) AS key, toInt64(sum(side.2)) * 1000000 AS value,
    ${sourcesSql('source')} AS source
  FROM sip_results
  ARRAY JOIN [('yes', ifNull(yes_stx, 0)), ('no', ifNull(no_stx, 0))] AS side
  WHERE lane IN ('stacked', 'liquid')
  GROUP BY sip, key`),
})

export const VOTE_METRICS = [votesPower, votesPowerOnce, votesStated] as const
