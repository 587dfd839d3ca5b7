import { EVM_LAYERS } from '#kernel/evm.ts'
import { type View, view } from '../view.ts'

/** What one chain, or each chain of a family, gives to a shared view: its statement selects the view's columns in order. */
type Parts = readonly string[]

/**
 * One statement a chain, so that a question about one of them reads that one's rows alone. The table has a name of its own:
 * the engine would take `chain` for the text before it.
 */
const ofEachLayer = (columns: string, from: string): Parts =>
  EVM_LAYERS.map(
    layer => `SELECT '${layer}' AS chain, ${columns}\nFROM ${from} AS own\nWHERE own.chain = '${layer}'`,
  )

function shared(name: string, doc: string, columns: View['columns'], ...parts: readonly Parts[]): View {
  return view(name, { doc, columns, sql: parts.flat().join('\nUNION ALL\n') })
}

const CHAIN = 'the chain, as its file in the catalogue is named'
const FEE = 'in the smallest unit of the chain’s coin: satoshis, wei'

const chainBlocks = shared(
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
  ],
  ofEachLayer(
    'height, hash, prev_hash, block_time, tx_count, failed_tx_count, fee_wei AS fee, size_bytes',
    'evm_blocks',
  ),
)

const chainTxs = shared(
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
    fee: `what it paid, ${FEE}; null where it is not known`,
  },
  [
    `SELECT 'bitcoin' AS chain, height, block_time, tx_index, txid AS tx_hash,
  if(is_coinbase, 'coinbase', 'payment') AS kind, CAST(NULL, 'Nullable(String)') AS sender,
  toNullable(true) AS is_success, CAST(fee_sat, 'Nullable(UInt256)') AS fee
FROM btc_txs`,
  ],
  ofEachLayer(
    `height, block_time, tx_index, tx_hash, toString(kind) AS kind,
  toNullable(concat('0x', lower(hex(sender)))) AS sender, is_success, fee_wei AS fee`,
    'evm_txs',
  ),
)

/** The same of all chains under the same names. What differs stays in the tables of the chain. */
export const CHAIN_VIEWS: readonly View[] = [chainBlocks, chainTxs]
