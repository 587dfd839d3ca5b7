import { randomInt } from 'node:crypto'
import { BASE_DATABASE } from '#warehouse/index.ts'
import { CALL_HOUR_TABLES, callHourRuns } from '#warehouse/tables/callHours.ts'
import { NEWEST_HOUR_RUNS } from '#warehouse/views/callHours.ts'
import { IS_SYSTEM_TX } from '#warehouse/views/evm.ts'
import { ask } from '../ask.ts'
import type { MetricsDeps } from '../deps.ts'
import { folded, markOfText } from './declaration.ts'

/** What is kept of each chain, counted from its newest block: a week, the week before it, and a day to spare. */
const KEPT_HOURS = 15 * 24
/** A block at the tip changes these alone; older ones are looked at with the rest. */
const NEWEST_HOURS = 3
/** Blocks that one statement reads. */
const BLOCKS_PER_STATEMENT = 20_000
/** Superseded hours that may lie about. */
const KEPT_RUNS = 5_000

export type CallHour = { readonly chain: string; readonly hour: number; readonly blocks: number }
type StaleHour = CallHour & { readonly signature: string }
type Scope = 'newest' | 'all'

/**
 * Recomputes each hour whose blocks are not those that it was computed from, and gives how many there were: a pure function
 * of base rows, so whatever order blocks came in, hours are the same. An hour counts once its run is written, last, and only
 * if its blocks have stood still meanwhile. `newest` looks at the last hours of each chain alone, where blocks come in;
 * `all` also at what came in or was taken back before them, and lets go of hours that are too old.
 */
export async function refreshCallHours(
  { warehouse, log }: Pick<MetricsDeps, 'warehouse' | 'log'>,
  scope: Scope,
): Promise<number> {
  const stale = await readStale(warehouse, scope)
  for (const part of inParts(stale)) await computeHours(warehouse, part)
  if (scope === 'all') await sweepHours(warehouse)
  if (stale.length > NEWEST_HOURS) log.info('calls by the hour recomputed', { hours: stale.length })
  return stale.length
}

type Warehouse = MetricsDeps['warehouse']

type HourRow = {
  readonly chain: string
  readonly hour: number
  readonly blocks: string
  readonly signature: string
}

/** Hours whose blocks are not those that they were computed from: with blocks, or with none any more. */
async function readStale({ writer }: Warehouse, scope: Scope): Promise<StaleHour[]> {
  const hours = scope === 'all' ? KEPT_HOURS : NEWEST_HOURS
  const [held, runs] = await Promise.all([
    ask<HourRow>(
      writer,
      `SELECT chain, toUnixTimestamp(hour) AS hour, blocks, toString(signature) AS signature
FROM (
${HELD_HOURS}
)
ORDER BY chain, hour`,
      { hours: String(hours) },
    ),
    ask<Omit<HourRow, 'blocks'>>(
      writer,
      `SELECT toString(chain) AS chain, toUnixTimestamp(r.hour) AS hour, toString(argMax(r.signature, r.run)) AS signature
FROM ${BASE_DATABASE}.call_hour_runs AS r
GROUP BY r.chain, r.hour
ORDER BY chain, hour`,
    ),
  ])
  const keyOf = ({ chain, hour }: { chain: string; hour: number }): string => `${chain} ${hour}`
  const known = new Map(runs.map(row => [keyOf(row), row.signature]))
  const now = new Set(held.map(keyOf))
  const edges = new Map<string, number>()
  for (const { chain, hour } of held)
    edges.set(chain, Math.max(edges.get(chain) ?? 0, hour - (hours - 1) * 3600))
  const changed = held.filter(row => known.get(keyOf(row)) !== runSignature(row.chain, row.signature))
  const lost = runs.filter(
    row => row.signature !== '0' && row.hour >= (edges.get(row.chain) ?? 0) && !now.has(keyOf(row)),
  )
  return [
    ...changed.map(row => ({ ...row, blocks: Number(row.blocks) })),
    ...lost.map(row => ({ ...row, blocks: 0, signature: '0' })),
  ].sort((one, other) =>
    one.chain === other.chain ? one.hour - other.hour : one.chain < other.chain ? -1 : 1,
  )
}

/** By hash of the block and by what its source told of it: rows follow from both, whatever batch they came in. */
const MARKS = {
  stacks: 'groupBitXor(cityHash64(height, hash, toString(source), lacks))',
  layers: 'groupBitXor(cityHash64(b.height, b.hash, b.is_receipts_proved, b.failed_tx_count IS NULL))',
} as const

