import { addressOf } from '#chains/bitcoin/index.ts'
import { SBTC_DEPLOYERS } from '#kernel/stacks.ts'
import { bytesOf, isoOf, type Reader, readRows } from '../../readRows.ts'
import { hexOrNull, type SbtcListQuery, unixOf } from './common.ts'

/** A withdrawal: asked for, then paid on Bitcoin, or rejected. What lies in blocks that are not held is null. */
export type SbtcWithdrawal = {
  requestId: string
  status: 'pending' | 'accepted' | 'rejected'
  sender: string | null
  amountSat: string | null
  maxFeeSat: string | null
  feeSat: string | null
  /** Bitcoin address that is to be paid. */
  recipient: string | null
  requestTxid: string | null
  requestHeight: number | null
  requestTime: string | null
  requestBurnHeight: number | null
  settledTxid: string | null
  settledHeight: number | null
  settledTime: string | null
  /** Signers of the key set of that time that did not vote for it; null while pending and where no votes are recorded. */
  votesNotFor: number | null
  /** Signers in all, as the registry last named their keys before; null where that is not held. */
  signerCount: number | null
  bitcoinTxid: string | null
  vout: number | null
  sweepTxid: string | null
  sweepHeight: number | null
  sweepTime: string | null
  paidSat: string | null
  isPaidAsAsked: boolean | null
  blocksToPayment: number | null
  secondsToPayment: number | null
}

type Row = Omit<
  SbtcWithdrawal,
  | 'recipient'
  | 'requestTime'
  | 'settledTime'
  | 'sweepTime'
  | 'votesNotFor'
  | 'blocksToPayment'
  | 'secondsToPayment'
> & {
  contract: string
  script: string
  bitmap: string | null
  requestS: number | null
  settledS: number | null
  sweepS: number | null
  blocksToPayment: string | null
  secondsToPayment: string | null
}

/** Ones among the lowest bits of a bitmap: a bit each signer; bits beyond the signers mean nobody. */
function countBits(bitmap: bigint, width: number): number {
  let count = 0
  for (let rest = BigInt.asUintN(width, bitmap); rest > 0n; rest &= rest - 1n) count += 1
  return count
}

function withdrawalOf({ contract, script, bitmap, requestS, settledS, sweepS, ...row }: Row): SbtcWithdrawal {
  const numberOrNull = (text: string | null) => (text === null ? null : Number(text))
  const timeOrNull = (seconds: number | null) => (seconds === null ? null : isoOf(seconds))
  return {
    ...row,
    recipient:
      script === ''
        ? null
        : addressOf(bytesOf(script), contract.startsWith(SBTC_DEPLOYERS.mainnet) ? 'mainnet' : 'regtest'),
    requestTime: timeOrNull(requestS),
    settledTime: timeOrNull(settledS),
    sweepTime: timeOrNull(sweepS),
    votesNotFor: bitmap === null ? null : countBits(BigInt(bitmap), row.signerCount ?? 128),
    blocksToPayment: numberOrNull(row.blocksToPayment),
    secondsToPayment: numberOrNull(row.secondsToPayment),
  }
}

const WITHDRAWALS = `SELECT w.contract AS contract, toString(w.request_id) AS requestId, w.status AS status, nullIf(w.sender, '') AS sender,
  toString(w.amount_sat) AS amountSat, toString(w.max_fee_sat) AS maxFeeSat, toString(w.fee_sat) AS feeSat,
  lower(hex(w.recipient_script)) AS script,
  ${hexOrNull('w.request_txid')} AS requestTxid, w.request_height AS requestHeight, ${unixOf('w.request_time')} AS requestS,
  toUInt32(w.request_burn_height) AS requestBurnHeight,
  ${hexOrNull('w.settled_txid')} AS settledTxid, w.settled_height AS settledHeight, ${unixOf('w.settled_time')} AS settledS,
  toString(w.signer_bitmap) AS bitmap, k.signers AS signerCount,
  ${hexOrNull('w.bitcoin_txid')} AS bitcoinTxid, toUInt32(w.bitcoin_vout) AS vout,
  ${hexOrNull('w.sweep_txid')} AS sweepTxid, ifNull(w.sweep_height, toUInt32(w.sweep_burn_height)) AS sweepHeight,
  ${unixOf('w.sweep_time')} AS sweepS,
  toString(w.paid_sat) AS paidSat, CAST(w.is_paid_as_asked AS Nullable(Bool)) AS isPaidAsAsked,
  toString(w.blocks_to_payment) AS blocksToPayment, toString(w.seconds_to_payment) AS secondsToPayment
FROM (SELECT *, toUInt32(ifNull(settled_height, 4294967295)) AS until FROM stx_sbtc_withdrawals) AS w
ASOF LEFT JOIN (
  SELECT contract, height, toNullable(toUInt32(countSubstrings(keys, '0x'))) AS signers FROM stx_sbtc_keys
) AS k ON k.contract = w.contract AND k.height <= w.until`

export type SbtcWithdrawalsQuery = SbtcListQuery & {
  readonly status?: SbtcWithdrawal['status'] | undefined
  /** Only the requests of these numbers. */
  readonly requestIds?: readonly string[] | undefined
}

/** Withdrawals: those that wait first, then the newest requests first. */
export async function readSbtcWithdrawals(
  reader: Reader,
  { status, requestIds, txid, principal, before, limit }: SbtcWithdrawalsQuery,
): Promise<{ items: SbtcWithdrawal[]; next: string | null }> {
  const hash = 'toFixedString(unhex({txid:String}), 32)'
  const where = [
    ...(status ? ['w.status = {status:String}'] : []),
    ...(requestIds ? ['w.request_id IN {requestIds:Array(UInt64)}'] : []),
    ...(principal ? ['w.sender = {principal:String}'] : []),
    ...(txid
      ? [
          `(w.request_txid = ${hash} OR w.settled_txid = ${hash} OR w.bitcoin_txid = ${hash} OR w.sweep_txid = ${hash})`,
        ]
      : []),
    // The cursor: whether it waits, and the number of the request.
    ...(before ? [`(w.status = 'pending', w.request_id) < ({height:UInt32} = 1, {eventIndex:UInt64})`] : []),
  ]
  const rows = await readRows<Row>(
    reader,
    `${WITHDRAWALS}
${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
ORDER BY w.status = 'pending' DESC, w.request_id DESC
LIMIT {limit:UInt32}`,
    {
      limit: limit + 1,
      status: status ?? '',
      requestIds: (requestIds ?? []).map(BigInt),
      principal: principal ?? '',
      txid: txid ?? '',
      height: before?.height ?? 0,
      eventIndex: before?.eventIndex ?? 0,
    },
  )
  const items = rows.slice(0, limit).map(withdrawalOf)
  const last = items.at(-1)
  return {
    items,
    next: rows.length > limit && last ? `${last.status === 'pending' ? 1 : 0}.${last.requestId}` : null,
  }
}
