import { type View, view } from '../view.ts'

/** A field of the operation, as the codec wrote it. */
const of = {
  text: (name: string) => `JSONExtractString(o.details_json, '${name}')`,
  uint: (name: string) => `JSONExtract(o.details_json, '${name}', 'Nullable(UInt32)')`,
  bool: (name: string) => `JSONExtract(o.details_json, '${name}', 'Nullable(Bool)')`,
  amount: (name: string) => `toUInt128OrNull(JSONExtractString(o.details_json, '${name}'))`,
}

const AT = {
  height: 'Bitcoin block height',
  block_time: 'header time of the block, UTC',
  tx_index: 'position of the transaction in its block',
  txid: 'Bitcoin transaction, display order',
}

const leaderKeys = view('stx_leader_keys', {
  doc: 'One row per key that a Stacks miner registered on Bitcoin; block commits point to it by height and place.',
  columns: {
    ...AT,
    vrf_public_key: 'public key of the verifiable random function, 32 bytes, hexadecimal',
    signing_key_hash: 'hash of the key that signs blocks, from Nakamoto on; empty before',
    consensus_hash: 'consensus hash that the miner wrote, which the node ignores',
    memo: 'memo, hexadecimal',
  },
  sql: `SELECT
  o.height AS height, o.block_time AS block_time, o.tx_index AS tx_index, o.txid AS txid,
  ${of.text('vrfPublicKey')} AS vrf_public_key, ${of.text('signingKeyHash')} AS signing_key_hash,
  ${of.text('consensusHash')} AS consensus_hash, ${of.text('memo')} AS memo
FROM btc_layer_ops AS o
WHERE o.op = 'stacks.leader_key'`,
})

const tenureWinners = view('stx_tenure_winners', {
  doc: 'One row per tenure that a miner won: the Bitcoin block and the block commit that it stands on.',
  columns: {
    burn_height: 'Bitcoin height',
    miner_txid: 'block commit that won, display order; null where no source says it',
    stacks_height: 'first Stacks block of the tenure',
    run_to: 'Stacks height to which everything is held from there on',
  },
  sql: `SELECT t.burn_height AS burn_height, t.miner_txid AS miner_txid, t.stacks_height AS stacks_height, c.to_height AS run_to
FROM (
  SELECT burn_height, anyLast(miner_txid) AS miner_txid, toInt64(min(height)) AS stacks_height, 1 AS one
  FROM stx_tenures
  WHERE cause = 'BlockFound'
  GROUP BY burn_height
) AS t
ASOF LEFT JOIN (SELECT toInt64(from_height) AS from_height, toInt64(to_height) AS to_height, 1 AS one FROM stx_coverage) AS c
  ON c.one = t.one AND c.from_height <= t.stacks_height`,
})

const blockCommits = view('stx_block_commits', {
  doc: 'One row per block commit of a Stacks miner in the Bitcoin blocks that are held, with the tenure that it won.',
  columns: {
    ...AT,
    sender: 'Bitcoin address that the node takes for the miner; empty where it has no text',
    bid_sat: 'what it bids, satoshis',
    fee_sat: 'fee to Bitcoin’s miners, satoshis; null while a prevout is unknown',
    output_count: 'outputs that pay the bid',
    is_burn: 'the bid is burned',
    is_on_time: 'it is in the Bitcoin block that it was made for',
    parent_block: 'Bitcoin height of the commit of its parent block',
    parent_tx_index: 'place of that commit',
    key_block: 'Bitcoin height of its key',
    key_tx_index: 'place of that key',
    vrf_public_key: 'that key, hexadecimal; empty where its block is not held',
    block_header_hash:
      'hash that it commits to: of its block, from Nakamoto on id of the first block of the last tenure',
    is_accepted: 'a Stacks node counts it; null where no node says so',
    is_winner: 'it won the tenure; null where the Stacks blocks around it are not held',
    stacks_height: 'first Stacks block of the tenure; null unless it won',
  },
  sql: `SELECT
  o.height AS height, o.block_time AS block_time, o.tx_index AS tx_index, o.txid AS txid,
  ${of.text('sender')} AS sender, o.value_sat AS bid_sat, f.fee_sat AS fee_sat,
  ${of.uint('outputCount')} AS output_count, ${of.bool('isBurn')} AS is_burn, ${of.bool('modulusMatches')} AS is_on_time,
  ${of.uint('parentBlock')} AS parent_block, ${of.uint('parentTxIndex')} AS parent_tx_index,
  ${of.uint('keyBlock')} AS key_block, ${of.uint('keyTxIndex')} AS key_tx_index, k.vrf_public_key AS vrf_public_key,
  ${of.text('blockHeaderHash')} AS block_header_hash,
  if(b.said = 0, NULL, o.txid IN (SELECT txid FROM stx_commit_outputs)) AS is_accepted,
  multiIf(
    w.burn_height = o.height AND w.miner_txid IS NOT NULL, w.miner_txid = o.txid,
    w.burn_height = o.height, NULL,
    w.burn_height > 0 AND n.burn_height > 0 AND n.stacks_height <= w.run_to, false,
    NULL
  ) AS is_winner,
  if(w.burn_height = o.height AND w.miner_txid = o.txid, toNullable(toUInt32(w.stacks_height)), NULL) AS stacks_height
FROM (SELECT *, 1 AS one FROM btc_layer_ops WHERE op = 'stacks.block_commit') AS o
LEFT JOIN (
  SELECT height, tx_index, fee_sat
  FROM btc_txs
  WHERE (height, tx_index) IN (SELECT height, tx_index FROM btc_layer_ops WHERE op = 'stacks.block_commit')
) AS f ON f.height = o.height AND f.tx_index = o.tx_index
LEFT JOIN stx_leader_keys AS k ON k.height = ${of.uint('keyBlock')} AND k.tx_index = ${of.uint('keyTxIndex')}
LEFT JOIN (SELECT height, commit_count IS NOT NULL AS said FROM stx_burn_blocks) AS b ON b.height = o.height
-- The tenure won in this Bitcoin block, else the one before; and the one after, to tell a block without a winner from a gap.
ASOF LEFT JOIN (SELECT *, 1 AS one FROM stx_tenure_winners) AS w ON w.one = o.one AND w.burn_height <= o.height
ASOF LEFT JOIN (SELECT *, 1 AS one FROM stx_tenure_winners) AS n ON n.one = o.one AND n.burn_height > o.height`,
})

