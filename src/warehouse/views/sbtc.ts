import { BOOT_ADDRESSES, SBTC_DEPLOYERS, SBTC_TOKENS } from '#kernel/stacks.ts'
import { sqlString } from '../types.ts'
import { type View, view } from '../view.ts'
import { PRINT_PLACE, printView } from './prints.ts'

const deployers = Object.values(SBTC_DEPLOYERS)
const registries = deployers.map(deployer => `${deployer}.sbtc-registry`)
const listSql = (texts: readonly string[]): string => texts.map(sqlString).join(', ')
const FREE_ASSETS_SQL = listSql(SBTC_TOKENS.map(token => `${token}::sbtc-token`))
/** From PoX-5 on a miner’s bid is a deposit whose sBTC goes to the contract of PoX (SIP-045). */
const MINERS_RECIPIENTS_SQL = listSql(Object.values(BOOT_ADDRESSES).map(address => `${address}.pox-5`))

/**
 * What the registry of sBTC prints; txids in display order, the order in which Bitcoin rows are kept.
 * Source: stacks-sbtc/sbtc `contracts/contracts/sbtc-registry.clar`, `signer/src/stacks/contracts.rs` (`to_le_bytes`).
 */
const sbtcPrints = printView('stx_sbtc_prints', {
  doc: 'One row per report of the registry of sBTC: a deposit completed, a withdrawal asked for, accepted or rejected.',
  contracts: registries,
  events: ['completed-deposit', 'withdrawal-create', 'withdrawal-accept', 'withdrawal-reject'],
  fields: {
    request_id: { path: 'request-id', kind: 'u64', doc: 'number of a withdrawal; null for a deposit' },
    amount_sat: {
      path: 'amount',
      kind: 'u64',
      doc: 'minted, or asked for, satoshis; null where it is settled',
    },
    max_fee_sat: {
      path: 'max-fee',
      kind: 'u64',
      doc: 'request: most that may be taken for the Bitcoin fee, satoshis',
    },
    sender: { path: 'sender', kind: 'text', doc: 'request: who asks' },
    recipient_version: {
      path: 'recipient.version',
      kind: 'bytes',
      doc: 'request: kind of the Bitcoin address, as PoX counts them',
    },
    recipient_hash: {
      path: 'recipient.hashbytes',
      kind: 'bytes',
      doc: 'request: hash or key of the Bitcoin address',
    },
    request_burn_height: {
      path: 'block-height',
      kind: 'u64',
      doc: 'request: Bitcoin height at which it was made',
    },
    signer_bitmap: {
      path: 'signer-bitmap',
      kind: 'u128',
      doc: 'settled: signers that did not vote for it, one bit each; 0 where the signers recorded no votes, as in every answer since spring 2025',
    },
    bitcoin_txid: {
      path: 'bitcoin-txid',
      kind: 'hash32',
      doc: 'Bitcoin transaction of the deposit, or that pays the withdrawal, display order',
    },
    bitcoin_vout: { path: 'output-index', kind: 'u64', doc: 'output of that transaction' },
    fee_sat: { path: 'fee', kind: 'u64', doc: 'accepted: taken for the Bitcoin fee, satoshis' },
    burn_hash: { path: 'burn-hash', kind: 'hash32', doc: 'Bitcoin block of the sweep, display order' },
    sweep_burn_height: { path: 'burn-height', kind: 'u64', doc: 'height of that block' },
    sweep_txid: {
      path: 'sweep-txid',
      kind: 'hash32',
      doc: 'Bitcoin transaction by which the signers took it in or paid it, display order',
    },
  },
})

const sbtcKeys = printView('stx_sbtc_keys', {
  doc: 'One row per time that the signers of sBTC changed their keys.',
  contracts: registries,
  events: ['key-rotation'],
  fields: {
    new_address: { path: 'new-address', kind: 'text', doc: 'principal of the signers from then on' },
    aggregate_key: { path: 'new-aggregate-pubkey', kind: 'bytes', doc: 'their key together, compressed' },
    signature_threshold: { path: 'new-signature-threshold', kind: 'u64', doc: 'signatures that are needed' },
    keys: { path: 'new-keys', kind: 'repr', doc: 'the keys as readable text' },
  },
})

