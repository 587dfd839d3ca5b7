/** `5 of 24 hours`, `2.5 of 30 days`: how much of a window is indexed, both in hours. */
export const indexedText = (indexed: number, hours: number): string =>
  hours <= 24
    ? `${indexed} of ${hours} hour${hours === 1 ? '' : 's'}`
    : `${Math.floor(indexed / 2.4) / 10} of ${hours / 24} days`

/** Says behind the words of a table that its counts lack blocks; nothing where none is missing (null: every block is indexed). */
export const partialText = (indexed: number | null, hours: number): string =>
  indexed === null || indexed >= hours ? '' : `. Partial data (${indexedText(indexed, hours)})`
