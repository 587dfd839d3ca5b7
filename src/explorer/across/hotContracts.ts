import { isoOf, type Reader, readRows } from '../readRows.ts'
import { type ChainId, isEvm } from './chains.ts'
import {
  countOfAll,
  countsOfReceipts,
  countsOfSpan,
  hourConditions,
  readSpans,
  type Span,
  type SpanHeld,
  TIPS,
  type TrendRow,
  trendOf,
  trendPoints,
} from './hours.ts'
import type { KnownContract, Names } from './names.ts'

/** A contract by how much it was called in the newest hours of its chain. A count of 0 is null where blocks of them are missing. */
export type RankedContract = {
  chain: ChainId
  contract: string
  known: KnownContract | null
  callCount: number | null
  failedCallCount: number | null
  callerCount: number | null
  /** Fees of the calls in the smallest unit of the chain’s coin. */
  fee: string | null
  /** Calls of other contracts in which it took part. */
  nestedCount: number | null
  /** Calls of the hours that are over ÷ those of as many hours before − 1; null where either is not held whole or there were none. */
  growth: number | null
  /** Null where hours of a point are not indexed. */
  trend: (number | null)[]
  /** When it was made; null where that block is not held. */
  firstSeen: string | null
}

export type HotContracts = {
  span: Span
  items: RankedContract[]
  /** Contracts called in all, and their calls; null where none was and blocks of the span are missing. */
  contractCount: number | null
  callCount: number | null
  held: SpanHeld[]
}

type Row = TrendRow & {
  chain: ChainId
  contract: string
  calls: string
  failed: string
  callers: string
  fee: string
  nested: string
  closed: string
  before: string
  /** Of all rows, those that are not shown in. */
  contracts: string
  allCalls: string
}

const SHOWN = 200

/** The most called contracts of the span, of one chain or of all. */
export async function readHotContracts(
  reader: Reader,
  chains: readonly ChainId[],
  names: Names,
  { span, chain }: { span: Span; chain?: ChainId },
): Promise<HotContracts> {
  const at = hourConditions(span)
  const ofChain = chain === undefined ? '' : ' AND h.chain = {chain:String}'
  const parameters = { ...(chain !== undefined && { chain }) }
  const [spans, rows] = await Promise.all([
    readSpans(reader, chains, span, chain),
    readRows<Row>(
      reader,
      `WITH
  ${TIPS},
  ranked AS (
    SELECT
      toString(h.chain) AS chain, h.contract AS contract,
      sumIf(h.call_count, ${at.inSpan}) AS calls, sumIf(h.failed_call_count, ${at.inSpan}) AS failed,
      uniqExactIf(h.caller, ${at.inSpan}) AS callers, sumIf(h.fee, ${at.inSpan}) AS fee,
      sumIf(h.call_count, ${at.closed}) AS closed, sumIf(h.call_count, ${at.before}) AS before,
      ${trendOf(span, 'h.call_count')} AS trend, any(t.newest) AS newest
    FROM call_hours AS h
    INNER JOIN tips AS t ON t.chain = toString(h.chain)
    WHERE ${at.read}${ofChain}
    GROUP BY chain, contract
  ),
  credited AS (
    SELECT toString(h.chain) AS chain, h.contract AS contract, sum(h.call_count) AS nested, any(t.newest) AS newest
    FROM nested_hours AS h
    INNER JOIN tips AS t ON t.chain = toString(h.chain)
    WHERE ${at.inSpan}${ofChain}
    GROUP BY chain, contract
  )
SELECT
  if(r.chain = '', c.chain, r.chain) AS chain, if(r.contract = '', c.contract, r.contract) AS contract,
  r.calls AS calls, r.failed AS failed, r.callers AS callers, toString(r.fee) AS fee, c.nested AS nested,
  r.closed AS closed, r.before AS before, r.trend AS trend,
  toUnixTimestamp(greatest(r.newest, c.newest)) AS newestS,
  countIf(r.calls > 0) OVER () AS contracts, sum(r.calls) OVER () AS allCalls
FROM ranked AS r
FULL OUTER JOIN credited AS c ON c.chain = r.chain AND c.contract = r.contract
WHERE r.calls > 0 OR c.nested > 0
ORDER BY calls DESC, nested DESC, chain, contract
LIMIT ${SHOWN}`,
      parameters,
    ),
  ])
  const { held } = spans
  const made = await readMadeTimes(reader, rows)
  const comparable = new Set(held.filter(({ isComparable }) => isComparable).map(one => one.chain))
  const countOf = countsOfSpan(spans)
  const receiptsOf = countsOfReceipts(spans)
  return {
    span,
    contractCount: countOfAll(held, Number(rows[0]?.contracts ?? 0)),
    callCount: countOfAll(held, Number(rows[0]?.allCalls ?? 0)),
    held,
    items: rows.map(row => ({
      chain: row.chain,
      contract: row.contract,
      known: names(row.chain, row.contract),
      callCount: countOf(row.chain, row.calls),
      failedCallCount: receiptsOf(row.chain, row.failed),
      callerCount: countOf(row.chain, row.callers),
      fee: receiptsOf(row.chain, row.fee) === null ? null : row.fee,
      nestedCount: countOf(row.chain, row.nested),
      growth:
        comparable.has(row.chain) && Number(row.before) > 0
          ? Number(row.closed) / Number(row.before) - 1
          : null,
      trend: trendPoints(
        span,
        row,
        held.find(one => one.chain === row.chain),
      ),
      firstSeen: made.get(`${row.chain} ${row.contract}`) ?? null,
    })),
  }
}

/** When contracts were made, by chain and contract, as far as those blocks are held. */
export async function readMadeTimes(
  reader: Reader,
  contracts: readonly { chain: ChainId; contract: string }[],
): Promise<ReadonlyMap<string, string>> {
  const ofStacks = contracts.filter(({ chain }) => chain === 'stacks').map(({ contract }) => contract)
  const ofLayers = contracts.filter(({ chain }) => isEvm(chain))
  type Made = { chain: string; contract: string; timeS: number }
  const rows = await Promise.all([
    ofStacks.length === 0
      ? []
      : readRows<Made>(
          reader,
          `SELECT 'stacks' AS chain, contract, toUnixTimestamp(min(block_time)) AS timeS
FROM stx_contracts
WHERE contract IN {contracts:Array(String)}
GROUP BY contract`,
          { contracts: ofStacks },
        ),
    ofLayers.length === 0
      ? []
      : readRows<Made>(
          reader,
          `SELECT toString(e.chain) AS chain, concat('0x', lower(hex(e.contract))) AS contract, toUnixTimestamp(min(e.block_time)) AS timeS
FROM evm_contracts AS e
WHERE (e.chain, e.contract) IN (
  SELECT pair.1, toFixedString(unhex(substring(pair.2, 3)), 20)
  FROM (SELECT arrayJoin(arrayZip({chains:Array(String)}, {contracts:Array(String)})) AS pair)
)
GROUP BY e.chain, e.contract`,
          {
            chains: ofLayers.map(({ chain }) => chain),
            contracts: ofLayers.map(({ contract }) => contract),
          },
        ),
  ])
  return new Map(rows.flat().map(({ chain, contract, timeS }) => [`${chain} ${contract}`, isoOf(timeS)]))
}
