import { table, u32, u64 } from '#kernel/table.ts'
import type { Warehouse } from '#warehouse/index.ts'
import type { FoundPrevouts, Recalled } from './prevouts.ts'
import type { Chunk } from './rows/chunk.ts'

/**
 * Outpoints to look up, when there are too many for a statement. Memory of the engine: nothing of it outlives a lookup.
 */
const wantedOutpoints = table('btc_wanted_outpoints', {
  doc: 'Scratch of ingest: outpoints that it is looking up.',
  columns: {
    txidPrefix: u64('first eight bytes of the txid, big-endian'),
    vout: u32('index in its transaction'),
  },
  orderBy: [],
})

/** Up to here the outpoints stand in the statement: cheaper than filling a table, dearer to parse from there on. */
const MOST_IN_STATEMENT = 2048

export type FindInEngineOptions = {
  /** Only rows of batches that it names answer: committed ones, not those that a reorg is about to take back. */
  readonly isVisible: (batch: number) => boolean
  readonly mostInStatement?: number
}

/** Makes the scratch table of `findInEngine`. */
export async function createWantedTable(warehouse: Warehouse): Promise<void> {
  await warehouse.writer.command({
    query: `CREATE TABLE IF NOT EXISTS base.${wantedOutpoints.name} (txid_prefix UInt64, vout UInt32) ENGINE = Memory`,
  })
}

/** Inputs that look for what they spend: rows of a chunk. */
export type Wanting = Pick<Recalled, 'wanted'> & {
  readonly chunk: { readonly inputs: Pick<Chunk['inputs'], 'prevTxid' | 'prevVout'> }
}

/**
 * Finds older outputs in `base.btc_outpoints`, for several chunks in one go; of two outputs of one outpoint (BIP-30) the
 * higher one answers. Returns the answers to each chunk.
 */
export async function findInEngine(
  warehouse: Warehouse,
  wanting: readonly Wanting[],
  options: FindInEngineOptions,
): Promise<FoundPrevouts[]> {
  const count = wanting.reduce((sum, { wanted }) => sum + wanted.length, 0)
  const prefixes = new BigUint64Array(count)
  const vouts = new Uint32Array(count)
  let at = 0
  for (const { chunk, wanted } of wanting) {
    const { prevTxid, prevVout } = chunk.inputs
    for (const row of wanted) {
      prefixes[at] = prefixOf(prevTxid, row)
      vouts[at++] = prevVout[row]!
    }
  }
  const rows = new FoundRows(await readRows(warehouse, prefixes, vouts, options), options.isVisible)
  return wanting.map(one => answersOf(rows, one))
}

const COLUMNS =
  'batch, txid, vout, height, toUnixTimestamp(block_time), value_sat, script_type, script FROM base.btc_outpoints'

async function readRows(
  warehouse: Warehouse,
  prefixes: BigUint64Array,
  vouts: Uint32Array,
  { mostInStatement = MOST_IN_STATEMENT }: FindInEngineOptions,
): Promise<Buffer> {
  const count = prefixes.length
  if (count === 0) return Buffer.alloc(0)
  const isByKey = await isKeyCheaper(warehouse, count)
  if (isByKey && count <= mostInStatement) {
    const pairs = Array.from(prefixes, (prefix, i) => `(${prefix},${vouts[i]})`).join()
    return readAll(warehouse, `SELECT ${COLUMNS} WHERE (txid_prefix, vout) IN (${pairs})`)
  }
  const name = `base.${wantedOutpoints.name}`
  await warehouse.writer.command({ query: `TRUNCATE TABLE ${name}` })
  await warehouse.insertColumns(wantedOutpoints, { rowCount: count, txidPrefix: prefixes, vout: vouts })
  const rows = isByKey
    ? await readAll(
        warehouse,
        `SELECT ${COLUMNS} WHERE (txid_prefix, vout) IN (SELECT txid_prefix, vout FROM ${name})`,
      )
    : Buffer.concat(
        await Promise.all(
          JOINED_RANGES.map(range =>
            readAll(
              warehouse,
              `SELECT ${COLUMNS} INNER JOIN ${name} USING (txid_prefix, vout) WHERE ${range}`,
            ),
          ),
        ),
      )
  await warehouse.writer.command({ query: `TRUNCATE TABLE ${name}` })
  return rows
}

const MIDDLE = 2n ** 63n
/** The engine reads for such a join with one thread: two at a time take half as long. */
const JOINED_RANGES = [`txid_prefix < ${MIDDLE}`, `txid_prefix >= ${MIDDLE}`]

/** Measured, in processor time: a search by the primary key for an outpoint in one part, or one outpoint passed over. */
const KEY_NS = 45_000
const SCAN_NS = 100

/** Whether searching by key is cheaper than one pass over all outpoints; yes where the engine cannot tell at once. */
async function isKeyCheaper(warehouse: Warehouse, wantedCount: number): Promise<boolean> {
  const answer = await warehouse.writer.query({
    query: `SELECT toFloat64(total_rows) AS row_count, toFloat64(active_parts) AS part_count
FROM system.tables
WHERE database = 'base' AND name = 'btc_outpoints'`,
    format: 'JSONEachRow',
  })
  const [held] = await answer.json<{ row_count: number | null; part_count: number | null }>()
  if (held === undefined || held.row_count === null || held.part_count === null) return true
  return wantedCount * held.part_count * KEY_NS < held.row_count * SCAN_NS
}

