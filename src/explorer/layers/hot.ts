import { countedOver, coversFrom, indexedHoursOf, readHeld } from '../across/chains.ts'
import { isoOf, type Reader, readRows } from '../readRows.ts'
import type { LayerWords } from './facts.ts'
import { type Party, partyOf } from './txs.ts'

/** A contract that users' transactions called on the newest days that are held. */
export type HotContract = {
  contract: Party
  callCount: number
  /** Null where it is 0 and blocks or outcomes of calls are missing; above 0 it is of those that are indexed. */
  failedCallCount: number | null
  /** Most callers of one day: distinct counts do not add up. */
  callerCount: number
  functions: string[]
}

export type HotContracts = {
  hot: HotContract[]
  /** First of the latest seven days, the last of which is still open; null where no block is indexed. */
  from: string | null
  /** Every block since that day is indexed. */
  isWhole: boolean
  /** Whole hours up to the newest block that are indexed without a gap; null where every block is. */
  indexedHours: number | null
}

export type NewContract = {
  contract: Party
  creator: Party
  kind: string
  height: number
  time: string
  txHash: string
}

const DAYS = 7
const SHOWN = 20

/** The most called contracts of the newest seven days with blocks. */
export async function readHotContracts(reader: Reader, words: LayerWords): Promise<HotContracts> {
  type Row = {
    contractHex: string
    callCount: string
    failedCallCount: string
    callerCount: string
    functions: string[]
    unknownOutcomes: string
  }
  const readRun = async () => (await readHeld(reader, [words.layer]))[0]
  const readCalls = readRows<Row>(
    reader,
    `WITH
  window_days AS (
    SELECT bucket, unknown_outcome_count
    FROM evm_block_days
    WHERE chain = {layer:String}
      AND bucket > (SELECT max(bucket) FROM evm_block_days WHERE chain = {layer:String}) - ${DAYS}
  )
SELECT hex(d.contract) AS contractHex, sum(d.calls) AS callCount, sum(d.failed) AS failedCallCount,
  (SELECT sum(unknown_outcome_count) FROM window_days) AS unknownOutcomes,
  max(d.callers) AS callerCount, arraySlice(arrayDistinct(arrayFlatten(groupArray(d.names))), 1, 5) AS functions
FROM (
  SELECT bucket, contract, sum(call_count) AS calls, sum(failed_call_count) AS failed,
    max(caller_count) AS callers,
    arrayMap(pair -> pair.2, arrayReverseSort(groupArray((call_count, if(function_name = '', selector, function_name))))) AS names
  FROM evm_call_days
  WHERE chain = {layer:String} AND bucket IN (SELECT bucket FROM window_days)
  GROUP BY bucket, contract
) AS d
GROUP BY d.contract
ORDER BY callCount DESC, contractHex
LIMIT ${SHOWN}`,
    { layer: words.layer },
  )
  const readFirstDay = async () => {
    const [row] = await readRows<{ firstDay: string; days: string }>(
      reader,
      `SELECT toString(max(bucket) - ${DAYS - 1}) AS firstDay, count() AS days
FROM evm_block_days
WHERE chain = {layer:String}`,
      { layer: words.layer },
    )
    return row === undefined || Number(row.days) === 0 ? null : row.firstDay
  }
  const [run, rows, from] = await Promise.all([readRun(), readCalls, readFirstDay()])
  const isWhole = run !== undefined && from !== null && coversFrom(run, Date.parse(from))
  return {
    from,
    isWhole,
    indexedHours: indexedHoursOf(run),
    hot: rows.map(({ contractHex, functions, unknownOutcomes, ...row }) => ({
      contract: partyOf(words, contractHex),
      callCount: Number(row.callCount),
      failedCallCount: countedOver(Number(row.failedCallCount), isWhole && Number(unknownOutcomes) === 0),
      callerCount: Number(row.callerCount),
      functions,
    })),
  }
}

/** The newest contracts that are held. */
export async function readNewContracts(reader: Reader, words: LayerWords): Promise<NewContract[]> {
  type Row = {
    contractHex: string
    creatorHex: string
    kind: string
    height: number
    timeS: number
    txHash: string
  }
  const rows = await readRows<Row>(
    reader,
    `SELECT hex(e.contract) AS contractHex, hex(e.creator) AS creatorHex, toString(e.kind) AS kind, e.height AS height,
  toUnixTimestamp(e.block_time) AS timeS, concat('0x', lower(hex(e.tx_hash))) AS txHash
FROM evm_contracts AS e
WHERE e.chain = {layer:String}
ORDER BY e.height DESC, e.tx_index DESC, e.path
LIMIT ${SHOWN}`,
    { layer: words.layer },
  )
  return rows.map(({ contractHex, creatorHex, timeS, ...row }) => ({
    ...row,
    contract: partyOf(words, contractHex),
    creator: partyOf(words, creatorHex),
    time: isoOf(timeS),
  }))
}
