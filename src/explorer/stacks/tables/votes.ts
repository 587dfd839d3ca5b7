import type { StacksTable } from './table.ts'

const SIP = "concat('SIP-', leftPad(toString(sip), 3, '0'))"
const BUNDLED = 'The record of the votes comes with the bundled snapshot, which was not loaded here.'

/** What the proposals state, and whether it adds up. */
export const resultsTable: StacksTable = {
  title: 'What was announced',
  sub: 'Whole STX as the text of each proposal states them. “Apart” is both sides together less the stated total',
  empty: BUNDLED,
  columns: [
    { key: 'name', label: 'Proposal', form: 'text' },
    { key: 'lane', label: 'Lane', form: 'text', title: 'Whose STX vote' },
    { key: 'yes_stx', label: 'In favor, STX', form: 'count' },
    { key: 'no_stx', label: 'Against, STX', form: 'count' },
    { key: 'yes_share', label: 'In favor', form: 'figure', unit: 'ratio' },
    { key: 'stated_stx', label: 'Stated total', form: 'count' },
    { key: 'apart', label: 'Apart', form: 'count' },
    { key: 'closed_day', label: 'Closed', form: 'day' },
  ],
  sql: `WITH
  lanes AS (
    SELECT sip, sum(toInt64(yes_stx) + no_stx) AS counted
    FROM sip_results
    WHERE lane IN ('solo', 'pool', 'dao')
    GROUP BY sip
  )
SELECT
  ${SIP} AS name, toString(r.lane) AS lane, r.yes_stx AS yes_stx, r.no_stx AS no_stx,
  r.yes_stx / (r.yes_stx + r.no_stx) AS yes_share, r.stated_stx AS stated_stx,
  coalesce(toInt64(r.yes_stx) + r.no_stx, l.counted) - toInt64(r.stated_stx) AS apart, r.closed_day AS closed_day
FROM sip_results AS r
LEFT JOIN lanes AS l ON l.sip = r.sip
ORDER BY r.sip DESC, r.lane`,
}

/** A count of our own, where ballots are listed. */
export const recountTable: StacksTable = {
  title: 'Counted again',
  sub: 'Each ballot that a repository lists, by lane. In the lane of pools one voter’s repeated ballots weigh the same each time, the whole stack: “once” takes the largest. In that of the DAO a ballot names an amount, so several add up',
  empty: BUNDLED,
  columns: [
    { key: 'name', label: 'Proposal', form: 'text' },
    { key: 'lane', label: 'Lane', form: 'text' },
    { key: 'ballots', label: 'Ballots', form: 'count' },
    { key: 'voters', label: 'Voters', form: 'count' },
    {
      key: 'repeating',
      label: 'With several',
      form: 'count',
      title: 'Voters with more than one ballot in the lane',
    },
    { key: 'yes_all', label: 'In favor', form: 'amount', title: 'Every ballot counts' },
    {
      key: 'yes_once',
      label: 'In favor, once',
      form: 'amount',
      title: 'Repeated ballots of pools count once',
    },
    { key: 'no_all', label: 'Against', form: 'amount' },
    {
      key: 'yes_share',
      label: 'Share',
      form: 'figure',
      unit: 'ratio',
      title: 'In favor, every ballot; signers by heads',
    },
    { key: 'stated_stx', label: 'Stated in favor, STX', form: 'count' },
    { key: 'apart_stx', label: 'Stated less counted, STX', form: 'count' },
  ],
  sql: `WITH
  voters AS (
    SELECT
      sip, toString(lane) AS lane, voter, count() AS cast, countIf(is_yes) AS yes_cast,
      sum(power_ustx * is_yes) AS yes, max(power_ustx * is_yes) AS yes_most, sum(power_ustx * NOT is_yes) AS no
    FROM sip_votes
    GROUP BY sip, lane, voter
  ),
  lanes AS (
    SELECT
      sip, lane, sum(cast) AS ballots, count() AS voters, countIf(cast > 1) AS repeating,
      sum(yes_cast) / sum(cast) AS yes_heads, sum(yes) AS yes_all,
      sum(if(lane = 'pool', yes_most, yes)) AS yes_once, sum(no) AS no_all
    FROM voters
    GROUP BY sip, lane
  )
SELECT
  concat('SIP-', leftPad(toString(v.sip), 3, '0')) AS name, v.lane AS lane, v.ballots AS ballots, v.voters AS voters, v.repeating AS repeating,
  v.yes_all AS yes_all, 6 AS yes_all_decimals, 'STX' AS yes_all_symbol,
  v.yes_once AS yes_once, 6 AS yes_once_decimals, 'STX' AS yes_once_symbol,
  v.no_all AS no_all, 6 AS no_all_decimals, 'STX' AS no_all_symbol,
  coalesce(v.yes_all / (v.yes_all + v.no_all), v.yes_heads) AS yes_share,
  r.yes_stx AS stated_stx, toInt64(r.yes_stx) - toInt64(intDiv(v.yes_all, 1000000)) AS apart_stx
FROM lanes AS v
LEFT JOIN (SELECT sip, toString(lane) AS lane, yes_stx FROM sip_results) AS r ON r.sip = v.sip AND r.lane = v.lane
ORDER BY v.sip, v.lane`,
}
