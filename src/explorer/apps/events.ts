import type { AppTable } from './table.ts'

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const TIME = "formatDateTime(e.block_time, '%Y-%m-%dT%H:%i:%SZ') AS time"
const TXID = 'lower(hex(e.txid)) AS txid'
const MOST = 200

/** Changes of vaults, the newest first. */
export const vaultsTable: AppTable = {
  title: 'Changes of vaults',
  sub: 'State of a vault after each change, newest first',
  empty: 'No vault changed in the indexed blocks.',
  columns: [
    { key: 'time', label: 'When', form: 'time' },
    { key: 'owner', label: 'Owner', form: 'principal' },
    { key: 'collateral', label: 'Collateral', form: 'amount' },
    { key: 'debt', label: 'Debt', form: 'amount' },
    { key: 'state', label: 'State', form: 'text' },
    { key: 'txid', label: 'Transaction', form: 'txid' },
  ],
  sql: ({ slug }) => `SELECT
  ${TIME}, e.owner AS owner, e.collateral AS collateral,
  if(endsWith(e.token, 'sbtc-token'), 8, 6) AS collateral_decimals,
  multiIf(endsWith(e.token, '.wstx-token') OR e.token = 'STX', 'STX', endsWith(e.token, '.ststx-token'), 'stSTX', endsWith(e.token, 'sbtc-token'), 'sBTC', e.token) AS collateral_symbol,
  e.debt AS debt, 6 AS debt_decimals, 'USDA' AS debt_symbol,
  multiIf(e.status = 201 OR e.kind = 'liquidate', 'liquidated', e.status = 202, 'redeemed', e.kind = 'close' OR e.status = 102, 'closed', 'active') AS state,
  ${TXID}
FROM stx_cdp_events AS e
WHERE e.protocol = ${quoted(slug)} AND e.kind != 'unknown'
ORDER BY e.height DESC, e.event_index DESC
LIMIT ${MOST}`,
}

/** Deposits, requests, withdrawals and rewards of liquid staking, the newest first. */
export const stakingEventsTable: AppTable = {
  title: 'Deposits, requests, withdrawals',
  sub: 'Contract prints, newest first',
  empty: 'None in the indexed blocks.',
  columns: [
    { key: 'time', label: 'When', form: 'time' },
    { key: 'kind', label: 'What', form: 'text' },
    { key: 'product', label: 'Token', form: 'text', isOptional: true },
    { key: 'account', label: 'Who', form: 'principal' },
    { key: 'amount', label: 'Amount', form: 'amount' },
    { key: 'txid', label: 'Transaction', form: 'txid' },
  ],
  sql: ({ slug }) => `SELECT
  ${TIME}, transform(e.kind, ['request', 'instant', 'cancel', 'reward', 'reward_sbtc'], ['asked back', 'paid back at once', 'kept after all', 'reward', 'reward in sBTC'], e.kind) AS kind,
  e.product AS product, e.account AS account, e.amount AS amount, if(e.kind = 'reward_sbtc', 8, 6) AS amount_decimals,
  if(e.kind = 'reward_sbtc', 'sBTC', 'STX') AS amount_symbol, ${TXID}
FROM stx_lst_events AS e
WHERE e.protocol = ${quoted(slug)} AND e.kind NOT IN ('unknown', 'rate')
ORDER BY e.height DESC, e.event_index DESC
LIMIT ${MOST}`,
}

/** Stakes, claims, mints and redemptions of a yield dollar, the newest first. */
export const vaultEventsTable: AppTable = {
  title: 'Stakes, claims, mints and redemptions',
  sub: 'Contract prints, newest first',
  empty: 'None in the indexed blocks.',
  columns: [
    { key: 'time', label: 'When', form: 'time' },
    { key: 'kind', label: 'What', form: 'text' },
    { key: 'product', label: 'Of', form: 'text' },
    { key: 'account', label: 'Who', form: 'principal' },
    { key: 'amount', label: 'Amount', form: 'amount' },
    { key: 'rate', label: 'Coins per share', form: 'figure', unit: '', isOptional: true },
    { key: 'txid', label: 'Transaction', form: 'txid' },
  ],
  sql: ({ slug }) => `SELECT
  ${TIME}, transform(e.kind, ['claim', 'claimed'], ['asked back', 'paid back'], e.kind) AS kind, e.product AS product,
  e.account AS account, e.amount AS amount, 8 AS amount_decimals, if(e.product = 'hBTC', 'sBTC', 'USDh') AS amount_symbol,
  toFloat64(e.rate) / 1e8 AS rate, ${TXID}
FROM stx_vault_events AS e
WHERE e.protocol = ${quoted(slug)} AND e.kind NOT IN ('unknown', 'rate')
ORDER BY e.height DESC, e.event_index DESC
LIMIT ${MOST}`,
}

/** Prints that are not of the shape which is declared: counted, and in no figure. */
export const unknownPrintsTable: AppTable = {
  title: 'Unreadable prints',
  sub: 'Contracts of the application whose prints do not match the format in the catalog. No figure includes them',
  empty: 'All indexed prints of its contracts match the declared format.',
  columns: [
    { key: 'contract', label: 'Contract', form: 'principal' },
    { key: 'event', label: 'Its word', form: 'text' },
    { key: 'prints', label: 'Prints', form: 'count' },
    { key: 'newest', label: 'Newest', form: 'time' },
  ],
  sql: ({
    slug,
  }) => `SELECT contract, event, count() AS prints, formatDateTime(max(block_time), '%Y-%m-%dT%H:%i:%SZ') AS newest
FROM (
  ${['lend', 'cdp', 'lst', 'vault'].map(table => `SELECT contract, event, block_time FROM stx_${table}_events WHERE protocol = ${quoted(slug)} AND kind = 'unknown'`).join('\n  UNION ALL\n  ')}
)
GROUP BY contract, event
ORDER BY prints DESC, contract, event
LIMIT ${MOST}`,
}
