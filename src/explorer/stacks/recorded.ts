import { type Reader, readRows } from '../readRows.ts'

/**
 * A movement of coins as a wallet history was recorded, of a time whose blocks need not be held. Amounts are whole base units,
 * micro-STX of `STX`; null where nothing went that way.
 */
export type RecordedMovement = {
  time: string
  kind: string
  /** Function that was called, or memo; empty without. */
  purpose: string
  sentAsset: string | null
  sentAmount: string | null
  /** Null for contract calls. */
  recipient: string | null
  receivedAsset: string | null
  receivedAmount: string | null
  sender: string | null
  txid: string
}

const MOST = 200

/**
 * Movements at an address or contract in the histories of the SIP-031 endowment and of the accounts that it funded, newest
 * first: of one of these its own history, of any other what they paid it or got from it.
 */
export const readRecordedMovements = (reader: Reader, principal: string): Promise<RecordedMovement[]> =>
  readRows(
    reader,
    `WITH movements AS (
  SELECT at, kind, detail, out_asset, out_amount, recipient, in_asset, in_amount, sender, txid, position
  FROM sip031_flows
  WHERE account = {principal:String}
  UNION ALL
  SELECT at, kind, detail, '', 0, '', out_asset, out_amount, account, txid, position
  FROM sip031_flows
  WHERE recipient = {principal:String} AND {principal:String} NOT IN (SELECT account FROM sip031_flows)
  UNION ALL
  SELECT at, kind, detail, in_asset, in_amount, account, '', 0, '', txid, position
  FROM sip031_flows
  WHERE sender = {principal:String} AND {principal:String} NOT IN (SELECT account FROM sip031_flows)
)
SELECT
  formatDateTime(at, '%FT%TZ') AS time, kind, trim(BOTH '''' FROM detail) AS purpose, nullIf(out_asset, '') AS sentAsset,
  if(out_asset = '', NULL, toString(out_amount)) AS sentAmount, nullIf(recipient, '') AS recipient,
  nullIf(in_asset, '') AS receivedAsset, if(in_asset = '', NULL, toString(in_amount)) AS receivedAmount,
  nullIf(sender, '') AS sender, lower(hex(txid)) AS txid
FROM movements
ORDER BY at DESC, position DESC
LIMIT {limit:UInt32}`,
    { principal, limit: MOST },
  )
