import type { VarBytes } from '#kernel/table.ts'

const utf8 = new TextEncoder()

/** The same 64-bit value in so many rows. */
export const filled = (value: bigint, rowCount: number): BigUint64Array =>
  new BigUint64Array(rowCount).fill(value)

/** A text in so many rows. */
export type Run = { readonly text: string; readonly rows: number }

/** Texts that stand in many rows one after the other, each encoded once. */
export function textColumn(runs: readonly Run[]): VarBytes {
  const encoded = runs.map(({ text, rows }) => ({ bytes: utf8.encode(text), rows }))
  const offsets = new Uint32Array(runs.reduce((sum, { rows }) => sum + rows, 0) + 1)
  const bytes = new Uint8Array(encoded.reduce((sum, each) => sum + each.bytes.length * each.rows, 0))
  let [row, at] = [0, 0]
  for (const { bytes: one, rows } of encoded)
    for (let left = rows; left > 0; left -= 1) {
      bytes.set(one, at)
      at += one.length
      row += 1
      offsets[row] = at
    }
  return { bytes, offsets }
}

/** `YYYY-MM-DD` of days since 1970. */
export const dateOf = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10)
