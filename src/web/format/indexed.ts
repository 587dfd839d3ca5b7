import { counted } from './counted.ts'
import { grouped } from './figure.ts'

/** `5 of 24 hours`, `2.5 of 30 days`: how much of a window is indexed, both in hours. */
export const indexedText = (indexed: number, hours: number): string =>
  hours <= 24 ? `${indexed} of ${counted(hours, 'hour')}` : `${daysOf(indexed)} of ${hours / 24} days`

/** Says behind the words of a table that its counts lack blocks; nothing where none is missing (null: every block is indexed). */
export const partialText = (indexed: number | null, hours: number): string =>
  indexed === null || indexed >= hours ? '' : `. Partial data (${indexedText(indexed, hours)})`

/**
 * Says of counts over all indexed blocks of a chain that blocks are missing: earlier ones than the newest hours, which have
 * no gap, may be indexed or not. Undefined where none is missing.
 */
const partialHistory = (indexed: number | null): string | undefined =>
  indexed === null
    ? undefined
    : `Partial data (${indexed === 0 ? 'blocks are missing' : `no gaps only in the last ${spanText(indexed)}`})`

const spanText = (hours: number): string =>
  hours <= 24 ? counted(hours, 'hour') : `${daysOf(hours)} day${daysOf(hours) === 1 ? '' : 's'}`

/** Days to a tenth, rounded down. */
const daysOf = (hours: number): number => Math.floor(hours / 2.4) / 10

/** The same behind the words of a table. */
export const partialHistoryText = (indexed: number | null): string =>
  indexed === null ? '' : `. ${partialHistory(indexed)}`

/** Transactions and how many of them failed, as far as either is known. */
export const sentText = (txs: number | null, failed: number | null): string =>
  txs === null
    ? '–'
    : `${grouped(String(txs))}${failed === null ? '' : `, of them ${grouped(String(failed))} failed`}`

/** The row of facts that says so; none where every block is indexed. */
export function coverageFacts(indexed: number | null): { label: string; value: string }[] {
  const value = partialHistory(indexed)
  return value === undefined ? [] : [{ label: 'Coverage', value }]
}
