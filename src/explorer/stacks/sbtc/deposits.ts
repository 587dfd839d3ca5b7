import { isoOf, type Reader, readRows } from '../../readRows.ts'
import { hexOf, hexOrNull, type SbtcListQuery, SINCE_HELD, unixOf } from './common.ts'

/** A deposit of bitcoin: taken in by the signers, and minted or not yet. Heights and times are null where that block is not held. */
export type SbtcDeposit = {
  /** `<Bitcoin txid>:<output>` */
  id: string
  bitcoinTxid: string
  vout: number
  /** `swept`: on Bitcoin the signers have it, on Stacks nothing is minted for it yet. */
  status: 'minted' | 'swept'
  /** Null until it is minted. */
  origin: 'user' | 'miner' | null
  recipient: string | null
  mintedSat: string | null
  depositSat: string | null
  feeSat: string | null
  depositHeight: number | null
  depositTime: string | null
  sweepTxid: string | null
  sweepHeight: number | null
  sweepTime: string | null
  mintTxid: string | null
  mintHeight: number | null
  mintTime: string | null
  mintBurnHeight: number | null
  blocksToSweep: number | null
  blocksToMint: number | null
  secondsToMint: number | null
}

type Row = Omit<
  SbtcDeposit,
  'id' | 'depositTime' | 'sweepTime' | 'mintTime' | 'blocksToSweep' | 'blocksToMint' | 'secondsToMint'
> & {
  depositS: number | null
  sweepS: number | null
  mintS: number | null
  blocksToSweep: string | null
  blocksToMint: string | null
  secondsToMint: string | null
  eventIndex: number
}

const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text))
const timeOrNull = (seconds: number | null): string | null => (seconds === null ? null : isoOf(seconds))

const depositOf = ({ depositS, sweepS, mintS, eventIndex: _, ...row }: Row): SbtcDeposit => ({
  id: `${row.bitcoinTxid}:${row.vout}`,
  ...row,
  depositTime: timeOrNull(depositS),
  sweepTime: timeOrNull(sweepS),
  mintTime: timeOrNull(mintS),
  blocksToSweep: numberOrNull(row.blocksToSweep),
  blocksToMint: numberOrNull(row.blocksToMint),
  secondsToMint: numberOrNull(row.secondsToMint),
})

const MINTED = `SELECT ${hexOf('d.bitcoin_txid')} AS bitcoinTxid, toUInt32(d.bitcoin_vout) AS vout, 'minted' AS status,
  d.origin AS origin, d.recipient AS recipient, toString(d.amount_sat) AS mintedSat, toString(d.deposit_sat) AS depositSat,
  toString(d.fee_sat) AS feeSat, d.deposit_height AS depositHeight, ${unixOf('d.deposit_time')} AS depositS,
  ${hexOrNull('d.sweep_txid')} AS sweepTxid, ifNull(d.sweep_height, toUInt32(d.sweep_burn_height)) AS sweepHeight,
  ${unixOf('d.sweep_time')} AS sweepS,
  lower(hex(d.txid)) AS mintTxid, d.height AS mintHeight, toUnixTimestamp(d.block_time) AS mintS,
  d.burn_height AS mintBurnHeight, toString(d.blocks_to_sweep) AS blocksToSweep, toString(d.blocks_to_mint) AS blocksToMint,
  toString(d.seconds_to_mint) AS secondsToMint, d.event_index AS eventIndex
FROM stx_sbtc_deposits AS d`

/** What the signers swept and nobody has minted since: told for sweeps above the lowest block of the run that is held. */
const WAITING = `SELECT lower(hex(i.prev_txid)) AS bitcoinTxid, i.prev_vout AS vout, 'swept' AS status, NULL AS origin,
  NULL AS recipient, NULL AS mintedSat, toString(i.prev_value_sat) AS depositSat, NULL AS feeSat,
  i.prev_height AS depositHeight, ${unixOf('i.prev_time')} AS depositS,
  lower(hex(i.txid)) AS sweepTxid, i.height AS sweepHeight, toUnixTimestamp(i.block_time) AS sweepS,
  NULL AS mintTxid, NULL AS mintHeight, NULL AS mintS, NULL AS mintBurnHeight,
  toString(toInt64(i.height) - toInt64(i.prev_height)) AS blocksToSweep, NULL AS blocksToMint, NULL AS secondsToMint,
  0 AS eventIndex
FROM btc_inputs AS i
WHERE i.vin > 0
  AND i.height IN (SELECT height FROM btc_layer_ops WHERE op = 'stacks.peg')
  AND i.height > (${SINCE_HELD})
  AND i.txid IN (SELECT txid FROM stx_sbtc_reserve_outputs)
  AND (i.prev_txid, toUInt64(i.prev_vout)) NOT IN (
    SELECT assumeNotNull(bitcoin_txid), assumeNotNull(bitcoin_vout) FROM stx_sbtc_prints
    WHERE event = 'completed-deposit' AND bitcoin_txid IS NOT NULL AND bitcoin_vout IS NOT NULL
  )`

export type SbtcDepositsQuery = SbtcListQuery & { readonly origin?: 'user' | 'miner' | 'waiting' | undefined }

/** Deposits: on the first part of the list those that wait for their mint, then those minted, newest first. */
export async function readSbtcDeposits(
  reader: Reader,
  { origin, txid, vout, principal, before, limit }: SbtcDepositsQuery,
): Promise<{ items: SbtcDeposit[]; next: string | null }> {
  const at = {
    limit: limit + 1,
    origin: origin ?? '',
    txid: txid ?? '',
    vout: vout ?? 0,
    principal: principal ?? '',
    height: before?.height ?? 0,
    eventIndex: before?.eventIndex ?? 0,
  }
  const hash = 'toFixedString(unhex({txid:String}), 32)'
  const where = [
    ...(origin ? ['d.origin = {origin:String}'] : []),
    ...(principal ? ['d.recipient = {principal:String}'] : []),
    ...(txid && vout === undefined
      ? [`(d.bitcoin_txid = ${hash} OR d.txid = ${hash} OR d.sweep_txid = ${hash})`]
      : []),
    ...(txid && vout !== undefined ? [`d.bitcoin_txid = ${hash} AND d.bitcoin_vout = {vout:UInt64}`] : []),
    ...(before ? ['(d.height, d.event_index) < ({height:UInt32}, {eventIndex:UInt32})'] : []),
  ]
  const waitingWhere = [
    ...(txid && vout === undefined ? [`(i.prev_txid = ${hash} OR i.txid = ${hash})`] : []),
    ...(txid && vout !== undefined ? [`i.prev_txid = ${hash} AND i.prev_vout = {vout:UInt64}`] : []),
  ]
  const waits = before === undefined && !principal && (origin === undefined || origin === 'waiting')
  const [waiting, minted] = await Promise.all([
    waits
      ? readRows<Row>(
          reader,
          `${WAITING}${waitingWhere.map(one => `\n  AND ${one}`).join('')}
ORDER BY i.height DESC, i.vin
LIMIT {limit:UInt32}`,
          at,
        )
      : [],
    origin === 'waiting'
      ? []
      : readRows<Row>(
          reader,
          `${MINTED}
${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
ORDER BY d.height DESC, d.event_index DESC
LIMIT {limit:UInt32}`,
          at,
        ),
  ])
  const page = minted.slice(0, limit)
  const last = page.at(-1)
  return {
    items: [...waiting.slice(0, limit), ...page].map(depositOf),
    next: minted.length > limit && last ? `${last.mintHeight}.${last.eventIndex}` : null,
  }
}
