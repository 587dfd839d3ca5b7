import { table, u32, u64 } from '#kernel/table.ts'
import type { Warehouse } from '#warehouse/index.ts'
import type { FindPrevouts, FoundPrevouts } from './prevouts.ts'

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

/**
 * Finds older outputs in `base.btc_outpoints` by its primary key; of two outputs of one outpoint (BIP-30) the higher one
 * answers. An engine that has to touch most of the table anyway reads it whole by itself.
 */
export function findInEngine(warehouse: Warehouse, options: FindInEngineOptions): FindPrevouts {
  const mostInStatement = options.mostInStatement ?? MOST_IN_STATEMENT
  return async ({ inputs: { prevTxid, prevVout } }, wanted) => {
    const prefixes = BigUint64Array.from(wanted, row => prefixOf(prevTxid, row))
    const vouts = Uint32Array.from(wanted, row => prevVout[row]!)
    let set: string
    if (wanted.length <= mostInStatement)
      set = Array.from(prefixes, (prefix, i) => `(${prefix},${vouts[i]})`).join()
    else {
      await warehouse.writer.command({ query: `TRUNCATE TABLE base.${wantedOutpoints.name}` })
      await warehouse.insertColumns(wantedOutpoints, {
        rowCount: wanted.length,
        txidPrefix: prefixes,
        vout: vouts,
      })
      set = `SELECT txid_prefix, vout FROM base.${wantedOutpoints.name}`
    }
    const rows = await readRows(warehouse, set)
    if (wanted.length > mostInStatement)
      await warehouse.writer.command({ query: `TRUNCATE TABLE base.${wantedOutpoints.name}` })
    return answersOf(rows, options.isVisible, prevTxid, prevVout, wanted)
  }
}

async function readRows(warehouse: Warehouse, set: string): Promise<Buffer> {
  const { stream } = await warehouse.writer.exec({
    query: `
SELECT batch, txid, vout, height, toUnixTimestamp(block_time), value_sat, script_type, script
FROM base.btc_outpoints
WHERE (txid_prefix, vout) GLOBAL IN (${set})
FORMAT RowBinary`,
  })
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

/** The first eight bytes of a txid as a decimal number, big-endian, as `txid_prefix` keeps them. */
function prefixOf(txids: Uint8Array, row: number): bigint {
  return Buffer.from(txids.buffer, txids.byteOffset + row * 32, 8).readBigUInt64BE()
}

/** Before a row's script stand: batch 4 bytes, txid 32, vout 4, height 4, time 4, value 8, type 1. */
const FIXED_BYTES = 57

/** Takes the engine's rows apart and lays out for each wanted row what was found. */
function answersOf(
  rows: Buffer,
  isVisible: (batch: number) => boolean,
  prevTxid: Uint8Array,
  prevVout: Uint32Array,
  wanted: Uint32Array,
): FoundPrevouts {
  const startByKey = new Map<string, number>()
  for (let at = 0; at < rows.length; ) {
    const start = at
    const script = scriptOf(rows, start)
    at = script.end
    if (!isVisible(rows.readUInt32LE(start))) continue
    const key = rows.toString('latin1', start + 4, start + 40)
    const other = startByKey.get(key)
    if (other === undefined || rows.readUInt32LE(other + 40) < rows.readUInt32LE(start + 40))
      startByKey.set(key, start)
  }
  const count = wanted.length
  const isFound = new Uint8Array(count)
  const valueWords = new Uint32Array(count * 2)
  const scriptType = new Uint8Array(count)
  const height = new Uint32Array(count)
  const timeS = new Uint32Array(count)
  const scriptStart = new Uint32Array(count)
  const scriptEnd = new Uint32Array(count)
  const key = Buffer.alloc(36)
  for (let i = 0; i < count; i++) {
    const row = wanted[i]!
    key.set(prevTxid.subarray(row * 32, row * 32 + 32))
    key.writeUInt32LE(prevVout[row]!, 32)
    const start = startByKey.get(key.toString('latin1'))
    if (start === undefined) continue
    const script = scriptOf(rows, start)
    isFound[i] = 1
    height[i] = rows.readUInt32LE(start + 40)
    timeS[i] = rows.readUInt32LE(start + 44)
    valueWords[i * 2] = rows.readUInt32LE(start + 48)
    valueWords[i * 2 + 1] = rows.readUInt32LE(start + 52)
    scriptType[i] = rows[start + 56]!
    scriptStart[i] = script.start
    scriptEnd[i] = script.end
  }
  return {
    isFound,
    valueWords,
    scriptType,
    height,
    timeS,
    scripts: rows,
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