/** SQL: outputs of the transactions that the registry names; `column` says which of its txids. */
const outputsOf = (column: 'bitcoin_txid' | 'sweep_txid', columns: string, where = ''): string => `(
  SELECT ${columns}
  FROM btc_outpoints
  WHERE txid_prefix IN (SELECT reinterpretAsUInt64(reverse(substring(assumeNotNull(${column}), 1, 8))) FROM stx_sbtc_prints WHERE ${column} IS NOT NULL)${where}
)`
const SWEEPS = outputsOf(
  'sweep_txid',
  'toNullable(txid) AS txid, toNullable(height) AS height, toNullable(block_time) AS block_time',
  ' AND vout = 0',
)
const FOUND = outputsOf(
  'bitcoin_txid',
  `toNullable(txid) AS txid, toNullable(toUInt64(vout)) AS vout, toNullable(height) AS height,
    toNullable(block_time) AS block_time, toNullable(value_sat) AS value_sat, toNullable(script) AS script`,
)

const sweepColumns = {
  sweep_txid: 'Bitcoin transaction by which the signers took it in or paid it, display order',
  sweep_burn_height: 'Bitcoin height of the sweep, as the registry says',
  sweep_height: 'Bitcoin height of the sweep; null where that block is not held',
  sweep_time: 'header time of that block, UTC; null likewise',
}

const sbtcDeposits = view('stx_sbtc_deposits', {
  doc: 'One row per deposit of bitcoin for which sBTC was minted, with its transactions on Bitcoin where they are held.',
  columns: {
    ...PRINT_PLACE,
    burn_height: 'Bitcoin height of the tenure in which it was minted',
    amount_sat: 'sBTC minted, satoshis',
    recipient: 'who got it; null where the mint is not held',
    origin: '`miner`: a block commit, minted to the contract of PoX-5; else `user`',
    bitcoin_txid: 'Bitcoin transaction of the deposit, display order',
    bitcoin_vout: 'output of that transaction',
    ...sweepColumns,
    deposit_height: 'Bitcoin height of the deposit; null where that block is not held',
    deposit_time: 'header time of that block, UTC; null likewise',
    deposit_sat: 'value of the output, satoshis; null likewise',
    fee_sat: 'kept back for the Bitcoin fee of the sweep, satoshis; null likewise',
    blocks_to_sweep: 'Bitcoin blocks from deposit to sweep; null where one of them is not held',
    blocks_to_mint:
      'Bitcoin blocks from deposit to the tenure of the mint; null where the deposit is not held',
    seconds_to_mint: 'seconds from the header time of the deposit to the block of the mint; null likewise',
  },
  sql: `SELECT
  p.contract AS contract, p.event AS event, p.height AS height, p.block_time AS block_time,
  p.event_index AS event_index, p.txid AS txid, b.burn_height AS burn_height, p.amount_sat AS amount_sat,
  m.recipient AS recipient,
  if(m.recipient IN (${MINERS_RECIPIENTS_SQL}), 'miner', 'user') AS origin,
  p.bitcoin_txid AS bitcoin_txid, p.bitcoin_vout AS bitcoin_vout,
  p.sweep_txid AS sweep_txid, p.sweep_burn_height AS sweep_burn_height, s.height AS sweep_height, s.block_time AS sweep_time,
  o.height AS deposit_height, o.block_time AS deposit_time, o.value_sat AS deposit_sat,
  toInt64(o.value_sat) - toInt64(p.amount_sat) AS fee_sat,
  toInt64(s.height) - toInt64(o.height) AS blocks_to_sweep,
  toInt64(b.burn_height) - toInt64(o.height) AS blocks_to_mint,
  toInt64(p.block_time) - toInt64(o.block_time) AS seconds_to_mint
FROM stx_sbtc_prints AS p
-- The mint stands before the print that reports it.
ASOF LEFT JOIN (
  SELECT height, txid, event_index, toNullable(recipient) AS recipient
  FROM stx_transfers
  WHERE asset IN (${FREE_ASSETS_SQL}) AND action = 'mint'
) AS m ON m.height = p.height AND m.txid = p.txid AND m.event_index <= p.event_index
LEFT JOIN (
  SELECT height, burn_height
  FROM stx_blocks
  WHERE height IN (SELECT height FROM stx_sbtc_prints)
) AS b ON b.height = p.height
LEFT JOIN ${FOUND} AS o ON o.txid = p.bitcoin_txid AND o.vout = p.bitcoin_vout
LEFT JOIN ${SWEEPS} AS s ON s.txid = p.sweep_txid
WHERE p.event = 'completed-deposit'`,
})

