import type { EvmLayer } from '#kernel/evm.ts'
import { type View, view } from '../view.ts'

/** What one chain, or each chain of a family, gives to a shared view: its statement selects the view's columns in order. */
type Parts = readonly string[]

/**
 * One statement a layer, so that a question about one of them reads that one's rows alone. The table has a name of its own:
 * the engine would take `chain` for the text before it.
 */
type OfEachLayer = (columns: string, from: string, where?: string) => Parts
const ofEach =
  (layers: readonly EvmLayer[]): OfEachLayer =>
  (columns, from, where = '') =>
    layers.map(
      layer =>
        `SELECT '${layer}' AS chain, ${columns}\nFROM ${from} AS own\nWHERE own.chain = '${layer}'${where === '' ? '' : ` AND ${where}`}`,
    )

function shared(name: string, doc: string, columns: View['columns'], ...parts: readonly Parts[]): View {
  return view(name, { doc, columns, sql: parts.flat().join('\nUNION ALL\n') })
}

const CHAIN = 'the chain, as its file in the catalog is named'
const FEE = 'in the smallest unit of the chain’s coin: satoshis, micro-STX, wei'
const PLACE = {
  chain: CHAIN,
  height: 'block number',
  block_time: 'time of the block, UTC',
} as const
const TX_HASH = 'hash of the transaction by which it is known, as bytes in the order in which they are shown'
const SHOWN = 'as it is shown: hexadecimal with 0x on EVM layers, a principal on Stacks'

/** 20 bytes as an EVM layer's addresses are written; null stays null. */
const shown = (address: string): string => `concat('0x', lower(hex(${address})))`
/** Zeros stand for nobody: tokens come from there when they are made and go there when they are destroyed. */
const NOBODY = "toFixedString(unhex(repeat('00', 20)), 20)"
const noText = "CAST(NULL, 'Nullable(String)')"
const textOrNull = (text: string): string => `nullIf(${text}, '')`

const chainBlocks = (ofEachLayer: OfEachLayer): View =>
  shared(
    'chain_blocks',
    'One row per block of the best chain of each network, with what all of them have.',
    {
      chain: CHAIN,
      height: 'block number',
      hash: 'block hash, as it is shown',
      prev_hash: 'hash of the block before',
      block_time: 'time of the block, UTC',
      tx_count: 'transactions, those of the system in',
      failed_tx_count: 'transactions that failed; null where it is not said; 0 where none can',
      fee: `sum of what its transactions paid, ${FEE}; null while one is not known`,
      size_bytes: 'size, bytes; null where the node does not state it',
    },
    [
      `SELECT 'bitcoin' AS chain, height, hash, prev_hash, block_time, tx_count,
  toNullable(toUInt32(0)) AS failed_tx_count, CAST(fee_sat, 'Nullable(UInt256)') AS fee, toNullable(size_bytes) AS size_bytes
FROM btc_blocks`,
      `SELECT 'stacks' AS chain, height, hash, prev_hash, block_time, tx_count,
  toNullable(failed_tx_count) AS failed_tx_count, CAST(fee_ustx, 'Nullable(UInt256)') AS fee,
  CAST(NULL, 'Nullable(UInt32)') AS size_bytes
FROM stx_blocks`,
    ],
    ofEachLayer(
      'height, hash, prev_hash, block_time, tx_count, failed_tx_count, fee_wei AS fee, size_bytes',
      'evm_blocks',
    ),
  )

const chainTxs = (ofEachLayer: OfEachLayer): View =>
  shared(
    'chain_txs',
    'One row per transaction of the best chain of each network, with what all of them have.',
    {
      chain: CHAIN,
      height: 'block number',
      block_time: 'time of the block, UTC',
      tx_index: 'position in its block',
      tx_hash: 'hash by which it is known, as it is shown',
      kind: 'what it is, in the words of its chain',
      sender:
        'account that signed it, as it is shown; null on Bitcoin, where each input has a signer of its own',
      is_success: 'false: it failed; null where it is not said',
      fee: `what it paid in all, ${FEE}; null where it is not known`,
      l1_fee: `of that, for putting it onto the parent chain, ${FEE}; 0 where there is no such fee`,
    },
    [
      `SELECT 'bitcoin' AS chain, height, block_time, tx_index, txid AS tx_hash,
  if(is_coinbase, 'coinbase', 'payment') AS kind, CAST(NULL, 'Nullable(String)') AS sender,
  toNullable(true) AS is_success, CAST(fee_sat, 'Nullable(UInt256)') AS fee, toUInt256(0) AS l1_fee
FROM btc_txs`,
      `SELECT 'stacks' AS chain, height, block_time, tx_index, txid AS tx_hash, toString(kind) AS kind,
  ${textOrNull('sender')} AS sender, toNullable(is_success) AS is_success,
  CAST(fee_ustx, 'Nullable(UInt256)') AS fee, toUInt256(0) AS l1_fee
FROM stx_txs`,
    ],
    ofEachLayer(
      `height, block_time, tx_index, tx_hash, toString(kind) AS kind,
  toNullable(concat('0x', lower(hex(sender)))) AS sender, is_success, fee_wei AS fee, l1_fee_wei AS l1_fee`,
      'evm_txs',
    ),
  )

