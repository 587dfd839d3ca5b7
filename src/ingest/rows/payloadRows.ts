import type { Arena } from '#kernel/arena.ts'
import { LAYER_OPS } from '#kernel/bitcoin.ts'
import type { Chunk } from './chunk.ts'
import { type BlockToStore, blobColumn, hashColumn } from './toStore.ts'

/** The rows of `btc_inscriptions`. */
export function inscriptionRows(arena: Arena, store: readonly BlockToStore[]): Chunk['inscriptions'] {
  const rows = store.flatMap(one => one.payloads.envelopes.map(envelope => ({ one, envelope })))
  return {
    rowCount: rows.length,
    batch: new Uint32Array(rows.length),
    height: Uint32Array.from(rows, ({ one }) => one.height),
    blockTime: Uint32Array.from(rows, ({ one }) => one.block.timeS),
    txIndex: Uint32Array.from(rows, ({ envelope }) => envelope.txIndex),
    txid: hashColumn(rows.map(({ one, envelope }) => txidOf(one, envelope.txIndex))),
    vin: Uint32Array.from(rows, ({ envelope }) => envelope.vin),
    envelope: Uint32Array.from(rows, ({ envelope }) => envelope.envelope),
    contentType: rows.map(({ envelope }) => envelope.contentType),
    bodyBytes: Uint32Array.from(rows, ({ envelope }) => envelope.bodyBytes),
    isBrc20: Uint8Array.from(rows, ({ envelope }) => Number(envelope.isBrc20)),
    bodyStart: blobColumn(
      arena,
      rows.map(({ envelope }) => envelope.bodyStart),
    ),
  }
}

/** The rows of `btc_layer_ops`. */
export function layerOpRows(store: readonly BlockToStore[]): Chunk['layerOps'] {
  const rows = store.flatMap(one => one.payloads.operations.map(operation => ({ one, operation })))
  return {
    rowCount: rows.length,
    batch: new Uint32Array(rows.length),
    height: Uint32Array.from(rows, ({ one }) => one.height),
    blockTime: Uint32Array.from(rows, ({ one }) => one.block.timeS),
    txIndex: Uint32Array.from(rows, ({ operation }) => operation.txIndex),
    txid: hashColumn(rows.map(({ one, operation }) => txidOf(one, operation.txIndex))),
    vout: Uint16Array.from(rows, ({ operation }) => operation.vout),
    op: Uint8Array.from(rows, ({ operation }) => LAYER_OPS.indexOf(operation.op)),
    valueSat: BigUint64Array.from(rows, ({ operation }) => operation.valueSat),
    detailsJson: rows.map(({ operation }) => JSON.stringify(operation.details)),
    rule: rows.map(({ operation }) => operation.rule),
  }
}

const txidOf = ({ block }: BlockToStore, txIndex: number): Uint8Array =>
  block.txs.txid.subarray(txIndex * 32, txIndex * 32 + 32)
