import { type View, view } from '../view.ts'

const MOVED = {
  chain: 'the layer, as its file in the catalogue is named',
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

/** What is made of the EVM layers' rows, in the order in which it is made. */
export const EVM_VIEWS: readonly View[] = [evmTokens, evmBalanceChanges, evmBalances]
