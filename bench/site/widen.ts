import {
  BITCOIN,
  FROM_HEIGHT,
  PEG_OPS,
  STACKS_AFTER,
  STACKS_BEFORE,
} from '#explorer/stacks/sbtc/madeSbtc.testing.ts'
import { writeMadeChain } from '#metrics/madeChain.testing.ts'
import { writeMadeStacks } from '#metrics/madeStacks.testing.ts'
import { EVM, STACKS, sqlColumns, type Warehouse } from '#warehouse/index.ts'
import { btcLayerOps } from '#warehouse/tables/bitcoin.ts'

/** A batch of a hundred thousand is none that ingest gives. */
const FIRST_BATCH = 3_000_000_000

const sumOf = async ({ reader }: Warehouse, query: string): Promise<number> => {
  const answer = await reader.query({ query, format: 'JSONEachRow' })
  const [row] = await answer.json<{ n: string }>()
  return Number(row?.n ?? 0)
}

/** Blocks of the copies stand so far apart: three hundred copies are two years. */
const BLOCK_S = 4_000

/**
 * Copies the blocks of Stacks that are held `copies` times on top of the highest one, with all that is in them, each copy a
 * batch: hashes and txids are made anew, contracts, callers and events are the recorded ones. Returns the transactions held.
 */
export async function widenStacks(warehouse: Warehouse, copies: number): Promise<number> {
  const { writer } = warehouse
  // The place of each block among those held, which base rows are copied by.
  const ranks = `SELECT height, row_number() OVER (ORDER BY height) AS place FROM stx_blocks`
  const count = await sumOf(warehouse, 'SELECT count() AS n FROM stx_blocks')
  const top = await sumOf(warehouse, 'SELECT max(height) AS n FROM stx_blocks')
  const time = await sumOf(warehouse, 'SELECT toUnixTimestamp(max(block_time)) AS n FROM stx_blocks')
  for (const table of STACKS.tables) {
    const columns = sqlColumns(table)
    const values = columns.map(({ name, column }) => {
      if (name === 'batch') return `toUInt32(${FIRST_BATCH} + copy)`
      if (name === 'height') return `toUInt32(${top} + copy * ${count} + r.place)`
      if (name === 'block_time')
        return `toDateTime(${time} + (copy * ${count} + r.place) * ${BLOCK_S}, 'UTC')`
      if (column.byteLength !== 32 || !/^(txid|hash|prev_hash|header_hash)$/.test(name)) return `t.${name}`
      const made = `toFixedString(concat(MD5(concat(t.${name}, toString(copy))), MD5(concat(toString(copy), t.${name}))), 32)`
      return column.nullable ? `if(isNull(t.${name}), NULL, ${made})` : made
    })
    await writer.command({
      query: `INSERT INTO base.${table.name} (${columns.map(({ name }) => name).join(', ')})
SELECT ${values.join(', ')}
FROM base.${table.name} AS t
INNER JOIN (${ranks}) AS r ON r.height = t.height
CROSS JOIN (SELECT toInt64(number) AS copy FROM numbers(${copies})) AS k
WHERE t.batch < ${FIRST_BATCH}`,
    })
  }
  await writer.command({
    query: `INSERT INTO base.stx_batches (batch, seq, is_live, from_height, to_height, block_count)
SELECT batch, batch, true, min(height), max(height), count() FROM base.stx_blocks WHERE batch >= ${FIRST_BATCH} GROUP BY batch`,
  })
  return sumOf(warehouse, 'SELECT count() AS n FROM stx_txs')
}

/** Heights of Stacks at which nothing is recorded. */
const SBTC_HEIGHT = 20_000

/** A few deposits and withdrawals of sBTC, with their transactions on Bitcoin: none are recorded. */
export async function addSbtc(warehouse: Warehouse): Promise<void> {
  const batch = FIRST_BATCH + 200_000
  await writeMadeChain(warehouse, BITCOIN, batch, FROM_HEIGHT)
  await warehouse.insertRows(
    btcLayerOps,
    PEG_OPS.map(op => ({ ...op, batch })),
  )
  const blocks = [...STACKS_BEFORE, ...STACKS_AFTER]
  await writeMadeStacks(
    warehouse,
    blocks.map(block => ({ ...block, height: SBTC_HEIGHT + block.height })),
    batch,
  )
}

/** A commit of each chain with contracts, of a block with nothing in it: lists and figures by the hour are told anew. */
export async function commitEmptyBlock(warehouse: Warehouse, round: number): Promise<void> {
  const { writer } = warehouse
  const batch = FIRST_BATCH + 100_000 + round
  for (const { log, blocks } of [STACKS, EVM]) {
    const isOfMany = 'chain' in log.columns
    const tip = `SELECT ${isOfMany ? 'chain, ' : ''}max(height) AS height, max(block_time) AS block_time FROM ${blocks.name} AS b ${
      isOfMany ? "WHERE b.chain = 'core' GROUP BY chain" : ''
    }`
    const chain = isOfMany ? 'chain, ' : ''
    await writer.command({
      query: `INSERT INTO base.${blocks.name} (${chain}batch, height, hash, block_time${isOfMany ? '' : ', source'})
SELECT ${chain}${batch}, height + 1, toFixedString(concat(MD5('${round}'), MD5('made ${round}')), 32), block_time + 3${isOfMany ? '' : ", 'events'"} FROM (${tip})`,
    })
    await writer.command({
      query: `INSERT INTO base.${log.name} (${chain}batch, seq, is_live, from_height, to_height, block_count, decided_at)
SELECT ${chain}${batch}, ${batch}, true, height, height, 1, now() FROM base.${blocks.name} WHERE batch = ${batch}`,
    })
  }
}