/** The fingerprints of these hours of a chain as they are now. */
function readNow(
  { writer }: Warehouse,
  chain: string,
  part: readonly StaleHour[],
): Promise<{ hour: number; signature: string }[]> {
  const hours = part.map(({ hour }) => hour)
  return ask(
    writer,
    `SELECT toUnixTimestamp(toStartOfHour(b.block_time)) AS hour, toString(${chain === 'stacks' ? MARKS.stacks : MARKS.layers}) AS signature
FROM ${chain === 'stacks' ? 'stx_blocks' : 'evm_blocks'} AS b
WHERE ${chain === 'stacks' ? '' : 'b.chain = {chain:String} AND '}b.block_time >= {from:UInt32} AND b.block_time < {to:UInt32}
GROUP BY hour`,
    { chain, from: String(Math.min(...hours)), to: String(Math.max(...hours) + 3600) },
  )
}

const HELD_HOURS = `    SELECT
      'stacks' AS chain, toStartOfHour(block_time) AS hour, count() AS blocks,
      ${MARKS.stacks} AS signature
    FROM stx_blocks
    WHERE block_time >= (SELECT toStartOfHour(max(block_time)) FROM stx_blocks) - 3600 * ({hours:UInt32} - 1)
    GROUP BY hour
    UNION ALL
    SELECT
      toString(b.chain) AS chain, toStartOfHour(b.block_time) AS hour, count() AS blocks,
      ${MARKS.layers} AS signature
    FROM evm_blocks AS b
    INNER JOIN (
      SELECT chain, toStartOfHour(max(block_time)) - 3600 * ({hours:UInt32} - 1) AS edge
      FROM evm_blocks
      GROUP BY chain
    ) AS e ON e.chain = b.chain
    WHERE b.block_time >= e.edge
    GROUP BY chain, hour`

/** Hours of one chain side by side, as many as one statement takes. */
function inParts(stale: readonly StaleHour[]): StaleHour[][] {
  const parts: StaleHour[][] = []
  let blocks = 0
  for (const hour of stale) {
    const part = parts.at(-1)
    blocks += hour.blocks
    if (part === undefined || part[0]?.chain !== hour.chain || blocks > BLOCKS_PER_STATEMENT) {
      parts.push([hour])
      blocks = hour.blocks
    } else part.push(hour)
  }
  return parts
}

async function computeHours(warehouse: Warehouse, part: readonly StaleHour[]): Promise<void> {
  const [{ chain } = { chain: 'stacks' }] = part
  const held = part.filter(({ blocks }) => blocks > 0)
  const run = BigInt(Date.now()) * 1000n + BigInt(randomInt(1000))
  if (held.length > 0) {
    const statements = statementsOf(chain)
    const parameters = { run: run.toString(), chain, hours: held.map(({ hour }) => hour) }
    await Promise.all(statements.map(query => warehouse.writer.command({ query, query_params: parameters })))
  }
  const after = new Map((await readNow(warehouse, chain, part)).map(one => [one.hour, one.signature]))
  const computedAt = Math.floor(Date.now() / 1000)
  await warehouse.insertRows(
    callHourRuns,
    part
      .filter(one => (after.get(one.hour) ?? '0') === one.signature)
      .map(one => ({
        chain,
        hour: one.hour,
        signature: BigInt(runSignature(chain, one.signature)),
        run,
        computedAt,
      })),
  )
}

/** An hour is computed again when its blocks change, and when the statements do. */
const runSignature = (chain: string, ofRows: string): string =>
  folded(ofRows, markOfText(JSON.stringify(statementsOf(chain))))

const statementsOf = (chain: string): readonly string[] =>
  chain === 'stacks' ? [STACKS_CALLS, STACKS_NESTED] : [EVM_CALLS, EVM_NESTED]

/** Rows of hours that were computed again since, and of those that are older than what is kept. */
async function sweepHours({ writer }: Warehouse): Promise<void> {
  const [count] = await ask<{ superseded: string; old: string }>(
    writer,
    `SELECT
  count() - uniqExact(chain, hour) AS superseded,
  countIf((chain, hour) IN (${OLD_HOURS})) AS old
FROM ${BASE_DATABASE}.call_hour_runs`,
  )
  if (Number(count?.superseded ?? 0) + Number(count?.old ?? 0) <= KEPT_RUNS) return
  for (const { name } of CALL_HOUR_TABLES)
    await writer.command({
      query: `DELETE FROM ${BASE_DATABASE}.${name} WHERE NOT (${NEWEST_HOUR_RUNS}) OR (chain, hour) IN (${OLD_HOURS})`,
      clickhouse_settings: { lightweight_deletes_sync: '2' },
    })
}

const OLD_HOURS = `
  SELECT r.chain, r.hour
  FROM ${BASE_DATABASE}.call_hour_runs AS r
  INNER JOIN (
    SELECT chain, max(hour) AS newest FROM ${BASE_DATABASE}.call_hour_runs GROUP BY chain
  ) AS n ON n.chain = r.chain
  WHERE r.hour < n.newest - ${KEPT_HOURS * 3600}`