const lastOf = (event: string, column: string): string => `anyIf(p.${column}, p.event = '${event}')`
const maybeOf = (event: string, column: string): string =>
  `if(countIf(p.event = '${event}') = 0, NULL, ${lastOf(event, column)})`

const sbtcWithdrawals = view('stx_sbtc_withdrawals', {
  doc: 'One row per withdrawal of sBTC: asked for, then accepted and paid on Bitcoin, or rejected.',
  columns: {
    contract: PRINT_PLACE.contract,
    request_id: 'number of the request',
    status: '`pending`, `accepted` or `rejected`',
    sender: 'who asked; empty where the request is not held',
    amount_sat: 'asked for, satoshis; null likewise',
    max_fee_sat: 'most that may be taken for the Bitcoin fee, satoshis; null likewise',
    recipient_version: 'kind of the Bitcoin address, as PoX counts them: 0 P2PKH to 6 P2TR; null likewise',
    recipient_hash: 'hash or key of the Bitcoin address; empty likewise',
    recipient_script: 'script of the Bitcoin address; empty likewise',
    request_height: 'block of the request; null likewise',
    request_time: 'its time, UTC; null likewise',
    request_txid: 'transaction of the request; null likewise',
    request_burn_height: 'Bitcoin height at which it was asked for; null likewise',
    settled_height: 'block in which it was accepted or rejected; null while pending',
    settled_time: 'its time, UTC; null likewise',
    settled_txid: 'transaction of that; null likewise',
    signer_bitmap:
      'signers that did not vote for it, one bit each; null while pending and where no votes are recorded',
    fee_sat: 'taken for the Bitcoin fee, satoshis; null unless accepted',
    bitcoin_txid: 'Bitcoin transaction that pays, display order; null unless accepted',
    bitcoin_vout: 'output that pays; null unless accepted',
    ...sweepColumns,
    paid_sat: 'value of the output that pays, satoshis; null where its block is not held',
    is_paid_as_asked:
      'that output has the script and the amount that were asked for; null where one of them is not held',
    blocks_to_payment: 'Bitcoin blocks from request to payment; null where one of them is not held',
    seconds_to_payment:
      'seconds from the block of the request to the header time of the payment; null likewise',
  },
  sql: `WITH
  requests AS (
    SELECT
      p.contract AS contract, p.request_id AS request_id,
      multiIf(countIf(p.event = 'withdrawal-accept') > 0, 'accepted', countIf(p.event = 'withdrawal-reject') > 0, 'rejected', 'pending') AS status,
      ${lastOf('withdrawal-create', 'sender')} AS sender,
      ${lastOf('withdrawal-create', 'amount_sat')} AS amount_sat,
      ${lastOf('withdrawal-create', 'max_fee_sat')} AS max_fee_sat,
      ${lastOf('withdrawal-create', 'recipient_version')} AS version,
      ${lastOf('withdrawal-create', 'recipient_hash')} AS recipient_hash,
      ${lastOf('withdrawal-create', 'request_burn_height')} AS request_burn_height,
      ${maybeOf('withdrawal-create', 'height')} AS request_height,
      ${maybeOf('withdrawal-create', 'block_time')} AS request_time,
      ${maybeOf('withdrawal-create', 'txid')} AS request_txid,
      countIf(p.event != 'withdrawal-create') > 0 AS is_settled,
      if(is_settled, anyIf(p.height, p.event != 'withdrawal-create'), NULL) AS settled_height,
      if(is_settled, anyIf(p.block_time, p.event != 'withdrawal-create'), NULL) AS settled_time,
      if(is_settled, anyIf(p.txid, p.event != 'withdrawal-create'), NULL) AS settled_txid,
      -- The signers write 0 whatever they voted, so 0 is no record of votes.
      nullIf(anyIf(p.signer_bitmap, p.event != 'withdrawal-create'), 0) AS signer_bitmap,
      ${lastOf('withdrawal-accept', 'fee_sat')} AS fee_sat,
      ${lastOf('withdrawal-accept', 'bitcoin_txid')} AS bitcoin_txid,
      ${lastOf('withdrawal-accept', 'bitcoin_vout')} AS bitcoin_vout,
      ${lastOf('withdrawal-accept', 'sweep_txid')} AS sweep_txid,
      ${lastOf('withdrawal-accept', 'sweep_burn_height')} AS sweep_burn_height
    FROM stx_sbtc_prints AS p
    WHERE p.request_id IS NOT NULL
    GROUP BY p.contract, p.request_id
  )
SELECT
  r.contract AS contract, r.request_id AS request_id, r.status AS status, r.sender AS sender,
  r.amount_sat AS amount_sat, r.max_fee_sat AS max_fee_sat,
  if(r.version = '', NULL, reinterpretAsUInt8(r.version)) AS recipient_version, r.recipient_hash AS recipient_hash,
  multiIf(
    r.version = '', '',
    recipient_version = 0, concat(unhex('76a914'), r.recipient_hash, unhex('88ac')),
    recipient_version <= 3, concat(unhex('a914'), r.recipient_hash, unhex('87')),
    recipient_version = 4, concat(unhex('0014'), r.recipient_hash),
    recipient_version = 5, concat(unhex('0020'), r.recipient_hash),
    recipient_version = 6, concat(unhex('5120'), r.recipient_hash),
    ''
  ) AS recipient_script,
  r.request_height AS request_height, r.request_time AS request_time, r.request_txid AS request_txid,
  r.request_burn_height AS request_burn_height,
  r.settled_height AS settled_height, r.settled_time AS settled_time, r.settled_txid AS settled_txid,
  r.signer_bitmap AS signer_bitmap, r.fee_sat AS fee_sat,
  r.bitcoin_txid AS bitcoin_txid, r.bitcoin_vout AS bitcoin_vout,
  r.sweep_txid AS sweep_txid, r.sweep_burn_height AS sweep_burn_height, s.height AS sweep_height, s.block_time AS sweep_time,
  o.value_sat AS paid_sat,
  if(recipient_script = '', NULL, o.script = recipient_script AND o.value_sat = r.amount_sat) AS is_paid_as_asked,
  toInt64(s.height) - toInt64(r.request_burn_height) AS blocks_to_payment,
  toInt64(s.block_time) - toInt64(r.request_time) AS seconds_to_payment
FROM requests AS r
LEFT JOIN ${FOUND} AS o ON o.txid = r.bitcoin_txid AND o.vout = r.bitcoin_vout
LEFT JOIN ${SWEEPS} AS s ON s.txid = r.sweep_txid`,
})