const chainTransfers = (ofEachLayer: OfEachLayer): View =>
  shared(
    'chain_transfers',
    'One row per amount of a chain’s own coin or of a token that moved, was made or was destroyed, on each network. Coin that contracts of EVM layers move inside a transaction is not in it: logs do not tell it.',
    {
      ...PLACE,
      tx_hash: TX_HASH,
      event_index:
        'position of its output in the transaction (Bitcoin), of its event or log in the block; null for coin that a transaction itself moves',
      item: 'position within the event: a batch of ERC-1155 moves many',
      standard:
        '`native` for the chain’s own coin, else the standard of the token: ft, nft, erc20, erc721, erc1155',
      asset: '`native`, or what names the token: its contract (EVM), `address.contract::asset` (Stacks)',
      token_id: 'which one, of tokens that are told apart; null for all others',
      sender: `who had it, ${SHOWN}; null where it was made, and on Bitcoin, where amounts come from inputs together`,
      recipient: `who got it, ${SHOWN}, the locking script in hexadecimal on Bitcoin; null where it was destroyed`,
      amount:
        'how much: satoshis, micro-STX, wei, base units of the token; 1 for a token that is one of its kind',
    },
    [
      `SELECT 'bitcoin' AS chain, height, block_time, txid AS tx_hash, toNullable(vout) AS event_index,
  toUInt16(0) AS item, 'native' AS standard, 'native' AS asset, ${noText} AS token_id, ${noText} AS sender,
  toNullable(lower(hex(script))) AS recipient, toUInt256(value_sat) AS amount
FROM btc_outputs`,
      `SELECT 'stacks' AS chain, height, block_time, txid AS tx_hash, toNullable(event_index) AS event_index,
  toUInt16(0) AS item, if(standard = 'stx', 'native', toString(standard)) AS standard,
  if(asset = '', 'native', asset) AS asset, ${textOrNull('token_repr')} AS token_id, sender, recipient,
  toUInt256(amount) AS amount
FROM stx_transfers`,
    ],
    ofEachLayer(
      `height, block_time, tx_hash, CAST(NULL, 'Nullable(UInt32)') AS event_index, toUInt16(0) AS item,
  'native' AS standard, 'native' AS asset, ${noText} AS token_id,
  toNullable(${shown('own.sender')}) AS sender, ${shown('ifNull(own.recipient, own.contract)')} AS recipient,
  value_wei AS amount`,
      'evm_txs',
      'value_wei > 0 AND ifNull(is_success, true)',
    ),
    // What a deposit of the OP Stack mints goes to its sender, whether the rest of it succeeds or not.
    ofEachLayer(
      `height, block_time, tx_hash, CAST(NULL, 'Nullable(UInt32)') AS event_index, toUInt16(1) AS item,
  'native' AS standard, 'native' AS asset, ${noText} AS token_id,
  ${noText} AS sender, toNullable(${shown('own.sender')}) AS recipient, assumeNotNull(mint_wei) AS amount`,
      'evm_txs',
      'mint_wei > 0',
    ),
    ofEachLayer(
      `height, block_time, tx_hash, toNullable(log_index) AS event_index, item, toString(standard) AS standard,
  ${shown('own.token')} AS asset, toString(own.token_id) AS token_id,
  if(own.sender = ${NOBODY}, NULL, ${shown('own.sender')}) AS sender,
  if(own.recipient = ${NOBODY}, NULL, ${shown('own.recipient')}) AS recipient, amount`,
      'evm_transfers',
    ),
  )

const chainCalls = (ofEachLayer: OfEachLayer): View =>
  shared(
    'chain_calls',
    'One row per transaction that calls a function of a contract, on each network that has contracts.',
    {
      ...PLACE,
      tx_index: 'position of the transaction in its block',
      tx_hash: TX_HASH,
      sender: `who signed it, ${SHOWN}`,
      contract: `contract that is called, ${SHOWN}`,
      selector:
        'first four bytes of the input, hexadecimal with 0x (EVM); empty on Stacks, where functions have names',
      function_name:
        'name of the function; on EVM layers by its selector, empty where the catalog has none for it',
      is_success: 'false: it failed; null where it is not said',
    },
    [
      `SELECT 'stacks' AS chain, height, block_time, tx_index, txid AS tx_hash, sender, contract, '' AS selector,
  function_name, toNullable(is_success) AS is_success
FROM stx_calls`,
    ],
    ofEachLayer(
      `height, block_time, tx_index, tx_hash, ${shown('own.sender')} AS sender, ${shown('own.contract')} AS contract, selector,
  function_name, is_success`,
      'evm_calls',
    ),
  )

const chainContracts = (ofEachLayer: OfEachLayer): View =>
  shared(
    'chain_contracts',
    'One row per contract made in a block that is held, on each network that has contracts.',
    {
      ...PLACE,
      tx_hash: TX_HASH,
      contract: `the contract, ${SHOWN}`,
      deployer: `account or contract that made it, ${SHOWN}`,
      kind: 'how it was made: by a transaction, or by another contract (create, create2)',
      version: 'version of Clarity that it is written in; null on EVM layers and where nobody says it',
      code_hash:
        'keccak-256 of its code (EVM, where traces tell it), SHA-256 of its source (Stacks), hexadecimal: contracts of one hash are copies; null where it is not known',
    },
    [
      `SELECT 'stacks' AS chain, height, block_time, txid AS tx_hash, contract, deployer, 'transaction' AS kind,
  toString(clarity_version) AS version, toNullable(lower(hex(SHA256(source_code)))) AS code_hash
FROM stx_contracts`,
    ],
    ofEachLayer(
      `height, block_time, tx_hash, ${shown('own.contract')} AS contract, ${shown('own.creator')} AS deployer,
  toString(kind) AS kind, ${noText} AS version, lower(hex(own.code_hash)) AS code_hash`,
      'evm_contracts',
    ),
  )

/** The same of all chains under the same names, for these EVM layers. What differs stays in the tables of the chain. */
export const chainViews = (layers: readonly EvmLayer[]): readonly View[] =>
  [chainBlocks, chainTxs, chainTransfers, chainCalls, chainContracts].map(of => of(ofEach(layers)))
