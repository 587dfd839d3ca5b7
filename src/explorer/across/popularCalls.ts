import { type Reader, readRows } from '../readRows.ts'
import { type ChainId, countedOver } from './chains.ts'
import {
  countOfAll,
  countsOfReceipts,
  countsOfSpan,
  hourConditions,
  readFunctionNames,
  readSpans,
  type Span,
  type SpanHeld,
  TIPS,
  type TrendRow,
  trendOf,
  trendPoints,
} from './hours.ts'
import type { KnownContract, Names } from './names.ts'

/** A function of a contract by how much it was called in the newest hours of its chain. A count of 0 is null where blocks of them are missing. */
export type RankedCall = {
  chain: ChainId
  contract: string
  known: KnownContract | null
  /** Function on Stacks; on EVM layers by the selector, else the selector itself. */
  functionName: string
  /** Empty on Stacks. */
  selector: string
  callCount: number
  failedCallCount: number | null
  callerCount: number
  /** Of all calls of contracts on its chain in the span; null where blocks of the span are missing. */
  share: number | null
  growth: number | null
  /** Null where hours of a point are not indexed. */
  trend: (number | null)[]
}

/** A contract that works inside calls of others. */
export type NestedContract = {
  chain: ChainId
  contract: string
  known: KnownContract | null
  /** Calls of other contracts in which it took part. */
  nestedCount: number
  /** Calls of itself; null where there is none and blocks of the span are missing. */
  callCount: number | null
  /**
   * Contracts indexed on Stacks whose source calls it by name; null on EVM layers, where sources are not known, and where
   * there is none and blocks are missing.
   */
  namedByCount: number | null
}

export type PopularCalls = {
  span: Span
  items: RankedCall[]
  nested: NestedContract[]
  /** Functions called in all, and their calls; null where none was and blocks of the span are missing. */
  functionCount: number | null
  callCount: number | null
  held: SpanHeld[]
}

type Row = TrendRow & {
  chain: ChainId
  contract: string
  method: string
  calls: string
  failed: string
  callers: string
  closed: string
  before: string
  /** Of all rows, those that are not shown in. */
  ofChain: string
  functions: string
  allCalls: string
}

const SHOWN = 200
const NESTED_SHOWN = 50

/** The most called functions of the span, and the contracts that others call most. */
export async function readPopularCalls(
  reader: Reader,
  chains: readonly ChainId[],
  names: Names,
  { span, chain }: { span: Span; chain?: ChainId },
): Promise<PopularCalls> {
  const at = hourConditions(span)
  const ofChain = chain === undefined ? '' : ' AND h.chain = {chain:String}'
  const parameters = { ...(chain !== undefined && { chain }) }
  const [spans, rows, credited, functions] = await Promise.all([
    readSpans(reader, chains, span, chain),
    readRows<Row>(
      reader,
      `WITH
  ${TIPS}
SELECT
  *, sum(calls) OVER (PARTITION BY chain) AS ofChain, count() OVER () AS functions, sum(calls) OVER () AS allCalls
FROM (
  SELECT
    toString(h.chain) AS chain, h.contract AS contract, h.method AS method,
    sumIf(h.call_count, ${at.inSpan}) AS calls, sumIf(h.failed_call_count, ${at.inSpan}) AS failed,
    uniqExactIf(h.caller, ${at.inSpan}) AS callers,
    sumIf(h.call_count, ${at.closed}) AS closed, sumIf(h.call_count, ${at.before}) AS before,
    ${trendOf(span, 'h.call_count')} AS trend, toUnixTimestamp(any(t.newest)) AS newestS
  FROM call_hours AS h
  INNER JOIN tips AS t ON t.chain = toString(h.chain)
  WHERE ${at.read}${ofChain}
  GROUP BY chain, contract, method
  HAVING calls > 0
)
ORDER BY calls DESC, chain, contract, method
LIMIT ${SHOWN}`,
      parameters,
    ),
    readNested(reader, { span, ...(chain !== undefined && { chain }) }),
    readFunctionNames(reader),
  ])
  const { held } = spans
  const countOf = countsOfSpan(spans)
  const receiptsOf = countsOfReceipts(spans)
  const comparable = new Set(held.filter(({ isComparable }) => isComparable).map(one => one.chain))
  const whole = new Set(held.filter(({ isWhole }) => isWhole).map(one => one.chain))
  return {
    span,
    held,
    nested: credited.map(({ chain, contract, nested, calls, namedBy }) => ({
      chain,
      contract,
      known: names(chain, contract),
      nestedCount: Number(nested),
      callCount: countOf(chain, calls),
      namedByCount: chain === 'stacks' ? countedOver(namedBy, held.some(isWholeStacks)) : null,
    })),
    functionCount: countOfAll(held, Number(rows[0]?.functions ?? 0)),
    callCount: countOfAll(held, Number(rows[0]?.allCalls ?? 0)),
    items: rows.map(row => {
      const isStacks = row.chain === 'stacks'
      return {
        chain: row.chain,
        contract: row.contract,
        known: names(row.chain, row.contract),
        functionName: isStacks ? row.method : (functions.get(row.method) ?? row.method),
        selector: isStacks ? '' : row.method,
        callCount: Number(row.calls),
        failedCallCount: receiptsOf(row.chain, row.failed),
        callerCount: Number(row.callers),
        share: whole.has(row.chain) ? Number(row.calls) / Number(row.ofChain) : null,
        growth:
          comparable.has(row.chain) && Number(row.before) > 0
            ? Number(row.closed) / Number(row.before) - 1
            : null,
        trend: trendPoints(
          span,
          row,
          held.find(one => one.chain === row.chain),
        ),
      }
    }),
  }
}

