import { SBTC_TOKENS } from '#kernel/stacks.ts'
import { type Reader, readRows } from '../../readRows.ts'

const ASSETS = SBTC_TOKENS.map(token => `'${token}::sbtc-token'`).join(', ')

/** Part of an amount that came to a holder: `from` to `to` satoshis of what came with that event. */
export type Lot = {
  readonly holder: string
  readonly height: number
  readonly eventIndex: number
  readonly from: bigint
  readonly to: bigint
}

/** A payment of the holder that took some of a lot: `from` to `to` satoshis of what the payment moved. */
export type LotMove = {
  /** Place of the lot in the question. */
  readonly lot: number
  readonly height: number
  readonly eventIndex: number
  readonly timeS: number
  readonly txid: string
  readonly action: 'transfer' | 'burn'
  readonly recipient: string | null
  readonly from: bigint
  readonly to: bigint
}

/**
 * What became of lots, by the rule that what came first leaves first. A holder’s satoshis are numbered in the order in which
 * they came; its payments take them in that order. What it had before the first block that is held is not known: the
 * least that its payments need is put before all.
 */
export async function readLotMoves(reader: Reader, lots: readonly Lot[]): Promise<LotMove[]> {
  type Row = Omit<LotMove, 'from' | 'to'> & { from: string; to: string }
  const rows = await readRows<Row>(
    reader,
    `WITH
  moves AS (
    SELECT
      arrayJoin([(ifNull(sender, ''), 0), (ifNull(recipient, ''), 1)]) AS side, side.1 AS holder, side.2 AS is_in,
      height, event_index, block_time, txid, CAST(action AS String) AS action, recipient, toInt64(amount) AS sat
    FROM stx_transfers
    WHERE asset IN (${ASSETS})
      AND (sender IN {holders:Array(String)} OR recipient IN {holders:Array(String)})
      AND ifNull(sender, '') != ifNull(recipient, '')
  ),
  summed AS (
    SELECT
      *, sum(if(is_in = 1, sat, 0)) OVER w AS came, sum(if(is_in = 0, sat, 0)) OVER w AS left
    FROM moves
    WHERE holder IN {holders:Array(String)}
    WINDOW w AS (PARTITION BY holder ORDER BY height, event_index ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ),
  earlier AS (SELECT holder, greatest(max(left - came), 0) AS had FROM summed GROUP BY holder),
  lots AS (
    SELECT l.n AS lot, l.holder AS holder, e.had + s.came - s.sat + l.start AS start, e.had + s.came - s.sat + l.end AS end
    FROM (
      SELECT
        arrayJoin(arrayEnumerate({holders:Array(String)})) AS i, i - 1 AS n, {holders:Array(String)}[i] AS holder,
        {heights:Array(UInt32)}[i] AS height, {events:Array(UInt32)}[i] AS event_index,
        {starts:Array(Int64)}[i] AS start, {ends:Array(Int64)}[i] AS end
    ) AS l
    INNER JOIN summed AS s ON s.holder = l.holder AND s.height = l.height AND s.event_index = l.event_index AND s.is_in = 1
    INNER JOIN earlier AS e ON e.holder = l.holder
  )
SELECT
  toUInt32(l.lot) AS lot, s.height AS height, s.event_index AS eventIndex, toUnixTimestamp(s.block_time) AS timeS,
  lower(hex(s.txid)) AS txid, s.action AS action, s.recipient AS recipient,
  toString(greatest(l.start, s.left - s.sat) - (s.left - s.sat)) AS from, toString(least(l.end, s.left) - (s.left - s.sat)) AS to
FROM lots AS l
INNER JOIN (SELECT * FROM summed WHERE is_in = 0) AS s ON s.holder = l.holder
WHERE s.left > l.start AND s.left - s.sat < l.end
ORDER BY lot, height, eventIndex
LIMIT 1000`,
    {
      holders: lots.map(({ holder }) => holder),
      heights: lots.map(({ height }) => height),
      events: lots.map(({ eventIndex }) => eventIndex),
      starts: lots.map(({ from }) => from),
      ends: lots.map(({ to }) => to),
    },
  )
  return rows.map(row => ({ ...row, from: BigInt(row.from), to: BigInt(row.to) }))
}

/** A burn of sBTC that a withdrawal begins with, by the place of the burn. */
export type BurnOfRequest = {
  readonly height: number
  readonly eventIndex: number
  readonly requestId: string
  readonly status: 'pending' | 'accepted' | 'rejected'
  readonly amountSat: bigint
  readonly feeSat: bigint | null
  readonly sender: string
  /** What was minted back: the whole of a request that was rejected, else what the fee left over. */
  readonly returned: {
    readonly height: number
    readonly eventIndex: number
    readonly timeS: number
    readonly txid: string
  } | null
}

