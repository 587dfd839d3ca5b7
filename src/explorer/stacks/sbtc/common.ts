/** What statements about sBTC share. */

export type SbtcListQuery = {
  /** Any transaction that has part in it, lower-case hex. */
  readonly txid?: string | undefined
  /** With `txid`: the deposit of this output alone. */
  readonly vout?: number | undefined
  /** Who got it, or asks for it. */
  readonly principal?: string | undefined
  /** What came last on the part of the list before. */
  readonly before?: { readonly height: number; readonly eventIndex: number } | undefined
  readonly limit: number
}

/** SQL: 32 bytes that are there, as hex; the same of what may be null; and seconds of a time that may be null. */
export const hexOf = (column: string): string => `lower(hex(assumeNotNull(${column})))`
export const hexOrNull = (column: string): string =>
  `if(isNull(${column}), NULL, lower(hex(assumeNotNull(${column}))))`
export const unixOf = (column: string): string =>
  `if(isNull(${column}), NULL, toUnixTimestamp(assumeNotNull(${column})))`

/** SQL: the Bitcoin height under the lowest Stacks block of the newest run that is held. */
export const SINCE_HELD = `SELECT min(burn_height) FROM stx_blocks
    WHERE height = (SELECT from_height FROM stx_coverage ORDER BY to_height DESC LIMIT 1)`