async function readAll(warehouse: Warehouse, query: string): Promise<Buffer> {
  const { stream } = await warehouse.writer.exec({
    query: `${query}\nFORMAT RowBinary`,
    clickhouse_settings: {
      join_algorithm: 'hash',
      // For a cluster. Written into the statement, GLOBAL costs the engine its filter by the keys wanted: twice the work.
      distributed_product_mode: 'global',
    },
  })
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

/** The first eight bytes of a txid as a number, big-endian, as `txid_prefix` keeps them. */
function prefixOf(txids: Uint8Array, row: number): bigint {
  return Buffer.from(txids.buffer, txids.byteOffset + row * 32, 8).readBigUInt64BE()
}

/** Before a row's script stand: batch 4 bytes, txid 32, vout 4, height 4, time 4, value 8, type 1. */
const TXID_AT = 4
const VOUT_AT = 36
const HEIGHT_AT = 40
const FIXED_BYTES = 57

/** The engine's rows by outpoint: a table of open addressing over where they begin. */
class FoundRows {
  readonly bytes: Buffer
  readonly #slots: Uint32Array

  constructor(bytes: Buffer, isVisible: (batch: number) => boolean) {
    this.bytes = bytes
    const starts: number[] = []
    for (let at = 0; at < bytes.length; at = scriptOf(bytes, at).end)
      if (isVisible(bytes.readUInt32LE(at))) starts.push(at)
    let size = 16
    while (size < starts.length * 2) size *= 2
    this.#slots = new Uint32Array(size)
    for (const start of starts) this.#add(start)
  }

  /** Where the row of an outpoint begins; −1 where there is none. */
  find(txids: Uint8Array, at: number, vout: number): number {
    return this.#slots[this.#slotOf(txids, at, vout)]! - 1
  }

  #add(start: number): void {
    const { bytes } = this
    const slot = this.#slotOf(bytes, start + TXID_AT, bytes.readUInt32LE(start + VOUT_AT))
    const other = this.#slots[slot]! - 1
    if (other < 0 || bytes.readUInt32LE(other + HEIGHT_AT) < bytes.readUInt32LE(start + HEIGHT_AT))
      this.#slots[slot] = start + 1
  }

  /** The slot that holds the outpoint, or the empty one where it belongs. Choosing txids for one slot costs 2³² hashes each. */
  #slotOf(txids: Uint8Array, at: number, vout: number): number {
    const { bytes } = this
    const mask = this.#slots.length - 1
    let slot = mixed(txids, at, vout) & mask
    for (let held = this.#slots[slot]!; held !== 0; held = this.#slots[slot]!) {
      const start = held - 1
      let same = bytes.readUInt32LE(start + VOUT_AT) === vout
      for (let i = 0; i < 32 && same; i++) same = bytes[start + TXID_AT + i] === txids[at + i]
      if (same) return slot
      slot = (slot + 1) & mask
    }
    return slot
  }
}

function mixed(bytes: Uint8Array, at: number, vout: number): number {
  const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
  const hash = Math.imul(word ^ Math.imul(vout, 0x9e3779b1), 0x85ebca6b)
  return hash ^ (hash >>> 15)
}

/** Lays out for each wanted row what was found. */
function answersOf(rows: FoundRows, { chunk, wanted }: Wanting): FoundPrevouts {
  const { prevTxid, prevVout } = chunk.inputs
  const { bytes } = rows
  const count = wanted.length
  const isFound = new Uint8Array(count)
  const valueWords = new Uint32Array(count * 2)
  const scriptType = new Uint8Array(count)
  const height = new Uint32Array(count)
  const timeS = new Uint32Array(count)
  const scriptStart = new Uint32Array(count)
  const scriptEnd = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    const row = wanted[i]!
    const start = rows.find(prevTxid, row * 32, prevVout[row]!)
    if (start < 0) continue
    const script = scriptOf(bytes, start)
    isFound[i] = 1
    height[i] = bytes.readUInt32LE(start + HEIGHT_AT)
    timeS[i] = bytes.readUInt32LE(start + 44)
    valueWords[i * 2] = bytes.readUInt32LE(start + 48)
    valueWords[i * 2 + 1] = bytes.readUInt32LE(start + 52)
    scriptType[i] = bytes[start + 56]!
    scriptStart[i] = script.start
    scriptEnd[i] = script.end
  }
  return {
    isFound,
    valueWords,
    scriptType,
    height,
    timeS,
    scripts: bytes,
    scriptStart,
    scriptEnd,
    isPlaced: isFound,
  }
}

/** A row's script behind its length in LEB128; the next row begins at its end. */
function scriptOf(rows: Buffer, start: number): { start: number; end: number } {
  let at = start + FIXED_BYTES
  let length = 0
  for (let shift = 0; ; shift += 7) {
    const byte = rows[at++]!
    length |= (byte & 0x7f) << shift
    if (byte < 0x80) return { start: at, end: at + length }
  }
}
