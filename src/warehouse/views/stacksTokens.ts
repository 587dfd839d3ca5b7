import { snake } from '#kernel/table.ts'
import { BASE_DATABASE } from '../ddl.ts'
import { stxTokens } from '../tables/stacksTokens.ts'
import { commentsOf, type View, view } from '../view.ts'

const tokens = view('stx_tokens', {
  doc: 'One row per token’s contract on Stacks that moved something, with the newest answer of what it says of itself.',
  columns: commentsOf(stxTokens.columns),
  sql: `SELECT ${Object.keys(stxTokens.columns).map(snake).join(', ')}
FROM ${BASE_DATABASE}.stx_tokens
ORDER BY contract, asked_at DESC, height DESC
LIMIT 1 BY contract`,
})

const MOVED = {
  asset: '`address.contract::asset`; empty for STX',
  holder: 'who has it',
}

const balanceChanges = view('stx_balance_changes', {
  doc: 'One row per change of what a principal has of STX or of a fungible token. A running sum over them is a balance as of any block.',
  columns: {
    ...MOVED,
    height: 'block height',
    block_time: 'time of the block, UTC',
    position: 'place in its block: of the event, of the transaction for a fee, of the reward',
    reason: '`transfer`, `mint` or `burn`; of STX also `fee` and `reward`',
    change: 'what was got, micro-STX or base units of the token; negative: what was lost',
  },
  sql: `SELECT
  asset, moved.1 AS holder, height, block_time, event_index AS position, toString(action) AS reason, moved.2 AS change
FROM (
  SELECT
    asset, height, block_time, event_index, action,
    arrayJoin([(ifNull(recipient, ''), toInt256(amount)), (ifNull(sender, ''), -toInt256(amount))]) AS moved
  FROM stx_transfers
  WHERE standard != 'nft'
)
WHERE moved.1 != ''
UNION ALL
SELECT '', ifNull(sponsor, sender), height, block_time, tx_index, 'fee', -toInt256(fee_ustx)
FROM stx_txs
WHERE fee_ustx > 0
UNION ALL
SELECT
  '', recipient, height, block_time, reward_index, 'reward',
  toInt256(coinbase_ustx) + tx_fee_ustx + streamed_confirmed_ustx + streamed_produced_ustx
FROM stx_miner_rewards`,
})

const balances = view('stx_balances', {
  doc: 'One row per principal and asset: the sum of its changes that are held. Equal to the chain’s own answer where everything since genesis, or since the token was made, is held; what PoX locks is in it.',
  columns: {
    ...MOVED,
    balance: 'what is left, micro-STX or base units; negative where changes before what is held are missing',
    changed_height: 'block of the last change',
    changes: 'changes',
  },
  sql: `SELECT asset, holder, sum(change) AS balance, max(height) AS changed_height, count() AS changes
FROM stx_balance_changes
GROUP BY asset, holder`,
})

const nftOwners = view('stx_nft_owners', {
  doc: 'One row per NFT that moved and was not destroyed: who has it by its newest movement that is held.',
  columns: {
    asset: '`address.contract::asset`',
    token_id: 'which one, a serialized Clarity value',
    token_repr: 'which one, as readable text',
    owner: 'who has it: a marketplace’s contract while it holds it',
    height: 'block in which it got there',
    block_time: 'its time, UTC',
  },
  sql: `SELECT
  asset, token_id, argMax(token_repr, (t.height, t.event_index)) AS token_repr,
  argMax(ifNull(t.recipient, ''), (t.height, t.event_index)) AS owner,
  max(t.height) AS height, max(t.block_time) AS block_time
FROM stx_transfers AS t
WHERE t.standard = 'nft'
GROUP BY asset, token_id
HAVING owner != ''`,
})

const lockedNow = view('stx_locked', {
  doc: 'One row per principal whose STX are locked by PoX as of the newest block held.',
  columns: {
    stacker: 'whose STX',
    locked_ustx: 'locked, micro-STX: part of its balance',
    unlock_height: 'Bitcoin height at which they are free',
    height: 'block of the newest lock',
  },
  sql: `SELECT
  stacker, argMax(amount_ustx, (l.height, l.event_index)) AS locked_ustx,
  argMax(l.unlock_height, (l.height, l.event_index)) AS unlock_height, max(l.height) AS height
FROM stx_locks AS l
GROUP BY stacker
HAVING unlock_height > (SELECT max(burn_height) FROM stx_blocks)`,
})

/** Tokens and balances, in the order in which views rest on one another. */
export const STX_TOKEN_VIEWS: readonly View[] = [tokens, balanceChanges, balances, nftOwners, lockedNow]