/** Blocks that bids are looked at over (stacks-core `MINING_COMMITMENT_WINDOW`). */
const WINDOW = 6
const FIRST_NAKAMOTO = 867_867
/**
 * What the null miner gains where a block’s bids fall behind: 0.8 ÷ (1 + e^(k(x − x₀))) through (0.2, 0.75) and (0.8, 0.01).
 * Source: stacks-core `chainstate/burn/atc.rs`, which keeps it as a table of 1,024 steps.
 */
const CURVE = (() => {
  const [x1, y1, x2, y2, limit] = [0.2, 0.75, 0.8, 0.01, 0.8] as const
  const z = Math.log(limit / y1 - 1) / Math.log(limit / y2 - 1)
  const x0 = (x1 - z * x2) / (1 - z)
  return { limit, x0, k: Math.log(limit / y1 - 1) / (x1 - x0) }
})()

const commitOdds = view('stx_commit_odds', {
  doc: 'One row per block commit and what its chance was: an estimate of the node’s rule from what is on Bitcoin.',
  columns: {
    height: AT.height,
    txid: AT.txid,
    sender: 'Bitcoin address that is taken for the miner',
    bid_sat: 'what it bids, satoshis',
    commits_in_window: `blocks of the last ${WINDOW} in which the miner bid`,
    effective_bid_sat: `the smaller of its bid and the median of its bids over ${WINDOW} blocks, a block without one counted as 1 satoshi`,
    null_probability: 'chance that nobody wins, from Nakamoto on: where bids fall behind their median',
    probability:
      'its chance to win; null with fewer than 3 bids in the window, or where a block of it is not held',
  },
  sql: `SELECT
  height, txid, sender, bid_sat, commits_in_window, effective_bid_sat, null_probability,
  if(is_known AND commits_in_window >= 3,
    effective_bid_sat / sumIf(effective_bid_sat, commits_in_window >= 3) OVER (PARTITION BY height) * (1 - null_probability),
    NULL) AS probability
FROM (
  SELECT
    c.height AS height, c.txid AS txid, c.sender AS sender, c.bid_sat AS bid_sat,
    toUInt8(length(arrayDistinct(c.window.1))) AS commits_in_window,
    arraySort(arrayMap(
      n -> toUInt64(greatest(1, arrayMax(arrayMap(b -> if(b.1 + n = c.height, b.2, 0), c.window)))), range(${WINDOW})
    )) AS bids,
    least(c.bid_sat, intDiv(bids[${WINDOW / 2}] + bids[${WINDOW / 2 + 1}], 2)) AS effective_bid_sat,
    t.is_known AS is_known,
    if(c.height < ${FIRST_NAKAMOTO} OR t.median = 0, 0, least(1, t.total / t.median)) AS carried,
    if(c.height < ${FIRST_NAKAMOTO} OR carried >= 1, 0,
      (1 - carried) + carried * ${CURVE.limit} / (1 + exp(${CURVE.k} * (carried - ${CURVE.x0})))) AS null_probability
  FROM (
    SELECT
      o.height AS height, o.txid AS txid, ${of.text('sender')} AS sender, o.value_sat AS bid_sat,
      groupArray((o.height, o.value_sat)) OVER (PARTITION BY sender ORDER BY o.height RANGE BETWEEN ${WINDOW - 1} PRECEDING AND CURRENT ROW) AS window
    FROM btc_layer_ops AS o
    WHERE o.op = 'stacks.block_commit'
  ) AS c
  INNER JOIN (
    SELECT
      height, total, count() OVER last = ${WINDOW} AS is_known,
      arraySort(groupArray(total) OVER last) AS totals,
      intDiv(totals[intDiv(length(totals) + 1, 2)] + totals[intDiv(length(totals), 2) + 1], 2) AS median
    FROM (
      SELECT b.height AS height, sum(p.value_sat) AS total
      FROM btc_blocks AS b
      LEFT JOIN (SELECT height, value_sat FROM btc_layer_ops WHERE op = 'stacks.block_commit') AS p ON p.height = b.height
      WHERE b.height >= 666050
      GROUP BY b.height
    )
    WINDOW last AS (ORDER BY height RANGE BETWEEN ${WINDOW - 1} PRECEDING AND CURRENT ROW)
  ) AS t ON t.height = c.height
)`,
})

