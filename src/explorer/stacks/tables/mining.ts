import { poissonBinomialQuantile } from '#kernel/poissonBinomial.ts'
import type { StacksTable } from './table.ts'

const NO_COMMITS =
  'No indexed Bitcoin block has a block commit. Set BITCOIN_RPC_URL to a node. Winners come from Stacks blocks of the same time.'

export const tenuresTable: StacksTable = {
  title: 'Bids and winners, tenure by tenure',
  sub: 'Latest indexed Bitcoin blocks with block commits. The chance is an estimate of the node’s rule and needs the five previous blocks',
  empty: NO_COMMITS,
  columns: [
    { key: 'height', label: 'Bitcoin block', form: 'count' },
    { key: 'time', label: 'Time', form: 'time' },
    { key: 'commits', label: 'Commits', form: 'count' },
    { key: 'bid_sat', label: 'Bids, sat', form: 'count' },
    { key: 'missed_sat', label: 'Not accepted, sat', form: 'count' },
    { key: 'fee_sat', label: 'Fees, sat', form: 'count' },
    { key: 'winner', label: 'Winner', form: 'key' },
    { key: 'winner_bid_sat', label: 'Its bid, sat', form: 'count' },
    { key: 'winner_share', label: 'Of all bids', form: 'figure', unit: 'ratio' },
    { key: 'chance', label: 'Its chance', form: 'figure', unit: 'ratio' },
    { key: 'hhi', label: 'HHI', form: 'figure', unit: 'HHI', title: 'Sum of squared shares of the bids' },
    { key: 'stacks_height', label: 'First Stacks block', form: 'count' },
  ],
  sql: `WITH
  newest AS (
    SELECT DISTINCT height FROM btc_layer_ops WHERE op = 'stacks.block_commit' ORDER BY height DESC LIMIT 100
  )
SELECT
  c.height AS height, any(c.block_time) AS time, count() AS commits, sum(c.bid_sat) AS bid_sat,
  if(countIf(c.is_accepted IS NULL) > 0, NULL, sumIf(c.bid_sat, c.is_accepted = false)) AS missed_sat,
  if(countIf(c.fee_sat IS NULL) > 0, NULL, sum(c.fee_sat)) AS fee_sat,
  multiIf(
    countIf(c.is_winner = true) > 0, anyIf(if(c.sender = '', 'unknown', c.sender), c.is_winner = true),
    countIf(c.is_winner IS NULL) = 0, 'nobody', 'not known'
  ) AS winner,
  if(countIf(c.is_winner = true) > 0, sumIf(c.bid_sat, c.is_winner = true), NULL) AS winner_bid_sat,
  winner_bid_sat / nullIf(sum(c.bid_sat), 0) AS winner_share,
  if(countIf(c.is_winner = true) > 0, anyIf(o.probability, c.is_winner = true), NULL) AS chance,
  sum(toFloat64(c.bid_sat) * c.bid_sat) / pow(sum(toFloat64(c.bid_sat)), 2) AS hhi,
  max(c.stacks_height) AS stacks_height
FROM stx_block_commits AS c
LEFT JOIN (SELECT txid, probability FROM stx_commit_odds) AS o ON o.txid = c.txid
WHERE c.height IN (SELECT height FROM newest)
GROUP BY c.height
ORDER BY height DESC`,
}

export const minersTable: StacksTable = {
  title: 'Miners',
  sub: 'Over all indexed Bitcoin blocks with block commits. Luck is wins ÷ expected wins; chance alone gives wins within the bounds in 95 of 100 cases. Commits with fewer than 3 bids in six blocks have no chance and are left out of both. Wins are blank if none is known and some outcomes are unknown',
  empty: NO_COMMITS,
  columns: [
    { key: 'miner', label: 'Miner', form: 'key' },
    { key: 'commits', label: 'Commits', form: 'count' },
    { key: 'bid_sat', label: 'Bids, sat', form: 'count' },
    { key: 'share', label: 'Of all bids', form: 'figure', unit: 'ratio' },
    { key: 'fee_sat', label: 'Fees, sat', form: 'count' },
    { key: 'wins', label: 'Tenures won', form: 'count' },
    { key: 'judged', label: 'Commits judged', form: 'count', title: 'With chance and outcome' },
    { key: 'expected', label: 'Expected wins', form: 'figure', unit: 'n' },
    { key: 'luck', label: 'Luck', form: 'figure', unit: 'ratio' },
    { key: 'wins_low', label: 'By chance, from', form: 'count' },
    { key: 'wins_high', label: 'to', form: 'count' },
    { key: 'median_bid_sat', label: 'Median bid, sat', form: 'count' },
    { key: 'first_height', label: 'From Bitcoin block', form: 'count', isOptional: true },
    { key: 'last_height', label: 'To', form: 'count', isOptional: true },
  ],
  sql: `SELECT
  if(c.sender = '', 'unknown', c.sender) AS miner, count() AS commits, sum(c.bid_sat) AS bid_sat,
  bid_sat / sum(bid_sat) OVER () AS share,
  if(countIf(c.fee_sat IS NULL) > 0, NULL, sum(c.fee_sat)) AS fee_sat,
  if(countIf(c.is_winner = true) = 0 AND countIf(c.is_winner IS NULL) > 0, NULL, countIf(c.is_winner = true)) AS wins,
  groupArrayIf(assumeNotNull(o.probability), o.probability IS NOT NULL AND c.is_winner IS NOT NULL) AS ps,
  length(ps) AS judged, if(judged = 0, NULL, arraySum(ps)) AS expected,
  if(judged = 0, NULL, countIf(c.is_winner = true AND o.probability IS NOT NULL) / nullIf(expected, 0)) AS luck,
  if(judged = 0, NULL, toNullable(${poissonBinomialQuantile('ps', 0.025)})) AS wins_low,
  if(judged = 0, NULL, toNullable(${poissonBinomialQuantile('ps', 0.975)})) AS wins_high,
  quantileExactLow(0.5)(c.bid_sat) AS median_bid_sat, min(c.height) AS first_height, max(c.height) AS last_height
FROM stx_block_commits AS c
LEFT JOIN (SELECT txid, probability FROM stx_commit_odds) AS o ON o.txid = c.txid
GROUP BY miner
ORDER BY bid_sat DESC, miner
LIMIT 200`,
}
