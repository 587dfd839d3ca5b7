/** What one statement of people's SQL may take: seconds, bytes of memory, rows of the answer. The engine holds it, out of reach of SQL. */
export type SqlLimits = { readonly seconds: number; readonly memoryBytes: number; readonly rows: number }

const GIB = 2 ** 30

/** Daily quota of a caller (UTC): queries, seconds of execution, rows and bytes read. */
export type QueryQuota = {
  readonly runs: number
  readonly seconds: number
  readonly rows: number
  readonly bytes: number
}

/** Of a guest by network, of a member by person. */
export const QUERY_QUOTAS = {
  guest: { runs: 2_000, seconds: 3_600, rows: 50e9, bytes: 1_000e9 },
  member: { runs: 20_000, seconds: 6 * 3_600, rows: 500e9, bytes: 10_000e9 },
} as const satisfies Record<string, QueryQuota>

/** `guest`: whoever asks. `member`: who was given more. A small server may have less memory to give than this. */
export const SQL_LIMITS = {
  guest: { seconds: 10, memoryBytes: GIB, rows: 10_000 },
  member: { seconds: 60, memoryBytes: 4 * GIB, rows: 1_000_000 },
} as const satisfies Record<string, SqlLimits>

/**
 * How often the engine's parser may go back in a user query of this length. Nothing else stops it while it parses. Metrics and
 * public examples need up to one half per character, deeply nested brackets some thousands.
 */
export const parserBacktracks = (characters: number): number => 5_000 + characters
