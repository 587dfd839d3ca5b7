import { hash } from 'node:crypto'
import type { Columns } from '../columns.ts'

export type Hasher = {
  /** Double SHA-256, display order. */
  hash256(message: Uint8Array): Uint8Array
  /** The 32 bytes at each offset, byte-reversed: wire order to display order. */
  reversed(bytes: Uint8Array, offsets: Uint32Array): Uint8Array
  /** Ids of all transactions in the columns, display order, 32 bytes each. */
  transactionIds(bytes: Uint8Array, columns: Columns): { txid: Uint8Array; wtxid: Uint8Array }
  /** The next level of a merkle tree: pairs hashed, an odd last hash with itself; all in display order. */
  merkleLevel(level: Uint8Array): Uint8Array
}

export function openHasher(): Hasher {
  const hash256 = (message: Uint8Array): Uint8Array =>
    hash('sha256', hash('sha256', message, 'buffer'), 'buffer').reverse()
  return {
    hash256,
    reversed(bytes, offsets) {
      const out = new Uint8Array(32 * offsets.length)
      for (let i = 0; i < offsets.length; i++) {
        for (let b = 0; b < 32; b++) out[32 * i + b] = bytes[offsets[i]! + 31 - b]!
      }
      return out
    },
    transactionIds(bytes, { txs }) {
      const txid = new Uint8Array(32 * txs.count)
      const wtxid = new Uint8Array(32 * txs.count)
      for (let i = 0; i < txs.count; i++) {
        const at = txs.offset[i]!
        const whole = bytes.subarray(at, at + txs.sizeBytes[i]!)
        wtxid.set(hash256(whole), 32 * i)
        if (txs.hasWitness[i] === 0) {
          txid.set(wtxid.subarray(32 * i, 32 * i + 32), 32 * i)
        } else {
          const stripped = txs.strippedBytes[i]!
          const message = new Uint8Array(stripped)
          message.set(whole.subarray(0, 4))
          message.set(whole.subarray(6, stripped - 2), 4)
          message.set(whole.subarray(-4), stripped - 4)
          txid.set(hash256(message), 32 * i)
        }
      }
      return { txid, wtxid }
    },
    merkleLevel(level) {
      const out = new Uint8Array(32 * Math.ceil(level.length / 64))
      for (let i = 0; i < out.length; i += 32) {
        const left = level.slice(2 * i, 2 * i + 32).reverse()
        const right = 2 * i + 32 < level.length ? level.slice(2 * i + 32, 2 * i + 64).reverse() : left
        out.set(hash256(Buffer.concat([left, right])), i)
      }
      return out
    },
  }
}