const sbtcReserveOutputs = view('stx_sbtc_reserve_outputs', {
  doc: 'One row per output that the signers of sBTC hold or held: the first one of each of their sweeps on Bitcoin.',
  columns: {
    height: 'Bitcoin height of the sweep that made it',
    block_time: 'header time of that block, UTC',
    txid: 'the sweep, display order',
    value_sat: 'value, satoshis',
    script: 'script of the signers: it changes with their keys',
    spent_height: 'Bitcoin height at which it was spent; null while it is not',
    spent_time: 'header time of that block, UTC; null likewise',
  },
  // Anyone may write the mark of a sweep: the signers’ are those that pay a script which the registry has vouched for.
  sql: `SELECT
  h.height AS height, h.block_time AS block_time, h.txid AS txid, h.value_sat AS value_sat, h.script AS script,
  i.height AS spent_height, i.block_time AS spent_time
FROM (
  SELECT height, block_time, txid, value_sat, script
  FROM btc_outputs
  WHERE vout = 0
    AND (height, tx_index) IN (SELECT height, tx_index FROM btc_layer_ops WHERE op = 'stacks.peg')
    AND height IN (SELECT height FROM btc_layer_ops WHERE op = 'stacks.peg')
    AND script IN ${outputsOf('sweep_txid', 'script', ' AND vout = 0 AND toNullable(txid) IN (SELECT sweep_txid FROM stx_sbtc_prints)')}
) AS h
LEFT JOIN (
  SELECT prev_txid, toNullable(height) AS height, toNullable(block_time) AS block_time
  FROM btc_inputs
  WHERE prev_vout = 0 AND prev_txid IN (SELECT txid FROM btc_layer_ops WHERE op = 'stacks.peg')
) AS i ON i.prev_txid = h.txid`,
})

