import { type AppTable, contractsSql } from './table.ts'

const MOST = 200

/** Who has most of an application’s token. */
export const holdersTable: AppTable = {
  title: 'Largest holders',
  sub: 'By the sum of all indexed transfers. Contracts hold for others, and holders from before the indexed blocks are missing',
  empty: 'No indexed transfers of its token.',
  columns: [
    { key: 'holder', label: 'Holder', form: 'principal' },
    { key: 'name', label: 'Name', form: 'text' },
    { key: 'kind', label: 'Kind', form: 'text' },
    { key: 'balance', label: 'Has', form: 'amount' },
    { key: 'share', label: 'Share', form: 'figure', unit: 'ratio' },
    { key: 'changes', label: 'Movements', form: 'count' },
  ],
  sql: app => `WITH held AS (
    SELECT asset, holder, balance, changes
    FROM stx_balances
    WHERE splitByString('::', asset)[1] IN (${contractsSql(app)}) AND balance > 0
  )
SELECT
  h.holder AS holder, n.name AS name, if(position(h.holder, '.') > 0, 'contract', 'address') AS kind,
  toString(h.balance) AS balance, ifNull(t.decimals, 6) AS balance_decimals, ifNull(t.symbol, splitByString('::', h.asset)[2]) AS balance_symbol,
  toFloat64(h.balance) / (SELECT sum(toFloat64(balance)) FROM held) AS share, h.changes AS changes
FROM held AS h
LEFT JOIN (SELECT owner, name FROM stx_names WHERE is_primary) AS n ON n.owner = h.holder
LEFT JOIN stx_tokens AS t ON t.contract = splitByString('::', h.asset)[1]
ORDER BY h.balance DESC, h.holder
LIMIT ${MOST}`,
}

/** Swaps of an application’s token, the newest first. */
export const tokenTradesTable: AppTable = {
  title: 'Trades',
  sub: 'Swaps of its token on indexed exchanges, newest first',
  empty: 'No swaps of its token in the indexed blocks.',
  columns: [
    { key: 'time', label: 'When', form: 'time' },
    { key: 'side', label: 'Was', form: 'text' },
    { key: 'amount', label: 'Amount', form: 'amount' },
    { key: 'other', label: 'Against', form: 'text' },
    { key: 'protocol', label: 'On', form: 'text' },
    { key: 'trader', label: 'Trader', form: 'principal' },
    { key: 'txid', label: 'Transaction', form: 'txid' },
  ],
  sql: app => `SELECT
  formatDateTime(e.block_time, '%Y-%m-%dT%H:%i:%SZ') AS time,
  if((e.side = 'x') = (e.token_x IN (${contractsSql(app)})), 'sold', 'bought') AS side,
  toString(if(e.token_x IN (${contractsSql(app)}), e.amount_x, e.amount_y)) AS amount,
  ifNull(t.decimals, 6) AS amount_decimals, ifNull(t.symbol, '') AS amount_symbol,
  if(e.token_x IN (${contractsSql(app)}), e.token_y, e.token_x) AS other,
  e.protocol AS protocol, e.trader AS trader, lower(hex(e.txid)) AS txid
FROM stx_dex_events AS e
LEFT JOIN stx_tokens AS t ON t.contract = if(e.token_x IN (${contractsSql(app)}), e.token_x, e.token_y)
WHERE e.kind = 'swap' AND e.is_read
  AND (e.token_x IN (${contractsSql(app)}) OR e.token_y IN (${contractsSql(app)}))
ORDER BY e.height DESC, e.event_index DESC
LIMIT ${MOST}`,
}
