import type { EvmLog, Hex } from '#chains/evm/index.ts'
import { type EvmSource, logsIn, openRangeSize, type SourcedBlock } from '#chains/evm/node/index.ts'
import { type ChainOfFamily, ofChainSql, type Warehouse } from '#warehouse/index.ts'
import type { Difference } from '../verify.ts'

export type EvmVerifyOptions = {
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** A second source: sampled heights are read from it again. Without one what is held is checked against itself. */
  readonly source?: EvmSource | undefined
  /** How many heights are sampled, spread evenly over what is held; 20 unless given. */
  readonly samples?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export type EvmVerifyReport = {
  readonly blockCount: number
  /** Heights that were compared with the source. */
  readonly sampled: readonly number[]
  /** At most 1,000. */
  readonly differences: readonly Difference[]
}

const MOST = 1000
const SAMPLES = 20

/** Each compares two texts a height; `held` is what the block says, `expected` what its parts add up to. */
function checksOf(chain: string): readonly { readonly what: string; readonly sql: string }[] {
  const within = `${chain}height BETWEEN {from:UInt32} AND {to:UInt32}`
  const sum = (what: string, column: string, table: string, total: string) => ({
    what,
    sql: `
SELECT blocks.height AS height, toString(blocks.${column}) AS held, toString(parts.total) AS expected
FROM (SELECT height, ${column} FROM evm_blocks WHERE ${within}) AS blocks
LEFT JOIN (SELECT height, ${total} AS total FROM ${table} WHERE ${within} GROUP BY height) AS parts
  ON parts.height = blocks.height
WHERE blocks.${column} != parts.total`,
  })
  return [
    {
      what: 'link to the block below',
      sql: `
SELECT blocks.height AS height, lower(hex(blocks.prev_hash)) AS held, lower(hex(below.hash)) AS expected
FROM (SELECT height, prev_hash FROM evm_blocks WHERE ${within}) AS blocks
INNER JOIN (SELECT height, hash FROM evm_blocks WHERE ${within}) AS below ON below.height + 1 = blocks.height
WHERE blocks.prev_hash != below.hash`,
    },
    {
      what: 'one block a height',
      sql: `
SELECT height, toString(count()) AS held, '1' AS expected
FROM evm_blocks WHERE ${within} GROUP BY height HAVING count() != 1`,
    },
    sum('transactions', 'tx_count', 'evm_txs', 'count()'),
    sum('logs', 'log_count', 'evm_logs', 'count()'),
    sum('logs by transaction', 'log_count', 'evm_txs', 'sum(log_count)'),
    sum('fees', 'fee_wei', 'evm_txs', 'sum(ifNull(fee_wei, toUInt256(0)))'),
    sum('failed transactions', 'failed_tx_count', 'evm_txs', 'countIf(is_success = false)'),
  ]
}

/** Heights checked by one statement. */
const STRETCH = 10_000

/** Checks a stretch of what readers see of a layer; everything held unless bounded. */
export async function verifyEvm(
  { warehouse, of }: { readonly warehouse: Warehouse; readonly of: ChainOfFamily },
  options: EvmVerifyOptions = {},
): Promise<EvmVerifyReport> {
  const chain = ofChainSql(of)
  const ask: Ask = async (query, query_params) => {
    options.signal?.throwIfAborted()
    const answer = await warehouse.reader.query({ query, query_params, format: 'JSONEachRow' })
    return answer.json()
  }
  const stretches = await ask<{ low: number; high: number; count: string }>(
    `SELECT min(height) AS low, max(height) AS high, toString(count()) AS count FROM evm_blocks
WHERE ${chain}height BETWEEN {from:UInt32} AND {to:UInt32} GROUP BY intDiv(height, ${STRETCH}) ORDER BY low`,
    { from: options.from ?? 0, to: options.to ?? 0xffff_ffff },
  )
  const blockCount = stretches.reduce((sum, { count }) => sum + Number(count), 0)
  const differences: Difference[] = []
  for (const { low, high } of stretches) {
    if (differences.length >= MOST) break
    // A block above, so that the link between two stretches is checked too.
    for (const { what, sql } of checksOf(chain)) {
      const rows = await ask<Omit<Difference, 'what'>>(`${sql}\nORDER BY height LIMIT ${MOST}`, {
        from: Math.max(options.from ?? 0, low - 1),
        to: high,
      })
      differences.push(...rows.filter(({ height }) => height >= low).map(row => ({ ...row, what })))
    }
  }
  const sampled: number[] = []
  if (options.source !== undefined) {
    const heights = await ask<{ height: number }>(
      `SELECT height FROM evm_blocks WHERE ${chain}height BETWEEN {from:UInt32} AND {to:UInt32}
ORDER BY height`,
      { from: options.from ?? 0, to: options.to ?? 0xffff_ffff },
    )
    for (const { height } of spread(heights, options.samples ?? SAMPLES)) {
      sampled.push(height)
      differences.push(...(await compare(ask, chain, options.source, height, options.signal)))
    }
  }
  return { blockCount, sampled, differences: differences.slice(0, MOST) }
}

type Ask = <T>(query: string, query_params: Record<string, unknown>) => Promise<T[]>

/** The first, the last and what lies evenly between them. */
function spread<T>(items: readonly T[], count: number): T[] {
  if (items.length <= count) return [...items]
  return Array.from({ length: count }, (_, i) => items[Math.round((i * (items.length - 1)) / (count - 1))]!)
}

/** One height as it is held and as the second source tells it: block, transactions with their outcome, logs of `eth_getLogs`. */
async function compare(
  ask: Ask,
  chain: string,
  source: EvmSource,
  height: number,
  signal: AbortSignal | undefined,
): Promise<Difference[]> {
  const at = `WHERE ${chain}height = {height:UInt32}`
  const [[block], txs, logs] = await Promise.all([
    ask<{ text: string }>(`SELECT lower(hex(hash)) AS text FROM evm_blocks ${at}`, { height }),
    ask<{ text: string }>(
      `SELECT concat(lower(hex(tx_hash)), ' ', lower(hex(sender)), ' ', toString(value_wei), ' ', ifNull(toString(gas_used), '?'), ' ', ifNull(toString(is_success), '?')) AS text
FROM evm_txs ${at} ORDER BY tx_index`,
      { height },
    ),
    ask<{ text: string }>(
      `SELECT concat(toString(log_index), ' ', lower(hex(emitter)), ' ', arrayStringConcat(arrayMap(topic -> lower(hex(assumeNotNull(topic))), arrayFilter(topic -> topic IS NOT NULL, [topic0, topic1, topic2, topic3])), ' '), ' ', lower(hex(data))) AS text
FROM evm_logs ${at} ORDER BY log_index`,
      { height },
    ),
  ])
  for await (const sourced of source.blocks(height, height, signal)) {
    const found: EvmLog[] = []
    for await (const { logs: some } of logsIn(
      source.client,
      { fromBlock: height, toBlock: height },
      openRangeSize(1),
      signal,
    ))
      found.push(...some)
    const expected = textsOf(sourced, found)
    const held = { hash: [block?.text ?? ''], txs: txs.map(textOf), logs: logs.map(textOf) }
    return [
      ...differing(height, 'hash', held.hash, expected.hash),
      ...differing(height, 'transaction', held.txs, expected.txs),
      ...differing(height, 'log', held.logs, expected.logs),
    ]
  }
  return [{ height, what: 'block', held: block?.text ?? '', expected: 'none' }]
}

const textOf = ({ text }: { readonly text: string }): string => text
const plain = (hex: Hex): string => hex.slice(2)

function textsOf({ block: { header, transactions, receipts } }: SourcedBlock, logs: readonly EvmLog[]) {
  const isRootstock = header.form === 'rootstock'
  return {
    hash: [plain(header.hash)],
    txs: transactions.map((tx, i) => {
      const receipt = receipts?.[i]
      return `${plain(tx.hash)} ${plain(tx.from)} ${tx.value} ${receipt?.gasUsed ?? '?'} ${receipt?.isSuccess ?? '?'}`
    }),
    // Rootstock counts logs by transaction in its receipts and so in what it tells of filters.
    logs: logs.map(
      (log, i) =>
        `${isRootstock ? i : log.logIndex} ${plain(log.address)} ${log.topics.map(plain).join(' ')} ${plain(log.data)}`,
    ),
  }
}

/** The first place where two lists differ, as a difference of this height. */
function differing(
  height: number,
  what: string,
  held: readonly string[],
  expected: readonly string[],
): Difference[] {
  const length = Math.max(held.length, expected.length)
  for (let i = 0; i < length; i++)
    if (held[i] !== expected[i])
      return [
        {
          height,
          what: what === 'hash' ? what : `${what} ${i} of ${expected.length}`,
          held: held[i] ?? 'none',
          expected: expected[i] ?? 'none',
        },
      ]
  return []
}
