import { grouped } from './figure.ts'

/** `5 of 24 hours`, `2.5 of 30 days`: how much of a window is indexed, both in hours. */
export const indexedText = (indexed: number, hours: number): string =>
  hours <= 24
    ? `${indexed} of ${hours} hour${hours === 1 ? '' : 's'}`
    : `${Math.floor(indexed / 2.4) / 10} of ${hours / 24} days`

/** Says behind the words of a table that its counts lack blocks; nothing where none is missing (null: every block is indexed). */
export const partialText = (indexed: number | null, hours: number): string =>
  indexed === null || indexed >= hours ? '' : `. Partial data (${indexedText(indexed, hours)})`

/** `5 hours`, `1 day`, `2.5 days`. */
function spanText(hours: number): string {
  if (hours <= 24) return `${hours} hour${hours === 1 ? '' : 's'}`
  const days = Math.floor(hours / 2.4) / 10
  return `${days} day${days === 1 ? '' : 's'}`
}

/**
 * Says of counts over all indexed blocks of a chain that blocks are missing: before so many newest hours, which have no
 * gap, some may be indexed and some not. Undefined where none is missing.
 */
const partialHistory = (indexed: number | null): string | undefined =>
  indexed === null ? undefined : `Partial data (blocks missing before the newest ${spanText(indexed)})`

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