/** Base tables are ordered by height: the hours asked for bound it. */
const IN_STX_HOURS = `height BETWEEN
    (SELECT min(height) FROM stx_blocks WHERE toUnixTimestamp(toStartOfHour(block_time)) IN {hours:Array(UInt32)})
    AND (SELECT max(height) FROM stx_blocks WHERE toUnixTimestamp(toStartOfHour(block_time)) IN {hours:Array(UInt32)})
    AND toUnixTimestamp(toStartOfHour(block_time)) IN {hours:Array(UInt32)}`
const evmHours = (edge: 'min' | 'max'): string =>
  `(SELECT ${edge}(height) FROM evm_blocks WHERE chain = {chain:String} AND toUnixTimestamp(toStartOfHour(block_time)) IN {hours:Array(UInt32)})`
const IN_EVM_HOURS = `chain = {chain:String} AND height BETWEEN ${evmHours('min')} AND ${evmHours('max')}
    AND toUnixTimestamp(toStartOfHour(block_time)) IN {hours:Array(UInt32)}`

const CALL_COLUMNS = 'run, chain, hour, contract, method, caller, call_count, failed_call_count, fee'
const NESTED_COLUMNS = 'run, chain, hour, contract, call_count'

const STACKS_CALLS = `INSERT INTO ${BASE_DATABASE}.call_hours (${CALL_COLUMNS})
SELECT
  {run:UInt64}, 'stacks', toStartOfHour(block_time) AS hour, assumeNotNull(contract) AS called, function_name,
  sipHash64(sender) AS caller, count(), countIf(is_success = false), sum(toUInt256(fee_ustx))
FROM stx_txs
WHERE kind = 'contract_call' AND contract IS NOT NULL AND ${IN_STX_HOURS}
GROUP BY hour, called, function_name, caller`

const EVM_CALLS = `INSERT INTO ${BASE_DATABASE}.call_hours (${CALL_COLUMNS})
SELECT
  {run:UInt64}, {chain:String}, toStartOfHour(block_time) AS hour,
  concat('0x', lower(hex(assumeNotNull(recipient)))) AS called, concat('0x', lower(hex(assumeNotNull(method)))) AS selector,
  sipHash64(concat('0x', lower(hex(sender)))) AS caller, count(), countIf(is_success = false), sum(ifNull(fee_wei, 0))
FROM evm_txs
WHERE method IS NOT NULL AND recipient IS NOT NULL AND NOT ${IS_SYSTEM_TX} AND ${IN_EVM_HOURS}
GROUP BY hour, called, selector, caller`

/**
 * A contract ran inside a call of another one if it printed, if a token that it defines moved (only its own code can do
 * that), or if something was sent in its name. What merely got something need not have run.
 */
const STACKS_NESTED = `INSERT INTO ${BASE_DATABASE}.nested_hours (${NESTED_COLUMNS})
WITH
  ran AS (
    SELECT DISTINCT height, txid, contract
    FROM (
      SELECT height, txid, contract FROM stx_prints WHERE ${IN_STX_HOURS}
      UNION ALL
      SELECT height, txid, splitByString('::', asset)[1] FROM stx_transfers WHERE asset != '' AND ${IN_STX_HOURS}
      UNION ALL
      SELECT height, txid, assumeNotNull(sender) FROM stx_transfers WHERE position(sender, '.') > 0 AND ${IN_STX_HOURS}
    )
  )
SELECT {run:UInt64}, 'stacks', toStartOfHour(t.block_time) AS hour, r.contract AS ran_too, count()
FROM ran AS r
INNER JOIN (
  SELECT height, txid, block_time, contract
  FROM stx_txs
  WHERE kind = 'contract_call' AND ${IN_STX_HOURS}
) AS t ON t.height = r.height AND t.txid = r.txid
WHERE r.contract != t.contract
GROUP BY hour, ran_too`

const EVM_NESTED = `INSERT INTO ${BASE_DATABASE}.nested_hours (${NESTED_COLUMNS})
SELECT
  {run:UInt64}, {chain:String}, toStartOfHour(t.block_time) AS hour, concat('0x', lower(hex(l.emitter))) AS ran_too, count()
FROM (
  SELECT DISTINCT height, tx_index, emitter FROM evm_logs WHERE ${IN_EVM_HOURS}
) AS l
INNER JOIN (
  SELECT height, tx_index, block_time, recipient
  FROM evm_txs
  WHERE method IS NOT NULL AND recipient IS NOT NULL AND NOT ${IS_SYSTEM_TX} AND ${IN_EVM_HOURS}
) AS t ON t.height = l.height AND t.tx_index = l.tx_index
WHERE l.emitter != t.recipient
GROUP BY hour, ran_too`
