import { snake } from '#kernel/table.ts'
import functions from '../../../catalog/evm/functions.json' with { type: 'json' }
import { evmTxs } from '../tables/evm.ts'
import { sqlString } from '../types.ts'
import { commentsOf, type View, view } from '../view.ts'

const MOVED = {
  chain: 'the layer, as its file in the catalog is named',
  token: 'contract of the token',
  token_id: 'which one; null for ERC-20',
  holder: 'who has it',
}

/** Zeros stand for nobody: tokens come from there when they are made and go there when they are destroyed. */
const NOBODY = "toFixedString(unhex(repeat('00', 20)), 20)"

const evmTokens = view('evm_tokens', {
  doc: 'One row per token that moved on an EVM layer, with the newest answer of what it says of itself.',
  columns: {
    chain: MOVED.chain,
    token: MOVED.token,
    standard: 'the standard of the events by which it moved',
    name: 'its name; null where it has none that can be read',
    symbol: 'its symbol; null as above',
    decimals:
      'digits of its amounts behind the point; null as above, and for tokens that are counted one by one',
    height: 'block as of which it was asked',
    block_hash: 'hash of that block: no longer of the best chain where a reorg took it back',
    asked_at: 'when it was asked, UTC',
  },
  sql: `SELECT chain, token, standard, name, symbol, decimals, height, block_hash, asked_at
FROM base.evm_tokens
ORDER BY chain, token, asked_at DESC, height DESC
LIMIT 1 BY chain, token`,
})

const evmBalanceChanges = view('evm_balance_changes', {
  doc: 'Two rows per transfer of a token on an EVM layer: what one lost and the other got. A running sum over them is a balance as of any block.',
  columns: {
    ...MOVED,
    height: 'block number',
    block_time: 'time of the block, UTC',
    log_index: 'position of the log in its block',
    change: 'what was got, base units of the token; negative: what was lost',
  },
  sql: `SELECT chain, token, token_id, recipient AS holder, height, block_time, log_index, toInt256(amount) AS change
FROM evm_transfers
WHERE recipient != ${NOBODY}
UNION ALL
SELECT chain, token, token_id, sender AS holder, height, block_time, log_index, -toInt256(amount) AS change
FROM evm_transfers
WHERE sender != ${NOBODY}`,
})

const evmBalances = view('evm_balances', {
  doc: 'One row per token of an EVM layer and holder: the sum of its transfers that are held. Equal to the contract’s own answer where the token tells each change by a transfer and everything since it was made is held.',
  columns: {
    ...MOVED,
    balance:
      'what is left, base units of the token; negative where transfers before what is held are missing',
    changed_height: 'block of the last change',
    changes: 'transfers that it took part in',
  },
  sql: `SELECT chain, token, token_id, holder, sum(change) AS balance, max(height) AS changed_height, count() AS changes
FROM evm_balance_changes
GROUP BY chain, token, token_id, holder`,
})

/** The account in whose name an OP Stack node puts the parent chain's facts into each block. */
const OP_DEPOSITOR = 'deaddeaddeaddeaddeaddeaddeaddeaddead0001'
/** Bitlayer's engine calls its contracts under this account. */
const BITLAYER_ENGINE = '0000000000004269746c61796572456e67696e65'
/** Core's validators call system contracts for no fee: those from 0x1000 on. */
const CORE_SYSTEM = `${'0'.repeat(36)}1`

/**
 * SQL over the columns of `evm_txs`: whether it is a system transaction that no user sent. These are unsigned transactions,
 * REMASC of Rootstock, the parent chain's facts on the OP Stack (deposits of users are theirs), calls of Bitlayer's engine
 * and free calls of Core's system contracts. Sources: rskj; optimism specs, deposits; bitlayer-l2 and core-chain, consensus
 * engines.
 */
export const IS_SYSTEM_TX = `(
    kind IN ('remasc', 'unsigned')
    OR kind = 'deposit' AND sender = unhex('${OP_DEPOSITOR}')
    OR chain = 'bitlayer' AND sender = unhex('${BITLAYER_ENGINE}')
    OR chain = 'core' AND ifNull(gas_price_wei = 0 AND startsWith(hex(recipient), '${CORE_SYSTEM}'), false)
  )`

const { batch: _, ...TX_COLUMNS } = evmTxs.columns

const evmSentTxs = view('evm_sent_txs', {
  doc: 'One row per transaction of an EVM layer, as `evm_txs`, with whether somebody sent it.',
  columns: {
    ...commentsOf(TX_COLUMNS),
    is_system: 'system transaction: the chain itself put it into the block, no user sent it',
  },
  sql: `SELECT ${Object.keys(TX_COLUMNS).map(snake).join(', ')}, CAST(${IS_SYSTEM_TX}, 'Bool') AS is_system
FROM evm_txs`,
})

const nameOf = (signature: string): string => signature.slice(0, signature.indexOf('('))