const bitcoinOps = view('stx_bitcoin_ops', {
  doc: 'One row per operation on Stacks that was made on Bitcoin (not commits and keys), with the Stacks transaction that carried it out.',
  columns: {
    ...AT,
    op: '`stacks.pre_stx`, `stacks.stack_stx`, `stacks.transfer_stx`, `stacks.delegate_stx` or `stacks.vote_for_aggregate_key`',
    amount_ustx: 'amount, micro-STX; null where it has none',
    recipient:
      'Bitcoin address that stands for the recipient, the delegate or the reward; empty where there is none',
    pre_stx_txid: 'transaction that names the sender, hexadecimal; empty where there is none',
    details_json: 'fields of the operation as JSON',
    stacks_height: 'Stacks block that carried it out; null where none is held that did',
    stacks_status: 'how that ended; empty likewise',
  },
  sql: `SELECT
  o.height AS height, o.block_time AS block_time, o.tx_index AS tx_index, o.txid AS txid, toString(o.op) AS op,
  ${of.amount('amountUstx')} AS amount_ustx,
  coalesce(nullIf(${of.text('recipient')}, ''), nullIf(${of.text('delegateTo')}, ''), ${of.text('rewardAddress')}) AS recipient,
  ${of.text('preStxTxid')} AS pre_stx_txid, o.details_json AS details_json,
  t.height AS stacks_height, t.status AS stacks_status
FROM btc_layer_ops AS o
LEFT JOIN (
  SELECT txid, toNullable(height) AS height, toString(status) AS status FROM stx_txs WHERE kind = 'bitcoin_op'
) AS t ON t.txid = o.txid
WHERE o.op IN ('stacks.pre_stx', 'stacks.stack_stx', 'stacks.transfer_stx', 'stacks.delegate_stx', 'stacks.vote_for_aggregate_key')`,
})

const mergeMining = view('rootstock_merge_mining', {
  doc: 'One row per Bitcoin block with the merge-mining tag of Rootstock, with the Rootstock block that took its header for its proof of work.',
  columns: {
    ...AT,
    hash_for_merged_mining: 'what the tag commits to, 32 bytes, hexadecimal',
    tagged_height: 'Rootstock height that the tag names, from RSKIP-110 on; null before',
    rootstock_height: 'Rootstock block whose proof is this Bitcoin header; null where none is held',
    rootstock_hash: 'its hash; null likewise',
    is_proved: 'its proof was checked to commit to it by this tag; null likewise',
    is_in_chain:
      'a Rootstock block took the header; false: the height that the tag names is held and none did; null where it is not held',
  },
  sql: `SELECT
  o.height AS height, o.block_time AS block_time, o.tx_index AS tx_index, o.txid AS txid,
  ${of.text('hashForMergedMining')} AS hash_for_merged_mining, ${of.uint('blockNumber')} AS tagged_height,
  r.height AS rootstock_height, r.hash AS rootstock_hash, r.is_bitcoin_tagged AS is_proved,
  multiIf(r.height IS NOT NULL, true, h.height IS NOT NULL, false, NULL) AS is_in_chain
FROM btc_layer_ops AS o
INNER JOIN (SELECT height, hash FROM btc_blocks) AS b ON b.height = o.height
LEFT JOIN (
  SELECT assumeNotNull(bitcoin_hash) AS bitcoin_hash, toNullable(height) AS height, toNullable(hash) AS hash, is_bitcoin_tagged
  FROM evm_blocks
  WHERE chain = 'rootstock' AND bitcoin_hash IS NOT NULL
) AS r ON r.bitcoin_hash = b.hash
LEFT JOIN (
  SELECT height AS number, toNullable(height) AS height FROM evm_blocks WHERE chain = 'rootstock'
) AS h ON h.number = ${of.uint('blockNumber')}
WHERE o.op = 'rootstock.merge_mining'`,
})

/** What layers do on Bitcoin, joined to their own blocks, in the order in which views rest on one another. */
export const FOOTPRINT_VIEWS: readonly View[] = [
  leaderKeys,
  tenureWinners,
  blockCommits,
  commitOdds,
  bitcoinOps,
  mergeMining,
]