type Place = { readonly height: number; readonly eventIndex: number; readonly txid: string }
type RequestPrint = Place & {
  contract: string
  requestId: string
  sender: string
  amountSat: string
  maxFeeSat: string
}
type SettledPrint = Place & { contract: string; requestId: string; isAccepted: boolean; feeSat: string }
type MintEvent = Place & { timeS: number; recipient: string; sat: string }

/** The withdrawals that burns of sBTC began: the registry prints a request behind its burn, and how it ended behind what it gives back. */
export async function readBurnRequests(reader: Reader, burns: readonly Place[]): Promise<BurnOfRequest[]> {
  const created = await readRows<RequestPrint>(
    reader,
    `SELECT height, event_index AS eventIndex, lower(hex(p.txid)) AS txid, contract, toString(request_id) AS requestId, sender,
  toString(ifNull(amount_sat, 0)) AS amountSat, toString(ifNull(max_fee_sat, 0)) AS maxFeeSat
FROM stx_sbtc_prints AS p
WHERE event = 'withdrawal-create' AND height IN {heights:Array(UInt32)}
ORDER BY height, eventIndex`,
    { heights: [...new Set(burns.map(({ height }) => height))] },
  )
  const begun = burns.flatMap(burn => {
    const print = created.find(one => isBehind(one, burn))
    return print ? [{ burn, print }] : []
  })
  if (begun.length === 0) return []
  const settled = await readRows<SettledPrint>(
    reader,
    `SELECT height, event_index AS eventIndex, lower(hex(p.txid)) AS txid, contract, toString(request_id) AS requestId,
  event = 'withdrawal-accept' AS isAccepted, toString(ifNull(fee_sat, 0)) AS feeSat
FROM stx_sbtc_prints AS p
WHERE event IN ('withdrawal-accept', 'withdrawal-reject') AND request_id IN {ids:Array(UInt64)}`,
    { ids: begun.map(({ print }) => BigInt(print.requestId)) },
  )
  const mints =
    settled.length === 0
      ? []
      : await readRows<MintEvent>(
          reader,
          `SELECT height, event_index AS eventIndex, lower(hex(t.txid)) AS txid, toUnixTimestamp(block_time) AS timeS,
  assumeNotNull(recipient) AS recipient, toString(amount) AS sat
FROM stx_transfers AS t
WHERE asset IN (${ASSETS}) AND action = 'mint' AND height IN {heights:Array(UInt32)} AND recipient IN {senders:Array(String)}
ORDER BY height DESC, eventIndex DESC`,
          {
            heights: [...new Set(settled.map(({ height }) => height))],
            senders: [...new Set(begun.map(({ print }) => print.sender))],
          },
        )
  return begun.map(({ burn, print }) => {
    const end = settled.find(one => one.contract === print.contract && one.requestId === print.requestId)
    const amountSat = BigInt(print.amountSat)
    const backSat =
      end === undefined ? 0n : BigInt(print.maxFeeSat) + (end.isAccepted ? -BigInt(end.feeSat) : amountSat)
    const back =
      end &&
      mints.find(
        mint => isBehind(end, mint) && mint.recipient === print.sender && BigInt(mint.sat) === backSat,
      )
    return {
      height: burn.height,
      eventIndex: burn.eventIndex,
      requestId: print.requestId,
      status: end === undefined ? 'pending' : end.isAccepted ? 'accepted' : 'rejected',
      amountSat,
      feeSat: end?.isAccepted ? BigInt(end.feeSat) : null,
      sender: print.sender,
      returned: back ?? null,
    }
  })
}

/** Whether an event is of the same transaction as another, and not before it. */
const isBehind = (event: Place, other: Place): boolean =>
  event.height === other.height && event.txid === other.txid && event.eventIndex >= other.eventIndex

/** Where the sBTC of a deposit was minted: the mint stands before the print that reports it. */
export async function readMintEvent(
  reader: Reader,
  at: {
    readonly height: number
    readonly txid: string
    readonly recipient: string
    readonly printEvent: number
  },
): Promise<number | undefined> {
  const [row] = await readRows<{ eventIndex: number }>(
    reader,
    `SELECT event_index AS eventIndex
FROM stx_transfers AS t
WHERE t.asset IN (${ASSETS}) AND t.action = 'mint' AND t.height = {height:UInt32}
  AND t.txid = toFixedString(unhex({txid:String}), 32) AND t.recipient = {recipient:String} AND t.event_index <= {printEvent:UInt32}
ORDER BY t.event_index DESC
LIMIT 1`,
    at,
  )
  return row?.eventIndex
}