const evmFunctions = view('evm_functions', {
  doc: 'One row per function of contracts that the catalog knows by its selector.',
  columns: {
    selector: 'first four bytes of the input of a call, hexadecimal with 0x',
    function_name: 'name of the function',
    signature: 'its signature, with the names of its arguments where they are known',
    source: 'where the signature is from',
  },
  sql: `SELECT known.1 AS selector, known.2 AS function_name, known.3 AS signature, known.4 AS source
FROM (
  SELECT arrayJoin([
    ${functions
      .map(
        ({ selector, signature, source }) =>
          `(${[selector, nameOf(signature), signature, source].map(sqlString).join(', ')})`,
      )
      .join(',\n    ')}
  ]) AS known
)`,
})

/** Without a join, so that a question about few calls reads few. */
const functionName = `transform(
    concat('0x', lower(hex(method))),
    [${functions.map(({ selector }) => sqlString(selector)).join(', ')}],
    [${functions.map(({ signature }) => sqlString(nameOf(signature))).join(', ')}],
    ''
  )`

const evmCalls = view('evm_calls', {
  doc: 'One row per transaction of an EVM layer that calls a function of a contract.',
  columns: {
    chain: MOVED.chain,
    height: 'block number',
    block_time: 'time of the block, UTC',
    tx_index: 'position of the transaction in its block',
    tx_hash: 'transaction hash',
    sender: 'who signed it',
    contract: 'contract that is called',
    selector: 'first four bytes of its input, hexadecimal with 0x',
    function_name:
      'name that the catalog has for the selector (`evm_functions`), empty where it has none: four bytes are few, and functions of other contracts may share them',
    is_success: 'false: it failed; null where it is not said',
    gas_used: 'gas used, units of gas; null without a receipt',
    fee_wei: 'what it paid in all, wei; null without a receipt',
    is_system: 'system transaction: the chain itself put it into the block, no user sent it',
  },
  sql: `SELECT
  chain, height, block_time, tx_index, tx_hash, sender, assumeNotNull(recipient) AS contract,
  concat('0x', lower(hex(assumeNotNull(method)))) AS selector,
  ${functionName.replace('hex(method)', 'hex(assumeNotNull(method))')} AS function_name,
  is_success, gas_used, fee_wei, CAST(${IS_SYSTEM_TX}, 'Bool') AS is_system
FROM evm_txs
WHERE method IS NOT NULL AND recipient IS NOT NULL`,
})

/** A word of a log's data, from 0 on. */
const word = (at: number): string => `substring(data, ${32 * at + 1}, 32)`
const addressIn = (bytes: string): string => `toFixedString(substring(${bytes}, 13, 20), 20)`

/** Tokens of a pool stand in the event of the factory that made it: its order is that of the pool's amounts. */
const evmPools = view('evm_pools', {
  doc: 'One row per pool of two tokens that a known exchange made in a block that is held.',
  columns: {
    chain: MOVED.chain,
    pool: 'contract of the pool',
    token0: 'its first token',
    token1: 'its second token',
    event: 'id of the event in the catalog: which kind of exchange',
    factory: 'contract that made it',
    height: 'block number',
    block_time: 'time of the block, UTC',
    tx_hash: 'transaction that made it',
  },
  sql: `SELECT
  chain, ${addressIn(`if(event = 'uniswap-v2.pair_created', ${word(0)}, ${word(1)})`)} AS pool,
  ${addressIn('assumeNotNull(topic1)')} AS token0, ${addressIn('assumeNotNull(topic2)')} AS token1,
  event, emitter AS factory, height, block_time, tx_hash
FROM evm_logs
WHERE event IN ('uniswap-v2.pair_created', 'uniswap-v3.pool_created')`,
})

const evmTrades = view('evm_trades', {
  doc: 'One row per trade on an EVM layer, as `evm_swaps`, with the tokens of pools whose making is held.',
  columns: {
    chain: MOVED.chain,
    height: 'block number',
    block_time: 'time of the block, UTC',
    tx_hash: 'transaction hash',
    log_index: 'position of the log in its block',
    event: 'id of the event in the catalog: which kind of exchange',
    pool: 'contract that reports it',
    trader: 'who got the proceeds; null where the event does not say',
    token_in: 'token that the pool got; null where neither event nor a held making of the pool tells it',
    token_out: 'token that the pool gave; null likewise',
    amount_in: 'what the pool got, base units',
    amount_out: 'what the pool gave, base units',
  },
  sql: `SELECT
  s.chain AS chain, s.height AS height, s.block_time AS block_time, s.tx_hash AS tx_hash, s.log_index AS log_index,
  s.event AS event, s.pool AS pool, s.trader AS trader,
  ifNull(s.token_in, if(p.is_known = 1, if(s.in_is_token0, p.token0, p.token1), NULL)) AS token_in,
  ifNull(s.token_out, if(p.is_known = 1, if(s.in_is_token0, p.token1, p.token0), NULL)) AS token_out,
  s.amount_in AS amount_in, s.amount_out AS amount_out
FROM evm_swaps AS s
LEFT JOIN (
  SELECT chain, pool, any(token0) AS token0, any(token1) AS token1, 1 AS is_known
  FROM evm_pools
  GROUP BY chain, pool
) AS p ON p.chain = s.chain AND p.pool = s.pool`,
})

/** What is made of the EVM layers' rows, in the order in which it is made. */
export const EVM_VIEWS: readonly View[] = [
  evmTokens,
  evmBalanceChanges,
  evmBalances,
  evmSentTxs,
  evmFunctions,
  evmCalls,
  evmPools,
  evmTrades,
]
