import type { Warehouse } from '#warehouse/index.ts'
import { wordsOf } from './outputBatch.ts'
import type { FindPrevouts, FoundPrevouts } from './prevouts.ts'

/**
 * Finds older outputs in `base.btc_outpoints`. Only rows of batches that `isVisible` names answer: committed ones, not
 * those that a reorg is about to take back. Of two outputs of one outpoint (BIP-30) the higher one answers.
 */
export function findInEngine(warehouse: Warehouse, isVisible: (batch: number) => boolean): FindPrevouts {
  return async (chunk, wanted) => {
    const { prevTxid, prevVout } = chunk.inputs
    const answers = new OutpointAnswers()
    for (let from = 0; from < wanted.length; from += KEYS_A_QUERY) {
      const keys: string[] = []
      for (const row of wanted.subarray(from, from + KEYS_A_QUERY))
        keys.push(`(${prefixOf(prevTxid, row)},${prevVout[row]!})`)
      const rows = await readRows(warehouse, keys.join(','))
      answers.add(rows, isVisible)
    }
    return answers.of(prevTxid, prevVout, wanted)
  }
}

/** Keeps the statement under 4 MB. */
const KEYS_A_QUERY = 65_536

async function readRows(warehouse: Warehouse, keys: string): Promise<Buffer> {
  const { stream } = await warehouse.writer.exec({
    query: `
SELECT batch, txid, vout, height, toUnixTimestamp(block_time), value_sat, script_type, script
FROM base.btc_outpoints
WHERE (txid_prefix, vout) IN (${keys})
FORMAT RowBinary`,
    clickhouse_settings: { max_query_size: '8000000' },
  })
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

/** The first eight bytes of a txid as a decimal number, big-endian, as `txid_prefix` keeps them. */
function prefixOf(txids: Uint8Array, row: number): bigint {
  return Buffer.from(txids.buffer, txids.byteOffset + row * 32, 8).readBigUInt64BE()
}

/** Rows of the engine, found by outpoint. Fixed part of a row: batch 4, txid 32, vout 4, height 4, time 4, value 8, type 1. */
class OutpointAnswers {
  readonly #byKey = new Map<string, Answer>()
  readonly #buffers: Buffer[] = []

  add(rows: Buffer, isVisible: (batch: number) => boolean): void {
    let at = 0
    while (at < rows.length) {
      const start = at
      at += 57
      let length = 0
      for (let shift = 0; ; shift += 7) {
        const byte = rows[at++]!
        length |= (byte & 0x7f) << shift
        if (byte < 0x80) break
      }
      const script = at
      at += length
      if (!isVisible(rows.readUInt32LE(start))) continue
      const key = rows.toString('latin1', start + 4, start + 40)
      const height = rows.readUInt32LE(start + 40)
      const other = this.#byKey.get(key)
      if (other && other.height > height) continue
      this.#byKey.set(key, { rows, start, script, length, height })
    }
    this.#buffers.push(rows)
  }

  of(prevTxid: Uint8Array, prevVout: Uint32Array, wanted: Uint32Array): FoundPrevouts {
    const count = wanted.length
    const isFound = new Uint8Array(count)
    const valueSat = new BigUint64Array(count)
    const valueWords = wordsOf(valueSat)
    const scriptType = new Uint8Array(count)
    const height = new Uint32Array(count)
    const timeS = new Uint32Array(count)
    const scriptStart = new Uint32Array(count)
    const scriptEnd = new Uint32Array(count)
    const scripts = Buffer.concat(this.#buffers)
    const baseOf = new Map<Buffer, number>()
    let base = 0
    for (const rows of this.#buffers) {
      baseOf.set(rows, base)
      base += rows.length
    }
    const key = Buffer.alloc(36)
    for (let i = 0; i < count; i++) {
      const row = wanted[i]!
      key.set(prevTxid.subarray(row * 32, row * 32 + 32))
      key.writeUInt32LE(prevVout[row]!, 32)
      const answer = this.#byKey.get(key.toString('latin1'))
      if (answer === undefined) continue
      const { rows, start } = answer
      isFound[i] = 1
      height[i] = answer.height
      timeS[i] = rows.readUInt32LE(start + 44)
      valueWords[i * 2] = rows.readUInt32LE(start + 48)
      valueWords[i * 2 + 1] = rows.readUInt32LE(start + 52)
      scriptType[i] = rows[start + 56]!
      scriptStart[i] = baseOf.get(rows)! + answer.script
      scriptEnd[i] = scriptStart[i]! + answer.length
    }
    return {
      isFound,
      valueWords,
      scriptType,
      height,
      timeS,
      scripts,
      scriptStart,
      scriptEnd,
      isPlaced: isFound,
    }
  }
}

type Answer = {
  readonly rows: Buffer
  readonly start: number
  readonly script: number
  readonly length: number
  readonly height: number
}