const isWholeStacks = ({ chain, isSinceGenesis }: SpanHeld): boolean => chain === 'stacks' && isSinceGenesis

type Credited = { chain: ChainId; contract: string; nested: string; calls: string }

async function readNested(
  reader: Reader,
  { span, chain }: { span: Span; chain?: ChainId },
): Promise<(Credited & { namedBy: number })[]> {
  const at = hourConditions(span)
  const ofChain = chain === undefined ? '' : ' AND h.chain = {chain:String}'
  const rows = await readRows<Credited>(
    reader,
    `WITH
  ${TIPS},
  direct AS (
    SELECT toString(h.chain) AS chain, h.contract AS contract, sum(h.call_count) AS calls
    FROM call_hours AS h
    INNER JOIN tips AS t ON t.chain = toString(h.chain)
    WHERE ${at.inSpan}${ofChain}
    GROUP BY chain, contract
  )
SELECT n.chain AS chain, n.contract AS contract, n.nested AS nested, d.calls AS calls
FROM (
  SELECT toString(h.chain) AS chain, h.contract AS contract, sum(h.call_count) AS nested
  FROM nested_hours AS h
  INNER JOIN tips AS t ON t.chain = toString(h.chain)
  WHERE ${at.inSpan}${ofChain}
  GROUP BY chain, contract
  ORDER BY nested DESC, chain, contract
  LIMIT ${NESTED_SHOWN}
) AS n
LEFT JOIN direct AS d ON d.chain = n.chain AND d.contract = n.contract
ORDER BY nested DESC, chain, contract`,
    { ...(chain !== undefined && { chain }) },
  )
  const namedBy = await readNamedBy(
    reader,
    rows.filter(row => row.chain === 'stacks').map(({ contract }) => contract),
  )
  return rows.map(row => ({ ...row, namedBy: namedBy.get(row.contract) ?? 0 }))
}

/** Contracts whose source has `(contract-call? '<contract> …`: what is passed in as a trait is not seen. */
async function readNamedBy(
  reader: Reader,
  contracts: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (contracts.length === 0) return new Map()
  const rows = await readRows<{ target: string; sources: string }>(
    reader,
    `SELECT target, uniqExact(contract) AS sources
FROM (
  SELECT
    contract,
    arrayJoin(arrayDistinct(arrayMap(
      named -> if(startsWith(named, '.'), concat(deployer, named), substring(named, 2)),
      extractAll(source_code, 'contract-call\\\\?\\\\s+(\\'S[0-9A-Z]+\\\\.[a-zA-Z][a-zA-Z0-9-]*|\\\\.[a-zA-Z][a-zA-Z0-9-]*)')
    ))) AS target
  FROM stx_contracts
)
WHERE target IN {contracts:Array(String)} AND target != contract
GROUP BY target`,
    { contracts },
  )
  return new Map(rows.map(({ target, sources }) => [target, Number(sources)]))
}
