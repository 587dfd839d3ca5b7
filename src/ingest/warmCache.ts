import { withView } from '#kernel/bytes.ts'
import { BITCOIN, isLiveSql, type Warehouse } from '#warehouse/index.ts'
import { type OutputBatch, wordsOf } from './outputBatch.ts'
import type { PrevoutCache } from './prevoutCache.ts'

const LIVE = isLiveSql(BITCOIN)
/** Outputs that are asked for at once: some ten megabytes. */
const OUTPUTS_A_PART = 200_000

/**
 * Fills an empty cache with the newest outputs below a height, as many as half of it holds: after a start most inputs
 * spend one of them. Spent ones are among them; they go when room is needed.
 */
export async function warmCache(warehouse: Warehouse, cache: PrevoutCache, below: number): Promise<void> {
  const answer = await warehouse.writer.query({
    query: `
SELECT height, output_count AS outputCount FROM (
  SELECT height, output_count, sum(output_count) OVER (ORDER BY height DESC) AS newer
  FROM base.btc_blocks WHERE height < {below:UInt32} AND ${LIVE}
) WHERE newer <= {most:UInt32} ORDER BY height`,
    query_params: { below, most: Math.floor(cache.mostOutputs / 2) },
    format: 'JSONEachRow',
  })
  const blocks = await answer.json<{ height: number; outputCount: number }>()
  for (let i = 0; i < blocks.length; ) {
    const first = blocks[i]!.height
    let count = 0
    while (i < blocks.length && (count === 0 || count + blocks[i]!.outputCount <= OUTPUTS_A_PART))
      count += blocks[i++]!.outputCount
    cache.add(batchOf(await readOutputs(warehouse, first, blocks[i - 1]!.height)))
  }
}

async function readOutputs(warehouse: Warehouse, from: number, to: number): Promise<Buffer> {
  const { stream } = await warehouse.writer.exec({
    query: `
SELECT txid, height, toUnixTimestamp(block_time), value_sat, script_type, vout, script
FROM base.btc_outputs WHERE height BETWEEN {from:UInt32} AND {to:UInt32} AND ${LIVE}
ORDER BY height, tx_index, vout FORMAT RowBinary`,
    query_params: { from, to },
  })
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

/** In a row: txid 32 bytes, height 4, time 4, value 8, type 1, vout 4, then the script behind its length in LEB128. */
const HEIGHT_AT = 32
const TIME_AT = 36
const VALUE_AT = 40
const TYPE_AT = 48
const VOUT_AT = 49
const SCRIPT_AT = 53

/** Rows as the cache takes them. */
function batchOf(rows: Buffer): OutputBatch {
  const most = Math.floor(rows.length / (SCRIPT_AT + 1)) + 1
  const txids = new Uint8Array(most * 32)
  const height = new Uint32Array(most)
  const timeS = new Uint32Array(most)
  const firstOutput = new Uint32Array(most + 1)
  const valueWords = new Uint32Array(most * 2)
  const scriptType = new Uint8Array(most)
  const scripts = new Uint8Array(rows.length)
  const scriptOffsets = new Uint32Array(most + 1)
  let txCount = 0
  let count = 0
  for (let row = 0; row < rows.length; count++) {
    if (rows.readUInt32LE(row + VOUT_AT) === 0) {
      txids.set(rows.subarray(row, row + 32), txCount * 32)
      height[txCount] = rows.readUInt32LE(row + HEIGHT_AT)
      timeS[txCount] = rows.readUInt32LE(row + TIME_AT)
      firstOutput[txCount++] = count
    }
    valueWords[count * 2] = rows.readUInt32LE(row + VALUE_AT)
    valueWords[count * 2 + 1] = rows.readUInt32LE(row + VALUE_AT + 4)
    scriptType[count] = rows[row + TYPE_AT]!
    let at = row + SCRIPT_AT
    let length = 0
    for (let shift = 0; ; shift += 7) {
      const byte = rows[at++]!
      length |= (byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    scripts.set(rows.subarray(at, at + length), scriptOffsets[count]!)
    scriptOffsets[count + 1] = scriptOffsets[count]! + length
    row = at + length
  }
  firstOutput[txCount] = count
  return {
    txCount,
    txidWords: wordsOf(txids),
    height,
    timeS,
    firstOutput,
    valueWords,
    scriptType,
    scripts: withView(scripts),
    scriptOffsets,
  }
}