const sbtcReserveChanges = view('stx_sbtc_reserve_changes', {
  doc: 'One row per change of what backs sBTC: the signers’ outputs, less what they swept and have not minted, and what they paid and have not burned.',
  columns: {
    block_time:
      'when it counts: of the Bitcoin block of a sweep, of the Stacks block of a mint or a burn, UTC',
    term: '`outputs`, `swept_not_minted` or `paid_not_burned`',
    change_sat: 'satoshis that back sBTC from then on; negative: that no longer do',
  },
  sql: `SELECT assumeNotNull(e.1) AS block_time, 'outputs' AS term, e.2 AS change_sat
FROM (
  SELECT arrayJoin([(toNullable(block_time), toInt64(value_sat)), (spent_time, -toInt64(value_sat))]) AS e
  FROM stx_sbtc_reserve_outputs
)
WHERE e.1 IS NOT NULL
UNION ALL
SELECT assumeNotNull(e.1), 'swept_not_minted', e.2
FROM (
  SELECT arrayJoin([(toNullable(t.block_time), -ifNull(m.amount_sat, t.value_sat)), (m.mint_time, ifNull(m.amount_sat, t.value_sat))]) AS e
  FROM (
    SELECT prev_txid, toUInt64(prev_vout) AS prev_vout, toInt64(ifNull(prev_value_sat, 0)) AS value_sat, block_time
    FROM btc_inputs
    WHERE vin > 0
      AND height IN (SELECT height FROM btc_layer_ops WHERE op = 'stacks.peg')
      AND txid IN (SELECT txid FROM stx_sbtc_reserve_outputs)
  ) AS t
  LEFT JOIN (
    SELECT bitcoin_txid, bitcoin_vout, toNullable(toInt64(amount_sat)) AS amount_sat, toNullable(block_time) AS mint_time
    FROM stx_sbtc_prints
    WHERE event = 'completed-deposit'
  ) AS m ON m.bitcoin_txid = t.prev_txid AND m.bitcoin_vout = t.prev_vout
)
WHERE e.1 IS NOT NULL
UNION ALL
SELECT assumeNotNull(e.1), 'paid_not_burned', assumeNotNull(e.2)
FROM (
  SELECT arrayJoin([(sweep_time, toInt64(amount_sat + fee_sat)), (settled_time, -toInt64(amount_sat + fee_sat))]) AS e
  FROM stx_sbtc_withdrawals
  WHERE status = 'accepted' AND sweep_time IS NOT NULL AND amount_sat IS NOT NULL
)`,
})

/** sBTC, from the prints of its registry and our Bitcoin rows, in the order in which views rest on one another. */
export const SBTC_VIEWS: readonly View[] = [
  sbtcPrints,
  sbtcKeys,
  sbtcDeposits,
  sbtcWithdrawals,
  sbtcReserveOutputs,
  sbtcReserveChanges,
]
