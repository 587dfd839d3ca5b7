import { isoOf, type Reader, readRows } from '../readRows.ts'
import { type ChainId, isEvm } from './chains.ts'
import { hourConditions, readSpans, type Span, type SpanHeld, TIPS, trendOf, trendPoints } from './hours.ts'
import type { KnownContract, Names } from './names.ts'

/** A contract by how much it was called in the newest hours of its chain. */
export type RankedContract = {
  chain: ChainId
  contract: string
  known: KnownContract | null
  callCount: number
  failedCallCount: number
  callerCount: number
  /** Fees of the calls in the smallest unit of the chain’s coin. */
  fee: string
  /** Calls of other contracts in which it took part. */
  nestedCount: number
  /** Calls of the hours that are over ÷ those of as many hours before − 1; null where either is not held whole or there were none. */
  growth: number | null
  trend: number[]
  /** When it was made; null where that block is not held. */
  firstSeen: string | null
}

export type HotContracts = {
  span: Span
  items: RankedContract[]
  /** Contracts called in all, and their calls. */
  contractCount: number
  callCount: number
  held: SpanHeld[]
}

type Row = {
  chain: ChainId
  contract: string
  calls: string
  failed: string
  callers: string
  fee: string
  nested: string
  closed: string
  before: string
  trend: [number[], string[]]
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
  const [held, rows] = await Promise.all([
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
      ${trendOf(span, 'h.call_count')} AS trend
    FROM call_hours AS h
    INNER JOIN tips AS t ON t.chain = toString(h.chain)
    WHERE ${at.read}${ofChain}
    GROUP BY chain, contract
    HAVING calls > 0
  ),
  credited AS (
    SELECT toString(h.chain) AS chain, h.contract AS contract, sum(h.call_count) AS nested
    FROM nested_hours AS h
    INNER JOIN tips AS t ON t.chain = toString(h.chain)
    WHERE ${at.inSpan}${ofChain}
    GROUP BY chain, contract
  )
SELECT
  if(r.chain = '', c.chain, r.chain) AS chain, if(r.contract = '', c.contract, r.contract) AS contract,
  r.calls AS calls, r.failed AS failed, r.callers AS callers, toString(r.fee) AS fee, c.nested AS nested,
  r.closed AS closed, r.before AS before, r.trend AS trend,
  countIf(r.calls > 0) OVER () AS contracts, sum(r.calls) OVER () AS allCalls
FROM ranked AS r
FULL OUTER JOIN credited AS c ON c.chain = r.chain AND c.contract = r.contract
ORDER BY calls DESC, nested DESC, chain, contract
LIMIT ${SHOWN}`,
      parameters,
    ),
  ])
  const made = await readMadeTimes(reader, rows)
  const comparable = new Set(held.filter(({ isComparable }) => isComparable).map(one => one.chain))
  return {
    span,
    contractCount: Number(rows[0]?.contracts ?? 0),
    callCount: Number(rows[0]?.allCalls ?? 0),
    held,
    items: rows.map(row => ({
      chain: row.chain,
      contract: row.contract,
      known: names(row.chain, row.contract),
      callCount: Number(row.calls),
      failedCallCount: Number(row.failed),
      callerCount: Number(row.callers),
      fee: row.fee,
      nestedCount: Number(row.nested),
      growth:
        comparable.has(row.chain) && Number(row.before) > 0
          ? Number(row.closed) / Number(row.before) - 1
          : null,
      trend: trendPoints(span, row.trend),
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
